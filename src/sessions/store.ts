import { and, desc, eq, gt, isNull, lte, ne, sql } from "drizzle-orm"

import { insertActionIf, lastActionId, type Action } from "../accounts/audit-log-store.ts"
import { revokeKeys } from "../accounts/key-store.ts"
import { failedOn, listOf, same, type Db, valuesOf } from "../db/client.ts"
import { deleteSome, runBatch, type Statement } from "../db/plain-sql.ts"
import {
  accounts,
  passkey_challenges,
  passkeys,
  sessions,
  sign_in_links,
  type Account,
  type Session,
} from "../db/schema.ts"
import { isKept } from "../db/visibility.ts"
import { MAX_SESSIONS } from "../limits.ts"

/** Waits for a write that references an account. @returns false if the account is erased */
export const unlessGone = async (written: PromiseLike<unknown>): Promise<boolean> => {
  try {
    await written
    return true
  } catch (error) {
    if (failedOn(error, "FOREIGN KEY")) return false
    throw error
  }
}

export interface LinkOptions {
  /** The audit-log id of the previous link, null if there was none, undefined for any. So a form works once. */
  seen?: string | null
  /** Run in the same batch. */
  extraStatements?: Statement[]
}

/**
 * Saves a sign-in link, by the SHA-256 of its secret in hex, and its audit-log entry; deletes unused older links.
 * @returns false if the account is erased, or another link was made since; then nothing is written
 */
export const insertSignInLink = async (
  db: Db,
  link: Omit<typeof sign_in_links.$inferSelect, "session_hash">,
  action: Action,
  now: Date,
  { seen, extraStatements = [] }: LinkOptions = {},
): Promise<boolean> => {
  const isNext = seen === undefined ? undefined : same(lastActionId(action.username, action.action), seen)
  const isMade = sql`exists (select 1 from ${sign_in_links} where ${sign_in_links.hash} = ${link.hash})`
  const [inserted] = await runBatch(db, [
    db
      .insert(sign_in_links)
      .select(
        db
          .select(valuesOf(sign_in_links, { ...link, session_hash: null }))
          .from(accounts)
          .where(and(eq(accounts.id, link.account_id), isNext)),
      )
      .returning({ hash: sign_in_links.hash }),
    insertActionIf(db, action, and(eq(accounts.id, link.account_id), isMade), now),
    db
      .delete(sign_in_links)
      .where(
        and(
          eq(sign_in_links.account_id, link.account_id),
          ne(sign_in_links.hash, link.hash),
          isNull(sign_in_links.session_hash),
          isMade,
        ),
      ),
    ...extraStatements,
  ])
  return inserted.length > 0
}

const isUsable = (hash: string, now: Date) =>
  and(eq(sign_in_links.hash, hash), isNull(sign_in_links.session_hash), gt(sign_in_links.expires_at, now))

/** Finds the username of a sign-in link by the SHA-256 of its secret in hex; null if it was used, has expired or never existed. */
export const findSignInLink = async (db: Db, hash: string, now: Date): Promise<{ username: string } | null> => {
  const [row] = await db
    .select({ username: accounts.username })
    .from(sign_in_links)
    .innerJoin(accounts, eq(accounts.id, sign_in_links.account_id))
    .where(isUsable(hash, now))
  return row ?? null
}

/** Ends the least recently used sessions of an account that exceed the maximum. */
const endSurplus = (db: Db, hash: string) => {
  const account = sql`(select ${sessions.account_id} from ${sessions} where ${sessions.hash} = ${hash})`
  const kept = sql`(select ${sessions.hash} from ${sessions} where ${sessions.account_id} = ${account}
    order by ${sessions.hash} = ${hash} desc, ${sessions.last_seen_at} desc limit ${MAX_SESSIONS})`
  return db.delete(sessions).where(sql`${sessions.account_id} = ${account} and ${sessions.hash} not in ${kept}`)
}

/**
 * Saves a session after authentication, and ends the account's least recently used ones above `MAX_SESSIONS`.
 * @param extraStatements run in the same transaction
 * @returns false if the rows of the account are deleted; then nothing is written. One that is being erased lets nobody in either
 */
export const insertSession = (db: Db, session: Session, extraStatements: Statement[] = []): Promise<boolean> =>
  unlessGone(runBatch(db, [db.insert(sessions).values(session), endSurplus(db, session.hash), ...extraStatements]))

