import type { TextField } from "../db/schema.ts"
import type { PatchPost, PutPost } from "./input.ts"
import {
  type RenderedBody,
  sourceText,
  type Post,
  type PostImage,
  publishedAt,
  translationsOf,
  mapPlain,
} from "./post.ts"
import { withoutPending } from "./review.ts"
import { emptyText, isEmpty, targetLanguages, reconcile, type Text, TEXT_FIELDS, versionsOf } from "./text.ts"

/** Tells whether a PATCH says that the source text is in another language, in which the post has no text. */
const isRelabelled = (post: Post, { lang_code, primary_language }: PatchPost): boolean =>
  lang_code === primary_language && !post.texts.some((text) => text.lang_code === lang_code && !isEmpty(text))

/** Moves the source text to the language that the PATCH says it is in. */
const relabel = (post: Post, patch: PatchPost): Post => {
  if (!isRelabelled(post, patch)) return post
  const { lang_code } = patch
  const kept = post.texts.filter((text) => text.lang_code !== lang_code)
  return {
    ...post,
    primary_language: lang_code,
    texts: kept.map((text) => (text.lang_code === post.primary_language ? { ...text, lang_code } : text)),
  }
}

/** Returns the source text of the post if the PATCH changes a translation; null if it changes the source text. */
export const translatedSource = (post: Post, patch: PatchPost): Text | null =>
  patch.lang_code === relabel(post, patch).primary_language ? null : sourceText(post)

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
  const written = withFields(
    text,
    patch,
    versionsOf(sent, (field) => source.versions[field]),
    now,
  )
  return {
    ...withoutPending(written, sent),
    edited: TEXT_FIELDS.filter((field) => sent.includes(field) || text.edited.includes(field)),
    warnings: text.warnings.filter(({ field }) => !sent.includes(field)),
  }
}

interface EditedTexts {
  source: Text
  translations: Text[]
  text_version: number
  touched: (text: Text) => boolean
}

const editSource = (post: Post, patch: PatchPost, rendered: RenderedBody | null, now: Date): EditedTexts => {
  const before = sourceText(post)
  const fields = changedFields(before, patch)
  const text_version = post.text_version + (fields.length > 0 ? 1 : 0)
  const written =
    fields.length > 0
      ? withFields(
          before,
          patch,
          versionsOf(fields, () => text_version),
          now,
        )
      : before
  return {
    source: { ...written, ...rendered },
    translations: translationsOf(post),
    text_version,
    touched: ({ edited }) => fields.some((field) => !edited.includes(field)),
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
  return { source, translations: [...others, edited], text_version, touched: (text) => isEdit && text === edited }
}

const editTexts = (post: Post, patch: PatchPost, rendered: RenderedBody | null, now: Date): EditedTexts =>
  patch.lang_code === post.primary_language
    ? editSource(post, patch, rendered, now)
    : editTranslation(post, patch, rendered, now)

/** The rendered body and the images of a change. */
export interface Content {
  /** null: the change has no body. */
  body: RenderedBody | null
  /** The images to attach: those of image_ids, then those in the body. */
  attach: PostImage[]
  /** The new cover; undefined: it stays. */
  cover: PostImage | null | undefined
  /** True: images that are not in `attach`, and that no text shows, are detached. */
  detach: boolean
}

const imagesAfter = (post: Post, texts: Text[], content: Content | null): PostImage[] => {
  if (!content?.body) return post.images
  const shown = new Set(texts.flatMap(({ image_ids, pending_image_ids }) => [...image_ids, ...pending_image_ids]))
  const kept = post.images.filter(({ id }) => shown.has(id))
  const images = content.detach ? [...content.attach, ...kept] : [...post.images, ...content.attach]
  return [...new Map(images.map((image) => [image.id, image])).values()]
}

const orKept = <T>(sent: T | undefined, kept: T): T => (sent === undefined ? kept : sent)

/** Converts the PUT of an existing post to a PATCH. */
export const asPatch = (post: Post, put: PutPost): PatchPost => {
  const primary_language = put.primary_language ?? post.primary_language
  const { tags = [], canonical_url = null, author_name = null } = put
  return {
    ...put,
    lang_code: primary_language,
    primary_language,
    translation_languages: put.translation_languages ?? post.translation_languages,
    tags,
    canonical_url,
    author_name,
  }
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
  const { source, translations, text_version, touched } = editTexts(post, patch, content?.body ?? null, now)
  const listed = targetLanguages(post.primary_language, [patch.primary_language, ...patch.translation_languages])
  const texts = [source, ...reconcile(translations, { source, listed, due, now }, touched)]
  const status = patch.status ?? post.status
  const cover = orKept(content?.cover, post.cover)
  return {
    ...post,
    status,
    categories: patch.categories ?? post.categories,
    tags: patch.tags ?? post.tags,
    translation_languages: listed,
    text_version,
    published_at: publishedAt(status, patch.published_at, post.published_at, now),
    ...mapPlain((field) => orKept(patch[field], post[field])),
    translation_review: orKept(patch.translation_review, post.translation_review),
    texts,
    images: imagesAfter(post, texts, content),
    cover,
    cover_image_id: cover?.id ?? null,
  }
}
