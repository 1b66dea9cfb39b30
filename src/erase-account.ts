import { deleteAccount, findAccount, insertAction } from "./accounts/store.ts"
import { listLiveSubscriptions } from "./billing/store.ts"
import { openDb } from "./db/client.ts"
import type { Account } from "./db/schema.ts"
import type { AppContext } from "./http/context.ts"
import { unavailable } from "./http/errors.ts"
import { cleanUpImages } from "./images/cleanup.ts"
import { markAccountImages } from "./images/store.ts"
import { log, trace } from "./log.ts"

// Erasing an account crosses the slices, so it stands beside them.

/**
 * Erases an account with everything it owns; once more does no harm.
 * @param also statements that are carried out with it or not at all
 * @returns Stripe's ids of its subscriptions that go on
 * @throws ApiError 503: all is there still but the count of its uploads, or nobody can tell; the call can be repeated
 */
export const eraseAccount = async (
  c: AppContext,
  { id, username }: Account,
  ...also: ReturnType<typeof insertAction>[]
): Promise<string[]> => {
  const { now, requestId: request_id } = c.var
  const db = openDb(c.env.DB)
  // Their rows go with the account: this is the last time that anybody here knows them.
  const subscriptions = await listLiveSubscriptions(db, id)
  // The limiter first, which no batch can hold: when it fails the account is still there, and the call can be repeated.
  await c.env.UPLOAD_LIMITER.getByName(id)
    .erase()
    .catch((cause: unknown) => {
      throw unavailable(cause)
    })
  // Then the account, with its posts and their links to pictures; then nothing links the pictures.
  try {
    await db.batch([deleteAccount(db, id), markAccountImages(db, id, now), ...also])
  } catch (error) {
    // The answer may be lost of a batch that was carried out.
    const left = await findAccount(db, username).catch(() => ({ id }))
    if (left?.id === id) throw error
  }
  // Only the operator can cancel what the author forgets.
  log(subscriptions.length > 0 ? "warn" : "info", {
    request_id,
    message: "account.erased",
    username,
    subscriptions,
  })
  const sweeping = cleanUpImages({ db, media: c.env.MEDIA }, now).catch((error: unknown) =>
    // The pictures are marked: the cron goes on from here.
    log("warn", { message: "account.cleanup_deferred", error: trace(error) }),
  )
  c.executionCtx.waitUntil(sweeping)
  return subscriptions
}
