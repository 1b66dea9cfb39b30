import { and, eq, getTableColumns, inArray, lte, type SQL, sql } from "drizzle-orm"

import { dayOf, daysBefore } from "../days.ts"
import { type Db, listOf } from "../db/client.ts"
import { type Statement, runBatch, selection } from "../db/plain-sql.ts"
import { remembered_segments } from "../db/schema.ts"
import { MAX_REMEMBERED_SEGMENTS, MEMORY_DAYS, MEMORY_USED_DAYS, UNTRANSLATABLE_SECONDS } from "../limits.ts"
import { deleteOldWork } from "./store.ts"

/** The account, engine and pair of languages of a memory. */
export interface MemoryScope {
  account_id: string
  engine: string
  from_code: string
  to_code: string
}

const SCOPE = ["account_id", "engine", "from_code", "to_code"] as const
const { hash, translation, failures, made_at, used_at } = getTableColumns(remembered_segments)

const REMEMBERED = selection({ hash, translation, failures, made_at, used_at })

const inScope = (scope: MemoryScope) => and(...SCOPE.map((name) => eq(remembered_segments[name], scope[name])))

type Row = ReturnType<typeof REMEMBERED.toRow>

/** A remembered segment. */
export interface Recalled {
  /** null: there is no usable translation yet. */
  translation: string | null
  /** The translation is newer than the author's last request for another one. */
  isFresh: boolean
  /** The number of failures; 0 if they are old. */
  failures: number
}

/** The text that reads the memory. */
export interface MemoryReader {
  /** When the author asked for another translation: older ones are not fresh. null: never. */
  since: Date | null
  /** An earlier run has begun with the text, so its failures count until the text is done. */
  isBegun: boolean
  now: Date
}

/**
 * Reads the remembered translations of an account's segments by their hashes: the SHA-256 of the tagged text in base64url.
 * Unknown hashes are missing in the result.
 * @param pending receives the statements that store the use and reset old failures, for a later batch
 */
export const recall = async (
  db: Db,
  scope: MemoryScope,
  hashes: string[],
  { since, isBegun, now }: MemoryReader,
  pending: Statement[],
): Promise<Map<string, Recalled>> => {
  const failedSince = new Date(now.getTime() - UNTRANSLATABLE_SECONDS * 1000)
  const [raw] = await runBatch(db, [
    sql`select ${REMEMBERED.columns} from "remembered_segments" where ${inScope(scope)} and "hash" in ${listOf(hashes)}`,
  ])
  const rows = raw.map(REMEMBERED.toRow)
  const isOld = (row: Row) => since !== null && row.made_at <= since
  const isOver = (row: Row) => row.failures > 0 && (isBegun ? row.used_at : row.made_at) <= failedSince
  const [halfDay, days] = [daysBefore(now, 0.5), daysBefore(now, MEMORY_USED_DAYS)]
  const isUnnoted = (row: Row) => !isOver(row) && row.used_at < (row.failures > 0 ? halfDay : days)
  const update = (some: Row[], changes: Partial<Row>, condition?: SQL): void => {
    const isAmong = inArray(hash, listOf(some.map((row) => row.hash)))
    if (some.length > 0)
      pending.push(
        db
          .update(remembered_segments)
          .set(changes)
          .where(and(inScope(scope), isAmong, condition)),
      )
  }
  const counting = rows.filter((row) => !isOld(row))
  // Later runs of this text must not count these failures. Another run may have added new ones since.
  update(counting.filter(isOver), { failures: 0 }, lte(made_at, failedSince))
  update(counting.filter(isUnnoted), { used_at: now })
  const entries = rows.map((row): [string, Recalled] => {
    const isFresh = row.translation !== null && !isOld(row) && (row.failures === 0 || since === null)
    return [row.hash, { translation: row.translation, isFresh, failures: isOld(row) || isOver(row) ? 0 : row.failures }]
  })
  return new Map(entries)
}

/** The result of a segment in a run. */
export type Learned = [hash: string, translation: string | null, failures: number]

/**
 * Returns the statement that stores segments with their translations. A failed one keeps its earlier translation. Safe to
 * repeat.
 * @param entries hash (SHA-256 of the tagged text in base64url), translation or null if it failed, and failures
 */
export const remember = (
  { account_id, engine, from_code, to_code }: MemoryScope,
  entries: Learned[],
  now: Date,
): Statement =>
  // Another run may have stored an answer meanwhile.
  sql`insert into "remembered_segments"
      (account_id, engine, from_code, to_code, hash, translation, failures, made_at, used_at)
    select ${account_id}, ${engine}, ${from_code}, ${to_code}, value ->> 0, value ->> 1, value ->> 2,
      ${now.getTime()}, ${now.getTime()} from json_each(${JSON.stringify(entries)}) where true
    on conflict (account_id, engine, from_code, to_code, hash) do update
      set translation = coalesce(excluded.translation, "remembered_segments"."translation"), failures = excluded.failures,
        made_at = excluded.made_at, used_at = excluded.used_at`

/** Returns the statement that resets the failures of an account's segments in a target language, so that they are retried at once. */
export const resetFailures = (
  db: Db,
  { account_id, to_code }: Pick<MemoryScope, "account_id" | "to_code">,
): Statement =>
  db
    .update(remembered_segments)
    .set({ failures: 0 })
    .where(
      and(
        eq(remembered_segments.account_id, account_id),
        eq(remembered_segments.to_code, to_code),
        // SQLite uses the partial index only for this exact condition.
        sql`${failures} > 0`,
      ),
    )

/**
 * Deletes the least recently used segments beyond `MAX_REMEMBERED_SEGMENTS` of each account. Only accounts that have translated
 * since yesterday can have more.
 */
export const trimMemories = async (db: Db, now: Date): Promise<void> => {
  const since = dayOf(daysBefore(now, 1))
  await runBatch(db, [
    sql`delete from "remembered_segments" where rowid in (
      select "segment".rowid
      from (select distinct "account_id" from "translated_characters" where "day" >= ${since}) as "active"
      join "remembered_segments" as "segment" on "segment"."account_id" = "active"."account_id"
      where "segment"."used_at" < (
        select "kept"."used_at" from "remembered_segments" as "kept" where "kept"."account_id" = "active"."account_id"
        order by "kept"."used_at" desc limit 1 offset ${MAX_REMEMBERED_SEGMENTS - 1}))`,
  ])
}

/** Deletes at most `limit` segments not used for `MEMORY_DAYS`, counts of translated characters from before yesterday (UTC), and expired leases. */
export const deleteUnusedSegments = async (db: Db, now: Date, limit: number): Promise<void> => {
  const unused = daysBefore(now, MEMORY_DAYS)
  const oldest = sql`(select rowid from ${remembered_segments} where used_at < ${unused.getTime()} order by used_at limit ${limit})`
  await runBatch(db, [sql`delete from ${remembered_segments} where rowid in ${oldest}`, ...deleteOldWork(now)])
}
