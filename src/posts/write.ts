import { checkKey } from "../accounts/authenticate.ts"
import { ROLL_BACK, type Statement } from "../db/plain-sql.ts"
import { ApiError, fieldError, unavailable } from "../http/errors.ts"
import type { Checked, Warning } from "../http/validate.ts"
import type { UsableImage } from "../images/image.ts"
import { MAX_PATCH_ATTEMPTS, PREVIEW_TOKEN_CHARS } from "../limits.ts"
import { randomText } from "../tokens.ts"
import { postEvents } from "../webhooks/outbox.ts"
import { wakeWebhooks } from "../webhooks/queue.ts"
import { attachedImages, type Post, isSamePost, versioned, withPreview } from "./post.ts"
import { type LoadOptions, type Loaded, findPost } from "./read-store.ts"
import { type WriteRules, savePost } from "./store.ts"
import { duplicateSlug } from "./taken-slug.ts"
import { wakeTranslator } from "./wake.ts"
import { type WriteContext, requireOwn, requireScope, requireWritable } from "./write-context.ts"

// What all writes of posts share. A change goes: read the post, decide (`change`), write, wake the translator.

export interface Result {
  post: Post
  warnings: Warning[]
}

/** Returns when an engine may begin: `translationDebounceSeconds` after `now`. So several saves make one translation. */
export const dueAt = ({ config, now }: WriteContext): Date =>
  new Date(now.getTime() + config.translationDebounceSeconds * 1000)

/** Sends the queue message that starts the translation of a saved post. */
export const wake = async ({ queue, config, requestId, isDryRun }: WriteContext, post: Post): Promise<void> => {
  if (isDryRun) return
  await wakeTranslator(queue, { post_id: post.id, request_id: requestId }, config.translationDebounceSeconds)
}

/** Returns the images of a post that a request names, as those that it may use; null if it names others. */
const attachedOf = (post: Post, ids: string[]): UsableImage[] | null => {
  const attached = new Map(attachedImages(post).map((image) => [image.id, image]))
  const found = ids.flatMap((id) => attached.get(id) ?? [])
  return found.length === ids.length
    ? found.map((image) => ({ ...image, expires_at: new Date(0), attached: true }))
    : null
}

/** Reads a post; the first time it is the one that was read with the key, unless the options ask for more than that. */
export const readPost = async (
  { db, takePathPost }: WriteContext,
  slug: string,
  options: LoadOptions = {},
): Promise<Loaded | null> => {
  const post = takePathPost?.()
  if (post === null) return null
  if (post?.slug !== slug) return findPost(db, { slug }, options)
  const { lang, wanted } = options
  const found = attachedOf(post, wanted?.ids ?? [])
  // A body in another language than that of the query was not read.
  const hasBody = post.texts.every(
    (text) => text.lang_code !== lang || text.body !== null || text.pending_fields !== null,
  )
  return found && hasBody ? { post, found } : findPost(db, { slug }, options)
}

/** Finds the post that an earlier request with the same Idempotency-Key has written. @throws ApiError 404, 403; 401 for an ended key */
export const findResult = async (context: WriteContext, id: string, options?: LoadOptions): Promise<Post> => {
  const loaded = await findPost(context.db, { id }, options)
  if (!loaded)
    throw new ApiError(
      "not_found",
      "An earlier request with this Idempotency-Key took effect, but its post has been deleted since. To create the post again, POST it with another key.",
    )
  const { post } = requireOwn(loaded, context)
  await checkKey(context.db, context, context.now)
  return post
}

/** Returns the statements that end the batch of a write; those of a dry run roll it back. */
export const lastStatements = ({ extraStatements, isDryRun }: WriteContext): Statement[] =>
  isDryRun ? [...extraStatements, ROLL_BACK] : extraStatements

/** Tells whether the account of a write has webhooks. */
export const hasWebhooks = ({ account, config }: WriteContext): boolean => account.has_webhooks && config.hasWebhooks

/** Returns the rules of a write, which records the post for the request's Idempotency-Key and its events. @param before null for a new post */
export const rulesOf = (context: WriteContext, before: Post | null, post: Post): WriteRules => ({
  now: context.now,
  maxTextBytes: context.config.maxStoredTextBytes,
  extraStatements: [
    ...(context.attempt ? [context.attempt.recordCreated(post.id)] : []),
    ...(hasWebhooks(context) ? postEvents(before, post, context.now) : []),
    ...lastStatements(context),
  ],
})

