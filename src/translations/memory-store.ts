import { and, eq, inArray, lte, sql } from "drizzle-orm"

import { daysBefore } from "../days.ts"
import { builtOnce, type Db, listOf, type Statement } from "../db.ts"
import { MEMORY_DAYS, MEMORY_USED_DAYS, UNTRANSLATABLE_SECONDS } from "../limits.ts"
import { remembered_segments } from "../tables.ts"
import { forgetDays } from "./budget-store.ts"

/** Between which translations a memory lies: those of other accounts, engines and languages are others. */
export interface Scope {
  account_id: string
  engine: string
  from_code: string
  to_code: string
}

const SCOPE = {
  account_id: sql.placeholder("account_id"),
  engine: sql.placeholder("engine"),
  from_code: sql.placeholder("from_code"),
  to_code: sql.placeholder("to_code"),
}

const inScope = ({ account_id, engine, from_code, to_code }: Scope | typeof SCOPE) =>
  and(
    eq(remembered_segments.account_id, account_id),
    eq(remembered_segments.engine, engine),
    eq(remembered_segments.from_code, from_code),
    eq(remembered_segments.to_code, to_code),
  )

const read = builtOnce(
  (db) =>
    [
      db
        .select({
          hash: remembered_segments.hash,
          translation: remembered_segments.translation,
          failures: remembered_segments.failures,
          made_at: remembered_segments.made_at,
          used_at: remembered_segments.used_at,
        })
        .from(remembered_segments)
        .where(and(inScope(SCOPE), inArray(remembered_segments.hash, listOf(sql.placeholder("hashes"))))),
    ] as const,
)

type Row = Pick<typeof remembered_segments.$inferSelect, "hash" | "translation" | "failures" | "made_at" | "used_at">

/** What is asked for. */
export interface Asked {
  hashes: string[]
  /** When the author asked for another translation: what is older does not count. null: never. */
  since: Date | null
  /** Whether this text was asked for before: it counts on what failed as long as it takes. */
  isBegun: boolean
}

/** What is known of a segment. */
export interface Remembered {
  /** null: nothing usable has come of it yet. */
  translation: string | null
  /** As the column says; 0 where they are so long ago that it may be tried again. */
  failures: number
  /** Whether it still counts: it is no older than the author's wish for another one, if any, and was not kept in its place. */
  isFresh: boolean
}

/**
 * Reads what is known of segments.
 * @param along takes the statements that note what was used, and which failures are over
 * @returns by hash
 */
export const recall = async (
  db: Db,
  scope: Scope,
  { hashes, since, isBegun }: Asked,
  now: Date,
  along: Statement[],
): Promise<Map<string, Remembered>> => {
  const failedSince = now.getTime() - UNTRANSLATABLE_SECONDS * 1000
  const [rows] = await db.batch(read(db, { ...scope, hashes: JSON.stringify(hashes) }))
  const isOld = ({ made_at }: Row) => since !== null && made_at <= since
  const isOver = ({ failures, made_at, used_at }: Row) =>
    failures > 0 && (isBegun ? used_at : made_at).getTime() <= failedSince
  const valid = rows.filter((row) => !isOld(row))
  const over = valid.filter(isOver)
  const [halfDay, days] = [daysBefore(now, 0.5), daysBefore(now, MEMORY_USED_DAYS)]
  const unused = valid.filter((row) => !isOver(row) && row.used_at < (row.failures > 0 ? halfDay : days))
  const amongRows = (some: Row[]) =>
    and(inScope(scope), inArray(remembered_segments.hash, listOf(some.map(({ hash }) => hash))))
  // Later runs of this text would count on them, and other texts may have met them since.
  const isOverStill = lte(remembered_segments.made_at, new Date(failedSince))
  if (over.length > 0)
    along.push(
      db
        .update(remembered_segments)
        .set({ failures: 0 })
        .where(and(amongRows(over), isOverStill)),
    )
  if (unused.length > 0) along.push(db.update(remembered_segments).set({ used_at: now }).where(amongRows(unused)))
  const entries = rows.map((row): [string, Remembered] => {
    const { hash, translation } = row
    const isFresh = translation !== null && !isOld(row) && (row.failures === 0 || since === null)
    return [hash, { translation, isFresh, failures: isOld(row) || isOver(row) ? 0 : row.failures }]
  })
  return new Map(entries)
}

const write = builtOnce(
  (db) =>
    [
      db
        .insert(remembered_segments)
        .select(
          sql`select ${SCOPE.account_id}, ${SCOPE.engine}, ${SCOPE.from_code}, ${SCOPE.to_code}, value ->> 0, value ->> 1,
            value ->> 2, ${sql.placeholder("now")}, ${sql.placeholder("now")} from json_each(${sql.placeholder("entries")}) where true`,
        )
        .onConflictDoUpdate({
          target: [
            remembered_segments.account_id,
            remembered_segments.engine,
            remembered_segments.from_code,
            remembered_segments.to_code,
            remembered_segments.hash,
          ],
          set: {
            // Another run may have had more of the engine.
            translation: sql`coalesce(excluded.translation, ${remembered_segments.translation})`,
            failures: sql`excluded.failures`,
            made_at: sql`excluded.made_at`,
            used_at: sql`excluded.used_at`,
          },
        }),
    ] as const,
)

/** What a run has found out of a segment. */
export type Entry = [hash: string, translation: string | null, failures: number]

/** A statement: remembers segments; one that has failed keeps the translation that it has. Safe to repeat. */
export const remember = (db: Db, scope: Scope, entries: Entry[], now: Date): Statement =>
  write(db, { ...scope, entries: JSON.stringify(entries), now: now.getTime() })[0]

/** A statement: what came to nothing of the last tries into a language may be tried at once. */
export const forgetFailures = (db: Db, { account_id, to_code }: Pick<Scope, "account_id" | "to_code">): Statement =>
  db
    .update(remembered_segments)
    .set({ failures: 0 })
    .where(
      and(
        eq(remembered_segments.account_id, account_id),
        eq(remembered_segments.to_code, to_code),
        // In the index's own words, or SQLite would not use the partial index.
        sql`${remembered_segments.failures} > 0`,
      ),
    )

/** Forgets what was not used for long, some at a time, and the days before yesterday. */
export const forgetOld = async (db: Db, now: Date, limit: number): Promise<void> => {
  const unused = daysBefore(now, MEMORY_DAYS)
  const oldest = sql`(select rowid from ${remembered_segments} where used_at < ${unused.getTime()} order by used_at limit ${limit})`
  await db.batch([db.delete(remembered_segments).where(sql`rowid in ${oldest}`), forgetDays(db, now)])
}
