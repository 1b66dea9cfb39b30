import { DEFAULT_CATEGORY } from "../../packages/edgepost/src/folder/values.ts"
import type { Account } from "../db/schema.ts"
import type { Warning } from "../http/validate.ts"
import { isImageId, mediaPath } from "../images/image.ts"
import { directionOf, listLanguages } from "../language.ts"
import {
  MAX_CATEGORIES,
  MAX_IMAGE_SIDE_PX,
  MAX_META_DESCRIPTION_CHARS,
  MAX_TAGS,
  MAX_TITLE_CHARS,
  MAX_UPLOAD_BYTES,
} from "../limits.ts"
import { type PostImage, attachedImages, type Post } from "../posts/post.ts"
import type { Text } from "../posts/text.ts"
import { Section } from "../ui/components.tsx"
import { Area, Field, Hidden, type RefusedForm } from "../ui/form.tsx"
import { type FieldName, formValues, seenText, type Values } from "./post-form.ts"

// The form of a text: of a new post, and of a post in one of its languages.

export const LABELS: Record<FieldName, string> = {
  title: "Title",
  body: "Text in Markdown",
  meta_description: "Description",
  categories: "Categories",
  tags: "Tags",
  slug: "Slug",
  cover_image_id: "Cover",
  cover_alt: "What the cover shows",
  cover_caption: "Words below the cover",
  author_name: "Author",
  canonical_url: "Original address",
  published_at: "Date",
  changed_at: "Last change",
  listed: "Lists and feeds",
  translation_languages: "Translations",
}

/** Puts the label of its field before each warning. */
export const labelled = (warnings: Warning[]): Warning[] =>
  warnings.map(({ message, ...warning }) => {
    // Matches the position in `translation_languages.1`. Does not match `body`.
    const label = LABELS[warning.field.replace(/\.\d+$/, "") as FieldName] as string | undefined
    return { ...warning, message: label === undefined ? message : `${label}: ${message}` }
  })

export const ROWS: Partial<Record<FieldName, number>> = { title: 2, meta_description: 3, body: 24 }

/** The id of the form of the text. Buttons elsewhere on the page send it, so that they drop no unsaved text. */
export const TEXT_FORM = "text-form"

/** Renders names of languages to choose from. */
export const LanguageList = () => (
  <datalist id="languages">
    {listLanguages().map(([code, name]) => (
      <option value={code}>{name}</option>
    ))}
  </datalist>
)

interface CoverProps {
  images: PostImage[]
  username: string
  value: string
}

/** Renders the images of a post, each with the choice to be its cover. A script adds those that it uploads. */
const Cover = ({ images: attached, username, value }: CoverProps) => {
  // One that was chosen is shown before it is attached.
  const isKnown = value === "" || attached.some(({ id }) => id === value)
  const images = isKnown || !isImageId(value) ? attached : [...attached, { id: value }]
  return (
    <fieldset id="images" data-media={mediaPath(username, "*")}>
      <legend>Cover: the image above the text and in previews</legend>
      <label>
        <input type="radio" name="cover_image_id" value="" checked={value === ""} /> None
      </label>
      {images.map(({ id }, i) => (
        <label>
          <input type="radio" name="cover_image_id" value={id} checked={value === id} />{" "}
          <img src={mediaPath(username, id)} alt={`${i + 1} of ${images.length}`} width={120} loading="lazy" />
        </label>
      ))}
    </fieldset>
  )
}

interface SharedProps {
  account: Account
  images: PostImage[]
  values: Values
  /** False once readers may have the address. */
  isDraft: boolean
  /** A sentence that tells where the categories are from. */
  earlier?: string
  refused: RefusedForm | undefined
}

/** Returns what each input of a text's form has. */
const inputOf = (name: FieldName, values: Values, refused: RefusedForm | undefined) => ({
  id: name,
  name,
  label: LABELS[name],
  value: values[name] ?? "",
  refused,
})

