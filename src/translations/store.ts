import { and, eq, exists, isNull, lt, lte, not, or, type SQL, sql } from "drizzle-orm"
import { alias } from "drizzle-orm/sqlite-core"

import { builtForColumns, builtOnce, type Db, failedOn, repeatable, type Statement } from "../db.ts"
import type { Post } from "../posts/post.ts"
import { selectPost, toPost } from "../posts/store.ts"
import { leases, posts, texts } from "../tables.ts"

const candidates = alias(texts, "candidates")

/** The first language of the list that has work: queued and due, or `running` although its run has lost the lease. */
const nextLanguage = (db: Db) =>
  db
    .select({ lang_code: candidates.lang_code })
    .from(posts)
    .innerJoin(sql`json_each(${posts.translation_languages}) as listed`, sql`true`)
    .innerJoin(candidates, and(eq(candidates.post_id, posts.id), eq(candidates.lang_code, sql`listed.value`)))
    .where(
      and(
        eq(posts.id, sql.placeholder("postId")),
        or(
          eq(candidates.status, "running"),
          and(eq(candidates.status, "queued"), lte(candidates.due_at, sql.placeholder("now"))),
        ),
      ),
    )
    .orderBy(sql`listed.key`)
    .limit(1)

const isOfPost = eq(texts.post_id, sql.placeholder("postId"))
const isOurs = eq(texts.claim, sql.placeholder("token"))
const isOurLease = and(eq(leases.post_id, sql.placeholder("postId")), eq(leases.token, sql.placeholder("token")))

const anyText = (db: Db, condition: SQL | undefined) =>
  exists(
    db
      .select({ one: sql`1` })
      .from(texts)
      .where(condition),
  )

/** A write to a text is one to its post. */
const countUp = (db: Db, hasWritten: SQL) =>
  db
    .update(posts)
    .set({ revision: sql`${posts.revision} + 1` })
    .where(and(eq(posts.id, sql.placeholder("postId")), hasWritten))

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
      db
        .update(texts)
        .set({
          status: "running",
          claim: sql`${sql.placeholder("token")}`,
          attempts: sql`${texts.attempts} + 1`,
          error: null,
        })
        .where(
          and(
            isOfPost,
            eq(texts.lang_code, sql`(${nextLanguage(db)})`),
            lt(texts.attempts, sql.placeholder("maxAttempts")),
            // The answer to a first try was lost.
            not(anyText(db, and(isOfPost, isOurs))),
            exists(
              db
                .select({ one: sql`1` })
                .from(leases)
                .where(isOurLease),
            ),
          ),
        ),
      countUp(db, anyText(db, and(isOfPost, isOurs))),
      ...selectPost(db, sql.placeholder("postId")),
    ] as const,
)

/**
 * Takes the lease of a post, if nobody holds a live one, claims the next of its texts that has work, and reads the post, in
 * the same moment. The attempt is counted before the work, so that a run which dies counts too.
 * @param maxAttempts a text with as many is not claimed
 * @returns null when somebody else has the lease, or the post is gone
 */
export const claimPost = async (
  db: Db,
  { postId, token, now }: { postId: string; token: string; now: Date },
  expires_at: Date,
  maxAttempts: number,
): Promise<Post | null> => {
  try {
    const values = { postId, token, expires_at, now: now.getTime(), maxAttempts }
    const [leased, , , ...rows] = await repeatable(() => db.batch(claimAndRead(db, values)))
    return leased.length > 0 ? toPost(rows) : null
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

const isClaimed = and(isOfPost, eq(texts.lang_code, sql.placeholder("lang")), isOurs)

/** Writes into a claimed text, and counts the post's revision up; neither, when the claim is lost. */
const write = builtForColumns(
  texts,
  (db, columns) =>
    [
      countUp(db, anyText(db, isClaimed)),
      db.update(texts).set(columns).where(isClaimed).returning({ lang_code: texts.lang_code }),
    ] as const,
)

/**
 * Writes into the text that this run claimed.
 * @param along is written with it, and empty then
 * @returns false when the run has lost its claim: a client changed the text, unlisted the language or deleted the post
 */
export const writeClaimed = async (
  db: Db,
  claimed: Claimed,
  changes: Written,
  along: Statement[],
): Promise<boolean> => {
  const [, written] = await db.batch([...write(db, changes, claimed), ...along])
  along.length = 0
  return written.length > 0
}

// In the index's own words, or SQLite would not use the partial index.
const isWaiting = sql`${texts.status} in ('queued', 'running')`

const release = builtOnce(
  (db) =>
    [
      db.delete(leases).where(isOurLease),
      db.select({ due_at: texts.due_at }).from(texts).where(and(isOfPost, isWaiting)).orderBy(texts.due_at).limit(1),
    ] as const,
)

/**
 * Writes what a run has made, unless it has lost its claim; gives the lease back; and looks, in the same moment, when the
 * post has work again: whatever was queued while the lease was held is seen here, and whatever is queued later finds the
 * lease free.
 * @param along is written with it
 */
export const releaseLease = async (
  db: Db,
  { postId, token }: Omit<Claimed, "lang">,
  made: { lang: string; changes: Written } | null,
  along: Statement[],
): Promise<Date | null> => {
  const [deleted, next] = release(db, { postId, token })
  if (!made) return (await db.batch([deleted, next, ...along]))[1][0]?.due_at ?? null
  const written = write(db, made.changes, { postId, lang: made.lang, token })
  return (await db.batch([...written, deleted, next, ...along]))[3][0]?.due_at ?? null
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
