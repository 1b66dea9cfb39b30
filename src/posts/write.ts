import { ulid } from "ulid"

import { checkKey, keyChecks } from "../accounts/authenticate.ts"
import { openDb } from "../db/client.ts"
import type { Statement } from "../db/plain-sql.ts"
import type { TranslationReview } from "../db/schema.ts"
import { isVisible } from "../db/visibility.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError, fieldError, unavailable } from "../http/errors.ts"
import { type Checked, sentText, type Warning } from "../http/validate.ts"
import type { UsableImage } from "../images/image.ts"
import { canonicalLanguage } from "../language.ts"
import { MAX_PATCH_ATTEMPTS, MAX_SLUG_CHARS, PREVIEW_TOKEN_CHARS } from "../limits.ts"
import { randomText } from "../tokens.ts"
import { type Caller, commit, type WriteOutcome, type Write } from "./commit.ts"
import { asReadersSee, attachedImages, isSamePost, type Post, reviewOf, versioned, withPreview } from "./post.ts"
import { findPost, findTakenSlugs, type Loaded, type LoadOptions, selectPost, toPost } from "./read-store.ts"

// What all writes of posts share. A change reads the post, decides what it becomes, and commits that; after a lost race it begins again.

/** The post that a write leaves, and what its author should know. */
export interface Result {
  post: Post
  warnings: Warning[]
}

/** Returns the statements that read the post of the path, in one batch with the key: each call of D1 is a trip. */
export const selectPathPost = (c: AppContext): Statement[] =>
  selectPost({ slug: sentText(c, "param", "slug") }, canonicalLanguage(sentText(c, "query", "lang_code")) ?? "")

/** Returns the post of the path, as it was read with the key. */
export const pathPostOf = (c: AppContext): Write["pathPost"] => {
  const [post, texts = [], images = []] = c.get("besideKey") ?? []
  return post && toPost([post, texts, images])
}

/**
 * Returns the write of a request: its bindings, caller and time.
 * @param given the account and the checks of a page, whose caller has no API key
 */
export const writeOf = (c: AppContext, given: Partial<Pick<Write, "account" | "checks" | "isDryRun">> = {}): Write => {
  const { config, account, key, requestId, usage, now, attempt } = { ...c.var, ...given }
  const { IMAGE_TICKETS: tickets, TRANSLATIONS: queue, WEBHOOK_EVENTS: webhooks } = c.env
  return {
    db: openDb(c.env.DB),
    tickets,
    queue,
    webhooks,
    config,
    account,
    key,
    requestId,
    usage,
    now,
    attempt,
    maxTextBytes: config.maxStoredTextBytes,
    tellsWebhooks: account.has_webhooks && config.hasWebhooks,
    checks: keyChecks(c.var, now),
    pathPost: pathPostOf(c),
    executionCtx: c.executionCtx,
    ...given,
  }
}

/**
 * Requires that the post exists, is the caller's, and is readable if the key only reads.
 * @returns `loaded`; for a key that only reads, the post as readers see it
 * @throws ApiError 404 if `loaded` is null, else 403
 */
export const requireOwn = <T extends { post: Post }>(loaded: T | null, { account, key, now }: Caller): T => {
  if (!loaded) throw new ApiError("not_found", "There is no such post.")
  if (loaded.post.account_id !== account.id) throw new ApiError("not_the_author")
  if (key?.scope !== "read") return loaded
  if (!isVisible(loaded.post, now) || account.hidden) throw new ApiError("insufficient_scope")
  return { ...loaded, post: asReadersSee(loaded.post) }
}

/** Requires that a key of the scope `draft` writes drafts only. @throws ApiError 403 */
export const requireScope = ({ key }: Pick<Caller, "key">, status: Post["status"] | undefined): void => {
  if (key?.scope === "draft" && status === "PB") throw new ApiError("insufficient_scope")
}

/**
 * Requires that a key of the scope `draft` switches no review of translations off.
 * @param sent undefined: the review stays; null: it is the account's
 * @param post null for a new post
 * @throws ApiError 403
 */
