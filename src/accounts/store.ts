import { type SQL, and, desc, eq, getTableColumns, isNull, lt, lte, or, sql } from "drizzle-orm"
import { ulid } from "ulid"

import { daysBefore } from "../days.ts"
import { type Db, failedOn, listOf, repeatable, sameRow, valuesOf } from "../db/client.ts"
import { runBatch, selection, type Statement } from "../db/plain-sql.ts"
import { type Account, type ApiKey, type OperatorAction, accounts, api_keys, operator_actions } from "../db/schema.ts"
import { MAX_KEYS, OPERATOR_ACTION_DAYS, REVOKED_KEY_DAYS } from "../limits.ts"

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

/** Finds a live key and its account by the SHA-256 of the key in hex; null if there is none, or it is revoked or expired at `now`. */
export const findByKey = async (
  db: Db,
  hash: string,
  now: Date,
): Promise<{ account: Account; key: UsedKey } | null> => {
  const [[raw]] = await runBatch(db, [
    sql`select ${AUTHENTICATED.columns} from "api_keys" inner join "accounts" on "accounts"."id" = "api_keys"."account_id"
      where "api_keys"."hash" = ${hash} and ${isLive(now)}`,
  ])
  if (!raw) return null
  const { name, scope, expires_at, last_used_at, ...account } = AUTHENTICATED.toRow(raw)
  return { account, key: { name, scope, expires_at, last_used_at } }
}

const hasPaid = (now: Date): SQL => sql`coalesce("accounts"."paid_until" > ${now.getTime()}, false)`

/** Returns the SQL condition that the service works for a row of `accounts` at `now`: paid, and neither restricted nor hidden. */
export const isServed = (now: Date): SQL =>
  sql`${hasPaid(now)} and not "accounts"."restricted" and not "accounts"."hidden"`

/**
 * Returns the statement that fails a batch if its API key (SHA-256 in hex) may not write at `now`: it is revoked or expired,
 * or its account is restricted or unpaid. Each reason violates NOT NULL of another column, which `keyRefusal` reads.
 */
