import { desc, eq, lt, sql } from "drizzle-orm"

import { dayOf, daysBefore } from "../days.ts"
import type { Db } from "../db.ts"
import { ABUSE_COUNT_DAYS } from "../limits.ts"
import { type AbuseCount, abuse_counts } from "../tables.ts"

/** Counts that an account was refused something. */
export const countRefusal = async (db: Db, accountId: string, kind: string, now: Date): Promise<void> => {
  await db
    .insert(abuse_counts)
    .values({ account_id: accountId, day: dayOf(now), kind, count: 1 })
    .onConflictDoUpdate({
      target: [abuse_counts.account_id, abuse_counts.day, abuse_counts.kind],
      set: { count: sql`${abuse_counts.count} + 1` },
    })
}

/** What an account was refused, the last day first. */
export const listRefusals = (db: Db, accountId: string): Promise<AbuseCount[]> =>
  db
    .select()
    .from(abuse_counts)
    .where(eq(abuse_counts.account_id, accountId))
    .orderBy(desc(abuse_counts.day), abuse_counts.kind)

/** Forgets the days of long ago. */
export const deleteOldRefusals = async (db: Db, now: Date): Promise<void> => {
  await db.delete(abuse_counts).where(lt(abuse_counts.day, dayOf(daysBefore(now, ABUSE_COUNT_DAYS))))
}
