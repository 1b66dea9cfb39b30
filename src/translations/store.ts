import { type SQL, and, eq, lt, lte, sql } from "drizzle-orm"

import { isServed, setResumption } from "../accounts/store.ts"
import { dayOf, daysBefore } from "../days.ts"
import { type Db, failedOn, listOf, repeatable } from "../db/client.ts"
import { type RawRow, type Statement, deleteSome, inserter, runBatch, selection } from "../db/plain-sql.ts"
import { leases, texts, translated_characters, type TranslationReview, type TranslationStatus } from "../db/schema.ts"
import { WAKE_UPS_A_STEP } from "../limits.ts"
import { selectPost, toPost } from "../posts/read-store.ts"
import { type Changes, setText, updateText } from "../posts/store.ts"
import type { Text } from "../posts/text.ts"
import { translationEvents } from "../webhooks/outbox.ts"
import { selectGlossary, toGlossary } from "./glossary-store.ts"
import type { GlossaryEntry } from "./glossary.ts"

// Leases of posts, and writes to claimed texts.

const insertLease = inserter(leases)
const accountOf = (postId: string): SQL => sql`(select "account_id" from "posts" where "id" = ${postId})`

/** A post with its author's glossary, and with what its account asks of translations. */
export type ClaimedPost = NonNullable<ReturnType<typeof toPost>> & { glossary: GlossaryEntry[] }

/**
 * Takes the lease of a post for the run `token`, claims its next text with work, and reads the post with its author's glossary,
 * in one batch. Counts the attempt first, so that a run that dies counts as well. For an unpaid, restricted or hidden account no
 * text is claimed.
 * @param expires_at when the lease ends unless it is released
 * @param maxAttempts a text with as many attempts is not claimed
 * @returns the post, whose claimed text has `token` as its `claim` (none if nothing is due); null if another run has the lease or
 * the post is deleted
 */