/** Renders the fields that a post has in all its languages. */
export const Shared = ({ account, images, values, isDraft, earlier = "", refused }: SharedProps) => {
  const sentCover = refused?.sent["cover_image_id"]
  const listed = refused?.sent["listed"] ?? values.listed
  const shared = (name: FieldName) => inputOf(name, values, refused)
  return (
    <>
      <Field
        {...shared("categories")}
        hint={`${earlier}Separated by commas, at most ${MAX_CATEGORIES}. Empty: ${DEFAULT_CATEGORY}.`}
      />
      <Field {...shared("tags")} hint={`Separated by commas; at most ${MAX_TAGS}.`} />
      <Cover
        images={images}
        username={account.username}
        value={typeof sentCover === "string" ? sentCover : (values.cover_image_id ?? "")}
      />
      <Field {...shared("cover_alt")} hint="For readers who do not see the cover. Write it again for another cover." />
      <Field {...shared("cover_caption")} hint="Such as who took the picture. Write it again for another cover." />
      <details open={refused !== undefined || undefined}>
        <summary>More: address, date, author, languages</summary>
        {isDraft && <Field {...shared("slug")} hint="The end of the post's address. Empty: made of the title." />}
        <Field
          {...shared("published_at")}
          type="datetime-local"
          label={`${LABELS.published_at} (${account.timezone})`}
          hint="Empty: when you publish it. An earlier one puts the post further down."
        />
        {values.changed_at !== undefined && (
          <Field
            {...shared("changed_at")}
            type="datetime-local"
            label={`${LABELS.changed_at} (${account.timezone})`}
            hint="Left as it is: now, if you change the text. Empty: as if the text had never changed."
          />
        )}
        <fieldset>
          <legend>{LABELS.listed}</legend>
          <label>
            <input type="radio" name="listed" value="true" checked={listed !== "false"} /> A post: they show it
          </label>
          <label>
            <input type="radio" name="listed" value="false" checked={listed === "false"} /> A page: only at its address
          </label>
        </fieldset>
        <Field {...shared("author_name")} hint={`Empty: ${account.author_name ?? account.username}.`} />
        <Field {...shared("canonical_url")} hint="Where this text was published first, if not here: https://…" />
        <Field
          {...shared("translation_languages")}
          list="languages"
          hint="Languages into which the post is translated: names or codes such as German, pt-BR, separated by commas."
        />
      </details>
      <LanguageList />
    </>
  )
}

interface WordsProps {
  values: Values
  /** BCP 47 code. */
  lang: string
  refused: RefusedForm | undefined
  /** The title has the focus when the page opens. */
  autofocus?: boolean
}

/** Renders the fields of a text. */
export const Words = ({ values, lang, refused, autofocus = false }: WordsProps) => {
  const words = (name: FieldName) =>
    ({
      ...inputOf(name, values, refused),
      autocapitalize: "sentences",
      spellcheck: true,
      lang,
      dir: directionOf(lang),
    }) as const
  return (
    <>
      <Field {...words("title")} hint={`At most ${MAX_TITLE_CHARS} characters.`} required autofocus={autofocus} />
      <div id="upload" data-max-side={MAX_IMAGE_SIDE_PX} data-max-bytes={MAX_UPLOAD_BYTES}>
        <button name="action" value="images">
          Save and add images
        </button>
      </div>
      <Area {...words("body")} rows={ROWS.body ?? 0} required />
      <p class="quiet">
        <a href="/docs/markdown/" target="_blank">
          How to write Markdown
        </a>
      </p>
      <Area
        {...words("meta_description")}
        rows={ROWS.meta_description ?? 0}
        hint={`For lists and search engines, at most ${MAX_META_DESCRIPTION_CHARS} characters. Empty: made of the first sentences.`}
      />
    </>
  )
}

interface TextFormProps {
  account: Account
  post: Post
  /** BCP 47 code of the text that the form has. */
  lang: string
  /** That text; null if the post has none in this language yet. */
  text: Text | null
  /** The version that the form changes. */
  etag: string
  refused?: RefusedForm | undefined
  /** The form of a version that is no longer the newest, as typed. */
  conflicting?: RefusedForm | undefined
}

/** Renders the form of a post's text in a language; of the source text with what all languages share. */
export const TextForm = ({ account, post, lang, text, etag, conflicting, ...props }: TextFormProps) => {
  const refused = props.refused ?? conflicting
  const values = formValues(post, lang, text, account.timezone)
  const isSource = lang === post.primary_language
  const path = `/settings/posts/${post.slug}/`
  return (
    <Section id="text" title={conflicting ? "Your text, not saved" : "Text"}>
      {!isSource && (
        <p class="quiet">
          What you change here is kept, and is not translated again. Fields that have no text yet are translated.
        </p>
      )}
      <form method="post" action={path} id={TEXT_FORM} data-key={`${post.id}:${lang}`} data-unsaved={refused && ""}>
        {/* The button of the Enter key, which changes nothing that readers see. */}
        <button hidden disabled={post.status === "PB"}>
          Save
        </button>
        <Hidden name="etag" value={etag} refused={props.refused} />
        <Hidden name="seen" value={seenText(text)} refused={props.refused} />
        <input type="hidden" name="lang_code" value={lang} />
        <Hidden name="timezone" value={account.timezone} refused={refused} />
        <Words values={values} lang={lang} refused={refused} />
        {isSource && (
          <Shared
            account={account}
            images={attachedImages(post)}
            values={values}
            isDraft={post.status === "DF"}
            refused={refused}
          />
        )}
        <button class="primary">{post.status === "PB" ? "Update the published post" : "Save"}</button>{" "}
        <button formaction={`${path}preview/`} formtarget="_blank">
          Preview
        </button>
      </form>
    </Section>
  )
}
