import { keyChecks } from "../accounts/authenticate.ts"
import type { Config } from "../config.ts"
import { type Db, openDb } from "../db/client.ts"
import type { Statement } from "../db/plain-sql.ts"
import { isVisible } from "../db/visibility.ts"
import type { AppContext, Attempt } from "../http/context.ts"
import { ApiError } from "../http/errors.ts"
import { pathPostOf, type TakePathPost } from "./path-post.ts"
import { type Post, asReadersSee } from "./post.ts"

/** The caller of a request: its account, its API key if it has one, and the time. */
type Caller = Pick<AppContext["var"], "account" | "key" | "now">

/** The bindings, caller and time with which a request writes posts. */
export interface WriteContext extends Caller {
  db: Db
  tickets: KVNamespace
  queue: Queue
  webhooks: Queue
  config: Config
  requestId: string
  /** The state of the request's Idempotency-Key, if it has one. */
  attempt?: Attempt | undefined
  /** Statements that run in the batch of a new, changed or deleted post, such as the check of the API key. */
  extraStatements: Statement[]
  /** Gives the post of the path that was read with the key. */
  takePathPost?: TakePathPost
  /** Lets work go on after the answer. */
  later: (work: Promise<unknown>) => void
  /** The request only asks what it would do: its batch is rolled back. */
  isDryRun?: boolean
}

/** Returns the write context of a request: its bindings, caller, time, and the checks of its API key. */
export const writeContextOf = (c: AppContext): WriteContext => {
  const { config, account, key, requestId, now, attempt } = c.var
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
    now,
    attempt,
    extraStatements: keyChecks(c.var, now),
    takePathPost: pathPostOf(c),
    later: (work) => c.executionCtx.waitUntil(work),
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

/** Requires that the post exists, is the caller's, and may be changed by the key. @throws ApiError 404, 403 */
export const requireWritable = <T extends { post: Post }>(loaded: T | null, caller: Caller): T => {
  const own = requireOwn(loaded, caller)
  requireScope(caller, own.post.status)
  return own
}
