// Plans how the posts of an export are made again: which calls, in which order, and whether a post is there already.
import { toOneLine } from "../packages/edgepost/src/folder/one-line.ts"
import { keepLabels, readLabels } from "../packages/edgepost/src/labels.ts"
import { type ExportedText, type Field, type AccountData, PLAIN_FIELDS, type PlainFields } from "./archive.ts"
import { Failure } from "./cli.ts"

const FIELDS: Field[] = ["title", "meta_description", "body"]
export const MAX_POST_IMAGES = 8

/** The API refused one post. The import goes on with the next post; every other error ends the import. */
export class Refusal extends Failure {}

export interface Post extends PlainFields {
  title: string | null
  meta_description: string | null
  body: string | null
  status: string
  categories: string[]
  tags: string[]
  translation_languages: string[]
  translations: { lang_code: string; edited: Field[] }[]
  images: { image_id: string }[]
  published_at: string | null
  cover_image_id: string | null
  changed_at: string
  listed: boolean
  translation_review: string | null
}

export interface Patch {
  json: Record<string, unknown> & { lang_code: string }
  /** The import continues if the API refuses this PATCH. */
  isOptional?: boolean
}

const pick = (text: ExportedText, fields: Field[]): Partial<Record<Field, string>> =>
  Object.fromEntries(fields.flatMap((field) => (text[field] === null ? [] : [[field, text[field]]])))

/** Returns a text other than the final one. It stands in the source text until outdated translations have been sent. */
const placeholder = (final: string | undefined): string => (final === "…" ? "……" : "…")

/** The pages on which an author sets what a key of the API cannot. */
const PAGES = {
  blog_title: "/settings/",
  blog_description: "/settings/",
  author_name: "/settings/",
  timezone: "/settings/",
  primary_language: "/settings/",
  translation_languages: "/settings/",
  translation_tones: "/settings/translations/",
  translation_review: "/settings/translations/",
  shows_translation_note: "/settings/translations/",
} as const satisfies Partial<Record<keyof AccountData, string>>

/** Returns a line for each setting of the exported account that the other account does not have: a key of the API cannot set it. */
export const settingsToCopy = (exported: AccountData, account: AccountData): string[] =>
  (Object.keys(PAGES) as (keyof typeof PAGES)[])
    .filter((name) => exported[name] != null && JSON.stringify(exported[name]) !== JSON.stringify(account[name]))
    .map((name) => `${name} is not imported. Set it at ${PAGES[name]}: ${JSON.stringify(exported[name])}`)

/** Returns the ids to send as `image_ids`. If there are too many, images that a text shows are left out: those get attached anyway. */
const idsToAttach = (source: ExportedText, texts: ExportedText[], uploads: Map<string, string>): string[] => {
  const ids = source.image_ids.flatMap((id) => uploads.get(id) ?? [])
  const isShown = (id: string) => texts.some(({ body }) => body?.includes(id))
  const unshownFirst = ids.toSorted((a, b) => Number(isShown(a)) - Number(isShown(b)))
  const named = new Set(unshownFirst.slice(0, MAX_POST_IMAGES))
  return ids.filter((id) => named.has(id))
}

/** Lists the exported ids of a post's images with its cover. */
export const imageIdsOf = ({ image_ids, cover_image_id }: ExportedText): string[] => [
  ...new Set([...image_ids, ...(cover_image_id ? [cover_image_id] : [])]),
]

interface Sending {
  source: ExportedText
  keep: boolean
}

/** Returns the edited fields; also the machine-made ones if they are to be kept, or if no engine would make them again. */
const fieldsToSend = (text: ExportedText, { source, keep }: Sending): Field[] => {
  const isListed = source.translation_languages.includes(text.lang_code)
  return keep || !isListed ? FIELDS.filter((field) => text[field] !== null) : text.edited
}

/** Plans the PATCHes of one translation. Outdated fields go before the final source text, all others after it. */
const planTranslation = (text: ExportedText, { source, keep }: Sending) => {
  const isListed = source.translation_languages.includes(text.lang_code)
  const languages = {
    lang_code: text.lang_code,
    primary_language: source.primary_language,
    translation_languages: isListed ? source.translation_languages : [text.lang_code],
    changed_at: text.changed_at,
  }
  const patch = (fields: Field[], isOptional = false): Patch[] => {
    const changes = pick(text, fields)
    return Object.keys(changes).length > 0 ? [{ json: { ...languages, ...changes }, isOptional }] : []
  }
  const current = text.edited.filter((field) => !text.stale.includes(field))
  // Machine-made text may break the rules that the API has for edits.
  const machineMade = fieldsToSend(text, { source, keep }).filter((field) => !text.edited.includes(field))
  return { isListed, before: patch(text.stale), after: [...patch(current), ...patch(machineMade, true)] }
}

/** Returns the source text of a post. @throws Refusal if the export lacks it */
export const sourceOf = (texts: ExportedText[]): ExportedText => {
  const source = texts.find(({ own_language }) => own_language)
  if (!source) throw new Refusal("The export lacks the post's text in its own language.")
  return source
}

