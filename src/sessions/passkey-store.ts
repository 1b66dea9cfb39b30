import { and, count, desc, eq, gt, lt, sql } from "drizzle-orm"

import { failedOn, same, type Db, valuesOf } from "../db/client.ts"
import { runBatch, type Statement } from "../db/plain-sql.ts"
import { accounts, passkey_challenges, passkeys, type Passkey, type PasskeyChallenge } from "../db/schema.ts"
import { MAX_PASSKEYS } from "../limits.ts"
import { unlessGone } from "./store.ts"

/**
 * Saves a WebAuthn challenge, by its SHA-256 in hex, for a passkey to sign.
 * @param extraStatements run before it in the same batch
 * @returns false if the account is erased
 */
export const insertChallenge = (
  db: Db,
  challenge: PasskeyChallenge,
  extraStatements: Statement[] = [],
): Promise<boolean> => unlessGone(runBatch(db, [...extraStatements, db.insert(passkey_challenges).values(challenge)]))

/**
 * Deletes a challenge, by its SHA-256 in hex. @returns false if it was used, has expired, is for another use or account, or
 * never existed
 */
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

/** Lists the passkeys of an account, the newest first. */
export const listPasskeys = (db: Db, accountId: string): Promise<Passkey[]> =>
  db.select().from(passkeys).where(eq(passkeys.account_id, accountId)).orderBy(desc(passkeys.created_at))

/** Finds a passkey by its credential id (base64url); null if it was removed or never existed. */
export const findPasskey = async (db: Db, id: string): Promise<Passkey | null> => {
  const [row] = await db.select().from(passkeys).where(eq(passkeys.id, id))
  return row ?? null
}

/**
 * Saves a passkey if its account has fewer than `MAX_PASSKEYS`.
 * @param extraStatements run before it in the same batch
 * @returns `known` if the passkey exists already, `refused` if the account has the most
 */
export const insertPasskey = async (
  db: Db,
  passkey: Omit<Passkey, "last_used_at">,
  extraStatements: Statement[],
): Promise<"added" | "known" | "refused"> => {
  const own = db.select({ count: count() }).from(passkeys).where(eq(passkeys.account_id, passkey.account_id))
  try {
    const insert = db
      .insert(passkeys)
      .select(
        db
          .select(valuesOf(passkeys, { ...passkey, last_used_at: null }))
          .from(accounts)
          .where(and(eq(accounts.id, passkey.account_id), lt(sql`(${own})`, MAX_PASSKEYS))),
      )
      .returning({ id: passkeys.id })
    const added = (await runBatch(db, [...extraStatements, insert])).at(-1) ?? []
    return added.length > 0 ? "added" : "refused"
  } catch (error) {
    if (failedOn(error, "UNIQUE", "passkeys.id")) return "known"
    throw error
  }
}

/** Records the use of a passkey and its new signature counter. @returns false if it was removed or used since it was read */
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

/**
 * Removes a passkey, by its credential id (base64url), if it is the account's.
 * @param extraStatements run before it in the same batch
 */
export const deletePasskey = async (
  db: Db,
  id: string,
  accountId: string,
  extraStatements: Statement[],
): Promise<void> => {
  const isIt = and(eq(passkeys.id, id), eq(passkeys.account_id, accountId))
  await runBatch(db, [...extraStatements, db.delete(passkeys).where(isIt)])
}
