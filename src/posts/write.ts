import { checkKey, keyChecks } from "../accounts/authenticate.ts"
import type { Config } from "../config.ts"
import { type Db, openDb } from "../db/client.ts"
import { ROLL_BACK, type Statement } from "../db/plain-sql.ts"
import { isVisible } from "../db/visibility.ts"
import type { AppContext, Attempt } from "../http/context.ts"
import { ApiError, fieldError, unavailable } from "../http/errors.ts"
import type { Warning } from "../http/validate.ts"
import { MAX_PATCH_ATTEMPTS, PREVIEW_TOKEN_CHARS } from "../limits.ts"
import { randomText } from "../tokens.ts"
import { type Post, asReadersSee, isSamePost, versioned, withPreview } from "./post.ts"
import { type LoadOptions, type Loaded, findPost } from "./read-store.ts"
import { type WriteRules, savePost } from "./store.ts"
import { wakeTranslator } from "./wake.ts"

/** The caller of a request: its account, its API key if it has one, and the time. */
type Caller = Pick<AppContext["var"], "account" | "key" | "now">

/** The bindings, caller and time with which a request writes posts. */
export interface WriteContext extends Caller {
  db: Db
  tickets: KVNamespace
  queue: Queue
  config: Config
  requestId: string
  /** The state of the request's Idempotency-Key, if it has one. */
  attempt?: Attempt | undefined
  /** Statements that run in the batch of a new, changed or deleted post, such as the check of the API key. */
  extraStatements: Statement[]
  /** The request only asks what it would do: its batch is rolled back. */
  isDryRun?: boolean
}

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

/** Finds the post that an earlier request with the same Idempotency-Key has written. @throws ApiError 404, 403; 401 for an ended key */
export const findMade = async (context: WriteContext, id: string, options?: LoadOptions): Promise<Post> => {
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

/** Returns the rules of a write, which records the post for the request's Idempotency-Key. */
export const rulesOf = (context: WriteContext, post: Post): WriteRules => ({
  now: context.now,
  maxTextBytes: context.config.maxStoredTextBytes,
  extraStatements: [...(context.attempt ? [context.attempt.recordCreated(post.id)] : []), ...lastStatements(context)],
})

export const textFull = ({ config }: WriteContext): ApiError =>
  fieldError(
    "body",
    "text_quota",
    `The account's posts with all their fields, texts and HTML may take ${config.maxStoredTextBytes} bytes. Delete posts or translations, or send less.`,
  )

const newlyQueued = (before: Post, after: Post): boolean =>
  after.texts.some(({ lang_code, status, due_at }) => {
    const old = before.texts.find((text) => text.lang_code === lang_code)
    return status === "queued" && (old?.status !== "queued" || old.due_at?.getTime() !== due_at?.getTime())
  })

/**
 * Reads the caller's post, changes and writes it, and wakes the translator. Retries lost races, up to `MAX_PATCH_ATTEMPTS`.
 * @param change returns the changed post; may throw an ApiError. If nothing differs, nothing is written
 * @param make makes the post if there is none; returns null if there is one by now. Without it a missing post is a 404
 * @throws ApiError 404, 403; 503 after the last lost race
 */
export const changePost = async (
  context: WriteContext,
  slug: string,
  options: LoadOptions,
  change: (loaded: Loaded) => Post,
  make?: () => Promise<Post | null>,
): Promise<Post> => {
  const { db, now, attempt } = context
  if (attempt?.made) {
    const post = await findMade(context, attempt.made, options)
    requireScope(context, post.status)
    return post
  }
  for (let tries = 0; tries < MAX_PATCH_ATTEMPTS; tries++) {
    const found = await findPost(db, { slug }, options)
    const made = !found && make ? await make() : null
    if (made) return made
    if (!found && make) continue
    const loaded = requireOwn(found, context)
    const before = loaded.post
    requireScope(context, before.status)
    const changed = withPreview(before, change(loaded), newPreviewToken(), now)
    requireScope(context, changed.status)
    if (isSamePost(before, changed)) {
      await checkKey(db, context, now)
      return before
    }
    const after = versioned(before, changed, now)
    const saved = await savePost(db, before, after, rulesOf(context, after))
    if (saved === "text_full") throw textFull(context)
    if (saved === "saved") {
      if (newlyQueued(before, after)) await wake(context, after)
      return after
    }
  }
  throw unavailable(
    `Post ${slug} changed under every attempt.`,
    `The post was changed by others during each of ${MAX_PATCH_ATTEMPTS} attempts to save this change. Nothing was saved. Send it again.`,
  )
}

/** Returns the write context of a request: its bindings, caller, time, and the checks of its API key. */
export const writeContextOf = (c: AppContext): WriteContext => {
  const { config, account, key, requestId, now, attempt } = c.var
  const { IMAGE_TICKETS: tickets, TRANSLATIONS: queue } = c.env
  return {
    db: openDb(c.env.DB),
    tickets,
    queue,
    config,
    account,
    key,
    requestId,
    now,
    attempt,
    extraStatements: keyChecks(c.var, now),
  }
}

/** Returns the secret of a new preview link. */
export const newPreviewToken = (): string => randomText(PREVIEW_TOKEN_CHARS)

/** Returns the API path of a post. */
export const apiPath = (slug: string): string => `/api/blogcontroller/posts/${slug}/`
