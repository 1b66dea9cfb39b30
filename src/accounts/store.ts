import { and, eq, isNull, lt, or, sql } from "drizzle-orm"

import { builtOnce, type Db, failedOn, repeatable, same } from "../db.ts"
import { type Account, accounts, type ApiKey, api_keys } from "../tables.ts"
import { type Action, insertAction, insertActionIf } from "./trail-store.ts"

interface Authenticated {
  account: Account
  last_used_at: Date | null
}

const readByKey = builtOnce(
  (db) =>
    [
      db
        .select({ account: accounts, last_used_at: api_keys.last_used_at })
        .from(api_keys)
        .innerJoin(accounts, eq(accounts.id, api_keys.account_id))
        .where(and(eq(api_keys.hash, sql.placeholder("hash")), isNull(api_keys.revoked_at))),
    ] as const,
)

/** The account that a live key belongs to. */
export const findByKey = async (db: Db, hash: string): Promise<Authenticated | null> => {
  const [[row]] = await db.batch(readByKey(db, { hash }))
  return row ?? null
}

/** Notes the use of a key, unless it was noted after `since`. */
export const touchKey = async (db: Db, hash: string, since: Date, now: Date): Promise<void> => {
  await repeatable(() =>
    db
      .update(api_keys)
      .set({ last_used_at: now })
      .where(and(eq(api_keys.hash, hash), or(isNull(api_keys.last_used_at), lt(api_keys.last_used_at, since))))
      .run(),
  )
}

export const findAccount = async (db: Db, username: string): Promise<Account | null> => {
  const [row] = await db.select().from(accounts).where(eq(accounts.username, username))
  return row ?? null
}

/** The live key of an account. */
export const findKey = async (db: Db, accountId: string): Promise<ApiKey | null> => {
  const [row] = await db
    .select()
    .from(api_keys)
    .where(and(eq(api_keys.account_id, accountId), isNull(api_keys.revoked_at)))
  return row ?? null
}

/** Makes the account, or changes of an existing one only what `changes` holds; notes it. */
export const upsertAccount = async (
  db: Db,
  account: Account,
  changes: Partial<Account>,
  action: Action,
): Promise<Account> => {
  const [[row]] = await db.batch([
    db
      .insert(accounts)
      .values({ ...account, ...changes })
      // A conflict needs something to set, or nothing is returned.
      .onConflictDoUpdate({ target: accounts.username, set: { username: account.username, ...changes } })
      .returning(),
    insertAction(db, action, account.created_at),
  ])
  if (!row) throw new Error("An upsert returned no row.")
  return row
}

/** Makes an account and notes it. @returns false when the name is taken */
export const insertAccount = async (db: Db, account: Account, action: Action): Promise<boolean> => {
  try {
    await db.batch([db.insert(accounts).values(account), insertAction(db, action, account.created_at)])
    return true
  } catch (error) {
    if (failedOn(error, "UNIQUE", "accounts.username")) return false
    throw error
  }
}

type Standing = Partial<Pick<Account, "paid_until" | "restricted" | "hidden">>

/**
 * Changes an account and notes it, while it is as `from` says: a form that is sent twice changes it once.
 * @returns false when it is not, or the account is gone
 */
export const updateAccount = async (
  db: Db,
  accountId: string,
  { from, to }: { from: Standing; to: Partial<Account> },
  action: Action,
  now: Date,
): Promise<boolean> => {
  const isAsSeen = and(
    eq(accounts.id, accountId),
    from.paid_until === undefined ? undefined : same(accounts.paid_until, from.paid_until?.getTime() ?? null),
    from.restricted === undefined ? undefined : eq(accounts.restricted, from.restricted),
    from.hidden === undefined ? undefined : eq(accounts.hidden, from.hidden),
  )
  const [, changed] = await db.batch([
    insertActionIf(db, action, isAsSeen, now),
    db.update(accounts).set(to).where(isAsSeen).returning({ id: accounts.id }),
  ])
  return changed.length > 0
}

/** Sets the languages that an account's posts begin with. */
export const updateLanguages = async (
  db: Db,
  accountId: string,
  languages: Pick<Account, "primary_language" | "translation_languages">,
): Promise<void> => {
  await db.update(accounts).set(languages).where(eq(accounts.id, accountId))
}

/**
 * Revokes the live key and makes `hash` the live one, at once or not at all.
 * @param replaced when the live key was made, null: there is none; undefined: whatever is live
 * @param action is noted with it
 * @returns false when the account is gone, or another key is live
 */
export const rotateKey = async (
  db: Db,
  accountId: string,
  { hash, lastFour }: { hash: string; lastFour: string },
  now: Date,
  { replaced, action }: { replaced?: Date | null | undefined; action?: Action | undefined } = {},
): Promise<boolean> => {
  // Where another key stays live, the index of live keys refuses the new one, and with it all of this.
  const isReplaced = replaced === undefined ? undefined : eq(api_keys.created_at, replaced ?? new Date(0))
  try {
    await db.batch([
      db
        .update(api_keys)
        .set({ revoked_at: now })
        .where(and(eq(api_keys.account_id, accountId), isNull(api_keys.revoked_at), isReplaced)),
      db.insert(api_keys).values({ hash, account_id: accountId, last_four: lastFour, created_at: now }),
      ...(action ? [insertAction(db, action, now)] : []),
    ])
    return true
  } catch (error) {
    if (failedOn(error, "FOREIGN KEY") || failedOn(error, "UNIQUE", "api_keys.account_id")) return false
    throw error
  }
}

/** Posts, texts, keys and links go with the row. */
export const deleteAccount = (db: Db, accountId: string) => db.delete(accounts).where(eq(accounts.id, accountId))
