import type { Account } from "../db/schema.ts"
import { directionOf, languageName } from "../language.ts"
import { MAX_CATEGORIES, MAX_META_DESCRIPTION_CHARS, MAX_SCHEDULE_DAYS, MAX_TAGS, MAX_TITLE_CHARS } from "../limits.ts"
import type { Post } from "../posts/post.ts"
import type { Text } from "../posts/text.ts"
import { PostState, Section } from "../ui/components.tsx"
import { Area, Field, Outcome, type RefusedForm } from "../ui/form.tsx"
import { renderSettingsPage } from "./layout.tsx"
import { showList, showTime } from "./post-form.ts"
import { PostTimes, type Summary, TranslationRow } from "./post-list.tsx"

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
  isSaved?: boolean
  /** A form was not applied, since the post had changed. */
  isOutdated?: boolean
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

/** Renders the text that is stored, beside the form with what the author typed for an older version. */
const Stored = ({ text, lang }: Props) => {
  const attributes = { refused: undefined, lang, dir: directionOf(lang), readonly: true }
  return (
    <section aria-labelledby="stored">
      <h2 id="stored">Saved meanwhile</h2>
      <Area {...attributes} id="stored-title" name="stored_title" label="Title" rows={2} value={text?.title ?? ""} />
      <Area
        {...attributes}
        id="stored-description"
        name="stored_description"
        label="Description"
        rows={3}
        value={text?.meta_description ?? ""}
      />
      <Area {...attributes} id="stored-body" name="stored_body" label="Text" rows={24} value={text?.body ?? ""} />
    </section>
  )
}

const TextForm = (props: Props) => {
  const { post, text, lang, etag, conflicting } = props
  const refused = props.refused ?? conflicting
  const isSource = lang === post.primary_language
  const words = { autocapitalize: "sentences", spellcheck: true, lang, dir: directionOf(lang), refused } as const
  return (
    <Section id="text" title={conflicting ? "Your text, not saved" : "Text"}>
      {!isSource && (
        <p class="quiet">What you change here is kept, and is not translated again. Empty fields are translated.</p>
      )}
      <form method="post" action={pathOf(post.slug)}>
        <input type="hidden" name="etag" value={etag} />
        <input type="hidden" name="lang_code" value={lang} />
        <Field
          {...words}
          id="title"
          name="title"
          label="Title"
          value={text?.title ?? ""}
          hint={`At most ${MAX_TITLE_CHARS} characters.`}
        />
        <Area
          {...words}
          id="description"
          name="meta_description"
          label="Description"
          rows={3}
          value={text?.meta_description ?? ""}
          hint={`For lists and search engines; at most ${MAX_META_DESCRIPTION_CHARS} characters.`}
        />
        {isSource && (
          <>
            <Field
              id="categories"
              name="categories"
              label="Categories"
              value={showList(post.categories)}
              hint={`Between commas; 1 to ${MAX_CATEGORIES}.`}
              refused={refused}
            />
            <Field
              id="tags"
              name="tags"
              label="Tags"
              value={showList(post.tags)}
              hint={`Between commas; at most ${MAX_TAGS}.`}
              refused={refused}
            />
          </>
        )}
        <Area {...words} id="body" name="body" label="Text in Markdown" rows={24} value={text?.body ?? ""} />
        <button class="primary">Save</button>{" "}
        <button formaction={`${pathOf(post.slug)}preview/`} formtarget="_blank">
          Preview
        </button>
      </form>
    </Section>
  )
}

const Publishing = ({ post, summary: { status, scheduled }, etag, refused }: Props) => (
  <Section id="publishing" title="Publishing">
    <form method="post" action={`${pathOf(post.slug)}status/`}>
      <input type="hidden" name="etag" value={etag} />
      {(status === "DF" || scheduled) && (
        <button name="action" value="publish">
          Publish now
        </button>
      )}{" "}
      {status === "PB" && (
        <button name="action" value="draft">
          Turn into a draft
        </button>
      )}
      <Field
        id="published-at"
        name="published_at"
        type="datetime-local"
        label="Readers see it from (UTC)"
        value={showTime(post.published_at)}
        hint={`At most ${MAX_SCHEDULE_DAYS} days ahead.`}
        refused={refused}
      />
      <button name="action" value="schedule">
        {status === "DF" ? "Schedule" : "Change the time"}
      </button>
    </form>
  </Section>
)

/** Renders the page of a post: its text in one language to edit, its publishing, its translations, and the way to delete it. */
export const renderPostPage = (props: Props) => {
  const { account, post, summary, conflicting } = props
  const title = summary.title ?? post.slug
  return renderSettingsPage({
    account,
    path: "/settings/posts/",
    title,
    kind: conflicting ? "settings wide" : "settings",
    children: (
      <>
        <h1 lang={post.primary_language} dir={directionOf(post.primary_language)}>
          {title}
        </h1>
        <p class="byline">
          <PostState post={summary} /> <PostTimes post={summary} /> · <code>{post.slug}</code>
          {summary.url && post.status === "PB" && (
            <>
              {" "}
              · <a href={summary.url}>Page</a>
            </>
          )}
          {summary.preview_url && (post.status === "DF" || summary.scheduled) && (
            <>
              {" "}
              · <a href={summary.preview_url}>Preview link</a>
            </>
          )}
        </p>
        {conflicting ? (
          <p class="notice" role="alert">
            <strong>Not saved.</strong> The post was changed while you were editing. Compare both texts, correct yours,
            and save it: it then replaces the one that was saved meanwhile.
          </p>
        ) : (
          <Outcome isSaved={props.isSaved} refused={props.refused} />
        )}
        {props.isOutdated && (
          <p class="notice" role="alert">
            <strong>Nothing was done.</strong> The post has changed since you opened its page. Look at it, and press the
            button again.
          </p>
        )}
        <Languages {...props} />
        {conflicting ? (
          <div class="sides">
            <TextForm {...props} />
            <Stored {...props} />
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
                  retry={`${pathOf(post.slug)}translations/${translation.lang_code}/`}
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

interface DeletionProps {
  account: Account
  summary: Summary
  etag: string
}

const count = (number: number, name: string): string => `${number} ${name}${number === 1 ? "" : "s"}`

/** Renders the question whether to delete a post, with what goes. */
export const renderDeletion = ({ account, summary, etag }: DeletionProps) => {
  const { slug, title, translations, images, cover_image_id } = summary
  return renderSettingsPage({
    account,
    path: "/settings/posts/",
    title: "Delete a post",
    children: (
      <>
        <h1>Delete “{title ?? slug}”?</h1>
        <p>This goes for good, and nothing brings it back:</p>
        <ul>
          <li>the post, and its page if readers see it now</li>
          <li>{count(translations.length, "translation")}, those edited by hand too</li>
          <li>
            {count(images.length, "image")}
            {cover_image_id !== null && " with the cover"}, except those that another post shows
          </li>
        </ul>
        <p>Its slug {slug} is free then.</p>
        <form method="post" action={`/settings/posts/${slug}/delete/`}>
          <input type="hidden" name="etag" value={etag} />
          <button class="primary">Delete it for good</button> <a href={`/settings/posts/${slug}/`}>Keep it</a>
        </form>
      </>
    ),
  })
}
