import { and, eq, sql, type SQL } from "drizzle-orm"

import { failedOn, sameRow, type Db } from "../db/client.ts"
import { runBatch, type Statement } from "../db/plain-sql.ts"
import { accounts, type Account } from "../db/schema.ts"
import { isKept } from "../db/visibility.ts"
import { insertAction, insertActionIf, type Action } from "./audit-log-store.ts"

export const hasPaid = (now: Date): SQL => sql`coalesce("accounts"."paid_until" > ${now.getTime()}, false)`

/** Returns the SQL condition that the service works for a row of `accounts` at `now`: paid, and neither restricted nor hidden. */
export const isServed = (now: Date): SQL =>
  sql`${hasPaid(now)} and not "accounts"."restricted" and not "accounts"."hidden"`

/** Finds an account by its username, also one that is being erased; null if there is none. */
export const findAccount = async (db: Db, username: string): Promise<Account | null> => {
  const [row] = await db.select().from(accounts).where(eq(accounts.username, username))
  return row ?? null
}

/** Returns what a write answers; `taken` if another account has the value of a unique column, or the column is null. */
const orIfTaken = async <T, U>(write: Promise<T>, column: "username" | "blog_host", taken: U): Promise<T | U> => {
  try {
    return await write
  } catch (error) {
    if ((["UNIQUE", "NOT NULL"] as const).some((kind) => failedOn(error, kind, `accounts.${column}`))) return taken
    throw error
  }
}

/**
 * Creates the account with the changes, or applies the changes to the existing one of that username. Writes the action to
 * the audit log in the same batch.
 * @returns the account as it is now; if it existed, its id is not that of `account`. `host_taken` if another account has the
 * `blog_host`, `erasing` if it is being erased; then nothing is written
 */
export const upsertAccount = async (
  db: Db,
  account: Account,
  changes: Partial<Account>,
  action: Action,
): Promise<Account | "host_taken" | "erasing"> => {
  const own = sql`case when ${isKept} then ${account.username} end`
  const batch = db.batch([
    db
      .insert(accounts)
      .values({ ...account, ...changes })
      .onConflictDoUpdate({
        target: accounts.username,
        set: { username: own, ...changes, resumes_at: account.created_at },
      })
      .returning(),
    insertAction(db, action, account.created_at),
  ])
  const answers = await orIfTaken(orIfTaken(batch, "blog_host", "host_taken" as const), "username", "erasing" as const)
  if (typeof answers === "string") return answers
  const [[row]] = answers
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
  const added = db.insert(accounts).values(account)
  const batch = runBatch(db, [...extraStatements, added, insertAction(db, action, account.created_at)])
  return (await orIfTaken(batch, "username", null)) !== null
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
 * @returns false, with nothing written, if a field differs, the account does not exist or is being erased, or another one has the
 * `blog_host`
 */
export const updateAccount = async (
  db: Db,
  accountId: string,
  { from, to, action, now, extraStatements }: AccountChange,
): Promise<boolean> => {
  const isAsSeen = and(eq(accounts.id, accountId), isKept, sameRow(accounts, from))
  const changes = action ? { ...to, resumes_at: now } : to
  const batch = runBatch(db, [
    ...extraStatements,
    ...(action ? [insertActionIf(db, action, isAsSeen, now)] : []),
    db.update(accounts).set(changes).where(isAsSeen).returning({ id: accounts.id }),
  ])
  const answers = await orIfTaken(batch, "blog_host", [])
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

/** Returns the statement that adds to the stored texts of accounts. @param growths a select of `account_id` and `bytes`, which may be negative */
export const addTextBytesOfAll = (growths: SQL): Statement =>
  sql`update "accounts" set "text_bytes" = "text_bytes" + growth.bytes from (${growths}) as growth where "accounts"."id" = growth.account_id`

/** Tells whether `addTextBytes` has failed a batch. */
export const isTextFull = (error: unknown): boolean => failedOn(error, "NOT NULL", "accounts.text_bytes")

/**
 * Returns the statement that sets an account's paid time to the later of the operator's grant and Stripe's.
 * @param stripe a subquery for the end of what Stripe was paid for, in milliseconds since the epoch; its value may be null
 */
export const updatePaidTime = (db: Db, accountId: string, stripe: SQL, now: Date) => {
  const isLater = sql`${stripe} > coalesce(${accounts.operator_paid_until}, 0)`
  return db
    .update(accounts)
    .set({
      paid_until: sql`case when ${isLater} then ${stripe} else ${accounts.operator_paid_until} end`,
      paid_source: sql`case when ${isLater} then 'stripe' when ${accounts.operator_paid_until} is null then ${accounts.paid_source} else 'operator' end`,
      resumes_at: now,
    })
    .where(and(eq(accounts.id, accountId), isKept))
}

/** Returns the statement that sets when an account's paused translations go on, and returns its `id`. @param at milliseconds since the epoch, or null */
export const setResumption = (account: SQL, at: SQL | number): Statement =>
  sql`update "accounts" set "resumes_at" = ${at} where "accounts"."id" = ${account} returning "id"`

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