export const requireKey = (hash: string, now: Date): Statement =>
  sql`update "api_keys" set
      "account_id" = case when ${isLive(now)} then "account_id" end,
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

/** Finds an account by its username; null if there is none. */
export const findAccount = async (db: Db, username: string): Promise<Account | null> => {
  const [row] = await db.select().from(accounts).where(eq(accounts.username, username))
  return row ?? null
}

/** Lists the keys of an account that are not revoked, by name; also expired ones, because they can be replaced. */
export const listKeys = (db: Db, accountId: string): Promise<ApiKey[]> =>
  db
    .select()
    .from(api_keys)
    .where(and(eq(api_keys.account_id, accountId), isNull(api_keys.revoked_at)))
    .orderBy(api_keys.name)

/**
 * Creates the account with the changes, or applies the changes to the existing one of that username. Writes the action to
 * the audit log in the same batch.
 * @returns the account as it is now; if it existed, its id is not that of `account`
 */
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
      // Without a `set` a conflict returns no row.
      .onConflictDoUpdate({ target: accounts.username, set: { username: account.username, ...changes } })
      .returning(),
    insertAction(db, action, account.created_at),
  ])
  if (!row) throw new Error("An upsert returned no row.")
  return row
}

/** Creates an account and writes the action to the audit log, in one batch. @returns false, with nothing written, if the name is taken */
export const insertAccount = async (
  db: Db,
  account: Account,
  action: Action,
  extraStatements: Statement[],
): Promise<boolean> => {
  try {
    const added = db.insert(accounts).values(account)
    await runBatch(db, [...extraStatements, added, insertAction(db, action, account.created_at)])
    return true
  } catch (error) {
    if (failedOn(error, "UNIQUE", "accounts.username")) return false
    throw error
  }
}

interface AccountChange {
  /** The values that are to be changed, as they were shown. */
  from: Partial<Account>
  to: Partial<Account>
  /** Is written to the audit log. */
  action?: Action
  now: Date
  /** Run before it in the same batch. */
  extraStatements: Statement[]
}

/**
 * Changes an account whose fields still equal `from`, in one batch: a form sent twice changes it once.
 * @returns false, with nothing written, if a field differs or the account does not exist
 */
export const updateAccount = async (
  db: Db,
  accountId: string,
  { from, to, action, now, extraStatements }: AccountChange,
): Promise<boolean> => {
  const isAsSeen = and(eq(accounts.id, accountId), sameRow(accounts, from))
  const answers = await runBatch(db, [
    ...extraStatements,
    ...(action ? [insertActionIf(db, action, isAsSeen, now)] : []),
    db.update(accounts).set(to).where(isAsSeen).returning({ id: accounts.id }),
  ])
  return (answers.at(-1) ?? []).length > 0
}

/**
 * Returns the statement that adds bytes to the storage of accounts.
 * @param which a condition on `accounts`
 * @param bytes an SQL number; may be negative, and may refer to the account's row
 */
export const addStoredBytes = (db: Db, which: SQL, bytes: SQL) =>
  db
    .update(accounts)
    .set({ stored_bytes: sql`${accounts.stored_bytes} + ${bytes}` })
    .where(which)

/**
 * Returns the statement that adds to the stored text of an account. It fails the batch if the text grows beyond `limit`:
 * NOT NULL of `text_bytes` is violated, which `isTextFull` reads.
 * @param account a value or subquery for the account's id
 * @param bytes UTF-8 bytes; may be negative; null counts as 0
 */
export const addTextBytes = (account: string | SQL, bytes: SQL, limit = Number.MAX_SAFE_INTEGER): Statement =>
  sql`update "accounts" set "text_bytes" =
      case when change.bytes <= 0 or "text_bytes" + change.bytes <= ${limit} then "text_bytes" + change.bytes end
    from (select coalesce(${bytes}, 0) as bytes) as change where "accounts"."id" = ${account}`

/** Tells whether `addTextBytes` has failed a batch. */
export const isTextFull = (error: unknown): boolean => failedOn(error, "NOT NULL", "accounts.text_bytes")

/**
 * Returns the statement that sets an account's paid time to the later of the operator's grant and Stripe's.
 * @param stripe a subquery for the end of what Stripe was paid for, in milliseconds since the epoch; its value may be null
 */
export const updatePaidTime = (db: Db, accountId: string, stripe: SQL) => {
  const isLater = sql`${stripe} > coalesce(${accounts.operator_paid_until}, 0)`
  return db
    .update(accounts)
    .set({
      paid_until: sql`case when ${isLater} then ${stripe} else ${accounts.operator_paid_until} end`,
      paid_source: sql`case when ${isLater} then 'stripe' when ${accounts.operator_paid_until} is null then ${accounts.paid_source} else 'operator' end`,
    })
    .where(eq(accounts.id, accountId))
}

/**
 * Returns the statement that fails a batch if the session with this hash (SHA-256 in hex), an author's or the operator's, has
 * ended at `now`. It violates NOT NULL of `hash`, which `sessionRefusal` reads.
 */
export const requireSession = (hash: string, now: Date): Statement =>
  sql`insert into "sessions" ("hash", "user_agent", "created_at", "last_seen_at", "expires_at") select null, '', 0, 0, 0
    where not exists (
      select 1 from "sessions" where "sessions"."hash" = ${hash} and "sessions"."expires_at" > ${now.getTime()})`

/** Returns the statement that fails a batch if an account is restricted. It violates NOT NULL of `restricted`, as `requireWriter` does. */
export const requireUnrestricted = (accountId: string): Statement =>
  sql`update "accounts" set "restricted" = null where "accounts"."id" = ${accountId} and "restricted"`

/**
 * Returns the statement that fails a batch if an account is restricted or unpaid at `now`. Each reason violates NOT NULL of
 * another column, which `sessionRefusal` reads.
 */
export const requireWriter = (accountId: string, now: Date): Statement =>
  sql`update "accounts" set
      "restricted" = case when not "restricted" then "restricted" end,
      "created_at" = case when ${hasPaid(now)} then "created_at" end
    where "accounts"."id" = ${accountId} and ("restricted" or not ${hasPaid(now)})`

/** Returns the error code for the reason why `requireSession` or `requireWriter` has failed a batch; null if the error has another cause. */
export const sessionRefusal = (
  error: unknown,
): "sign_in_required" | "account_restricted" | "subscription_required" | null => {
  if (failedOn(error, "NOT NULL", "sessions.hash")) return "sign_in_required"
  if (failedOn(error, "NOT NULL", "accounts.restricted")) return "account_restricted"
  return failedOn(error, "NOT NULL", "accounts.created_at") ? "subscription_required" : null
}

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

/** Returns the statement that deletes an account with all its rows, such as posts, keys and sessions, except those of images. */
export const deleteAccount = (db: Db, accountId: string) => db.delete(accounts).where(eq(accounts.id, accountId))

/** An action of the operator for the audit log. It never contains a secret. */
export type Action = Pick<OperatorAction, "action" | "username" | "detail" | "via">

const actionRow = (action: Action, now: Date): OperatorAction => ({ id: ulid(now.getTime()), at: now, ...action })

/** Returns the statement that writes an action to the audit log, for the batch of the change. */
export const insertAction = (db: Db, action: Action, now: Date) =>
  db.insert(operator_actions).values(actionRow(action, now))

/** Returns the statement that writes an action to the audit log only if an account meets the condition, as for the change in its batch. */
export const insertActionIf = (db: Db, action: Action, condition: SQL | undefined, now: Date) =>
  db.insert(operator_actions).select(
    db
      .select(valuesOf(operator_actions, actionRow(action, now)))
      .from(accounts)
      .where(condition),
  )

/**
 * Returns a subquery for the id (ULID) of the last audit-log entry with this action about a username. Its value is null if there
 * is no such entry, or if `username` is null.
 */
export const lastActionId = (username: string | null, action: string): SQL =>
  sql`(select max(${operator_actions.id}) from ${operator_actions} where ${operator_actions.username} = ${username} and ${operator_actions.action} = ${action})`

/** Finds the id (ULID) of the last audit-log entry with this action about a username; null without one. */
export const findLastActionId = async (db: Db, username: string, action: string): Promise<string | null> => {
  const { id } = await db.get<{ id: string | null }>(sql`select ${lastActionId(username, action)} as id`)
  return id
}

interface Page {
  username?: string | undefined
  /** The cursor of the previous page. */
  cursor?: string | undefined
  limit: number
}

/** Lists audit-log entries of a username (undefined: all), the newest first: one more than `limit` if there is a next page. */
export const listActions = (db: Db, { username, cursor, limit }: Page): Promise<OperatorAction[]> =>
  db
    .select()
    .from(operator_actions)
    .where(
      and(
        username === undefined ? undefined : eq(operator_actions.username, username),
        cursor ? lt(operator_actions.id, cursor) : undefined,
      ),
    )
    .orderBy(desc(operator_actions.id))
    .limit(limit + 1)

/** Deletes entries of the audit log older than `OPERATOR_ACTION_DAYS`. */
export const deleteOldActions = async (db: Db, now: Date): Promise<void> => {
  // Ids begin with their time, and the primary key is the only index of time.
  const oldest = ulid(daysBefore(now, OPERATOR_ACTION_DAYS).getTime()).slice(0, 10)
  await db.delete(operator_actions).where(lte(operator_actions.id, oldest))
}
