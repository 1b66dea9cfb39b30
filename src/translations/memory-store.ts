import { and, eq, inArray, isNull, lte, sql } from "drizzle-orm"

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
          made_at: remembered_segments.made_at,
          used_at: remembered_segments.used_at,
        })
        .from(remembered_segments)
        .where(and(inScope(SCOPE), inArray(remembered_segments.hash, listOf(sql.placeholder("hashes"))))),
    ] as const,
)

/** What is asked for. */
interface Asked {
  hashes: string[]
  /** What was made until then does not count. */
  since: Date
  /** Whether this text was asked for before: it counts on what failed as long as it takes. */
  isBegun: boolean
}

/**
 * What is known of segments; null: nothing to be believed came of the last try.
 * @param along takes the statements that note what was used, and forget what is over
 * @returns beside that what counts no more, for whatever nothing else comes of
 */
export const recall = async (
  db: Db,
  scope: Scope,
  { hashes, since, isBegun }: Asked,
  now: Date,
  along: Statement[],
): Promise<{ known: Map<string, string | null>; older: Map<string, string | null> }> => {
  const failedSince = now.getTime() - UNTRANSLATABLE_SECONDS * 1000
  const [rows] = await db.batch(read(db, { ...scope, hashes: JSON.stringify(hashes) }))
  const {
    valid = [],
    over = [],
    older = [],
  } = Object.groupBy(rows, ({ translation, made_at, used_at }) => {
    if (made_at <= since) return "older"
    return translation !== null || (isBegun ? used_at : made_at).getTime() > failedSince ? "valid" : "over"
  })
  const [halfDay, days] = [daysBefore(now, 0.5), daysBefore(now, MEMORY_USED_DAYS)]
  const old = valid.filter(({ translation, used_at }) => used_at < (translation === null ? halfDay : days))
  const amongRows = (some: typeof rows) =>
    and(inScope(scope), inArray(remembered_segments.hash, listOf(some.map(({ hash }) => hash))))
  // Later runs of this text would count on it, and other texts may have met it since.
  const isOver = lte(remembered_segments.made_at, new Date(failedSince))
  if (over.length > 0) along.push(db.delete(remembered_segments).where(and(amongRows(over), isOver)))
  if (old.length > 0) along.push(db.update(remembered_segments).set({ used_at: now }).where(amongRows(old)))
  const byHash = (some: typeof rows) => new Map(some.map(({ hash, translation }) => [hash, translation]))
  return { known: byHash(valid), older: byHash(older) }
}

const write = builtOnce(
  (db) =>
    [
      db
        .insert(remembered_segments)
        .select(
          sql`select ${SCOPE.account_id}, ${SCOPE.engine}, ${SCOPE.from_code}, ${SCOPE.to_code}, value ->> 0, value ->> 1,
            ${sql.placeholder("now")}, ${sql.placeholder("now")} from json_each(${sql.placeholder("entries")}) where true`,
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
            made_at: sql`excluded.made_at`,
            used_at: sql`excluded.used_at`,
          },
        }),
    ] as const,
)

/** A statement: remembers segments, by their hashes; safe to repeat. */
export const remember = (db: Db, scope: Scope, translations: Map<string, string | null>, now: Date): Statement =>
  write(db, { ...scope, entries: JSON.stringify([...translations]), now: now.getTime() })[0]

/** A statement: forgets translations by their hashes, unless another run has replaced them meanwhile. */
export const forget = (db: Db, scope: Scope, translations: Map<string, string>): Statement =>
  db.delete(remembered_segments).where(
    and(
      inScope(scope),
      sql`(${remembered_segments.hash}, ${remembered_segments.translation}) in
          (select value ->> 0, value ->> 1 from json_each(${JSON.stringify([...translations])}))`,
    ),
  )

/** A statement: what came to nothing of the last tries into a language may be tried at once. */
export const forgetFailures = (db: Db, { account_id, to_code }: Pick<Scope, "account_id" | "to_code">): Statement =>
  db
    .delete(remembered_segments)
    .where(
      and(
        eq(remembered_segments.account_id, account_id),
        eq(remembered_segments.to_code, to_code),
        isNull(remembered_segments.translation),
      ),
    )

/** Forgets what was not used for long, some at a time, and the days before yesterday. */
export const forgetOld = async (db: Db, now: Date, limit: number): Promise<void> => {
  const unused = daysBefore(now, MEMORY_DAYS)
  const oldest = sql`(select rowid from ${remembered_segments} where used_at < ${unused.getTime()} order by used_at limit ${limit})`
  await db.batch([db.delete(remembered_segments).where(sql`rowid in ${oldest}`), forgetDays(db, now)])
}
