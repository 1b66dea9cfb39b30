import { and, eq, isNull, lte, or, sql } from "drizzle-orm"

import { type Db, failedOn, repeatable } from "../db/client.ts"
import type { Statement } from "../db/plain-sql.ts"
import { idempotency_keys, images, posts } from "../db/schema.ts"
import type { KeyedRequest, OwnAttempt } from "../http/context.ts"

export type IdempotencyRecord = typeof idempotency_keys.$inferSelect

const isIt = ({ account_id, key }: Omit<KeyedRequest, "fingerprint">) =>
  and(eq(idempotency_keys.account_id, account_id), eq(idempotency_keys.key, key))

const isCurrent = (mine: OwnAttempt) => and(isIt(mine), eq(idempotency_keys.attempt_id, mine.attempt_id))

/**
 * Records an attempt of a request with an Idempotency-Key, unless an earlier request with this key is answered, still runs
 * or differs. Safe to repeat.
 * @param forgotten keys created until this time are overwritten
 * @returns the record, with the id that an earlier attempt created; null if it may not begin; `no_account` for an erased
 * one
 */
export const beginAttempt = async (
  db: Db,
  mine: OwnAttempt,
  { forgotten, now }: { forgotten: Date; now: Date },
): Promise<IdempotencyRecord | "no_account" | null> => {
  const isForgotten = lte(idempotency_keys.created_at, forgotten)
  const hasDied = and(
    eq(idempotency_keys.fingerprint, mine.fingerprint),
    isNull(idempotency_keys.status),
    lte(idempotency_keys.locked_until, now),
  )
  // A delayed earlier attempt must not overwrite an answer.
  const isMine = and(eq(idempotency_keys.attempt_id, mine.attempt_id), isNull(idempotency_keys.status))
  const unless = (value: unknown, otherwise: typeof idempotency_keys.result_id | typeof idempotency_keys.created_at) =>
    sql`case when ${isForgotten} then ${value} else ${otherwise} end`
  const { fingerprint, attempt_id, locked_until } = mine
  const write = () =>
    db
      .insert(idempotency_keys)
      .values({ ...mine, created_at: now })
      .onConflictDoUpdate({
        target: [idempotency_keys.account_id, idempotency_keys.key],
        set: {
          fingerprint,
          attempt_id,
          locked_until,
          result_id: unless(null, idempotency_keys.result_id),
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

/** Finds the record of an account's Idempotency-Key, with its newest attempt; null if there is none. */
export const findAttempt = async (
  db: Db,
  request: Omit<KeyedRequest, "fingerprint">,
): Promise<IdempotencyRecord | null> => {
  const [row] = await db.select().from(idempotency_keys).where(isIt(request))
  return row ?? null
}

/**
 * Returns the statement that records the id of an Idempotency-Key's post or image, for the batch that writes it.
 * The batch fails if another attempt has taken over; see `isSuperseded`.
 */
export const recordCreated = (db: Db, mine: OwnAttempt, resultId: string): Statement => {
  // A missing row gives null, which violates NOT NULL and fails the batch.
  const account_id = sql`(select ${idempotency_keys.account_id} from ${idempotency_keys} where ${isCurrent(mine)})`
  // If the post is deleted by then, nothing is recorded, and the next attempt finds out itself.
  const there = sql`(select ${posts.id} from ${posts} where ${posts.id} = ${resultId} union all select ${images.id} from ${images} where ${images.id} = ${resultId})`
  return db
    .insert(idempotency_keys)
    .values({ ...mine, account_id, result_id: there, created_at: mine.locked_until })
    .onConflictDoUpdate({
      target: [idempotency_keys.account_id, idempotency_keys.key],
      set: { result_id: sql`excluded.made` },
    })
}

/** Tells whether a batch failed because of `recordCreated`: another attempt has taken over the Idempotency-Key. */
export const isSuperseded = (error: unknown): boolean => failedOn(error, "NOT NULL", "idempotency_keys.account_id")

/** Stores the answer of an attempt; null in `resultId` keeps a recorded id. @returns false, with nothing stored, if another has taken over */
export const endAttempt = async (
  db: Db,
  mine: OwnAttempt,
  { resultId, status, headers }: { resultId: string | null; status: number; headers: Record<string, string> },
): Promise<boolean> => {
  const ended = await repeatable(() =>
    db
      .update(idempotency_keys)
      .set({ status, headers, ...(resultId !== null && { result_id: resultId }) })
      .where(isCurrent(mine))
      .returning({ key: idempotency_keys.key }),
  )
  return ended.length > 0
}

/** Unlocks the key of a failed attempt, so that the next one can begin, unless another has taken over. A recorded id stays. */
export const unlockAttempt = async (db: Db, mine: OwnAttempt): Promise<void> => {
  await repeatable(() =>
    db.batch([
      db.delete(idempotency_keys).where(and(isCurrent(mine), isNull(idempotency_keys.result_id))),
      db
        .update(idempotency_keys)
        .set({ locked_until: new Date(0) })
        .where(isCurrent(mine)),
    ]),
  )
}

/** Deletes at most `limit` records of Idempotency-Keys created until a time, the oldest first. @returns how many it deleted */
export const deleteOldAttempts = async (db: Db, before: Date, limit: number): Promise<number> => {
  const oldest = sql`(select rowid from ${idempotency_keys} where ${idempotency_keys.created_at} <= ${before.getTime()} order by ${idempotency_keys.created_at} limit ${limit})`
  const forgotten = await db
    .delete(idempotency_keys)
    .where(sql`rowid in ${oldest}`)
    .returning({ key: idempotency_keys.key })
  return forgotten.length
}
