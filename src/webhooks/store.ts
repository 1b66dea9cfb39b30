import { getTableColumns, sql, type SQL } from "drizzle-orm"

import { type Db, failedOn } from "../db/client.ts"
import { type RawRow, runBatch, selection, type Statement } from "../db/plain-sql.ts"
import { webhook_deliveries, webhook_endpoints } from "../db/schema.ts"
import { MAX_KEPT_DELIVERIES, MAX_WEBHOOK_ENDPOINTS, WEBHOOK_GRACE_SECONDS } from "../limits.ts"
import { hostnameOf } from "./address.ts"
import { newEventId, wakeAt } from "./outbox.ts"

const {
  lease: _lease,
  leased_until: _until,
  wake_at: _wake,
  next_at: _next,
  next_post: _post,
  queued: _queued,
  ...shown
} = getTableColumns(webhook_endpoints)
const ENDPOINT = selection(shown)
export type Endpoint = ReturnType<typeof ENDPOINT.toRow>

export const DELIVERY = selection(getTableColumns(webhook_deliveries))
export type Delivery = ReturnType<typeof DELIVERY.toRow>
const { url, secret, old_secret, rotated_at } = shown
/** The columns of its endpoint that a delivery needs. */
export const TARGET = selection({ url, secret, old_secret, rotated_at })
/** Decodes a row of `DELIVERY` and `TARGET`. */
export const toDelivery = (row: RawRow) => ({ ...DELIVERY.toRow(row), ...TARGET.toRow(row) })

/** An endpoint of the account of a request. */
type Own = Record<"id" | "accountId", string> & { now: Date }

/** Returns the SQL condition that an endpoint is of an account. */
export const isOf = (accountId: string): SQL => sql`"webhook_endpoints"."account_id" = ${accountId}`

/** Returns the statement that notes on an account whether it has endpoints. */
const noteEndpoints = (accountId: string): Statement =>
  sql`update "accounts" set "has_webhooks" = exists (select 1 from "webhook_endpoints" where ${isOf(accountId)})
    where "accounts"."id" = ${accountId}`

/**
 * Adds an endpoint, which hears of what is ahead.
 * @returns `many` if the account has the most already, `known` if it has this address, `own` if a blog of the service is there
 */
export const addEndpoint = async (
  db: Db,
  endpoint: Pick<Endpoint, "id" | "account_id" | "url" | "secret" | "created_at">,
  also: Statement[],
): Promise<"added" | "many" | "known" | "own"> => {
  const { id, account_id } = endpoint
  const at = endpoint.created_at.getTime()
  const count = sql`(select count(*) from "webhook_endpoints" where ${isOf(account_id)})`
  try {
    const blogs = sql`(select "id" from "accounts" where "blog_host" = ${hostnameOf(endpoint.url)})`
    const [added, own] = await runBatch(db, [
      sql`insert into "webhook_endpoints" ("id", "account_id", "url", "secret", "created_at", "wake_at", "next_at", "next_post")
        select ${id}, ${account_id}, ${endpoint.url}, ${endpoint.secret}, ${at}, ${at}, ${at}, ''
        where ${count} < ${MAX_WEBHOOK_ENDPOINTS} and not exists ${blogs} returning "id"`,
      sql`select * from ${blogs}`,
      noteEndpoints(account_id),
      ...also,
    ])
    if (added.length > 0) return "added"
    return own.length > 0 ? "own" : "many"
  } catch (error) {
    if (failedOn(error, "UNIQUE", "webhook_endpoints.account_id")) return "known"
    throw error
  }
}

/** Deletes an endpoint with its deliveries. @returns false if the account has none with this id */
export const deleteEndpoint = async (
  db: Db,
  { id, accountId }: { id: string; accountId: string },
  also: Statement[],
): Promise<boolean> => {
  const [deleted] = await runBatch(db, [
    sql`delete from "webhook_endpoints" where "id" = ${id} and ${isOf(accountId)} returning "id"`,
    noteEndpoints(accountId),
    ...also,
  ])
  return deleted.length > 0
}

/**
 * Gives an endpoint a new secret. The one before signs as well for `WEBHOOK_GRACE_SECONDS`, in which there is no other rotation.
 * @param seen milliseconds of the last rotation that the author has seen; 0 without one
 * @param secret the new one, encrypted
 * @param before that of a row without one, encrypted
 * @returns false if `seen` is not the last rotation, or not over
 */
