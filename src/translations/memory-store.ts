import { and, eq, getTableColumns, inArray, lte, type SQL, sql } from "drizzle-orm"

import { daysBefore } from "../days.ts"
import { type Db, listOf } from "../db/client.ts"
import { type Statement, runBatch, selection } from "../db/plain-sql.ts"
import { remembered_segments } from "../db/schema.ts"
import { MEMORY_DAYS, MEMORY_USED_DAYS, UNTRANSLATABLE_SECONDS } from "../limits.ts"
import { forgetDays } from "./store.ts"

/** Which translations a memory holds: those of one account, engine and pair of languages. */
export interface Scope {
  account_id: string
  engine: string
  from_code: string
  to_code: string
}

const SCOPE = ["account_id", "engine", "from_code", "to_code"] as const
const { hash, translation, failures, made_at, used_at } = getTableColumns(remembered_segments)

const REMEMBERED = selection({ hash, translation, failures, made_at, used_at })

const inScope = (scope: Scope) => and(...SCOPE.map((name) => eq(remembered_segments[name], scope[name])))

type Row = ReturnType<typeof REMEMBERED.toRow>

/** What is known of a segment. */
export interface Remembered {
  /** null: nothing usable has come of it yet. */
  translation: string | null
  /** Whether the translation answers the author's last request for another one, if there was any. */
  isFresh: boolean
  /** How often nothing usable has come of it; 0 again when that is long ago. */
  failures: number
}

/** For which text the memory is read. */
export interface Reader {
  /** When the author asked for another translation: what is older is not fresh. null: never. */
  since: Date | null
  /** Whether an earlier run has begun with the text: its failures then count for as long as the text takes. */
  isBegun: boolean
  now: Date
}

/**
 * Reads what is known of segments, by their hashes.
 * @param pending takes the statements that note the use, and which failures are to be forgotten
 */
export const recall = async (
  db: Db,
  scope: Scope,
  hashes: string[],
  { since, isBegun, now }: Reader,
  pending: Statement[],
): Promise<Map<string, Remembered>> => {
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
  // Later runs of this text would count on these failures. Another run may have noted new ones since.
  update(counting.filter(isOver), { failures: 0 }, lte(made_at, failedSince))
  update(counting.filter(isUnnoted), { used_at: now })
  const entries = rows.map((row): [string, Remembered] => {
    const isFresh = row.translation !== null && !isOld(row) && (row.failures === 0 || since === null)
    return [row.hash, { translation: row.translation, isFresh, failures: isOld(row) || isOver(row) ? 0 : row.failures }]
  })
  return new Map(entries)
}

/** What a run has learnt of a segment. */
export type Entry = [hash: string, translation: string | null, failures: number]

/** A statement that remembers segments; one that has failed keeps the translation that it has. It is safe to repeat. */
export const remember = ({ account_id, engine, from_code, to_code }: Scope, entries: Entry[], now: Date): Statement =>
  // Another run may have had an answer meanwhile.
  sql`insert into "remembered_segments"
      (account_id, engine, from_code, to_code, hash, translation, failures, made_at, used_at)
    select ${account_id}, ${engine}, ${from_code}, ${to_code}, value ->> 0, value ->> 1, value ->> 2,
      ${now.getTime()}, ${now.getTime()} from json_each(${JSON.stringify(entries)}) where true
    on conflict (account_id, engine, from_code, to_code, hash) do update
      set translation = coalesce(excluded.translation, "remembered_segments"."translation"), failures = excluded.failures,
        made_at = excluded.made_at, used_at = excluded.used_at`

/** A statement that forgets the failures of an account in a language, so that the engine is asked again at once. */
export const forgetFailures = (db: Db, { account_id, to_code }: Pick<Scope, "account_id" | "to_code">): Statement =>
  db
    .update(remembered_segments)
    .set({ failures: 0 })
    .where(
      and(
        eq(remembered_segments.account_id, account_id),
        eq(remembered_segments.to_code, to_code),
        // In the index's own words, or SQLite would not use the partial index.
        sql`${failures} > 0`,
      ),
    )

/** Deletes segments that were not used for long, some at a time, and the counts of the days before yesterday. */
export const forgetOld = async (db: Db, now: Date, limit: number): Promise<void> => {
  const unused = daysBefore(now, MEMORY_DAYS)
  const oldest = sql`(select rowid from ${remembered_segments} where used_at < ${unused.getTime()} order by used_at limit ${limit})`
  await runBatch(db, [sql`delete from ${remembered_segments} where rowid in ${oldest}`, forgetDays(db, now)])
}
