import { ApiError } from "../http/errors.ts"
import { canonicalLanguage } from "../language.ts"
import type { Write } from "../posts/commit.ts"
import { sourceText, type Post, translationsOf } from "../posts/post.ts"
import { approved } from "../posts/review.ts"
import { fieldsToMake, hasPending, queued, type Text } from "../posts/text.ts"
import { changePost, dueAt } from "../posts/write.ts"
import { approveOneEvents } from "../webhooks/outbox.ts"
import { resetFailures } from "./memory-store.ts"
import type { Retranslate } from "./operations.ts"

/** Finds the translation into a language. @throws ApiError 404 */
export const requireTranslation = (post: Post, code: string): Text => {
  const lang = canonicalLanguage(code)
  const text = translationsOf(post).find(({ lang_code }) => lang_code === lang)
  if (text) return text
  throw new ApiError(
    "not_found",
    lang === post.primary_language
      ? "This is the source language of the post. Translations are made from its text."
      : "The post has no translation into this language. Add it to translation_languages with a PATCH.",
  )
}

/** Finds the translation into a listed language. @throws ApiError 404 */
const requireListed = (post: Post, code: string): Text => {
  const text = requireTranslation(post, code)
  if (post.translation_languages.includes(text.lang_code)) return text
  throw new ApiError("not_found", "This language is not in the post's translation_languages. Add it with a PATCH.")
}

const withText = (post: Post, before: Text, after: Text): Post => ({
  ...post,
  texts: post.texts.map((text) => (text === before ? after : text)),
})

/** Marks every field outdated that was not edited by hand. @param discarded edited fields that lose their edits */
const markOutdated = (text: Text, discarded: string[]): Text => {
  const edited = text.edited.filter((field) => !discarded.includes(field))
  const versions = Object.entries(text.versions).map(([field, version]) => [
    field,
    edited.some((name) => name === field) ? version : 0,
  ])
  const pending = Object.keys(text.pending_versions).map((field) => [field, 0])
  return {
    ...text,
    edited,
    versions: Object.fromEntries(versions),
    pending_versions: Object.fromEntries(pending),
  }
}

/**
 * Queues a listed translation to be made again by the engine. Fields edited by hand stay unless `discard_edits` names them.
 * @throws ApiError 404 without such a translation, 403 if the post is another's; 503 after lost races
 */
export const retranslate = async (
  write: Write,
  { slug, lang }: { slug: string; lang: string },
  { discard_edits = [] }: Retranslate,
): Promise<{ post: Post; text: Text }> => {
  const { post: after } = await changePost(write, slug, {}, ({ post }) => {
    const text = requireListed(post, lang)
    const reset = markOutdated(text, discard_edits)
    if (fieldsToMake(reset, sourceText(post)).length === 0) return { post }
    const again = { ...queued(reset, dueAt(write), write.now), retranslate_after: write.now }
    return { post: withText(post, text, again) }
  })
  return { post: after, text: requireTranslation(after, lang) }
}

/**
 * Queues a failed translation again. Segments that were translated before the failure are reused. Does nothing for a
 * translation that has not failed.
 * @throws ApiError 404 without such a listed translation, 403 if the post is another's; 503 after lost races
 */
export const tryAgain = async (write: Write, { slug, lang }: { slug: string; lang: string }): Promise<void> => {
  const { db, account, now } = write
  const scope = { account_id: account.id, to_code: canonicalLanguage(lang) ?? lang }
  const again = ({ post }: { post: Post }) => {
    const text = requireListed(post, lang)
    if (text.status !== "failed" || fieldsToMake(text, sourceText(post)).length === 0) return { post }
    return { post: withText(post, text, queued(text, dueAt(write), now)) }
  }
  await changePost(write, slug, {}, again, [resetFailures(db, scope)])
}

/**
 * Shows readers what waits of a listed translation, and tells webhooks. Does nothing if nothing waits.
 * @param requireSeen throws ApiError 412 if the author has looked at another text
 * @throws ApiError 404 without such a listed translation, 403 if the post is another's; 503 after lost races
 */
export const approve = async (
  write: Write,
  { slug, lang: code }: { slug: string; lang: string },
  requireSeen: (text: Text, post: Post) => void,
): Promise<{ post: Post; text: Text }> => {
  const { now } = write
  const lang = canonicalLanguage(code) ?? code
  const shown = ({ post }: { post: Post }) => {
    const text = requireListed(post, lang)
    if (!hasPending(text)) return { post }
    requireSeen(text, post)
    return { post: withText(post, text, approved(text, now)) }
  }
  const events = write.tellsWebhooks ? approveOneEvents(slug, lang, now) : []
  const { post: after } = await changePost(write, slug, { lang }, shown, events)
  return { post: after, text: requireTranslation(after, lang) }
}

/** Deletes a translation with manual edits, and unlists its language. @throws ApiError 404 without it, 403 if the post is another's; 503 */
export const removeTranslation = async (
  write: Write,
  { slug, lang }: { slug: string; lang: string },
): Promise<void> => {
  await changePost(write, slug, {}, ({ post }) => {
    const { lang_code } = requireTranslation(post, lang)
    const translation_languages = post.translation_languages.filter((code) => code !== lang_code)
    const texts = post.texts.filter((text) => text.lang_code !== lang_code)
    return { post: { ...post, translation_languages, texts } }
  })
}
