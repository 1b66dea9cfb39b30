import { and, desc, eq, lt, lte, type SQL, sql } from "drizzle-orm"
import { ulid } from "ulid"

import { daysBefore } from "../days.ts"
import type { Db, Statement } from "../db.ts"
import { OPERATOR_ACTION_DAYS } from "../limits.ts"
import { accounts, type OperatorAction, operator_actions } from "../tables.ts"

/** What the operator does, to be noted with what it changes; a secret is never part of it. */
export type Action = Pick<OperatorAction, "action" | "username" | "detail" | "via">

/** Notes an action: for the batch of the change itself. */
export const insertAction = (db: Db, action: Action, now: Date): Statement =>
  db.insert(operator_actions).values({ id: ulid(now.getTime()), at: now, ...action })

/** The same where its account is as `condition` says; without that the change does not happen either. */
export const insertActionIf = (
  db: Db,
  { action, username, detail, via }: Action,
  condition: SQL | undefined,
  now: Date,
) =>
  db.insert(operator_actions).select(
    db
      .select({
        id: sql<string>`${ulid(now.getTime())}`.as("id"),
        at: sql<Date>`${now.getTime()}`.as("at"),
        action: sql<string>`${action}`.as("action"),
        username: sql<string | null>`${username}`.as("username"),
        detail: sql<string>`${detail}`.as("detail"),
        via: sql<"page" | "api">`${via}`.as("via"),
      })
      .from(accounts)
      .where(condition),
  )

/** What a form that makes something for an account was shown after: it is sent once. */
export const lastActionId = (username: string | null, action: string): SQL =>
  sql`(select max(${operator_actions.id}) from ${operator_actions} where ${operator_actions.username} = ${username} and ${operator_actions.action} = ${action})`

/** The id of the last entry of this kind about an account. */
export const findLastAction = async (db: Db, username: string, action: string): Promise<string | null> => {
  const { id } = await db.get<{ id: string | null }>(sql`select ${lastActionId(username, action)} as id`)
  return id
}

interface Page {
  username?: string | undefined
  /** Where the page before ended. */
  cursor?: string | undefined
  limit: number
}

/** A page of the trail, the newest first; one entry more than `limit` when there is a next page. */
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

/** Forgets what was done long ago. */
export const deleteOldActions = async (db: Db, now: Date): Promise<void> => {
  // An id begins with its time, and the primary key is the only index that knows it.
  const oldest = ulid(daysBefore(now, OPERATOR_ACTION_DAYS).getTime()).slice(0, 10)
  await db.delete(operator_actions).where(lte(operator_actions.id, oldest))
}
