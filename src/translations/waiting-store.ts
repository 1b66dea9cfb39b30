import { and, eq, isNull, lte } from "drizzle-orm"

import type { Db } from "../db.ts"
import { leases, texts } from "../tables.ts"
import { isWaiting } from "./store.ts"

/** When the work became due that has waited longest, of all posts. */
export const findLongestWaiting = async (db: Db): Promise<Date | null> => {
  const [row] = await db.select({ due_at: texts.due_at }).from(texts).where(isWaiting).orderBy(texts.due_at).limit(1)
  return row?.due_at ?? null
}

/**
 * Forgets the leases that have run out, and finds the posts whose work has been due since `overdue` and that nobody is
 * working on: what lost wake-ups and dead runs leave behind.
 */
export const reclaimPosts = async (db: Db, overdue: Date, now: Date, limit: number): Promise<string[]> => {
  const [, rows] = await db.batch([
    db.delete(leases).where(lte(leases.expires_at, now)),
    db
      .selectDistinct({ post_id: texts.post_id })
      .from(texts)
      .leftJoin(leases, eq(leases.post_id, texts.post_id))
      .where(and(isWaiting, lte(texts.due_at, overdue), isNull(leases.post_id)))
      .orderBy(texts.due_at)
      .limit(limit),
  ])
  return rows.map(({ post_id }) => post_id)
}
