import { type Db, openDb } from "../db/client.ts"
import { runBatch, type Statement } from "../db/plain-sql.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError, invalidKey, unauthorized } from "../http/errors.ts"
import { findCounted } from "../http/find-counted.ts"
import type { Operation } from "../http/operation.ts"
import { KEY_LAST_USED_SECONDS } from "../limits.ts"
import { log, trace } from "../log.ts"
import { hashSecret } from "../tokens.ts"
import { isPaid } from "./account.ts"
import { findByKey, keyRefusal, requireKey, touchKey } from "./key-store.ts"
import { CONFLICT, isKey, keyOf } from "./key.ts"
import { sessionRefusal } from "./store.ts"

const findCaller = async (c: AppContext, also: Statement[]) => {
  const key = c.get("token") ?? keyOf(c.req.raw.headers)
  if (key === null) throw unauthorized("Send an API key: `Authorization: Api-Key <key>` or `X-API-KEY: <key>`.")
  if (key === CONFLICT) throw unauthorized("Authorization and X-API-KEY hold different keys. Send one of them.")
  const hash = isKey(key) ? await hashSecret(key) : null
  const found =
    hash && (await findCounted(c, "API keys", hash, () => findByKey(openDb(c.env.DB), hash, c.var.now, also)))
  if (!found) throw invalidKey()
  return { ...found, hash }
}

/**
 * Returns middleware that requires a live API key of a paid, unrestricted account, and sets `account`, `key` and `besideKey`.
 * @param also returns statements that only read, for the batch that reads the key
 * @throws ApiError 401, 403
 */
export const authenticate =
  (also: (c: AppContext) => Statement[] = () => []) =>
  async (c: AppContext, next: () => Promise<void>): Promise<void> => {
    const { now } = c.var
    const { account, key, hash, beside } = await findCaller(c, also(c))
    if (!isPaid(account, now)) throw new ApiError("subscription_required")
    if (account.restricted) throw new ApiError("account_restricted")
    c.set("account", account)
    c.set("key", { ...key, hash })
    if (beside.length > 0) c.set("besideKey", beside)
    const since = new Date(now.getTime() - KEY_LAST_USED_SECONDS * 1000)
    if (!key.last_used_at || key.last_used_at < since)
      c.executionCtx.waitUntil(
        touchKey(openDb(c.env.DB), hash, since, now).catch((error: unknown) =>
          log("warn", { message: "api_key.last_used_failed", error: trace(error) }),
        ),
      )
    await next()
  }

/** Returns the middleware that refuses keys whose scope does not allow an operation. @throws ApiError 403 `insufficient_scope` */
export const scopeGuard =
  ({ method, isForDrafts, isPrivate }: Operation) =>
  async (c: AppContext, next: () => Promise<void>): Promise<void> => {
    const scope = c.var.key?.scope
    const mayRead = method === "GET" && !(isPrivate && scope === "read")
    if (scope !== "publish" && !mayRead && !(scope === "draft" && isForDrafts)) throw new ApiError("insufficient_scope")
    await next()
  }

/** Returns the statements that fail the batch of a write if the request's API key is not valid at `now`; none if it has no key. */
export const keyChecks = ({ key }: Pick<AppContext["var"], "key">, now: Date): Statement[] =>
  key ? [requireKey(key.hash, now)] : []

/** Requires that the request's API key is still valid at `now` where nothing is written. @throws the error that `withKeyRefusal` reads */
export const checkKey = async (db: Db, caller: Pick<AppContext["var"], "key">, now: Date): Promise<void> => {
  const checks = keyChecks(caller, now)
  if (checks.length > 0) await runBatch(db, checks)
}

/**
 * Returns ApiError 401 or 403 instead of `error` if the API key, session or paid time ended during its request, or the
 * account was restricted; else `error`.
 * A write for an erased account ends in 404, so the key is looked up again.
 */
export const withKeyRefusal = async (error: unknown, c: AppContext): Promise<unknown> => {
  const code = keyRefusal(error) ?? sessionRefusal(error)
  if (code !== null) return code === "unauthorized" ? invalidKey() : new ApiError(code)
  const { key, now } = c.var
  const isMissing = error instanceof ApiError && error.code === "not_found"
  if (!isMissing || !key || ["GET", "HEAD"].includes(c.req.method)) return error
  try {
    return (await findByKey(openDb(c.env.DB), key.hash, now)) ? error : invalidKey()
  } catch {
    // The first error is the one to answer.
    return error
  }
}
