import { and, eq, isNull, lte, or, sql } from "drizzle-orm"

import { type Db, repeatable, type Statement } from "../db.ts"
import { idempotency_keys } from "../tables.ts"

export type Remembered = typeof idempotency_keys.$inferSelect

/** Whose request it is, and what it asks. */
export interface Asked {
  account_id: string
  key: string
  fingerprint: string
}

const isIt = ({ account_id, key }: Omit<Asked, "fingerprint">) =>
  and(eq(idempotency_keys.account_id, account_id), eq(idempotency_keys.key, key))

/**
 * Begins a try: the first, one after a try that has died, or one with a key that is forgotten.
 * @param forgotten keys from before then count no more
 * @returns what an earlier try has left; null: it is answered, it is still running, or it was another request
 */
export const beginTry = async (
  db: Db,
  asked: Asked,
  { locked_until, forgotten, now }: { locked_until: Date; forgotten: Date; now: Date },
): Promise<Remembered | null> => {
  const isForgotten = lte(idempotency_keys.created_at, forgotten)
  const hasDied = and(
    eq(idempotency_keys.fingerprint, asked.fingerprint),
    isNull(idempotency_keys.status),
    lte(idempotency_keys.locked_until, now),
  )
  const unless = (value: unknown, otherwise: typeof idempotency_keys.made | typeof idempotency_keys.created_at) =>
    sql`case when ${isForgotten} then ${value} else ${otherwise} end`
  const [row] = await db
    .insert(idempotency_keys)
    .values({ ...asked, locked_until, created_at: now })
    .onConflictDoUpdate({
      target: [idempotency_keys.account_id, idempotency_keys.key],
      set: {
        fingerprint: asked.fingerprint,
        locked_until,
        made: unless(null, idempotency_keys.made),
        status: null,
        headers: null,
        created_at: unless(now.getTime(), idempotency_keys.created_at),
      },
      setWhere: or(isForgotten, hasDied),
    })
    .returning()
  return row ?? null
}

export const findTry = async (db: Db, asked: Omit<Asked, "fingerprint">): Promise<Remembered | null> => {
  const [row] = await db.select().from(idempotency_keys).where(isIt(asked))
  return row ?? null
}

/** A statement for the batch that makes something: from then on it is not made again. */
export const noteMade = (db: Db, asked: Asked, made: string): Statement =>
  db.update(idempotency_keys).set({ made }).where(isIt(asked))

/** Keeps how a try was answered. */
export const endTry = async (
  db: Db,
  asked: Asked,
  { made, status, headers }: { made: string | null; status: number; headers: Record<string, string> },
): Promise<void> => {
  await repeatable(() =>
    db
      .update(idempotency_keys)
      .set({ status, headers, ...(made !== null && { made }) })
      .where(isIt(asked))
      .run(),
  )
}

/** A try that came to nothing: the next one begins at once. What was made all the same stays noted. */
export const dropTry = async (db: Db, asked: Asked): Promise<void> => {
  await db.batch([
    db.delete(idempotency_keys).where(and(isIt(asked), isNull(idempotency_keys.made))),
    db
      .update(idempotency_keys)
      .set({ locked_until: new Date(0) })
      .where(isIt(asked)),
  ])
}

/** Forgets what is older. */
export const forgetTries = async (db: Db, before: Date, limit: number): Promise<void> => {
  const oldest = sql`(select rowid from ${idempotency_keys} where ${idempotency_keys.created_at} <= ${before.getTime()} order by ${idempotency_keys.created_at} limit ${limit})`
  await db.delete(idempotency_keys).where(sql`rowid in ${oldest}`)
}
