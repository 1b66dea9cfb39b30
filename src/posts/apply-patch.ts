import { keepLabels, readLabels } from "../../packages/edgepost/src/labels.ts"
import type { TextField } from "../db/schema.ts"
import type { PatchPost, PutPost } from "./input.ts"
import { changedBy, mapPlain, type Post, publishedAt, type RenderedBody, sourceText, translationsOf } from "./post.ts"
import { withoutPending } from "./review.ts"
import { emptyText, isEmpty, targetLanguages, reconcile, type Text, TEXT_FIELDS, versionsOf } from "./text.ts"

/** Moves the source text to the language that the PATCH says it is in, unless the post has a text in that. */
const relabel = (post: Post, { lang_code, primary_language }: PatchPost): Post => {
  if (lang_code !== primary_language) return post
  if (post.texts.some((text) => text.lang_code === lang_code && !isEmpty(text))) return post
  const kept = post.texts.filter((text) => text.lang_code !== lang_code)
  return {
    ...post,
    primary_language: lang_code,
    texts: kept.map((text) => (text.lang_code === post.primary_language ? { ...text, lang_code } : text)),
  }
}

const sentFields = (patch: PatchPost): TextField[] => TEXT_FIELDS.filter((field) => patch[field] !== undefined)

const changedFields = (text: Text, patch: PatchPost): TextField[] =>
  sentFields(patch).filter((field) => patch[field] !== text[field])

/** Returns the text with those fields of the PATCH that `versions` lists. */
const withFields = (text: Text, patch: PatchPost, versions: Text["versions"], now: Date): Text => ({
  ...text,
  ...Object.fromEntries(Object.keys(versions).map((field) => [field, patch[field as TextField]])),
  versions: { ...text.versions, ...versions },
  updated_at: now,
  changed_at: changedFields(text, patch).length > 0 ? now : text.changed_at,
})

/** Tells whether the hand-edited text already equals the PATCH and is not stale. */
const repeats = (text: Text, source: Text, patch: PatchPost): boolean =>
  changedFields(text, patch).length === 0 &&
  sentFields(patch).every((field) => text.edited.includes(field) && text.versions[field] === source.versions[field])

const editByHand = (text: Text, source: Text, patch: PatchPost, now: Date): Text => {
  const sent = sentFields(patch)
  const versions = versionsOf(sent, (field) => source.versions[field])
  return {
    ...withoutPending(withFields(text, patch, versions, now), sent),
    edited: TEXT_FIELDS.filter((field) => sent.includes(field) || text.edited.includes(field)),
    warnings: text.warnings.filter(({ field }) => !sent.includes(field)),
  }
}

interface EditedTexts {
  source: Text
  translations: Text[]
  text_version: number
  /** BCP 47 codes of the translations that the save changes, or whose source it changes. */
  touched: string[]
}

const editSource = (post: Post, patch: PatchPost, rendered: RenderedBody | null, now: Date): EditedTexts => {
  const before = sourceText(post)
  const fields = changedFields(before, patch)
  const text_version = post.text_version + (fields.length > 0 ? 1 : 0)
  const versions = versionsOf(fields, () => text_version)
  const written = fields.length > 0 ? withFields(before, patch, versions, now) : before
  const translations = translationsOf(post)
  const touched = translations.filter(({ edited }) => fields.some((field) => !edited.includes(field)))
  return {
    source: { ...written, ...rendered },
    translations,
    text_version,
    touched: touched.map(({ lang_code }) => lang_code),
  }
}

const editTranslation = (post: Post, patch: PatchPost, rendered: RenderedBody | null, now: Date): EditedTexts => {
  const { text_version } = post
  const source = sourceText(post)
  const translations = translationsOf(post)
  const before =
    translations.find(({ lang_code }) => lang_code === patch.lang_code) ?? emptyText(post.id, patch.lang_code, now)
  const isEdit = !repeats(before, source, patch)
  const edited = { ...(isEdit ? editByHand(before, source, patch, now) : before), ...rendered }
  const others = translations.filter(({ lang_code }) => lang_code !== patch.lang_code)
  return { source, translations: [...others, edited], text_version, touched: isEdit ? [patch.lang_code] : [] }
}

