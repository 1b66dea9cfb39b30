import { and, eq, getTableColumns, isNull, lt, lte, or, sql, type SQL } from "drizzle-orm"

import { daysBefore } from "../days.ts"
import { failedOn, listOf, repeatable, type Db, valuesOf } from "../db/client.ts"
import { type RawRow, runBatch, selection, type Statement } from "../db/plain-sql.ts"
import { accounts, api_keys, type Account, type ApiKey } from "../db/schema.ts"
import { isKept } from "../db/visibility.ts"
import { MAX_KEYS, REVOKED_KEY_DAYS } from "../limits.ts"
import { type Action, insertActionIf } from "./audit-log-store.ts"
import { hasPaid } from "./store.ts"

// Statements of API keys.

const AUTHENTICATED = selection({
  ...getTableColumns(accounts),
  name: api_keys.name,
  scope: api_keys.scope,
  expires_at: api_keys.expires_at,
  last_used_at: api_keys.last_used_at,
})

/** The key of a request, without its secret. */
export type UsedKey = Pick<ApiKey, "name" | "scope" | "expires_at" | "last_used_at">

/** Returns the condition that a row of `api_keys` is live at `now`: neither revoked nor expired. */
const isLive = (now: Date): SQL =>
  sql`("api_keys"."revoked_at" is null and coalesce("api_keys"."expires_at" > ${now.getTime()}, true))`

/**
 * Finds a live key and its account by the SHA-256 of the key in hex.
 * @param also statements that only read, for the same batch
 * @returns null if there is no such key, it is revoked or expired at `now`, or its account is being erased; `beside` has the rows of `also`
 */
export const findByKey = async (
  db: Db,
  hash: string,
  now: Date,
  also: Statement[] = [],
): Promise<{ account: Account; key: UsedKey; beside: RawRow[][] } | null> => {
  const [[raw] = [], ...beside] = await runBatch<Statement[]>(db, [
    sql`select ${AUTHENTICATED.columns} from "api_keys" inner join "accounts" on "accounts"."id" = "api_keys"."account_id"
      where "api_keys"."hash" = ${hash} and ${isLive(now)} and ${isKept}`,
    ...also,
  ])
  if (!raw) return null
  const { name, scope, expires_at, last_used_at, ...account } = AUTHENTICATED.toRow(raw)
  return { account, key: { name, scope, expires_at, last_used_at }, beside }
}

/**
 * Returns the statement that fails a batch if its API key (SHA-256 in hex) may not write at `now`: it is revoked or expired,
 * or its account is erased, restricted or unpaid. Each reason violates NOT NULL of another column, which `keyRefusal` reads.
 */
export const requireKey = (hash: string, now: Date): Statement =>
  sql`update "api_keys" set
      "account_id" = case when ${isLive(now)} and ${isKept} then "account_id" end,
      "last_four" = case when not "accounts"."restricted" then "last_four" end,
      "created_at" = case when ${hasPaid(now)} then "api_keys"."created_at" end
    from "accounts" where "accounts"."id" = "api_keys"."account_id" and "hash" = ${hash} and (
      not ${isLive(now)} or "accounts"."restricted" or not ${hasPaid(now)})`

/** Returns the error code for the reason why `requireKey` has failed a batch; null if the error has another cause. */
export const keyRefusal = (error: unknown): "unauthorized" | "account_restricted" | "subscription_required" | null => {
  if (failedOn(error, "NOT NULL", "api_keys.account_id")) return "unauthorized"
  if (failedOn(error, "NOT NULL", "api_keys.last_four")) return "account_restricted"
  return failedOn(error, "NOT NULL", "api_keys.created_at") ? "subscription_required" : null
}

/** Stores that a key (SHA-256 in hex) was used at `now`, unless a use since `since` is stored already. */
export const touchKey = async (db: Db, hash: string, since: Date, now: Date): Promise<void> => {
  await repeatable(() =>
    db
      .update(api_keys)
      .set({ last_used_at: now })
      .where(and(eq(api_keys.hash, hash), or(isNull(api_keys.last_used_at), lt(api_keys.last_used_at, since))))
      .run(),
  )
}

