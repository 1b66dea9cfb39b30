import { and, desc, eq, gt, inArray, like, lt, lte, or, sql, type SQL } from "drizzle-orm"
import { ulid } from "ulid"

import { daysBefore } from "../days.ts"
import { type Db, valuesOf } from "../db/client.ts"
import { deleteSome, runBatch } from "../db/plain-sql.ts"
import { accounts, operator_actions, type OperatorAction } from "../db/schema.ts"
import { EDGE_REPURGE_SECONDS, OPERATOR_ACTION_DAYS } from "../limits.ts"

// The audit log: what the operator did to accounts. Its statements run in the batches of the changes.

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

/** Returns what ids of entries at or after a time are greater than: they begin with their time. */
const idAt = (time: Date): string => ulid(time.getTime()).slice(0, 10)

const { action, detail } = operator_actions
/** The actions after which images must leave the edge. */
const WITHDRAWALS = or(
  inArray(action, ["set_blog_host", "erase_account"]),
  and(eq(action, "set_hidden"), eq(detail, "true")),
  and(eq(action, "set_account"), or(like(detail, "%hidden: true%"), like(detail, "%blog_host: %"))),
)

/** Lists the usernames that the operator has hidden, erased or given another host in the last `EDGE_REPURGE_SECONDS`. */
export const listJustWithdrawn = async (db: Db, now: Date): Promise<string[]> => {
  const found = await db
    // The `+` keeps SQLite from reading the whole log in the order of the names.
    .selectDistinct({ username: sql<string>`+${operator_actions.username}` })
    .from(operator_actions)
    .where(and(gt(operator_actions.id, idAt(new Date(now.getTime() - EDGE_REPURGE_SECONDS * 1000))), WITHDRAWALS))
  return found.map(({ username }) => username)
}

/** Deletes entries of the audit log older than `OPERATOR_ACTION_DAYS`. */
export const deleteOldActions = async (db: Db, now: Date): Promise<void> => {
  // The primary key is the only index of time.
  const oldest = idAt(daysBefore(now, OPERATOR_ACTION_DAYS))
  await runBatch(db, [deleteSome(operator_actions, lte(operator_actions.id, oldest))])
}
