import type { Db, Statement } from "../db.ts"
import type { Attempt } from "../http/context.ts"
import { ApiError, unavailable } from "../http/problem.ts"
import type { Warning } from "../http/validate.ts"
import type { Usable } from "../images/image.ts"
import { MAX_PATCH_ATTEMPTS } from "../limits.ts"
import type { Settings } from "../settings.ts"
import type { Account } from "../tables.ts"
import { isSamePost, type Post, versioned } from "./post.ts"
import { findPost, type Loaded, type LoadOptions } from "./store.ts"
import { wakeTranslator } from "./wake.ts"
import { savePost } from "./write-store.ts"

/** What a save works with: bindings, the account, and the one clock reading of the request. */
export interface Saver {
  db: Db
  tickets: KVNamespace
  queue: Queue
  settings: Settings
  account: Account
  requestId: string
  now: Date
  /** With an Idempotency-Key: what an earlier try has made, and what notes that this one has. */
  attempt?: Attempt | undefined
  /** What else is written with a changed post, or not at all. */
  along?: Statement[]
}

export interface Result {
  post: Post
  warnings: Warning[]
}

/** When an engine may begin: saving ten times in a row pays once. */
export const dueAt = ({ settings, now }: Saver): Date =>
  new Date(now.getTime() + settings.translationDebounceSeconds * 1000)

/** Wakes the translator for a saved post. */
export const wake = ({ queue, settings, requestId }: Saver, post: Post): Promise<void> =>
  wakeTranslator(queue, { post_id: post.id, request_id: requestId }, settings.translationDebounceSeconds)

export const byId = (found: Usable[]): Map<string, Usable> => new Map(found.map((image) => [image.id, image]))

/** The caller's own post. @throws 404, 403 */
export const requireOwn = <T extends { post: Post }>(loaded: T | null, account: Account): T => {
  if (!loaded) throw new ApiError("not_found", "There is no such post.")
  if (loaded.post.account_id !== account.id) throw new ApiError("not_the_author")
  return loaded
}

/** What an earlier try of the request has made, as it is now. @throws 404, 403 */
export const requireMade = <T extends { post: Post }>(loaded: T | null, account: Account): T => {
  if (loaded) return requireOwn(loaded, account)
  throw new ApiError(
    "not_found",
    "This was done before with the same Idempotency-Key, and the post has been deleted since. To create it again, POST it with another key.",
  )
}

/** For the batch that writes a post: the key of the request counts as used by it. */
export const receiptOf = ({ attempt }: Saver, post: Post): Statement[] => (attempt ? [attempt.receipt(post.id)] : [])

const newlyQueued = (before: Post, after: Post): boolean =>
  after.texts.some(({ lang_code, status, due_at }) => {
    const old = before.texts.find((text) => text.lang_code === lang_code)
    return status === "queued" && (old?.status !== "queued" || old.due_at?.getTime() !== due_at?.getTime())
  })

/**
 * Reads the caller's post, changes it and writes it; a lost race does all of it anew.
 * @param change may throw; what it throws is the answer
 * @throws ApiError 404, 403; 503 when every race was lost
 */
export const changePost = async (
  saver: Saver,
  slug: string,
  options: LoadOptions,
  change: (loaded: Loaded) => Post,
): Promise<Post> => {
  const { db, account, now, attempt, along = [] } = saver
  if (attempt?.made) return requireMade(await findPost(db, { id: attempt.made }, options), account).post
  for (let tries = 0; tries < MAX_PATCH_ATTEMPTS; tries++) {
    const loaded = requireOwn(await findPost(db, { slug }, options), account)
    const before = loaded.post
    const changed = change(loaded)
    if (isSamePost(before, changed)) return before
    const after = versioned(before, changed, now)
    if ((await savePost(db, before, after, now, [...receiptOf(saver, after), ...along])) === "saved") {
      if (newlyQueued(before, after)) await wake(saver, after)
      return after
    }
  }
  throw unavailable(
    `Post ${slug} changed under every attempt.`,
    `The post was changed by others each of the ${MAX_PATCH_ATTEMPTS} times that this change was about to be saved. Nothing of it is saved: send it again.`,
  )
}
