import { type SQL, and, eq, isNull, lt, lte, sql } from "drizzle-orm"

import { dayOf, daysBefore } from "../days.ts"
import {
  type Db,
  type Statement,
  builtForColumns,
  builtOnce,
  failedOn,
  placeholders,
  repeatable,
} from "../db/client.ts"
import { leases, posts, texts, translated_characters } from "../db/schema.ts"
import type { Post } from "../posts/post.ts"
import { selectPost, toPost } from "../posts/store.ts"

// The leases of posts, and what a run writes into the text that it has claimed.

const POST_ID = sql.placeholder("postId")
const TOKEN = sql.placeholder("token")
const NOW = sql.placeholder("now")

const isOfPost = eq(texts.post_id, POST_ID)
const isOfRun = eq(texts.claim, TOKEN)
const isLeaseOfRun = and(eq(leases.post_id, POST_ID), eq(leases.token, TOKEN))

const anyText = (condition: SQL | undefined): SQL => sql`exists (select 1 from ${texts} where ${condition})`

/** The first language of the list that has work: queued and due, or `running` although its run has lost the lease. */
const NEXT_LANGUAGE = sql`(
  select candidates.lang_code
  from ${posts}
  join json_each(${posts.translation_languages}) as listed
  join ${texts} as candidates on candidates.post_id = ${posts.id} and candidates.lang_code = listed.value
  where ${posts.id} = ${POST_ID}
    and (candidates.status = 'running' or (candidates.status = 'queued' and candidates.due_at <= ${NOW}))
  order by listed.key
  limit 1)`

/** A write to a text is one to its post. */
const countRevision = (db: Db, hasWritten: SQL) =>
  db
    .update(posts)
    .set({ revision: sql`${posts.revision} + 1` })
    .where(and(eq(posts.id, POST_ID), hasWritten))

const claimAndRead = builtOnce(
  (db) =>
    [
      db
        .insert(leases)
        .values({ post_id: POST_ID, token: TOKEN, expires_at: sql.placeholder("expires_at") })
        .onConflictDoUpdate({
          target: leases.post_id,
          set: { token: sql`excluded.token`, expires_at: sql`excluded.expires_at` },
          // The lease may be this run's: the answer to a first try was lost.
          setWhere: sql`${leases.expires_at} <= ${NOW} or ${leases.token} = excluded.token`,
        })
        .returning({ token: leases.token }),
      db
        .update(texts)
        .set({ status: "running", claim: sql`${TOKEN}`, attempts: sql`${texts.attempts} + 1`, error: null })
        .where(
          and(
            isOfPost,
            sql`${texts.lang_code} = ${NEXT_LANGUAGE}`,
            sql`${texts.attempts} < ${sql.placeholder("maxAttempts")}`,
            // The answer to a first try was lost.
            sql`not ${anyText(and(isOfPost, isOfRun))}`,
            sql`exists (select 1 from ${leases} where ${isLeaseOfRun})`,
          ),
        ),
      countRevision(db, anyText(and(isOfPost, isOfRun))),
      ...selectPost(db, POST_ID),
    ] as const,
)

/**
 * Takes the lease of a post unless another run holds it, claims the next of its texts that has work, and reads the post, in
 * one batch. The attempt is counted before the work, so that a run which dies counts too.
 * @param maxAttempts a text with as many is not claimed
 * @returns null when another run has the lease, or the post is gone
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
interface Claimed {
  postId: string
  lang: string
  token: string
}

/** What a run writes into the text that it has claimed. */
export type Written = Partial<Omit<typeof texts.$inferInsert, "post_id" | "lang_code">>

const isClaimed = and(isOfPost, eq(texts.lang_code, sql.placeholder("lang")), isOfRun)

/** Writes into a claimed text, and counts the post's revision up; neither, when the claim is lost. */
const write = builtForColumns(
  texts,
  (db, columns) =>
    [
      countRevision(db, anyText(isClaimed)),
      db.update(texts).set(columns).where(isClaimed).returning({ lang_code: texts.lang_code }),
    ] as const,
)

/**
 * Writes into the text that this run has claimed.
 * @param pending is written in the same batch, and empty then
 * @returns false when the run has lost its claim: a client changed the text, unlisted the language or deleted the post
 */
export const writeClaimed = async (
  db: Db,
  claimed: Claimed,
  changes: Written,
  pending: Statement[],
): Promise<boolean> => {
  const [, written] = await db.batch([...write(db, changes, claimed), ...pending])
  pending.length = 0
  return written.length > 0
}

// In the index's own words, or SQLite would not use the partial index.
const isWaiting = sql`${texts.status} in ('queued', 'running')`

const release = builtOnce(
  (db) =>
    [
      db.delete(leases).where(isLeaseOfRun),
      db.select({ due_at: texts.due_at }).from(texts).where(and(isOfPost, isWaiting)).orderBy(texts.due_at).limit(1),
    ] as const,
)

/**
 * Writes what a run has made, unless it has lost its claim; gives the lease back; and finds when the post has work again.
 * All in one batch: what was queued while the lease was held is seen here, and what is queued later finds the lease free.
 * @param pending is written in the same batch
 */
export const releaseLease = async (
  db: Db,
  { postId, token }: Omit<Claimed, "lang">,
  made: { lang: string; changes: Written } | null,
  pending: Statement[],
): Promise<Date | null> => {
  const [deleted, next] = release(db, { postId, token })
  if (!made) return (await db.batch([deleted, next, ...pending]))[1][0]?.due_at ?? null
  const written = write(db, made.changes, { postId, lang: made.lang, token })
  return (await db.batch([...written, deleted, next, ...pending]))[3][0]?.due_at ?? null
}

/** Finds since when the oldest work of all posts is due. */
export const findLongestWaiting = async (db: Db): Promise<Date | null> => {
  const [row] = await db.select({ due_at: texts.due_at }).from(texts).where(isWaiting).orderBy(texts.due_at).limit(1)
  return row?.due_at ?? null
}

/**
 * Deletes the leases that have run out, and finds the posts whose work has been due since `overdue` and that no run works
 * on: lost wake-ups and dead runs leave them.
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

const spend = builtOnce((db) => {
  const sum = sql`${translated_characters.characters} + excluded.characters`
  return [
    db
      .insert(translated_characters)
      .values(placeholders(translated_characters))
      .onConflictDoUpdate({
        target: [translated_characters.account_id, translated_characters.day],
        set: { characters: sum },
        setWhere: lte(sum, sql.placeholder("limit")),
      })
      .returning({ characters: translated_characters.characters }),
  ] as const
})

/**
 * Counts characters against an account's limit of the day.
 * @returns false, and nothing is counted, when they would exceed it; the first of a day always fit
 */
export const spendCharacters = async (
  db: Db,
  account_id: string,
  characters: number,
  limit: number,
  now: Date,
): Promise<boolean> => {
  const [spent] = await db.batch(spend(db, { account_id, day: dayOf(now), characters, limit }))
  return spent.length > 0
}

/** Finds how many characters an account has had translated today, UTC. */
export const findSpentCharacters = async (db: Db, account_id: string, now: Date): Promise<number> => {
  const [row] = await db
    .select({ characters: translated_characters.characters })
    .from(translated_characters)
    .where(and(eq(translated_characters.account_id, account_id), eq(translated_characters.day, dayOf(now))))
  return row?.characters ?? 0
}

/** A statement that deletes the counts of the days before yesterday. */
export const forgetDays = (db: Db, now: Date): Statement =>
  db.delete(translated_characters).where(lt(translated_characters.day, dayOf(daysBefore(now, 1))))