export const requireReview = (
  { account, key }: Pick<Caller, "account" | "key">,
  sent: TranslationReview | null | undefined,
  post: Post | null = null,
): void => {
  const ofAccount = account.translation_review
  const before = post ? reviewOf(post) : ofAccount
  const after = sent === undefined ? before : (sent ?? ofAccount)
  // A `none` of its own would hold off a later `hold` of the account.
  const isNew = sent === "none" && post?.translation_review !== "none"
  if (key?.scope === "draft" && (isNew || (before === "hold" && after === "none")))
    throw new ApiError(
      "insufficient_scope",
      "A key that only writes drafts cannot set translation_review to none here.",
    )
}

/** Requires that the post exists, is the caller's, and may be changed by the key. @throws ApiError 404, 403 */
export const requireWritable = <T extends { post: Post }>(loaded: T | null, caller: Caller): T => {
  const own = requireOwn(loaded, caller)
  requireScope(caller, own.post.status)
  return own
}

/** Returns the images of a post that a request names, as those that it may use; null if it names others. */
const attachedOf = (post: Post, ids: string[]): UsableImage[] | null => {
  const attached = new Map(attachedImages(post).map((image) => [image.id, image]))
  const found = ids.flatMap((id) => attached.get(id) ?? [])
  return found.length === ids.length
    ? found.map((image) => ({ ...image, expires_at: new Date(0), attached: true }))
    : null
}

/** Reads a post. @param isFirst it may be the one that was read with the key, unless the options ask for more than that */
export const readPost = async (
  { db, pathPost }: Write,
  slug: string,
  options: LoadOptions = {},
  isFirst = true,
): Promise<Loaded | null> => {
  if (!isFirst || pathPost === undefined) return findPost(db, { slug }, options)
  if (pathPost === null) return null
  if (pathPost.slug !== slug) return findPost(db, { slug }, options)
  const { lang, wanted } = options
  const found = attachedOf(pathPost, wanted?.ids ?? [])
  // A body in another language than that of the query was not read.
  const hasBody = pathPost.texts.every(
    (text) => text.lang_code !== lang || text.body !== null || text.pending_fields !== null,
  )
  return found && hasBody ? { post: pathPost, found } : findPost(db, { slug }, options)
}

/**
 * Returns what a route requires of the post of its path, before errors of query and body.
 * @param mayBeNew the request creates the post if it is missing
 * @throws ApiError 404, and 403 of `require`
 */
export const requirePathPost =
  (require: (loaded: Loaded | null, caller: Caller) => Loaded, { mayBeNew = false } = {}) =>
  async (c: AppContext, { slug }: { slug: string }): Promise<void> => {
    const found = await readPost(writeOf(c), slug)
    if (found || !mayBeNew) require(found, c.var)
  }

/**
 * Finds the post that an earlier request with the same Idempotency-Key has written, which a repeated one shows.
 * @returns null if there is no such request
 * @throws ApiError 404, 403; 401 for an ended key
 */
export const findResult = async (write: Write, options?: LoadOptions): Promise<Result | null> => {
  const id = write.attempt?.resultId
  if (id === undefined || id === null) return null
  const loaded = await findPost(write.db, { id }, options)
  if (!loaded)
    throw new ApiError(
      "not_found",
      "An earlier request with this Idempotency-Key took effect, but its post has been deleted since. To create the post again, POST it with another key.",
    )
  const { post } = requireOwn(loaded, write)
  await checkKey(write.db, write, write.now)
  return { post, warnings: [] }
}

/** Finds the post as `findResult`, for a request that changes one. @throws ApiError also 403 for a key that may not change it */
export const findChanged = async (write: Write, options?: LoadOptions): Promise<Result | null> => {
  const known = await findResult(write, options)
  if (known) requireScope(write, known.post.status)
  return known
}

/**
 * Returns the valid fields of a request that changes a post. 404 and 403 come before the errors of fields.
 * @throws ApiError 404, 403, 400 of `checked`, in this order
 */
export const openChecked = async <T>(
  write: Write,
  slug: string,
  checked: Checked<T>,
): Promise<{ value: T; warnings: Warning[] }> => {
  const { pathPost, attempt } = write
  // Nothing is rendered for a caller who may not write, where that is known without another trip.
  if (pathPost?.slug === slug && attempt?.resultId == null) requireWritable({ post: pathPost }, write)
  if (checked.ok) return checked
  requireWritable(await readPost(write, slug), write)
  throw checked.error
}

/** Returns when an engine may begin: `translationDebounceSeconds` after `now`. So several saves make one translation. */
export const dueAt = ({ config, now }: Write): Date =>
  new Date(now.getTime() + config.translationDebounceSeconds * 1000)

