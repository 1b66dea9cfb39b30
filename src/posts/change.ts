import type { PostRow, TextField } from "../db/schema.ts"
import { type Composed, ownText, type Post, type PostImage, translationsOf } from "./post.ts"
import type { PatchPost } from "./schema.ts"
import { emptyText, isEmpty, listLanguages, reconcile, type Text, TEXT_FIELDS, versionsOf } from "./text.ts"

/** Whether the default language was wrong: the text is in the author's primary language, in which the post has none. */
const isRelabelled = (post: Post, { lang_code, primary_language }: PatchPost): boolean =>
  lang_code === primary_language && !post.texts.some((text) => text.lang_code === lang_code && !isEmpty(text))

/** The post with its own text in the language that the PATCH says it is in. */
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

/** The own text, where a PATCH is of a translation. */
export const originalOf = (post: Post, patch: PatchPost): Text | null =>
  patch.lang_code === relabel(post, patch).primary_language ? null : ownText(post)

const sentFields = (patch: PatchPost): TextField[] => TEXT_FIELDS.filter((field) => patch[field] !== undefined)

const changedFields = (text: Text, patch: PatchPost): TextField[] =>
  sentFields(patch).filter((field) => patch[field] !== text[field])

/** The text with these fields as the PATCH has them, of the versions given. */
const write = (text: Text, patch: PatchPost, versions: Text["versions"], now: Date): Text => ({
  ...text,
  ...Object.fromEntries(Object.keys(versions).map((field) => [field, patch[field as TextField]])),
  versions: { ...text.versions, ...versions },
  updated_at: now,
})

/** Whether the PATCH says what the hand-edited text says already, of the own text as it is now. */
const repeats = (text: Text, own: Text, patch: PatchPost): boolean =>
  changedFields(text, patch).length === 0 &&
  sentFields(patch).every((field) => text.edited.includes(field) && text.versions[field] === own.versions[field])

const editByHand = (text: Text, own: Text, patch: PatchPost, now: Date): Text => {
  const sent = sentFields(patch)
  const written = write(
    text,
    patch,
    versionsOf(sent, (field) => own.versions[field]),
    now,
  )
  return {
    ...written,
    edited: TEXT_FIELDS.filter((field) => sent.includes(field) || text.edited.includes(field)),
    warnings: text.warnings.filter(({ field }) => !sent.includes(field)),
  }
}

const firstPublished = (post: Post, status: PostRow["status"], now: Date): Date | null =>
  post.published_at ?? (status === "PB" ? now : null)

interface Edited {
  own: Text
  translations: Text[]
  text_version: number
  touched: (text: Text) => boolean
}

const editOwn = (post: Post, patch: PatchPost, composed: Composed | null, now: Date): Edited => {
  const before = ownText(post)
  const fields = changedFields(before, patch)
  const text_version = post.text_version + (fields.length > 0 ? 1 : 0)
  const written =
    fields.length > 0
      ? write(
          before,
          patch,
          versionsOf(fields, () => text_version),
          now,
        )
      : before
  return {
    own: { ...written, ...composed },
    translations: translationsOf(post),
    text_version,
    touched: ({ edited }) => fields.some((field) => !edited.includes(field)),
  }
}

const editTranslation = (post: Post, patch: PatchPost, composed: Composed | null, now: Date): Edited => {
  const { text_version } = post
  const own = ownText(post)
  const translations = translationsOf(post)
  const before =
    translations.find(({ lang_code }) => lang_code === patch.lang_code) ?? emptyText(post.id, patch.lang_code, now)
  const isEdit = !repeats(before, own, patch)
  const edited = { ...(isEdit ? editByHand(before, own, patch, now) : before), ...composed }
  const others = translations.filter(({ lang_code }) => lang_code !== patch.lang_code)
  return { own, translations: [...others, edited], text_version, touched: (text) => isEdit && text === edited }
}

const editTexts = (post: Post, patch: PatchPost, composed: Composed | null, now: Date): Edited =>
  patch.lang_code === post.primary_language
    ? editOwn(post, patch, composed, now)
    : editTranslation(post, patch, composed, now)

/** What a PATCH's body and image_ids come to, once looked up. */
export interface Content {
  composed: Composed
  /** Images to attach: those of image_ids, then those that the body shows. */
  attach: PostImage[]
  /** Whether image_ids was sent: images that no text shows any more are let go. */
  release: boolean
}

const imagesAfter = (post: Post, texts: Text[], content: Content | null): PostImage[] => {
  if (!content) return post.images
  const shown = new Set(texts.flatMap(({ pictures }) => pictures))
  const kept = post.images.filter(({ id }) => shown.has(id))
  const images = content.release ? [...content.attach, ...kept] : [...post.images, ...content.attach]
  return [...new Map(images.map((image) => [image.id, image])).values()]
}

/** The post after a PATCH; counting its version is left to whoever writes it. */
export const applyPatch = (
  before: Post,
  patch: PatchPost,
  content: Content | null,
  { due, now }: { due: Date; now: Date },
): Post => {
  const post = relabel(before, patch)
  const { own, translations, text_version, touched } = editTexts(post, patch, content?.composed ?? null, now)
  const listed = listLanguages(post.primary_language, [patch.primary_language, ...patch.translation_languages])
  const texts = [own, ...reconcile(translations, { own, listed, due, now }, touched)]
  const status = patch.status ?? post.status
  return {
    ...post,
    status,
    categories: patch.categories ?? post.categories,
    tags: patch.tags ?? post.tags,
    translation_languages: listed,
    text_version,
    published_at: firstPublished(post, status, now),
    texts,
    images: imagesAfter(post, texts, content),
  }
}
