import { getTableColumns, sql, type SQL } from "drizzle-orm"

import { isServed } from "../accounts/store.ts"
import type { BlogOwner } from "../addresses.ts"
import { daysBefore } from "../days.ts"
import { type Db, failedOn, repeatable } from "../db/client.ts"
import { type RawRow, runBatch, selection, type Statement } from "../db/plain-sql.ts"
import { webhook_deliveries, webhook_endpoints } from "../db/schema.ts"
import {
  MAX_DELIVERIES_A_RUN,
  MAX_KEPT_DELIVERIES,
  MAX_WAITING_DELIVERIES,
  MAX_WEBHOOK_ENDPOINTS,
  WEBHOOK_GRACE_SECONDS,
  WEBHOOK_LEASE_SECONDS,
  WEBHOOK_OFF_DAYS,
} from "../limits.ts"
import { hostnameOf } from "./address.ts"
import { newEventId, scheduledEvents } from "./outbox.ts"

const ENDPOINT = selection(getTableColumns(webhook_endpoints))
export type Endpoint = ReturnType<typeof ENDPOINT.toRow>

const DELIVERY = selection(getTableColumns(webhook_deliveries))
export type Delivery = ReturnType<typeof DELIVERY.toRow>
const { url, secret, old_secret, rotated_at } = webhook_endpoints
const TARGET = selection({ url, secret, old_secret, rotated_at })
const toDelivery = (row: RawRow) => ({ ...DELIVERY.toRow(row), ...TARGET.toRow(row) })

/** An endpoint of the account of a request. */
type Own = Record<"id" | "accountId", string> & { now: Date }

const isOf = (accountId: string): SQL => sql`"webhook_endpoints"."account_id" = ${accountId}`

/** Returns the statement that notes on an account whether it has endpoints. */
const noteEndpoints = (accountId: string): Statement =>
  sql`update "accounts" set "has_webhooks" = exists (select 1 from "webhook_endpoints" where ${isOf(accountId)})
    where "accounts"."id" = ${accountId}`

/**
 * Adds an endpoint, with the publications that are still ahead.
 * @returns `many` if the account has the most already, `known` if it has this address, `own` if a blog of the service is there
 */