/**
 * Exchanges a sign-in link, by the SHA-256 of its secret in hex, for a session of its account, in one transaction.
 * @param session the new session; its `hash` is the SHA-256 of the cookie's new secret
 * @returns the id of the account; null if the link was used, has expired or never existed
 */
export const consumeSignInLink = async (
  db: Db,
  hash: string,
  session: Omit<Session, "account_id" | "token_hash">,
  now: Date,
): Promise<string | null> => {
  const values = valuesOf(sessions, { ...session, account_id: null, token_hash: null })
  const [used] = await db.batch([
    db
      .update(sign_in_links)
      .set({ session_hash: session.hash })
      .where(isUsable(hash, now))
      .returning({ account_id: sign_in_links.account_id }),
    db.insert(sessions).select(
      db
        .select({ ...values, account_id: sign_in_links.account_id })
        .from(sign_in_links)
        .where(and(eq(sign_in_links.hash, hash), eq(sign_in_links.session_hash, session.hash))),
    ),
    endSurplus(db, session.hash),
  ])
  return used[0]?.account_id ?? null
}

/** Finds a live session by the SHA-256 of its cookie's secret in hex; null if it has ended. The operator's has no account (null). */
export const findSession = async (
  db: Db,
  hash: string,
  now: Date,
): Promise<{ session: Session; account: Account | null } | null> => {
  const isLive = and(eq(sessions.hash, hash), gt(sessions.expires_at, now))
  const [[session], [account]] = await db.batch([
    db.select().from(sessions).where(isLive),
    db
      .select()
      .from(accounts)
      .where(and(eq(accounts.id, sql`(select ${sessions.account_id} from ${sessions} where ${isLive})`), isKept)),
  ])
  return session ? { session, account: account ?? null } : null
}

/** Records the use of a session at `now` and sets when it expires. @param hash the SHA-256 of its cookie's secret in hex */
export const touchSession = async (db: Db, hash: string, expires_at: Date, now: Date): Promise<void> => {
  await db.update(sessions).set({ last_seen_at: now, expires_at }).where(eq(sessions.hash, hash))
}

/** Lists the sessions of an account that have not expired at `now`, the last used first. */
export const listSessions = (db: Db, accountId: string, now: Date): Promise<Session[]> =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.account_id, accountId), gt(sessions.expires_at, now)))
    .orderBy(desc(sessions.last_seen_at))

/**
 * Ends a session by the SHA-256 of its cookie's secret in hex, if it is the account's; with null, if it is the operator's; with
 * undefined, in any case.
 * @param extraStatements run before it in the same batch
 */
export const deleteSession = async (
  db: Db,
  hash: string,
  accountId: string | null | undefined,
  extraStatements: Statement[] = [],
): Promise<void> => {
  const isIt = and(eq(sessions.hash, hash), accountId === undefined ? undefined : same(sessions.account_id, accountId))
  await runBatch(db, [...extraStatements, db.delete(sessions).where(isIt)])
}

/**
 * Ends all sessions of an account, and revokes its sign-in links and the chosen keys and passkeys, in one batch.
 * @param chosen the names of keys, and the credential ids of passkeys (base64url)
 * @param extraStatements run before it in the same batch
 */
export const deleteSessions = async (
  db: Db,
  accountId: string,
  chosen: { key: string[]; passkey: string[] },
  now: Date,
  extraStatements: Statement[],
): Promise<void> => {
  const isChosen = sql`${passkeys.id} in ${listOf(chosen.passkey)}`
  await runBatch(db, [
    ...extraStatements,
    revokeKeys(db, accountId, chosen.key, now),
    db.delete(passkeys).where(and(eq(passkeys.account_id, accountId), isChosen)),
    db.delete(sessions).where(eq(sessions.account_id, accountId)),
    db.delete(sign_in_links).where(eq(sign_in_links.account_id, accountId)),
  ])
}

/** Deletes all sessions, sign-in links and passkey challenges that have expired at `now`. */
export const deleteExpired = async (db: Db, now: Date): Promise<void> => {
  await runBatch(
    db,
    [sessions, sign_in_links, passkey_challenges].map((table) => deleteSome(table, lte(table.expires_at, now))),
  )
}
