import type { Db } from "../db.ts"
import { unavailable } from "../http/problem.ts"
import { MAX_WEBHOOK_ATTEMPTS } from "../limits.ts"
import type { Change } from "./event.ts"
import type { Outcome, StripeEvent } from "./schema.ts"
import { findKnown, saveSubscription } from "./store.ts"
import { applyChange, newSubscription } from "./subscription.ts"

/**
 * Applies what an event says of a subscription, once.
 * A checkout of no account is not marked as handled: sent again from Stripe when the account is there, it counts.
 * @throws ApiError 503, after which Stripe delivers the event again
 */
export const applyEvent = async (
  db: Db,
  { id, created: at }: Pick<StripeEvent, "id" | "created">,
  change: Change,
  now: Date,
): Promise<Outcome> => {
  for (let attempt = 0; attempt < MAX_WEBHOOK_ATTEMPTS; attempt++) {
    const { handled, subscription, accountId } = await findKnown(db, id, change)
    if (handled) return "duplicate"
    if (change.kind === "checkout" && !accountId) return "ignored"
    const before = subscription ?? newSubscription(change.subscription, now)
    const after = applyChange(before, change, { at, accountId, now })
    if (await saveSubscription(db, id, after, now)) return after.account_id ? "applied" : "kept"
  }
  throw unavailable(new Error("A subscription was written again and again by others."))
}
