import { and, eq, exists, isNull, lte, or, sql } from "drizzle-orm"

import { type Db, failedOn } from "../db.ts"
import { leases, posts, texts } from "../tables.ts"

/**
 * Takes the lease of a post, if nobody holds a live one.
 * @returns false when somebody does, or the post is gone
 */
export const claimLease = async (
  db: Db,
  postId: string,
  token: string,
  expires_at: Date,
  now: Date,
): Promise<boolean> => {
  try {
    const claimed = await db
      .insert(leases)
      .values({ post_id: postId, token, expires_at })
      .onConflictDoUpdate({ target: leases.post_id, set: { token, expires_at }, setWhere: lte(leases.expires_at, now) })
      .returning({ token: leases.token })
    return claimed.length > 0
  } catch (error) {
    if (failedOn(error, "FOREIGN KEY")) return false
    throw error
  }
}

// In the index's own words, or SQLite would not use the partial index.
const isWaiting = sql`${texts.status} in ('queued', 'running')`

/**
 * Gives the lease back and looks, in the same moment, when the post has work again: whatever was queued while the lease
 * was held is seen here, and whatever is queued later finds the lease free.
 */
export const releaseLease = async (db: Db, postId: string, token: string): Promise<Date | null> => {
  const [, [next]] = await db.batch([
    db.delete(leases).where(and(eq(leases.post_id, postId), eq(leases.token, token))),
    db
      .select({ due_at: texts.due_at })
      .from(texts)
      .where(and(eq(texts.post_id, postId), isWaiting))
      .orderBy(texts.due_at)
      .limit(1),
  ])
  return next?.due_at ?? null
}

/** What a run writes into the text it claimed. */
type Written = Partial<Omit<typeof texts.$inferInsert, "post_id" | "lang_code">>

/**
 * Writes into the text that this run claimed, and counts the post's revision up.
 * @returns false when the run has lost its claim: a client changed the text, unlisted the language or deleted the post
 */
export const writeClaimed = async (
  db: Db,
  { postId, lang, token }: { postId: string; lang: string; token: string },
  changes: Written,
): Promise<boolean> => {
  const isClaimed = and(eq(texts.post_id, postId), eq(texts.lang_code, lang), eq(texts.claim, token))
  const [, written] = await db.batch([
    db
      .update(posts)
      .set({ revision: sql`${posts.revision} + 1` })
      .where(
        and(
          eq(posts.id, postId),
          exists(
            db
              .select({ one: sql`1` })
              .from(texts)
              .where(isClaimed),
          ),
        ),
      ),
    db.update(texts).set(changes).where(isClaimed).returning({ lang_code: texts.lang_code }),
  ])
  return written.length > 0
}

/** Posts whose work has been due since `overdue` and that nobody is working on: what lost wake-ups leave behind. */
export const listOverduePosts = async (db: Db, overdue: Date, now: Date, limit: number): Promise<string[]> => {
  const rows = await db
    .selectDistinct({ post_id: texts.post_id })
    .from(texts)
    .leftJoin(leases, eq(leases.post_id, texts.post_id))
    .where(and(isWaiting, lte(texts.due_at, overdue), or(isNull(leases.post_id), lte(leases.expires_at, now))))
    .orderBy(texts.due_at)
    .limit(limit)
  return rows.map(({ post_id }) => post_id)
}
