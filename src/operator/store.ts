import { and, asc, desc, eq, gt, gte, lt, sql } from "drizzle-orm"

import { dayOf, daysBefore } from "../days.ts"
import type { Db } from "../db/client.ts"
import { countSome, deleteSome, runBatch } from "../db/plain-sql.ts"
import { type AbuseCount, type Account, abuse_counts, accounts } from "../db/schema.ts"
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
  const isOf = sql`"account_id" = ${accountId}`
  const [[row]] = await runBatch(db, [
    // SQLite uses the partial indexes only for these exact conditions.
    sql`select ${countSome(sql`"posts" where ${isOf} and "status" = 'DF'`)} as "drafts",
      ${countSome(sql`"posts" where ${isOf} and "status" = 'PB'`)} as "published",
      ${countSome(sql`"images" where ${isOf}`)} as "images"`,
  ])
  return { drafts: Number(row?.["drafts"]), published: Number(row?.["published"]), images: Number(row?.["images"]) }
}

/** Adds to an account's count of this kind, such as `file_too_large`, on the day (UTC) of `now`. */
export const incrementRefusals = async (
  db: Db,
  accountId: string,
  kind: string,
  now: Date,
  number: number,
): Promise<void> => {
  await db
    .insert(abuse_counts)
    .values({ account_id: accountId, day: dayOf(now), kind, count: number })
    .onConflictDoUpdate({
      target: [abuse_counts.account_id, abuse_counts.day, abuse_counts.kind],
      set: { count: sql`${abuse_counts.count} + ${number}` },
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
  await runBatch(db, [deleteSome(abuse_counts, lt(abuse_counts.day, dayOf(daysBefore(now, ABUSE_COUNT_DAYS))))])
}