/** Lists the keys of an account that are not revoked, by name; also expired ones, because they can be replaced. */
export const listKeys = (db: Db, accountId: string): Promise<ApiKey[]> =>
  db
    .select()
    .from(api_keys)
    .where(and(eq(api_keys.account_id, accountId), isNull(api_keys.revoked_at)))
    .orderBy(api_keys.name)

const hasKey = (accountId: string, isIt: SQL | undefined) =>
  and(
    eq(accounts.id, accountId),
    sql`exists (select 1 from ${api_keys} where ${and(eq(api_keys.account_id, accountId), isIt)})`,
  )

export interface KeyOptions {
  replaced?: Date | null | undefined
  action?: Action | undefined
  extraStatements?: Statement[]
}

/**
 * Inserts a key and revokes the one with its name, in one batch. An account has at most `MAX_KEYS` live keys.
 * @param replaced when the key with this name was created, null if there is none, undefined for any
 * @param action is written to the audit log
 * @param extraStatements run in the same batch
 * @returns false if the account does not exist or has the most keys, or if a live key with this name has another scope or is
 * not the one to replace
 */
export const replaceKey = async (
  db: Db,
  key: ApiKey,
  now: Date,
  { replaced, action, extraStatements = [] }: KeyOptions = {},
): Promise<boolean> => {
  const isOfAccount = eq(api_keys.account_id, key.account_id)
  const isReplaced = and(
    isOfAccount,
    eq(api_keys.name, key.name),
    isNull(api_keys.revoked_at),
    or(
      lte(api_keys.expires_at, now),
      and(
        eq(api_keys.scope, key.scope),
        replaced === undefined ? undefined : eq(api_keys.created_at, replaced ?? new Date(0)),
      ),
    ),
  )
  const live = db
    .select({ count: sql`count(*)` })
    .from(api_keys)
    .where(and(isOfAccount, isLive(now)))
  const isRoom = and(eq(accounts.id, key.account_id), sql`${live} < ${MAX_KEYS}`)
  try {
    const insert = db
      .insert(api_keys)
      .select(db.select(valuesOf(api_keys, key)).from(accounts).where(isRoom))
      .returning({ hash: api_keys.hash })
    const [, inserted] = await runBatch(db, [
      db.update(api_keys).set({ revoked_at: now }).where(isReplaced),
      // If another key with this name is not revoked, the unique index of live keys fails the batch.
      insert,
      // No request of these keys runs any more, which `requireKey` would have to refuse.
      db.delete(api_keys).where(and(isOfAccount, lt(api_keys.revoked_at, daysBefore(now, REVOKED_KEY_DAYS)))),
      ...extraStatements,
      ...(action ? [insertActionIf(db, action, hasKey(key.account_id, eq(api_keys.hash, key.hash)), now)] : []),
    ])
    return inserted.length > 0
  } catch (error) {
    if (failedOn(error, "UNIQUE", "api_keys.account_id")) return false
    throw error
  }
}

/** Returns the statement that revokes the keys of an account with these names. */
export const revokeKeys = (db: Db, accountId: string, names: string[], now: Date) =>
  db
    .update(api_keys)
    .set({ revoked_at: now })
    .where(
      and(eq(api_keys.account_id, accountId), sql`${api_keys.name} in ${listOf(names)}`, isNull(api_keys.revoked_at)),
    )

/**
 * Revokes the key with a name.
 * @param replaced when the key was created; undefined or null for any
 * @param action is written to the audit log
 * @param extraStatements run in the same batch
 * @returns false if no key of the account has this name, or another one has replaced it
 */
export const revokeKey = async (
  db: Db,
  accountId: string,
  name: string,
  now: Date,
  { replaced, action, extraStatements = [] }: KeyOptions = {},
): Promise<boolean> => {
  const isIt = and(
    eq(api_keys.name, name),
    isNull(api_keys.revoked_at),
    replaced ? eq(api_keys.created_at, replaced) : undefined,
  )
  const revoke = db
    .update(api_keys)
    .set({ revoked_at: now })
    .where(and(eq(api_keys.account_id, accountId), isIt))
    .returning({ hash: api_keys.hash })
  const record = action ? [insertActionIf(db, action, hasKey(accountId, isIt), now)] : []
  const revoked = (await runBatch(db, [...extraStatements, ...record, revoke])).at(-1) ?? []
  return revoked.length > 0
}
