import { deleteAccount, findAccount } from "./accounts/store.ts"
import { listLiveSubscriptionIds } from "./billing/store.ts"
import { openDb } from "./db/client.ts"
import { runBatch, type Statement } from "./db/plain-sql.ts"
import type { Account } from "./db/schema.ts"
import { purgeAccount } from "./edge/purge.ts"
import type { AppContext } from "./http/context.ts"
import { unavailable } from "./http/errors.ts"
import { cleanUpImages, imageFilesOf } from "./images/cleanup.ts"
import { markAccountImages } from "./images/lifetime.ts"
import { log, trace } from "./log.ts"

/**
 * Deletes an account with its posts, keys and sessions, and marks its images for deletion; files are deleted later.
 * @param also statements that run in the same transaction, such as an audit-log entry or a check of the session
 * @returns Stripe's ids of the account's subscriptions that have not ended; they are not canceled
 * @throws ApiError 503, or D1's error: the account may still exist, perhaps without its upload count. Safe to repeat
 */
export const eraseAccount = async (
  c: AppContext,
  { id, username }: Account,
  ...also: Statement[]
): Promise<string[]> => {
  const { now, requestId: request_id } = c.var
  const db = openDb(c.env.DB)
  // Read first, because their rows are deleted with the account.
  const subscriptions = await listLiveSubscriptionIds(db, id)
  // The limiter first, because it is outside the transaction: if it fails, the account still exists.
  await c.env.UPLOAD_LIMITER.getByName(id)
    .erase()
    .catch((cause: unknown) => {
      throw unavailable(cause)
    })
  // The account's posts are deleted with it, so no post uses its images when they are marked.
  try {
    await runBatch(db, [...also, deleteAccount(db, id), markAccountImages(db, id, now)])
  } catch (error) {
    // The batch may have succeeded although its answer was lost.
    const left = await findAccount(db, username).catch(() => ({ id }))
    if (left?.id === id) throw error
  }
  // The operator may have to cancel subscriptions that the author has forgotten.
  log(subscriptions.length > 0 ? "warn" : "info", {
    request_id,
    message: "account.erased",
    username,
    subscriptions,
  })
  purgeAccount(c, username)
  const cleaning = cleanUpImages({ db, ...imageFilesOf(c) }, now).catch((error: unknown) =>
    // The images are marked, so the scheduled job deletes them.
    log("warn", { message: "account.cleanup_deferred", error: trace(error) }),
  )
  c.executionCtx.waitUntil(cleaning)
  return subscriptions
}
