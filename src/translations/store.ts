import { and, eq, exists, isNull, lte, or, sql } from "drizzle-orm"

import { builtForColumns, builtOnce, type Db, failedOn, repeatable } from "../db.ts"
import type { Post } from "../posts/post.ts"
import { selectPost, toLoaded } from "../posts/store.ts"
import { leases, posts, texts } from "../tables.ts"

const claimAndRead = builtOnce(
  (db) =>
    [
      db
        .insert(leases)
        .values({
          post_id: sql.placeholder("postId"),
          token: sql.placeholder("token"),
          expires_at: sql.placeholder("expires_at"),
        })
        .onConflictDoUpdate({
          target: leases.post_id,
          set: { token: sql`excluded.token`, expires_at: sql`excluded.expires_at` },
          // Its own: the answer to a first try was lost.
          setWhere: or(lte(leases.expires_at, sql.placeholder("now")), eq(leases.token, sql`excluded.token`)),
        })
        .returning({ token: leases.token }),
      ...selectPost(db, sql.placeholder("postId")),
    ] as const,
)

/**
 * Takes the lease of a post, if nobody holds a live one, and reads the post in the same moment.
 * @returns null when somebody does, or the post is gone
 */
export const claimPost = async (
  db: Db,
  postId: string,
  token: string,
  expires_at: Date,
  now: Date,
): Promise<Post | null> => {
  try {
    const values = { postId, token, expires_at, now: now.getTime() }
    const [claimed, ...rows] = await repeatable(() => db.batch(claimAndRead(db, values)))
    return claimed.length > 0 ? (toLoaded(rows)?.post ?? null) : null
  } catch (error) {
    if (failedOn(error, "FOREIGN KEY")) return null
    throw error
  }
}

/** A text that a run has claimed. */
export interface Claimed {
  postId: string
  lang: string
  token: string
}

/** What a run writes into the text it claimed. */
export type Written = Partial<Omit<typeof texts.$inferInsert, "post_id" | "lang_code">>

const isClaimed = and(
  eq(texts.post_id, sql.placeholder("postId")),
  eq(texts.lang_code, sql.placeholder("lang")),
  eq(texts.claim, sql.placeholder("token")),
)

/** Writes into a claimed text, and counts the post's revision up; neither, when the claim is lost. */
const write = builtForColumns(texts, (db, columns) => {
  const claim = db
    .select({ one: sql`1` })
    .from(texts)
    .where(isClaimed)
  return [
    db
      .update(posts)
      .set({ revision: sql`${posts.revision} + 1` })
      .where(and(eq(posts.id, sql.placeholder("postId")), exists(claim))),
    db.update(texts).set(columns).where(isClaimed).returning({ lang_code: texts.lang_code }),
  ] as const
})

/**
 * Writes into the text that this run claimed.
 * @returns false when the run has lost its claim: a client changed the text, unlisted the language or deleted the post
 */
export const writeClaimed = async (db: Db, claimed: Claimed, changes: Written): Promise<boolean> => {
  const [, written] = await db.batch(write(db, changes, claimed))
  return written.length > 0
}

// In the index's own words, or SQLite would not use the partial index.
const isWaiting = sql`${texts.status} in ('queued', 'running')`

const release = builtOnce(
  (db) =>
    [
      db
        .delete(leases)
        .where(and(eq(leases.post_id, sql.placeholder("postId")), eq(leases.token, sql.placeholder("token")))),
      db
        .select({ due_at: texts.due_at })
        .from(texts)
        .where(and(eq(texts.post_id, sql.placeholder("postId")), isWaiting))
        .orderBy(texts.due_at)
        .limit(1),
    ] as const,
)

/**
 * Writes what a run has made, unless it has lost its claim; gives the lease back; and looks, in the same moment, when the
 * post has work again: whatever was queued while the lease was held is seen here, and whatever is queued later finds the
 * lease free.
 */
export const releaseLease = async (
  db: Db,
  { postId, token }: Omit<Claimed, "lang">,
  made: { lang: string; changes: Written } | null,
): Promise<Date | null> => {
  const [deleted, next] = release(db, { postId, token })
  if (!made) return (await db.batch([deleted, next]))[1][0]?.due_at ?? null
  const written = write(db, made.changes, { postId, lang: made.lang, token })
  return (await db.batch([...written, deleted, next]))[3][0]?.due_at ?? null
}

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
