import { beginErasing, eraseRows, findErasing } from "./accounts/erasing-store.ts"
import { findAccount } from "./accounts/store.ts"
import { listLiveSubscriptionIds } from "./billing/store.ts"
import { type Db, openDb } from "./db/client.ts"
import { runBatch, type Statement } from "./db/plain-sql.ts"
import type { Account } from "./db/schema.ts"
import { purgeAccount } from "./edge/purge.ts"
import type { AppContext } from "./http/context.ts"
import { unavailable } from "./http/errors.ts"
import { cleanUpImages, imageFilesOf } from "./images/cleanup.ts"
import { log, trace } from "./log.ts"

/**
 * Erases an account: at once for everybody, and its rows and files by a job that begins after the answer. Its name and slugs
 * are free when the job is done. Safe to repeat.
 * @param also statements that run in the same transaction, such as an audit-log entry or a check of the session
 * @returns Stripe's ids of the account's subscriptions that have not ended; they are not canceled
 * @throws ApiError 503, or D1's error: the account may still exist, perhaps without its upload count
 */
export const eraseAccount = async (
  c: AppContext,
  { id, username }: Account,
  ...also: Statement[]
): Promise<string[]> => {
  const { now, requestId: request_id } = c.var
  const db = openDb(c.env.DB)
  const subscriptions = await listLiveSubscriptionIds(db, id)
  // The limiter first, because it is outside the transaction: if it fails, the account still exists.
  await c.env.UPLOAD_LIMITER.getByName(id)
    .erase()
    .catch((cause: unknown) => {
      throw unavailable(cause)
    })
  try {
    await runBatch(db, [...also, ...beginErasing(id, now)])
  } catch (error) {
    // The batch may have succeeded although its answer was lost.
    const left = await findAccount(db, username).catch(() => ({ id, erasing_at: null }))
    if (left?.id === id && left.erasing_at === null) throw error
  }
  // The operator may have to cancel subscriptions that the author has forgotten.
  log(subscriptions.length > 0 ? "warn" : "info", {
    request_id,
    message: "account.erased",
    username,
    subscriptions,
  })
  purgeAccount(c, username)
  const cleaning = eraseRows(db, id, now)
    .then(() => cleanUpImages({ db, ...imageFilesOf(c) }, now))
    .catch((error: unknown) => log("warn", { message: "account.cleanup_deferred", error: trace(error) }))
  c.executionCtx.waitUntil(cleaning)
  return subscriptions
}

/** Goes on with the erasing of an account, if one is being erased. */
export const continueErasing = async (db: Db, now: Date): Promise<void> => {
  const id = await findErasing(db)
  if (typeof id === "string") await eraseRows(db, id, now)
}
