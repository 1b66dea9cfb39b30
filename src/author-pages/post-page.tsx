import type { Account } from "../db/schema.ts"
import type { Warning } from "../http/validate.ts"
import { directionOf, languageName } from "../language.ts"
import type { Post } from "../posts/post.ts"
import type { Text } from "../posts/text.ts"
import { Section } from "../ui/components.tsx"
import { Area, Done, Outcome, type RefusedForm, Unsaved, Warnings } from "../ui/form.tsx"
import { renderSettingsPage } from "./layout.tsx"
import { changedFields, formValues } from "./post-form.ts"
import { PostLinks, PostTimes, TranslationRow, type Summary } from "./post-list.tsx"
import { Review, textToReview } from "./review.tsx"
import { labelled, LABELS, ROWS, TEXT_FORM, TextForm } from "./text-form.tsx"

/** The notice of each form that has done something. */
const DONE = {
  created: "Saved as a draft. Readers do not see it yet.",
  images: "Saved, with the images at the end of the text.",
  saved: "Saved.",
  published: "Published.",
  scheduled: "Scheduled.",
  draft: "Turned into a draft.",
  retried: "Saved, and waiting for translation.",
  approved: "Approved.",
} as const

interface Props {
  account: Account
  post: Post
  summary: Summary
  /** BCP 47 code of the text that the form has. */
  lang: string
  /** That text; null if the post has none in this language yet. */
  text: Text | null
  /** The version that the forms change. */
  etag: string
  refused?: RefusedForm | undefined
  /** A form was not applied: the post had changed if it is `outdated`, or cannot be scheduled if it is `visible`. */
  done?: keyof typeof DONE | "outdated" | "visible" | undefined
  /** The form of a version that is no longer the newest, as typed: `text` is the newest. */
  conflicting?: RefusedForm
  /** The remarks of the service about the saved text. */
  warnings?: Warning[]
}

const pathOf = (slug: string, lang?: string): string =>
  `/settings/posts/${slug}/${lang === undefined ? "" : `?lang=${encodeURIComponent(lang)}`}`

const Languages = ({ post, lang }: Props) => (
  <nav aria-label="Languages of the post">
    <ul class="tabs">
      {[post.primary_language, ...post.translation_languages].map((code) => (
        <li>
          <a
            href={pathOf(post.slug, code === post.primary_language ? undefined : code)}
            aria-current={code === lang ? "page" : undefined}
          >
            {languageName(code)}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

/** Renders the stored values that differ, beside the form with what the author typed for an older version. */
const Stored = ({ account, post, text, lang, sent }: Props & Pick<RefusedForm, "sent">) => {
  const stored = formValues(post, lang, text, account.timezone)
  const changed = changedFields(sent, stored)
  return (
    <Section id="stored" title="Saved meanwhile">
      {changed.length === 0 && <p>Nothing that this form has: its values are the same as yours.</p>}
      {changed.map((name) => (
        <Area
          id={`stored-${name}`}
          name={`stored_${name}`}
          label={`${LABELS[name]}, as saved`}
          rows={ROWS[name] ?? 2}
          value={stored[name] ?? ""}
          lang={lang}
          dir={directionOf(lang)}
          readonly
          refused={undefined}
        />
      ))}
    </Section>
  )
}

const Publishing = ({ summary: { status, scheduled } }: Props) => (
  <Section id="publishing" title="Publishing">
    {(status === "DF" || scheduled) && (
      <>
        <button form={TEXT_FORM} name="action" value="publish">
          Publish now
        </button>{" "}
        <button form={TEXT_FORM} name="action" value="schedule">
          {scheduled ? "Change the time" : "Schedule"}
        </button>
      </>
    )}{" "}
    {status === "PB" && (
      <button form={TEXT_FORM} name="action" value="draft">
        Turn into a draft
      </button>
    )}
    <p class="quiet">The text above is saved as well.</p>
  </Section>
)

/** Returns the address at which readers find the text that the form has, else the post. */
const urlOf = ({ url, translations }: Summary, lang: string): string | null =>
  translations.find(({ lang_code }) => lang_code === lang)?.url ?? url

/** Renders the page of a post: its text in one language to edit, its publishing, its translations, and the way to delete it. */
export const renderPostPage = (props: Props) => {
  const { account, post, summary, conflicting, done } = props
  const title = summary.title ?? post.slug
  const reviewed = conflicting ? undefined : textToReview(post, props.lang)
  return renderSettingsPage({
    account,
    path: "/settings/posts/",
    title,
    kind: conflicting || reviewed ? "settings broad" : "settings",
    children: (
      <>
        <h1 lang={post.primary_language} dir={directionOf(post.primary_language)}>
          {title}
        </h1>
        <p class="byline">
          <PostTimes post={summary} zone={account.timezone} /> · <code>{post.slug}</code>
          <PostLinks post={summary} />
        </p>
        {conflicting ? (
          <Unsaved>
            This post has <a href="#stored">another text</a> by now, from elsewhere or from the form that you went back
            to. If you save yours, it replaces that one. If yours is to be another post, copy it into{" "}
            <a href="/settings/posts/new/">a new one</a>.
          </Unsaved>
        ) : done === "outdated" ? (
          <Unsaved>The post has changed since you opened its page. Look at it, and press the button again.</Unsaved>
        ) : done === "visible" ? (
          <Unsaved>Readers see this post already. Turn it into a draft first.</Unsaved>
        ) : done ? (
          <Done href={summary.status === "PB" ? urlOf(summary, props.lang) : null}>{DONE[done]}</Done>
        ) : (
          <Outcome refused={props.refused} />
        )}
        <Warnings warnings={labelled(props.warnings ?? [])} />
        <Languages {...props} />
        {reviewed && <Review post={post} text={reviewed} />}
        {conflicting ? (
          <div class="sides">
            <TextForm {...props} />
            <Stored {...props} sent={conflicting.sent} />
          </div>
        ) : (
          <TextForm {...props} />
        )}
        {!conflicting && <Publishing {...props} />}
        {summary.translations.length > 0 && (
          <Section id="translations" title="Translations">
            <ul class="rows">
              {summary.translations.map((translation) => (
                <TranslationRow
                  post={summary}
                  translation={translation}
                  page={pathOf(post.slug)}
                  renderRetry={
                    conflicting
                      ? undefined
                      : (what) => (
                          <button
                            form={TEXT_FORM}
                            name="retry"
                            value={translation.lang_code}
                            aria-label={`Save and try again: ${what}`}
                          >
                            Save and try again
                          </button>
                        )
                  }
                />
              ))}
            </ul>
          </Section>
        )}
        <Section id="deleting" title="Deleting">
          <p>
            <a href={`${pathOf(post.slug)}delete/`}>Delete this post</a>
          </p>
        </Section>
      </>
    ),
  })
}