/** Starts the delivery of the events of a write, after the answer. */
export const deliverEvents = (context: WriteContext): void => {
  if (hasWebhooks(context) && !context.isDryRun) context.later(wakeWebhooks(context.webhooks, context.account.id))
}

export const textFull = ({ config }: WriteContext): ApiError =>
  fieldError(
    "body",
    "text_quota",
    `The account's posts with all their fields, texts and HTML may take ${config.maxStoredTextBytes} bytes. Delete posts or translations, or send less.`,
  )

/** Returns the secret of a new preview link. */
export const newPreviewToken = (): string => randomText(PREVIEW_TOKEN_CHARS)

/**
 * Returns the valid fields of a request that changes a post. 404 and 403 come before the errors of fields.
 * @param mayBeNew the request creates the post if it is missing
 * @throws ApiError 404, 403, 400 of `checked`, in this order
 */
export const openChecked = async <T>(
  context: WriteContext,
  slug: string,
  checked: Checked<T>,
  { mayBeNew = false } = {},
): Promise<{ value: T; warnings: Warning[] }> => {
  if (checked.ok) return checked
  const found = await readPost(context, slug)
  if (found || !mayBeNew) requireWritable(found, context)
  throw checked.error
}

/** Repeats a write that others overtake, at most `MAX_PATCH_ATTEMPTS` times. @param write returns null if it was overtaken @throws ApiError 503 */
export const untilWritten = async <T>(slug: string, write: () => Promise<T | null>): Promise<T> => {
  for (let attempt = 0; attempt < MAX_PATCH_ATTEMPTS; attempt++) {
    const result = await write()
    if (result !== null) return result
  }
  throw unavailable(
    `Post ${slug} changed under every attempt.`,
    `The post was changed by others during each of ${MAX_PATCH_ATTEMPTS} attempts to save this change. Nothing was saved. Send it again.`,
  )
}

const newlyQueued = (before: Post, after: Post): boolean =>
  after.texts.some(({ lang_code, status, due_at }) => {
    const old = before.texts.find((text) => text.lang_code === lang_code)
    return status === "queued" && (old?.status !== "queued" || old.due_at?.getTime() !== due_at?.getTime())
  })

/**
 * Writes a changed post, and wakes the translator if it has work. If nothing differs, nothing is written.
 * @returns null, with nothing written, if the post or one of its images has changed since they were read
 * @throws ApiError 403, 400 `text_quota`, 400 `duplicate_slug` of a draft that gets another slug
 */
export const saveChange = async (context: WriteContext, before: Post, changed: Post): Promise<Post | null> => {
  const { db, now } = context
  const wanted = withPreview(before, changed, newPreviewToken(), now)
  requireScope(context, wanted.status)
  if (isSamePost(before, wanted)) {
    await checkKey(db, context, now)
    return before
  }
  const after = versioned(before, wanted, now)
  const saved = await savePost(db, before, after, rulesOf(context, before, after))
  if (saved === "text_full") throw textFull(context)
  if (saved === "duplicate_slug") throw await duplicateSlug(context, after.slug)
  if (saved !== "saved") return null
  deliverEvents(context)
  if (newlyQueued(before, after)) await wake(context, after)
  return after
}

/**
 * Reads the caller's post, changes and writes it. A repeated request only shows what its first one has written.
 * @param change returns the changed post; may throw an ApiError
 * @throws ApiError 404, 403; 503 after the last lost race
 */
export const changePost = async (
  context: WriteContext,
  slug: string,
  options: LoadOptions,
  change: (loaded: Loaded) => { post: Post; warnings?: Warning[] },
): Promise<Result> => {
  const { attempt } = context
  if (attempt?.resultId) {
    const post = await findResult(context, attempt.resultId, options)
    requireScope(context, post.status)
    return { post, warnings: [] }
  }
  return untilWritten(slug, async () => {
    const loaded = requireWritable(await readPost(context, slug, options), context)
    const { post: changed, warnings = [] } = change(loaded)
    const post = await saveChange(context, loaded.post, changed)
    return post && { post, warnings }
  })
}
