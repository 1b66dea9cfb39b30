import { and, eq, inArray, isNull, lt, sql } from "drizzle-orm"

import { updatePaidTime } from "../accounts/store.ts"
import { daysBefore } from "../days.ts"
import { type Db, failedOn } from "../db/client.ts"
import { accounts, stripe_events, type Subscription, subscriptions } from "../db/schema.ts"
import { isKept } from "../db/visibility.ts"
import { STRIPE_MEMORY_DAYS } from "../limits.ts"

interface Known {
  handled: boolean
  subscription: Subscription | null
  accountId: string | null
}

/** Reads whether a Stripe event was handled, the stored subscription with Stripe's id, and the account id of the username; null: none. */
export const findKnown = async (
  db: Db,
  eventId: string,
  { subscription: id, username = "" }: { subscription: string; username?: string },
): Promise<Known> => {
  const [[event], [subscription], [account]] = await db.batch([
    db.select().from(stripe_events).where(eq(stripe_events.id, eventId)),
    db.select().from(subscriptions).where(eq(subscriptions.id, id)),
    db
      .select({ id: accounts.id })
      .from(accounts)
      .where(and(eq(accounts.username, username), isKept)),
  ])
  return { handled: event !== undefined, subscription: subscription ?? null, accountId: account?.id ?? null }
}

/** Lists Stripe's ids of an account's subscriptions that have not ended, paid or overdue. */
export const listLiveSubscriptionIds = async (db: Db, accountId: string): Promise<string[]> => {
  const hasEnded = inArray(subscriptions.status, ["canceled", "incomplete_expired"])
  const rows = await db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.account_id, accountId), sql`${hasEnded} is not true`))
    .orderBy(subscriptions.id)
  return rows.map(({ id }) => id)
}

/** Returns a subquery for the end of an account's paid subscriptions. Its value is null if there is none. */
const subscriptionsEnd = (accountId: string) =>
  sql`(select max(${subscriptions.paid_until}) from ${subscriptions} where ${subscriptions.account_id} = ${accountId})`

/**
 * Saves a subscription, its account's paid time and the handled event in one transaction.
 * @param revision of the subscription as it was read
 * @returns false, with nothing saved, if the event was handled, the subscription changed or the account erased since
 */
export const saveSubscription = async (
  db: Db,
  eventId: string,
  { revision, ...row }: Subscription,
  now: Date,
): Promise<boolean> => {
  // If another write came first, the value is null, which violates NOT NULL.
  const swapped = sql`case when ${subscriptions.revision} = ${revision} then ${revision + 1} end`
  try {
    await db.batch([
      db.insert(stripe_events).values({ id: eventId, handled_at: now }),
      db
        .insert(subscriptions)
        .values({ ...row, revision: revision + 1 })
        .onConflictDoUpdate({ target: subscriptions.id, set: { ...row, revision: swapped } }),
      ...(row.account_id ? [updatePaidTime(db, row.account_id, subscriptionsEnd(row.account_id), now)] : []),
    ])
    return true
  } catch (error) {
    if (failedOn(error, "UNIQUE", "stripe_events.id")) return false
    if (failedOn(error, "NOT NULL", "subscriptions.revision") || failedOn(error, "FOREIGN KEY")) return false
    throw error
  }
}

/** Deletes at most `limit` events older than `STRIPE_MEMORY_DAYS`, and as many subscriptions without an account that are as old. */
export const deleteOldEvents = async (db: Db, now: Date, limit: number): Promise<void> => {
  const since = daysBefore(now, STRIPE_MEMORY_DAYS)
  const events = db
    .select({ id: stripe_events.id })
    .from(stripe_events)
    .where(lt(stripe_events.handled_at, since))
    .orderBy(stripe_events.handled_at)
    .limit(limit)
  const unbound = db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(isNull(subscriptions.account_id), lt(subscriptions.updated_at, since)))
    .orderBy(subscriptions.updated_at)
    .limit(limit)
  await db.batch([
    db.delete(stripe_events).where(sql`${stripe_events.id} in ${events}`),
    db.delete(subscriptions).where(sql`${subscriptions.id} in ${unbound}`),
  ])
}
