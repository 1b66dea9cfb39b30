import { and, count, desc, eq, gt, lt, sql } from "drizzle-orm"

import { type Db, failedOn, same } from "../db.ts"
import { MAX_PASSKEYS } from "../limits.ts"
import { type Passkey, type PasskeyChallenge, passkey_challenges, passkeys, type Session, sessions } from "../tables.ts"

/** Keeps what a passkey will have to sign. @returns false when the account is gone */
export const insertChallenge = async (db: Db, challenge: PasskeyChallenge): Promise<boolean> => {
  try {
    await db.insert(passkey_challenges).values(challenge)
    return true
  } catch (error) {
    if (failedOn(error, "FOREIGN KEY")) return false
    throw error
  }
}

/** Uses a challenge up. @returns false when it was used before, has expired, is for something else or never was */
export const consumeChallenge = async (
  db: Db,
  { hash, account_id, purpose }: Omit<PasskeyChallenge, "expires_at">,
  now: Date,
): Promise<boolean> => {
  const used = await db
    .delete(passkey_challenges)
    .where(
      and(
        eq(passkey_challenges.hash, hash),
        eq(passkey_challenges.purpose, purpose),
        same(passkey_challenges.account_id, account_id),
        gt(passkey_challenges.expires_at, now),
      ),
    )
    .returning({ hash: passkey_challenges.hash })
  return used.length > 0
}

/** The passkeys of an account, the newest first. */
export const listPasskeys = (db: Db, accountId: string): Promise<Passkey[]> =>
  db.select().from(passkeys).where(eq(passkeys.account_id, accountId)).orderBy(desc(passkeys.created_at))

export const findPasskey = async (db: Db, id: string): Promise<Passkey | null> => {
  const [row] = await db.select().from(passkeys).where(eq(passkeys.id, id))
  return row ?? null
}

/** A row that is not there before the statement has looked whether it may be. */
const rowOf = (passkey: Omit<Passkey, "last_used_at">) => ({
  id: sql<string>`${passkey.id}`.as("id"),
  account_id: sql<string>`${passkey.account_id}`.as("account_id"),
  public_key: sql<string>`${passkey.public_key}`.as("public_key"),
  counter: sql<number>`${passkey.counter}`.as("counter"),
  transports: sql<string[]>`${JSON.stringify(passkey.transports)}`.as("transports"),
  name: sql<string>`${passkey.name}`.as("name"),
  created_at: sql<Date>`${passkey.created_at.getTime()}`.as("created_at"),
  last_used_at: sql<null>`null`.as("last_used_at"),
})

/**
 * Adds a passkey while its author is signed in still, and has fewer than the most: one statement judges and writes.
 * @returns `known`: somebody has it already
 */
export const insertPasskey = async (
  db: Db,
  passkey: Omit<Passkey, "last_used_at">,
  { hash }: Session,
): Promise<"added" | "known" | "refused"> => {
  const own = db.select({ count: count() }).from(passkeys).where(eq(passkeys.account_id, passkey.account_id))
  try {
    const added = await db
      .insert(passkeys)
      .select(
        db
          .select(rowOf(passkey))
          .from(sessions)
          .where(and(eq(sessions.hash, hash), lt(sql`(${own})`, MAX_PASSKEYS))),
      )
      .returning({ id: passkeys.id })
    return added.length > 0 ? "added" : "refused"
  } catch (error) {
    if (failedOn(error, "UNIQUE", "passkeys.id")) return "known"
    throw error
  }
}

/** Notes the use of a passkey. @returns false when it was removed or used since it was read */
export const usePasskey = async (
  db: Db,
  { id, account_id, counter }: Passkey,
  newCounter: number,
  now: Date,
): Promise<boolean> => {
  const used = await db
    .update(passkeys)
    .set({ counter: newCounter, last_used_at: now })
    .where(and(eq(passkeys.id, id), eq(passkeys.account_id, account_id), eq(passkeys.counter, counter)))
    .returning({ id: passkeys.id })
  return used.length > 0
}

/** Removes a passkey of an account. */
export const deletePasskey = async (db: Db, id: string, accountId: string): Promise<void> => {
  await db.delete(passkeys).where(and(eq(passkeys.id, id), eq(passkeys.account_id, accountId)))
}
