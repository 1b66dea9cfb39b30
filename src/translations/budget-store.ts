import { and, eq, lt, lte, sql } from "drizzle-orm"

import { dayOf, daysBefore } from "../days.ts"
import { builtOnce, type Db, placeholders, type Statement } from "../db.ts"
import { translated_characters } from "../tables.ts"

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