/**
 * Plans the calls that make a post again. The post is a draft until the last PATCH has completed it.
 * @param texts of one post, with the new URLs of images
 */
export const planPost = (texts: ExportedText[], uploads: Map<string, string>, keep: boolean) => {
  const source = sourceOf(texts)
  const { slug, categories, tags, primary_language, translation_languages, status } = source
  const { published_at, cover_image_id, changed_at, listed, translation_review } = source
  const planned = texts.filter((text) => text !== source).map((text) => planTranslation(text, { source, keep }))
  // Unlisted languages go first: the next PATCH takes each off the list again.
  const translations = planned.toSorted((a, b) => Number(a.isListed) - Number(b.isListed))
  const stale = FIELDS.filter((field) => texts.some((text) => text.stale.includes(field)))
  const final = pick(source, FIELDS)
  const older = Object.fromEntries(stale.map((field) => [field, placeholder(final[field])]))
  const image_ids = idsToAttach(source, texts, uploads)
  const languages = { lang_code: primary_language, primary_language, translation_languages }
  const patches: Patch[] = [
    ...translations.flatMap(({ before }) => before),
    ...(stale.length > 0 ? [{ json: { ...languages, ...pick(source, stale) } }] : []),
    ...translations.flatMap(({ after }) => after),
    // Each text before counts as a change.
    { json: { ...languages, status, changed_at } },
  ]
  const plain = Object.fromEntries(PLAIN_FIELDS.map((field) => [field, source[field]]))
  const cover = { cover_image_id: uploads.get(cover_image_id ?? "") }
  const extras = { published_at, listed, translation_review, ...plain, ...cover }
  const draft = { slug, status: "DF", categories, tags, ...final, ...older, image_ids, ...extras, primary_language }
  return { create: { ...draft, translation_languages: [] }, patches }
}

// Matches `/media/ann/blog_img/01JA…0.webp`, with an id of 26 characters, also `blog\_img`.
// Does not match `https://old.example/media/…`: after the name of a host it belongs to another instance.
const IMAGE_URL = /(?<![\p{L}\p{N}.\-/])\/media\/([a-z0-9-]+)\/blog\\?_img\/([0-9A-HJKMNP-TV-Z]{26})\.webp/gu

// Matches the start of `/@ann/other-post/`. Does not match `/@ann/` or `https://old.example/@ann/other-post/`.
const PAGE_URL = /(?<![\p{L}\p{N}.\-/])\/@([a-z0-9-]+)\/(?=[a-z0-9])/gu

/** Replaces the URLs of uploaded images, and links to posts of the exported account, by those of the new account. */
export const mapUrls = (
  text: ExportedText,
  { from, to }: { from: string; to: string },
  urls: Map<string, string>,
): ExportedText => {
  const body = text.body
    ?.replace(IMAGE_URL, (url, owner: string, id: string) => (owner === from && urls.get(id)) || url)
    .replace(PAGE_URL, (url, author: string) => (author === from ? `/@${to}/` : url))
  return { ...text, body: body ?? null }
}

/** Returns what must be equal in a post and its export: all but images, whose files may be missing, and URLs of other posts. */
const comparable = (post: Post | ExportedText): string => {
  const { title, meta_description, body, categories, tags, published_at, listed = true } = post
  const words = body?.replace(IMAGE_URL, "image").replace(PAGE_URL, "page/")
  const plain = PLAIN_FIELDS.map((field) => post[field] ?? null)
  // A new post has no labels of before, such as two that look alike.
  const labels = [categories, tags].map((each) => keepLabels(readLabels(each), []))
  return JSON.stringify([toOneLine(title ?? ""), meta_description, words, ...labels, published_at, listed, ...plain])
}

/** Returns when readers are told that a text has changed. */
const changeOf = ({ changed_at, published_at }: Pick<Post | ExportedText, "changed_at" | "published_at">): number =>
  Math.max(Date.parse(changed_at ?? ""), Date.parse(published_at ?? changed_at ?? ""))

/** Tells whether a draft has all translations that an import sends. */
const hasTranslations = (post: Post, texts: ExportedText[], sending: Sending): boolean => {
  const { source } = sending
  const edited = new Map(post.translations.map((each) => [each.lang_code, each.edited]))
  const isSent = (text: ExportedText) =>
    fieldsToSend(text, sending).every((field) => edited.get(text.lang_code)?.includes(field))
  return (
    post.translation_languages.join() === source.translation_languages.join() &&
    texts.every((text) => text === source || isSent(text))
  )
}

/** Tells whether a post is the exported one, completely. An incomplete import leaves a draft. */
export const isComplete = (post: Post, texts: ExportedText[], keep: boolean): boolean => {
  const source = texts.find(({ own_language }) => own_language)
  if (source?.status !== post.status || comparable(post) !== comparable(source)) return false
  if (source.changed_at !== undefined && changeOf(source) !== changeOf(post)) return false
  return post.status === "PB" || hasTranslations(post, texts, { source, keep })
}