/** Returns the secret of a new preview link. */
export const newPreviewToken = (): string => randomText(PREVIEW_TOKEN_CHARS)

/** Returns similar slugs: with `-2`, `-3`, …, and one with a unique id. */
const similarSlugs = (slug: string, now: Date): string[] => {
  // Matches the last hyphen of `my-`. Does not match that of `my-post`.
  const stem = (length: number) => slug.slice(0, length).replace(/-$/, "")
  const numbered = [...Array(20).keys()].map((i) => `${stem(MAX_SLUG_CHARS - 3)}-${i + 2}`)
  return [...numbered, `${stem(100)}-${ulid(now.getTime()).toLowerCase()}`]
}

/** Returns the error of a slug that is taken; `suggested_slug` in it is free. */
export const duplicateSlug = async ({ db, account, now }: Write, slug: string): Promise<ApiError> => {
  const similar = similarSlugs(slug, now)
  const taken = await findTakenSlugs(db, [slug, ...similar])
  const suggested_slug = similar.find((candidate) => !taken.some((post) => post.slug === candidate)) ?? ""
  const isOwn = taken.some((post) => post.slug === slug && post.account_id === account.id)
  const message = isOwn
    ? `You already have a post at ${slug}: change it with PATCH, or create another at ${suggested_slug}.`
    : `The slug ${slug} is taken. ${suggested_slug} is free.`
  return fieldError("slug", "duplicate_slug", message, { suggested_slug })
}

/** Returns the free slug that the error of a taken one names; undefined for other errors. */
export const freeSlugIn = (error: unknown): string | undefined =>
  error instanceof ApiError && error.code === "duplicate_slug" ? error.extra.suggested_slug : undefined

/** Requires that the account has room for the post. @throws ApiError 400 `text_quota` */
export const requireTextRoom = ({ maxTextBytes }: Write, outcome: WriteOutcome): void => {
  if (outcome === "text_full")
    throw fieldError(
      "body",
      "text_quota",
      `The account's posts with all their fields, texts and HTML may take ${maxTextBytes} bytes. Delete posts or translations, or send less.`,
    )
}

/** Returns the error of a change that others overtook `MAX_PATCH_ATTEMPTS` times: a 503. */
export const overtaken = (slug: string): ApiError =>
  unavailable(
    `Post ${slug} changed under every attempt.`,
    `The post was changed by others during each of ${MAX_PATCH_ATTEMPTS} attempts to save this change. Nothing was saved. Send it again.`,
  )

/**
 * Writes a changed post. If nothing differs, nothing is written.
 * @param also statements of the same batch
 * @returns null, with nothing written, if the post or one of its images has changed since they were read
 * @throws ApiError 403, 400 `text_quota`, 400 `duplicate_slug` of a draft that gets another slug
 */
export const saveChange = async (
  write: Write,
  before: Post,
  changed: Post,
  also: Statement[] = [],
): Promise<Post | null> => {
  const { db, now } = write
  const wanted = withPreview(before, changed, newPreviewToken(), now)
  requireScope(write, wanted.status)
  if (isSamePost(before, wanted)) {
    await checkKey(db, write, now)
    return before
  }
  const after = versioned(before, wanted, now)
  const outcome = await commit(write, before, after, also)
  requireTextRoom(write, outcome)
  if (outcome === "duplicate_slug") throw await duplicateSlug(write, after.slug)
  return outcome === "saved" ? after : null
}

/**
 * Reads the caller's post, changes and writes it. A repeated request only shows what its first one has written.
 * @param decide returns the changed post; may throw an ApiError
 * @param also statements of the same batch
 * @throws ApiError 404, 403; 503 after the last lost race
 */
export const changePost = async (
  write: Write,
  slug: string,
  options: LoadOptions,
  decide: (loaded: Loaded) => { post: Post; warnings?: Warning[] },
  also: Statement[] = [],
): Promise<Result> => {
  const known = await findChanged(write, options)
  if (known) return known
  for (let n = 0; n < MAX_PATCH_ATTEMPTS; n++) {
    const loaded = requireWritable(await readPost(write, slug, options, n === 0), write)
    const { post: changed, warnings = [] } = decide(loaded)
    const post = await saveChange(write, loaded.post, changed, also)
    if (post) return { post, warnings }
  }
  throw overtaken(slug)
}
