import { and, asc, count, desc, eq, gt, gte, lt, sql } from "drizzle-orm"

import { dayOf, daysBefore } from "../days.ts"
import type { Db } from "../db/client.ts"
import { type AbuseCount, type Account, abuse_counts, accounts, images, posts } from "../db/schema.ts"
import { ABUSE_COUNT_DAYS } from "../limits.ts"

/** A character that sorts after every character of a username. */
const LAST = "~"

interface Page {
  /** The prefix of the usernames. */
  prefix: string
  /** The last username of the previous page. */
  cursor?: string | undefined
  limit: number
}

/** Lists accounts whose username begins with `prefix` ("": all), sorted by it, after `cursor`: one more than `limit` if more follow. */
export const listAccounts = (db: Db, { prefix, cursor, limit }: Page): Promise<Account[]> =>
  db
    .select()
    .from(accounts)
    .where(
      and(
        prefix === "" ? undefined : and(gte(accounts.username, prefix), lt(accounts.username, `${prefix}${LAST}`)),
        cursor === undefined ? undefined : gt(accounts.username, cursor),
      ),
    )
    .orderBy(asc(accounts.username))
    .limit(limit + 1)

/** Counts an account's published posts, drafts and images. */
export const countHoldings = async (db: Db, accountId: string) => {
  const [byStatus, [stored]] = await db.batch([
    db
      .select({ status: posts.status, number: count() })
      .from(posts)
      .where(eq(posts.account_id, accountId))
      .groupBy(posts.status),
    db.select({ number: count() }).from(images).where(eq(images.account_id, accountId)),
  ])
  const numberOf = (status: "DF" | "PB") => byStatus.find((row) => row.status === status)?.number ?? 0
  return { drafts: numberOf("DF"), published: numberOf("PB"), images: stored?.number ?? 0 }
}

/** Adds one to an account's count of refused requests of this kind, such as `file_too_large`, on the day (UTC) of `now`. */
export const incrementRefusals = async (db: Db, accountId: string, kind: string, now: Date): Promise<void> => {
  await db
    .insert(abuse_counts)
    .values({ account_id: accountId, day: dayOf(now), kind, count: 1 })
    .onConflictDoUpdate({
      target: [abuse_counts.account_id, abuse_counts.day, abuse_counts.kind],
      set: { count: sql`${abuse_counts.count} + 1` },
    })
}

/** Lists an account's counts of refused requests by day (UTC) and kind, the last day first. */
export const listRefusals = (db: Db, accountId: string): Promise<AbuseCount[]> =>
  db
    .select()
    .from(abuse_counts)
    .where(eq(abuse_counts.account_id, accountId))
    .orderBy(desc(abuse_counts.day), abuse_counts.kind)

/** Deletes counts of refused requests that are older than `ABUSE_COUNT_DAYS`. */
export const deleteOldRefusals = async (db: Db, now: Date): Promise<void> => {
  await db.delete(abuse_counts).where(lt(abuse_counts.day, dayOf(daysBefore(now, ABUSE_COUNT_DAYS))))
}