export const rotateSecret = async (
  db: Db,
  { id, accountId, now, seen, secret: next, before }: Own & { seen: number; secret: string; before: string },
  also: Statement[],
): Promise<boolean> => {
  const [rotated] = await runBatch(db, [
    sql`update "webhook_endpoints" set "secret" = ${next}, "old_secret" = coalesce("secret", ${before}), "rotated_at" = ${now.getTime()}
      where "id" = ${id} and ${isOf(accountId)} and coalesce("rotated_at", 0) = ${seen}
      and ${seen} <= ${now.getTime() - WEBHOOK_GRACE_SECONDS * 1000} returning "id"`,
    ...also,
  ])
  return rotated.length > 0
}

/** Lists the endpoints of an account, the oldest first. */
export const listEndpoints = async (db: Db, accountId: string): Promise<Endpoint[]> => {
  const [rows] = await runBatch(db, [
    sql`select ${ENDPOINT.columns} from "webhook_endpoints" where ${isOf(accountId)} order by "id"`,
  ])
  return rows.map(ENDPOINT.toRow)
}

/** Lists the newest deliveries of an account, at most `MAX_KEPT_DELIVERIES`. */
export const listDeliveries = async (db: Db, accountId: string): Promise<(Delivery & { url: string })[]> => {
  const [rows] = await runBatch(db, [
    // Ids begin with a time, so that the newest ones of each endpoint are found by the primary key.
    sql`select ${DELIVERY.columns}, ${TARGET.columns}
      from "webhook_endpoints" cross join "webhook_deliveries" on "webhook_deliveries".rowid in (
        select rowid from "webhook_deliveries" where "endpoint_id" = "webhook_endpoints"."id"
        order by "event_id" desc limit ${MAX_KEPT_DELIVERIES}) where ${isOf(accountId)}
      order by "webhook_deliveries"."starts_at" desc, "webhook_deliveries".rowid desc limit ${MAX_KEPT_DELIVERIES}`,
  ])
  return rows.map(toDelivery)
}

/** Queues something for an endpoint, which is tried at once, also if it is left alone after a failure. @returns false if nothing is queued */
const queueNow = async (db: Db, { id, accountId, now }: Own, queue: SQL, also: Statement[]): Promise<boolean> => {
  const [queued] = await runBatch(db, [
    queue,
    sql`update "webhook_endpoints" set "leased_until" = null where "id" = ${id} and ${isOf(accountId)} and "lease" is null`,
    wakeAt(accountId, now),
    ...also,
  ])
  return queued.length > 0
}

/**
 * Queues a test event for an endpoint, which it switches on. What waited when that was switched off comes then, for
 * `WEBHOOK_GRACE_SECONDS`.
 * @returns false if the account has no such endpoint
 */
export const queueTest = (db: Db, own: Own, also: Statement[]): Promise<boolean> => {
  const { id, accountId, now } = own
  const at = now.getTime()
  const isOff = sql`"id" = ${id} and ${isOf(accountId)} and "disabled_at" is not null`
  const queue = sql`insert into "webhook_deliveries" ("event_id", "endpoint_id", "type", "data", "starts_at", "due_at")
    select ${newEventId(now)}, "id", 'test', '{}', ${at}, ${at} from "webhook_endpoints"
    where "id" = ${id} and ${isOf(accountId)} returning "event_id"`
  return queueNow(db, own, queue, [
    sql`delete from "webhook_deliveries" where "due_at" is not null and "starts_at" < ${at} and "endpoint_id" in (
      select "id" from "webhook_endpoints" where ${isOff} and "disabled_at" <= ${at - WEBHOOK_GRACE_SECONDS * 1000})`,
    // The publications that it was to hear of next, unless these are as old.
    sql`update "webhook_endpoints" set "disabled_at" = null, "disabled_reason" = null, "failing_since" = null, "wake_at" = ${at},
      ("next_at", "next_post") = (select case when "keeps" then "next_at" else ${at} end, case when "keeps" then "next_post" else '' end
        from (select "next_at" <= "disabled_at" and "disabled_at" > ${at - WEBHOOK_GRACE_SECONDS * 1000} as "keeps")) where ${isOff}`,
    ...also,
  ])
}

/** Queues a finished delivery once more. @returns false if the account has none such, or its endpoint is switched off */
export const sendAgain = (db: Db, target: Own & { event: string }, also: Statement[]): Promise<boolean> => {
  const { id, event, accountId, now } = target
  const isOwn = sql`"endpoint_id" in (select "id" from "webhook_endpoints" where ${isOf(accountId)} and "disabled_at" is null)`
  const queue = sql`update "webhook_deliveries" set "due_at" = ${now.getTime()}, "finished_at" = null
    where "endpoint_id" = ${id} and "event_id" = ${event} and "due_at" is null and ${isOwn} returning "event_id"`
  return queueNow(db, target, queue, also)
}
