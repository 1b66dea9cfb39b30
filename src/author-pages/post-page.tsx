import type { Account } from "../db/schema.ts"
import { directionOf, languageName } from "../language.ts"
import { MAX_CATEGORIES, MAX_META_DESCRIPTION_CHARS, MAX_TAGS, MAX_TITLE_CHARS } from "../limits.ts"
import type { Post } from "../posts/post.ts"
import type { Text } from "../posts/text.ts"
import { Section } from "../ui/components.tsx"
import { Area, Done, Field, Hidden, Outcome, type RefusedForm } from "../ui/form.tsx"
import { renderSettingsPage } from "./layout.tsx"
import { changedFields, formValues, seenText, type FieldName } from "./post-form.ts"
import { PostLinks, PostTimes, TranslationRow, type Summary } from "./post-list.tsx"

/** The notice of each form that has done something. */
const DONE = {
  saved: "Saved.",
  published: "Published.",
  scheduled: "Scheduled.",
  draft: "Turned into a draft.",
  retried: "Saved, and waiting for translation.",
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

const LABELS: Record<FieldName, string> = {
  title: "Title",
  meta_description: "Description",
  categories: "Categories",
  tags: "Tags",
  body: "Text in Markdown",
}
const ROWS: Record<FieldName, number> = { title: 2, meta_description: 3, categories: 2, tags: 2, body: 24 }

/** Renders the stored values that differ, beside the form with what the author typed for an older version. */
const Stored = ({ post, text, lang, sent }: Props & Pick<RefusedForm, "sent">) => {
  const stored = formValues(post, lang, text)
  const changed = changedFields(sent, stored)
  return (
    <Section id="stored" title="Saved meanwhile">
      {changed.length === 0 && <p>Nothing that this form has: its values are the same as yours.</p>}
      {changed.map((name) => (
        <Area
          id={`stored-${name}`}
          name={`stored_${name}`}
          label={`${LABELS[name]}, as saved`}
          rows={ROWS[name]}
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

/** The id of the form of the text. Buttons elsewhere on the page send it, so that they drop no unsaved text. */
const TEXT_FORM = "text-form"

const TextForm = (props: Props) => {
  const { post, text, lang, etag, conflicting } = props
  const refused = props.refused ?? conflicting
  const values = formValues(post, lang, text)
  const isSource = lang === post.primary_language
  const words = { autocapitalize: "sentences", spellcheck: true, lang, dir: directionOf(lang), refused } as const
  return (
    <Section id="text" title={conflicting ? "Your text, not saved" : "Text"}>
      {!isSource && (
        <p class="quiet">
          What you change here is kept, and is not translated again. Fields that have no text yet are translated.
        </p>
      )}
      <form method="post" action={pathOf(post.slug)} id={TEXT_FORM}>
        <Hidden name="etag" value={etag} refused={props.refused} />
        <Hidden name="seen" value={seenText(text)} refused={props.refused} />
        <input type="hidden" name="lang_code" value={lang} />
        <Field
          {...words}
          id="title"
          name="title"
          label={LABELS.title}
          value={values.title}
          hint={`At most ${MAX_TITLE_CHARS} characters.`}
        />
        <Area
          {...words}
          id="description"
          name="meta_description"
          label={LABELS.meta_description}
          rows={ROWS.meta_description}
          value={values.meta_description}
          hint={`For lists and search engines; at most ${MAX_META_DESCRIPTION_CHARS} characters.`}
        />
        {isSource && (
          <>
            <Field
              id="categories"
              name="categories"
              label={LABELS.categories}
              value={values.categories}
              hint={`Separated by commas; 1 to ${MAX_CATEGORIES}.`}
              refused={refused}
            />
            <Field
              id="tags"
              name="tags"
              label={LABELS.tags}
              value={values.tags}
              hint={`Separated by commas; at most ${MAX_TAGS}.`}
              refused={refused}
            />
          </>
        )}
        <Area {...words} id="body" name="body" label={LABELS.body} rows={ROWS.body} value={values.body} />
        <button class="primary">Save</button>{" "}
        <button formaction={`${pathOf(post.slug)}preview/`} formtarget="_blank">
          Preview
        </button>
      </form>
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

/** Renders the page of a post: its text in one language to edit, its publishing, its translations, and the way to delete it. */
export const renderPostPage = (props: Props) => {
  const { account, post, summary, conflicting, done } = props
  const title = summary.title ?? post.slug
  return renderSettingsPage({
    account,
    path: "/settings/posts/",
    title,
    kind: conflicting ? "settings broad" : "settings",
    children: (
      <>
        <h1 lang={post.primary_language} dir={directionOf(post.primary_language)}>
          {title}
        </h1>
        <p class="byline">
          <PostTimes post={summary} /> · <code>{post.slug}</code>
          <PostLinks post={summary} />
        </p>
        {conflicting ? (
          <p class="notice" role="alert">
            <strong>Nothing was changed.</strong> The post has changed since you opened its page. Compare both texts,
            correct yours, and save it: it then replaces the one that was saved meanwhile.
          </p>
        ) : done === "outdated" ? (
          <p class="notice" role="alert">
            <strong>Nothing was changed.</strong> The post has changed since you opened its page. Look at it, and press
            the button again.
          </p>
        ) : done === "visible" ? (
          <p class="notice" role="alert">
            <strong>Nothing was changed.</strong> Readers see this post already. Turn it into a draft first.
          </p>
        ) : done ? (
          <Done>{DONE[done]}</Done>
        ) : (
          <Outcome refused={props.refused} />
        )}
        <Languages {...props} />
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