export const claimPost = async (
  db: Db,
  { postId, token, now }: { postId: string; token: string; now: Date },
  expires_at: Date,
  maxAttempts: number,
): Promise<ClaimedPost | null> => {
  // The first listed text that is due, or `running` although its run has lost the lease.
  const nextLanguage = sql`(
    select candidates.lang_code
    from "posts"
    join json_each("posts"."translation_languages") as listed
    join "accounts" on "accounts"."id" = "posts"."account_id" and ${isServed(now)}
    join "texts" as candidates on candidates.post_id = "posts"."id" and candidates.lang_code = listed.value
    where "posts"."id" = ${postId} and (candidates.status = 'running'
      or (candidates.status = 'queued' and candidates.due_at <= ${now.getTime()}))
    order by listed.key
    limit 1)`
  // If only the answer of a first attempt was lost, this run has the lease and a text.
  const hasClaimed = sql`exists (select 1 from "texts" where "texts"."post_id" = ${postId} and "texts"."claim" = ${token})`
  const isNext = sql`"texts"."lang_code" = ${nextLanguage} and "texts"."attempts" < ${maxAttempts} and not ${hasClaimed}
    and exists (select 1 from "leases" where "leases"."post_id" = ${postId} and "leases"."token" = ${token})`
  const claim = { status: "running", claim: token, attempts: sql`"texts"."attempts" + 1`, error: null } as const
  try {
    const [leased, ...answers] = await repeatable(() =>
      runBatch(db, [
        sql`${insertLease({ post_id: postId, token, expires_at })} on conflict (post_id) do update
          set token = excluded.token, expires_at = excluded.expires_at
          where "leases"."expires_at" <= ${now.getTime()} or "leases"."token" = excluded.token returning token`,
        ...updateText(postId, claim, isNext),
        selectGlossary(accountOf(postId)),
        ...selectPost({ id: postId }),
      ]),
    )
    // Those of `selectPost` come last.
    const [entries, ...post] = answers.slice(-4) as [RawRow[], RawRow[], RawRow[], RawRow[]]
    const read = leased.length > 0 ? toPost(post) : null
    return read && { ...read, glossary: toGlossary(entries) }
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

/** The columns that a run writes to its claimed text. */
export type Written = Changes<Omit<Text, "post_id" | "lang_code">>

/** The end of a run: what it writes to its text. */
export interface RunEnd {
  lang: string
  changes: Written
  /** The status that webhooks are told; undefined for none. */
  told: TranslationStatus | undefined
  /** The review for which the changes were made: if it is another by now, the claim is lost. undefined: for any. */
  review?: TranslationReview
  /** When the text goes on, which has no `due_at`; undefined if it is not paused. */
  pausedUntil?: Date | undefined
}

/** Returns the condition that the account of a row of `texts` is served at `now`. */
const isOfServed = (now: Date): SQL =>
  sql`exists (select 1 from "posts" join "accounts" on "accounts"."id" = "posts"."account_id"
    where "posts"."id" = "texts"."post_id" and ${isServed(now)})`

const isClaimed = ({ lang, token }: Claimed): SQL => sql`"texts"."lang_code" = ${lang} and "texts"."claim" = ${token}`

/** Returns the condition that the review of a row of `texts` is still the one that a run has read. */
const hasReview = (review: TranslationReview): SQL =>
  sql`exists (select 1 from "posts" join "accounts" on "accounts"."id" = "posts"."account_id" where "posts"."id" = "texts"."post_id"
    and coalesce("posts"."translation_review", "accounts"."translation_review") = ${review})`

/**
 * Writes to the text that a run has claimed, and runs the pending statements, in one batch.
 * @param pending statements of the same batch; the array is emptied
 * @returns false if the text stays as it is: it was changed, unlisted or deleted, or its account is unpaid, restricted or hidden
 */
export const writeClaimed = async (
  db: Db,
  claimed: Claimed,
  changes: Written,
  pending: Statement[],
  now: Date,
): Promise<boolean> => {
  const statements = updateText(claimed.postId, changes, sql`${isClaimed(claimed)} and ${isOfServed(now)}`)
  const written = await runBatch(db, [...statements, ...pending])
  pending.length = 0
  return (written[1] ?? []).length > 0
}

// SQLite uses the partial index only for this exact condition.
const isWaiting = sql`"texts"."status" in ('queued', 'running')`

const NEXT = selection({ due_at: texts.due_at })

/**
 * Writes the result of a run unless its claim is lost, releases the lease, and finds when the post has work again. One
 * batch does all of it: work queued before is found here, and work queued later finds a free lease.
 * @param result null if the claimed text does not change. `maxTextBytes` fails the batch as `isTextFull` tells
 * @param pending statements of the same batch
 * @returns null if the post has no work, or its account is unpaid, restricted or hidden
 */
export const releaseLease = async (
  db: Db,
  { postId, token, now, hasWebhooks }: Omit<Claimed, "lang"> & { now: Date; hasWebhooks: boolean },
  result: (RunEnd & { maxTextBytes: number }) | null,
  pending: Statement[],
): Promise<Date | null> => {
  const condition = result
    ? sql`${isClaimed({ postId, lang: result.lang, token })} and ${result.review ? hasReview(result.review) : sql`true`}`
    : sql`false`
  const answers = await runBatch(db, [
    ...(result && hasWebhooks
      ? translationEvents(postId, { lang: result.lang, status: result.told, now }, condition)
      : []),
    ...(result ? updateText(postId, result.changes, condition, result.maxTextBytes) : []),
    ...(result?.pausedUntil
      ? [pausePosts(sql`"posts"."id" = ${postId}`), setResumption(accountOf(postId), result.pausedUntil.getTime())]
      : []),
    sql`delete from "leases" where "leases"."post_id" = ${postId} and "leases"."token" = ${token}`,
    ...pending,
    sql`select ${NEXT.columns} from "texts" where "texts"."post_id" = ${postId} and ${isWaiting}
      and "texts"."due_at" is not null and ${isOfServed(now)} order by "texts"."due_at" limit 1`,
  ])
  const next = answers.at(-1)?.[0]
  return next ? NEXT.toRow(next).due_at : null
}

/** A text that is due; `is_leased`: a run has the lease of its post. */
type DueText = Record<"row" | "due_at" | "is_served" | "is_leased", number> & { post_id: string }

/**
 * Lists texts that wait since `until` or longer, the longest waiting first.
 * @param after the last one of the step before
 * @returns at most `WAKE_UPS_A_STEP` texts
 */
export const listDue = async (
  db: Db,
  { until, now }: { until: Date; now: Date },
  after: Pick<DueText, "row" | "due_at"> = { row: 0, due_at: -1 },
): Promise<DueText[]> => {
  const waiting = sql`select rowid as "row", "due_at", "post_id" from "texts" indexed by "texts_waiting" where ${isWaiting}`
  const [due] = await runBatch(db, [
    // Many texts may be due at the same millisecond. SQLite seeks a row in an index only among equal keys.
    sql`select "due".*, ${isServed(now)} as "is_served", "leases"."post_id" is not null as "is_leased"
      from (select * from (${waiting} and "due_at" = ${after.due_at} and rowid > ${after.row} order by rowid limit ${WAKE_UPS_A_STEP})
        union all
        select * from (${waiting} and "due_at" > ${after.due_at} and "due_at" <= ${until.getTime()}
          order by "due_at", rowid limit ${WAKE_UPS_A_STEP})
        limit ${WAKE_UPS_A_STEP}) as "due"
      join "posts" on "posts"."id" = "due"."post_id" join "accounts" on "accounts"."id" = "posts"."account_id"
      left join "leases" on "leases"."post_id" = "due"."post_id" and "leases"."expires_at" > ${now.getTime()}
      order by "due"."due_at", "due"."row"`,
  ])
  return due as unknown as DueText[]
}

/** Finds since when the longest waiting translation is due, among the `WAKE_UPS_A_STEP` first texts; null if none of them is served. */
export const findLongestWaiting = async (db: Db, now: Date): Promise<Date | null> => {
  const longest = (await listDue(db, { until: now, now })).find(({ is_served }) => is_served)
  return longest ? new Date(longest.due_at) : null
}

const pausePosts = (which: SQL): Statement =>
  sql`insert into "paused_posts" ("post_id", "account_id") select "posts"."id", "posts"."account_id" from "posts" where ${which}
    on conflict do nothing`

/** Pauses those of some texts whose accounts are not served. */
export const pauseTexts = async (db: Db, some: DueText[], now: Date): Promise<void> => {
  const unserved = some.flatMap(({ is_served, row }) => (is_served ? [] : row))
  // An account may be served again since.
  const isIt = sql`"texts".rowid in ${listOf(unserved)} and not ${isOfServed(now)}`
  const posts = sql`"posts"."id" in (select "texts"."post_id" from "texts" where ${isIt})`
  if (unserved.length > 0) await runBatch(db, [pausePosts(posts), setText({ due_at: null }, isIt)])
}

/**
 * Lets the next paused posts of an account go on, if their time has come and it is served. Then it is the last in the line.
 * @param turn the number of such calls before at `now`
 * @param accountId undefined: the first in the line of all whose time has come
 * @returns the ids of at most `WAKE_UPS_A_STEP` posts; null if no account's time has come
 */
export const resumePosts = async (db: Db, now: Date, turn: number, accountId?: string): Promise<string[] | null> => {
  const which = accountId === undefined ? sql`true` : sql`"id" = ${accountId}`
  const next = sql`(select "id" from "accounts" where "resumes_at" <= ${now.getTime() + turn} and ${which} order by "resumes_at" limit 1)`
  const ofNext = sql`"paused_posts" join "accounts" on "accounts"."id" = "account_id" where "account_id" = ${next} and ${isServed(now)}`
  const some = sql`(select "post_id" from ${ofNext} order by "post_id" limit ${WAKE_UPS_A_STEP})`
  const [, resumed, accounts] = await runBatch(db, [
    // With the plus, SQLite does not read all paused texts by the index.
    setText({ due_at: now }, sql`"texts"."post_id" in ${some} and ${isWaiting} and +"texts"."due_at" is null`),
    sql`delete from "paused_posts" where "post_id" in ${some} returning "post_id"`,
    setResumption(next, sql`case when exists (select 1 from ${ofNext}) then ${now.getTime() + turn + 1} end`),
  ])
  return accounts.length > 0 ? resumed.map(({ post_id }) => String(post_id)) : null
}

const insertCharacters = inserter(translated_characters)

/**
 * Adds characters (UTF-16 units) to an account's count of the day (UTC).
 * @returns false if they would exceed the limit; then nothing is counted. The first ones of a day always fit
 */
export const spendCharacters = async (
  db: Db,
  account_id: string,
  characters: number,
  limit: number,
  now: Date,
): Promise<boolean> => {
  const sum = sql`"translated_characters"."characters" + excluded.characters`
  const [spent] = await runBatch(db, [
    sql`${insertCharacters({ account_id, day: dayOf(now), characters })} on conflict (account_id, day) do update
      set characters = ${sum} where ${sum} <= ${limit} returning characters`,
  ])
  return spent.length > 0
}

/** Finds how many characters (UTF-16 units) of an account were sent to the engine today, UTC; 0 if none. */
export const findSpentCharacters = async (db: Db, account_id: string, now: Date): Promise<number> => {
  const [row] = await db
    .select({ characters: translated_characters.characters })
    .from(translated_characters)
    .where(and(eq(translated_characters.account_id, account_id), eq(translated_characters.day, dayOf(now))))
  return row?.characters ?? 0
}

/** Returns the statements that delete the daily counts of translated characters from before yesterday (UTC), and expired leases. */
export const deleteOldWork = (now: Date): Statement[] => [
  deleteSome(translated_characters, lt(translated_characters.day, dayOf(daysBefore(now, 1)))),
  deleteSome(leases, lte(leases.expires_at, now)),
]