/** The rendered body and the images of a change. */
export interface Content {
  /** null: the change has no body. */
  body: RenderedBody | null
  /** The images to attach: those of image_ids, then those in the body. */
  attach: Post["images"]
  /** The new cover; undefined: it stays. */
  cover: Post["cover"] | undefined
  /** True: images that are not in `attach`, and that no text shows, are detached. */
  detach: boolean
}

const imagesAfter = (post: Post, texts: Text[], content: Content | null): Post["images"] => {
  if (!content?.body) return post.images
  const shown = new Set(texts.flatMap(({ image_ids, pending_image_ids }) => [...image_ids, ...pending_image_ids]))
  const kept = post.images.filter(({ id }) => shown.has(id))
  const images = content.detach ? [...content.attach, ...kept] : [...post.images, ...content.attach]
  return [...new Map(images.map((image) => [image.id, image])).values()]
}

/** Returns a text with the time of change that a PATCH sends for it. @param before the post with its texts before */
const withChangeSent = (text: Text, { lang_code, changed_at }: PatchPost, before: Post, now: Date): Text => {
  if (changed_at === undefined || text.lang_code !== lang_code) return text
  const was = before.texts.find((other) => other.lang_code === lang_code)?.changed_at
  // So a PUT of what a GET has shown changes nothing, also after another date.
  const isSame = changed_at !== null && changed_at.getTime() === was?.getTime()
  return { ...text, changed_at: isSame ? changed_at : changedBy(changed_at, before, now) }
}

const orKept = <T>(sent: T | undefined, kept: T): T => (sent === undefined ? kept : sent)

/** Converts the PUT of an existing post to a PATCH. */
export const asPatch = (post: Post, put: PutPost): PatchPost => {
  const { primary_language = post.primary_language, translation_languages = post.translation_languages } = put
  const { tags = readLabels([]), canonical_url = null, author_name = null } = put
  const languages = { lang_code: primary_language, primary_language, translation_languages }
  return { ...put, ...languages, tags, canonical_url, author_name }
}

/**
 * Returns the post after a PATCH, with translations that have work queued from `due` on. `versioned` sets its version.
 * @param content the rendered body and the images; null to leave them out
 */
export const applyPatch = (
  before: Post,
  patch: PatchPost,
  content: Content | null,
  { due, now }: { due: Date; now: Date },
): Post => {
  const post = relabel(before, patch)
  const edit = patch.lang_code === post.primary_language ? editSource : editTranslation
  const { source, translations, text_version, touched } = edit(post, patch, content?.body ?? null, now)
  const listed = targetLanguages(post.primary_language, [patch.primary_language, ...patch.translation_languages])
  const status = patch.status ?? post.status
  const published_at = publishedAt(status, patch.published_at, post.published_at, now)
  const edited = [source, ...reconcile(translations, touched, { source, listed, due, now })]
  const texts = edited.map((text) => withChangeSent(text, patch, { ...post, published_at }, now))
  const cover = orKept(content?.cover, post.cover)
  // Words describe one cover. They may come before the first one.
  const ofCover = !post.cover || cover?.id === post.cover.id ? {} : { cover_alt: null, cover_caption: null }
  return {
    ...post,
    status,
    categories: patch.categories ? keepLabels(patch.categories, post.categories) : post.categories,
    tags: patch.tags ? keepLabels(patch.tags, post.tags) : post.tags,
    translation_languages: listed,
    text_version,
    published_at,
    listed: patch.listed ?? post.listed,
    ...mapPlain((field) => orKept(patch[field], { ...post, ...ofCover }[field])),
    translation_review: orKept(patch.translation_review, post.translation_review),
    texts,
    images: imagesAfter(post, texts, content),
    cover,
    cover_image_id: cover?.id ?? null,
  }
}
