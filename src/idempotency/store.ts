import { and, eq, isNull, lte, or, sql } from "drizzle-orm"

import { type Db, failedOn, repeatable } from "../db/client.ts"
import type { Statement } from "../db/plain-sql.ts"
import { idempotency_keys, images, posts } from "../db/schema.ts"

export type Remembered = typeof idempotency_keys.$inferSelect

/** Whose request it is, and what it asks. */
export interface Asked {
  account_id: string
  key: string
  fingerprint: string
}

/** A request's try, while no other has taken its place. */
export interface Try extends Asked {
  try_id: string
  /** Until then no other try begins. */
  locked_until: Date
}

const isIt = ({ account_id, key }: Omit<Asked, "fingerprint">) =>
  and(eq(idempotency_keys.account_id, account_id), eq(idempotency_keys.key, key))

const isCurrent = (mine: Try) => and(isIt(mine), eq(idempotency_keys.try_id, mine.try_id))

/**
 * Begins a try: the first, one after a try that has died, or one with a key that is forgotten. Safe to repeat.
 * @param forgotten keys from before then count no more
 * @returns what an earlier try has left; null: it is answered, it is still running, or it was another request; `no_account`:
 * that has been erased meanwhile
 */
export const beginTry = async (
  db: Db,
  mine: Try,
  { forgotten, now }: { forgotten: Date; now: Date },
): Promise<Remembered | "no_account" | null> => {
  const isForgotten = lte(idempotency_keys.created_at, forgotten)
  const hasDied = and(
    eq(idempotency_keys.fingerprint, mine.fingerprint),
    isNull(idempotency_keys.status),
    lte(idempotency_keys.locked_until, now),
  )
  // One that was sent before this and arrives late must not undo an answer.
  const isMine = and(eq(idempotency_keys.try_id, mine.try_id), isNull(idempotency_keys.status))
  const unless = (value: unknown, otherwise: typeof idempotency_keys.made | typeof idempotency_keys.created_at) =>
    sql`case when ${isForgotten} then ${value} else ${otherwise} end`
  const { fingerprint, try_id, locked_until } = mine
  const write = () =>
    db
      .insert(idempotency_keys)
      .values({ ...mine, created_at: now })
      .onConflictDoUpdate({
        target: [idempotency_keys.account_id, idempotency_keys.key],
        set: {
          fingerprint,
          try_id,
          locked_until,
          made: unless(null, idempotency_keys.made),
          status: null,
          headers: null,
          created_at: unless(now.getTime(), idempotency_keys.created_at),
        },
        setWhere: or(isForgotten, hasDied, isMine),
      })
      .returning()
  try {
    const [row] = await repeatable(write)
    return row ?? null
  } catch (error) {
    if (failedOn(error, "FOREIGN KEY")) return "no_account"
    throw error
  }
}

export const findTry = async (db: Db, asked: Omit<Asked, "fingerprint">): Promise<Remembered | null> => {
  const [row] = await db.select().from(idempotency_keys).where(isIt(asked))
  return row ?? null
}

/** A statement for the batch that makes something: it is not made again, and not by a try whose place another has taken. */
export const noteMade = (db: Db, mine: Try, made: string): Statement => {
  // None is null, which is refused here, and with it all of the batch.
  const account_id = sql`(select ${idempotency_keys.account_id} from ${idempotency_keys} where ${isCurrent(mine)})`
  // What is gone by then was not changed: nothing is noted, and the next try looks for itself.
  const there = sql`(select ${posts.id} from ${posts} where ${posts.id} = ${made} union all select ${images.id} from ${images} where ${images.id} = ${made})`
  return db
    .insert(idempotency_keys)
    .values({ ...mine, account_id, made: there, created_at: mine.locked_until })
    .onConflictDoUpdate({
      target: [idempotency_keys.account_id, idempotency_keys.key],
      set: { made: sql`excluded.made` },
    })
}

/** Whether something was not made because another try has taken the place of this one. */
export const isSuperseded = (error: unknown): boolean => failedOn(error, "NOT NULL", "idempotency_keys.account_id")

/** Keeps how a try was answered. @returns false when another try has taken its place */
export const endTry = async (
  db: Db,
  mine: Try,
  { made, status, headers }: { made: string | null; status: number; headers: Record<string, string> },
): Promise<boolean> => {
  const ended = await repeatable(() =>
    db
      .update(idempotency_keys)
      .set({ status, headers, ...(made !== null && { made }) })
      .where(isCurrent(mine))
      .returning({ key: idempotency_keys.key }),
  )
  return ended.length > 0
}

/** A try that came to nothing: the next one begins at once. What was made all the same stays noted. */
export const dropTry = async (db: Db, mine: Try): Promise<void> => {
  await repeatable(() =>
    db.batch([
      db.delete(idempotency_keys).where(and(isCurrent(mine), isNull(idempotency_keys.made))),
      db
        .update(idempotency_keys)
        .set({ locked_until: new Date(0) })
        .where(isCurrent(mine)),
    ]),
  )
}

/** Forgets what is older, some at a time. @returns how many */
export const forgetTries = async (db: Db, before: Date, limit: number): Promise<number> => {
  const oldest = sql`(select rowid from ${idempotency_keys} where ${idempotency_keys.created_at} <= ${before.getTime()} order by ${idempotency_keys.created_at} limit ${limit})`
  const forgotten = await db
    .delete(idempotency_keys)
    .where(sql`rowid in ${oldest}`)
    .returning({ key: idempotency_keys.key })
  return forgotten.length
}