export const addEndpoint = async (
  db: Db,
  endpoint: Pick<Endpoint, "id" | "account_id" | "url" | "secret" | "created_at">,
  also: Statement[],
): Promise<"added" | "many" | "known" | "own"> => {
  const { id, account_id, created_at } = endpoint
  const count = sql`(select count(*) from "webhook_endpoints" where ${isOf(account_id)})`
  try {
    const blogs = sql`(select "id" from "accounts" where "blog_host" = ${hostnameOf(endpoint.url)})`
    const [added, own] = await runBatch(db, [
      sql`insert into "webhook_endpoints" ("id", "account_id", "url", "secret", "created_at")
        select ${id}, ${account_id}, ${endpoint.url}, ${endpoint.secret}, ${created_at.getTime()}
        where ${count} < ${MAX_WEBHOOK_ENDPOINTS} and not exists ${blogs} returning "id"`,
      sql`select * from ${blogs}`,
      scheduledEvents(id, created_at),
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

const ofAccount = (accountId: string): SQL =>
  sql`"webhook_deliveries" join "webhook_endpoints" on "webhook_endpoints"."id" = "webhook_deliveries"."endpoint_id"
    and ${isOf(accountId)}`

/** Lists the newest deliveries of an account that have begun by `now`, at most `MAX_KEPT_DELIVERIES`. */
export const listDeliveries = async (db: Db, accountId: string, now: Date): Promise<(Delivery & { url: string })[]> => {
  const [rows] = await runBatch(db, [
    sql`select ${DELIVERY.columns}, ${TARGET.columns} from ${ofAccount(accountId)}
      where "webhook_deliveries"."starts_at" <= ${now.getTime()}
      order by "webhook_deliveries"."starts_at" desc, "webhook_deliveries".rowid desc limit ${MAX_KEPT_DELIVERIES}`,
  ])
  return rows.map(toDelivery)
}

/**
 * Queues a test event for an endpoint, which it switches on. What waited when that was switched off comes then, for
 * `WEBHOOK_GRACE_SECONDS`.
 * @returns false if the account has no such endpoint
 */
export const queueTest = async (db: Db, { id, accountId, now }: Own, also: Statement[]): Promise<boolean> => {
  const isOff = sql`"id" = ${id} and ${isOf(accountId)} and "disabled_at" is not null`
  const [queued] = await runBatch(db, [
    sql`insert into "webhook_deliveries" ("event_id", "endpoint_id", "type", "data", "starts_at", "due_at")
      select ${newEventId(now)}, "id", 'test', '{}', ${now.getTime()}, ${now.getTime()} from "webhook_endpoints"
      where "id" = ${id} and ${isOf(accountId)} returning "event_id"`,
    sql`delete from "webhook_deliveries" where "due_at" is not null and "starts_at" < ${now.getTime()} and "endpoint_id" in (select "id" from "webhook_endpoints"
      where ${isOff} and "disabled_at" <= ${now.getTime() - WEBHOOK_GRACE_SECONDS * 1000})`,
    sql`update "webhook_endpoints" set "disabled_at" = null, "disabled_reason" = null, "failing_since" = null where ${isOff}`,
    ...also,
  ])
  return queued.length > 0
}

/** Queues a finished delivery once more. @returns false if the account has none such, or its endpoint is switched off */
export const sendAgain = async (
  db: Db,
  { id, event, accountId, now }: Own & { event: string },
  also: Statement[],
): Promise<boolean> => {
  const isOwn = sql`"endpoint_id" in (select "id" from "webhook_endpoints" where ${isOf(accountId)} and "disabled_at" is null)`
  const [queued] = await runBatch(db, [
    sql`update "webhook_deliveries" set "due_at" = ${now.getTime()}, "finished_at" = null
      where "endpoint_id" = ${id} and "event_id" = ${event} and "due_at" is null and ${isOwn} returning "event_id"`,
    ...also,
  ])
  return queued.length > 0
}

/** The status by which an endpoint wants to be switched off. */
export const GONE = 410

/** Tells whether an answer takes a delivery. */
export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300

/** The deliveries of a run, and their blog. */
export interface Claimed {
  blog: BlogOwner
  deliveries: ReturnType<typeof toDelivery>[]
}

const HEAD = sql`not exists (select 1 from "webhook_deliveries" as "before"
  where "before"."endpoint_id" = "webhook_deliveries"."endpoint_id" and "before"."post_id" = "webhook_deliveries"."post_id"
    and "before"."due_at" is not null
    and ("before"."starts_at", "before".rowid) < ("webhook_deliveries"."starts_at", "webhook_deliveries".rowid))`

const isDue = (now: Date): SQL => sql`"webhook_deliveries"."due_at" <= ${now.getTime()}`

/** The condition that no run holds an endpoint, and that the service works for its account. */
const isFree = (now: Date): SQL =>
  sql`"webhook_endpoints"."disabled_at" is null and coalesce("webhook_endpoints"."leased_until", 0) <= ${now.getTime()}
    and exists (select 1 from "accounts" where "accounts"."id" = "webhook_endpoints"."account_id" and ${isServed(now)})`

/** Returns the statements that switch off the endpoints of an account for which too much waits, and delete that. */
const switchOffFlooded = (accountId: string, now: Date): [Statement, Statement] => [
  sql`update "webhook_endpoints" set "disabled_at" = ${now.getTime()}, "disabled_reason" = 'flooded'
    where ${isOf(accountId)} and "disabled_at" is null
    and (select count(*) from (select 1 from "webhook_deliveries" where "endpoint_id" = "webhook_endpoints"."id"
      and "due_at" is not null limit ${MAX_WAITING_DELIVERIES + 1})) > ${MAX_WAITING_DELIVERIES}`,
  sql`delete from "webhook_deliveries" where "due_at" is not null and "endpoint_id" in (
    select "id" from "webhook_endpoints" where ${isOf(accountId)} and "disabled_reason" = 'flooded')`,
]

/**
 * Leases the free endpoints of an account that have something to deliver, and reads the next deliveries of each: of each post
 * the first one alone, so that its events come in their order.
 * @param token identifies the run
 * @returns null without the account
 */
export const claimEndpoints = async (
  db: Db,
  { accountId, token, now }: { accountId: string; token: string; now: Date },
): Promise<Claimed | null> => {
  const until = now.getTime() + WEBHOOK_LEASE_SECONDS * 1000
  const [, , , [blog], rows] = await repeatable(() =>
    runBatch(db, [
      ...switchOffFlooded(accountId, now),
      sql`update "webhook_endpoints" set "lease" = ${token}, "leased_until" = ${until}
        where ${isOf(accountId)} and ${isFree(now)} and exists (select 1 from "webhook_deliveries"
          where "webhook_deliveries"."endpoint_id" = "webhook_endpoints"."id" and ${isDue(now)} and ${HEAD})`,
      sql`select "username", "blog_host" from "accounts" where "id" = ${accountId}`,
      sql`select * from (select ${DELIVERY.columns}, ${TARGET.columns}, row_number() over (
          partition by "webhook_deliveries"."endpoint_id"
          order by "webhook_deliveries"."starts_at", "webhook_deliveries".rowid) as "place"
        from ${ofAccount(accountId)} where "webhook_endpoints"."lease" = ${token} and ${isDue(now)} and ${HEAD})
        where "place" <= ${MAX_DELIVERIES_A_RUN} order by "place"`,
    ]),
  )
  return blog ? { blog: blog as unknown as BlogOwner, deliveries: rows.map(toDelivery) } : null
}

/**
 * Notes what an endpoint has answered, or that it has not. One that answers 410, or fails for `WEBHOOK_OFF_DAYS` while something
 * waits all the time, is switched off; what waits is kept.
 * @param dueAt the next attempt; null if there is none
 * @param isFailure false if the endpoint has taken it, or has asked to wait
 */
export const noteAttempt = async (
  db: Db,
  { endpoint_id: id, event_id, attempts }: Delivery,
  { status, dueAt, isFailure }: { status: number | null; dueAt: Date | null; isFailure: boolean },
  now: Date,
): Promise<void> => {
  const end = sql`"due_at" = null, "finished_at" = ${now.getTime()}`
  const offSince = daysBefore(now, WEBHOOK_OFF_DAYS).getTime()
  const rest = sql`exists (select 1 from "webhook_deliveries" where "endpoint_id" = ${id} and "due_at" is not null
    and "starts_at" <= ${now.getTime()})`
  const clear = sql`update "webhook_endpoints" set "failing_since" = null
    where "id" = ${id} and "disabled_at" is null and ${isSuccess(status) ? sql`true` : sql`not ${rest}`}`
  const fail = sql`update "webhook_endpoints" set "failing_since" = coalesce("failing_since", ${now.getTime()})
    where "id" = ${id} and "disabled_at" is null`
  const reason = status === GONE ? "gone" : "failing"
  const switchOff = sql`update "webhook_endpoints" set "disabled_at" = ${now.getTime()}, "disabled_reason" = ${reason}
    where "id" = ${id} and "disabled_at" is null and ${status === GONE ? sql`true` : sql`"failing_since" <= ${offSince}`}`
  await repeatable(() =>
    runBatch(db, [
      // Of the same attempt, so that a repeated call counts it once.
      sql`update "webhook_deliveries" set "answer_status" = ${status},
        "attempts" = ${dueAt && !isFailure ? attempts : attempts + 1},
        ${dueAt ? sql`"due_at" = ${dueAt.getTime()}` : end}
        where "endpoint_id" = ${id} and "event_id" = ${event_id} and "attempts" = ${attempts}`,
      ...(isFailure ? [fail, switchOff] : []),
      clear,
      sql`delete from "webhook_deliveries" where "endpoint_id" = ${id} and "due_at" is null and rowid not in (
        select rowid from "webhook_deliveries" where "endpoint_id" = ${id} and "due_at" is null
        order by "finished_at" desc, rowid desc limit ${MAX_KEPT_DELIVERIES})`,
    ]),
  )
}

/** Ends the lease of an endpoint, and finds when it has the next delivery. @returns null without one, or if it is switched off */
export const releaseEndpoint = async (db: Db, id: string, token: string): Promise<Date | null> => {
  const [, [next]] = await repeatable(() =>
    runBatch(db, [
      sql`update "webhook_endpoints" set "lease" = null, "leased_until" = null where "id" = ${id} and "lease" = ${token}`,
      sql`select min("due_at") as "due_at" from "webhook_deliveries" where "endpoint_id" = ${id} and "due_at" is not null and ${HEAD}
        and exists (select 1 from "webhook_endpoints" where "id" = ${id} and "disabled_at" is null)`,
    ]),
  )
  const time = next?.["due_at"]
  return typeof time === "number" ? new Date(time) : null
}

/** Lists accounts with deliveries that are due by a time and that no run makes, at most `limit`, those due first first. */
export const listWaiting = async (
  db: Db,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<{ account_id: string; due_at: Date }[]> => {
  const [rows] = await runBatch(db, [
    sql`select "webhook_endpoints"."account_id", min("webhook_deliveries"."due_at") as "due_at"
      from "webhook_endpoints" join "webhook_deliveries"
      on "webhook_deliveries"."endpoint_id" = "webhook_endpoints"."id" and ${isDue(until)} and ${HEAD}
      where ${isFree(now)} group by "webhook_endpoints"."account_id" order by 2 limit ${limit}`,
  ])
  return rows.map((row) => ({ account_id: String(row["account_id"]), due_at: new Date(Number(row["due_at"])) }))
}
