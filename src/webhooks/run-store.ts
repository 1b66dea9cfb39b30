import { sql, type SQL } from "drizzle-orm"

import { isServed } from "../accounts/store.ts"
import type { BlogOwner } from "../addresses.ts"
import { daysBefore } from "../days.ts"
import { type Db, repeatable } from "../db/client.ts"
import { runBatch, type Statement } from "../db/plain-sql.ts"
import {
  MAX_DELIVERIES_A_RUN,
  MAX_KEPT_DELIVERIES,
  MAX_WAITING_DELIVERIES,
  MAX_WEBHOOK_DELAY_SECONDS,
  WEBHOOK_GRACE_SECONDS,
  WEBHOOK_LEASE_SECONDS,
  WEBHOOK_OFF_DAYS,
  WEBHOOK_PAUSE_PARTS,
  WEBHOOK_RETRY_SECONDS,
  WEBHOOK_RUN_SECONDS,
} from "../limits.ts"
import { nextPublications } from "./outbox.ts"
import { DELIVERY, type Delivery, type Endpoint, isOf, TARGET, toDelivery } from "./store.ts"

// The statements of a run, which delivers what waits, and of the scheduled job that starts it.

/** The status by which an endpoint wants to be switched off. */
export const GONE = 410

/** Tells whether an answer takes a delivery. */
export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300

/** The endpoint of a run. `isHeld`: deliveries are due that wait for earlier ones of their post. */
type Lease = Record<"id" | "token", string> & { isHeld: boolean }

/** The deliveries of a run, in this order, to each endpoint that it has leased. */
export interface Claimed {
  blog: BlogOwner
  leases: (Lease & { deliveries: ReturnType<typeof toDelivery>[] })[]
}

/** The time at which the first delivery that waits for a row of `webhook_endpoints` is due; null without one. */
const FIRST_DUE = sql`(select min("due_at") from "webhook_deliveries" indexed by "webhook_deliveries_due"
  where "endpoint_id" = "webhook_endpoints"."id" and "due_at" is not null)`

/** The time at which a row of `webhook_endpoints` has something to do: a delivery or a publication; null without one. */
const WORK_AT = sql`coalesce(min("next_at", ${FIRST_DUE}), "next_at", ${FIRST_DUE})`

/** The time at which the first of the deliveries of a post is due, for one of them that waits, a row of `webhook_deliveries`. */
const HEAD_DUE = sql`(select "head"."due_at" from "webhook_deliveries" as "head" indexed by "webhook_deliveries_order"
  where "head"."endpoint_id" = "webhook_deliveries"."endpoint_id" and "head"."post_id" = "webhook_deliveries"."post_id"
    and "head"."due_at" is not null order by "head".rowid limit 1)`

/** Returns the milliseconds for which something rests that has not worked since a time. */
const pauseSince = (since: SQL, now: Date): SQL =>
  sql`min(max((${now.getTime()} - ${since}) / ${WEBHOOK_PAUSE_PARTS}, ${WEBHOOK_RETRY_SECONDS * 1000}), ${MAX_WEBHOOK_DELAY_SECONDS * 1000})`

const isServedNow = (now: Date): SQL =>
  sql`exists (select 1 from "accounts" where "accounts"."id" = "webhook_endpoints"."account_id" and ${isServed(now)})`

/** Returns the assignments that switch an endpoint off that is on, if a condition holds, which is looked at only then. */
const switchOffIf = (condition: SQL, reason: NonNullable<Endpoint["disabled_reason"]>, now: Date): SQL =>
  sql`("disabled_at", "disabled_reason") = (
    select case when "is_over" then ${now.getTime()} else "disabled_at" end, case when "is_over" then ${reason} else "disabled_reason" end
    from (select case when "disabled_at" is null then ${condition} end as "is_over"))`

/** The condition that too much waits for an endpoint. That is counted only after as many events, since the count reads it. */
const isFlooded = sql`case when "queued" >= ${MAX_WAITING_DELIVERIES} then exists (select 1 from "webhook_deliveries"
  where "endpoint_id" = "webhook_endpoints"."id" and "due_at" is not null limit 1 offset ${MAX_WAITING_DELIVERIES}) end`

/** Returns the statement that switches off endpoints for which too much waits, and finds when each has something to do again. */
const endStep = (which: SQL, now: Date): Statement =>
  sql`update "webhook_endpoints" set "queued" = "queued" % ${MAX_WAITING_DELIVERIES},
    ${switchOffIf(isFlooded, "flooded", now)},
    "wake_at" = case when "disabled_at" is null then max(${WORK_AT}, coalesce("leased_until", 0),
        case when ${isServedNow(now)} then 0 else ${now.getTime()} + ${pauseSince(WORK_AT, now)} end)
      else max(${FIRST_DUE}, "disabled_at" + ${WEBHOOK_GRACE_SECONDS * 1000}) end
    where ${which} returning "id", "lease", "wake_at"`

/**
 * Leases the free endpoints of an account that have something to do, queues publications for them whose time has come, and reads
 * the next deliveries of each. What waits for an endpoint that was switched off a day ago is deleted, in portions.
 * @param token identifies the run
 * @returns null without the account
 */
export const claimEndpoints = async (
  db: Db,
  { accountId, token, now }: { accountId: string; token: string; now: Date },
): Promise<Claimed | null> => {
  const until = now.getTime() + WEBHOOK_LEASE_SECONDS * 1000
  const isLeased = sql`${isOf(accountId)} and "webhook_endpoints"."lease" = ${token}`
  const firstDue = sql`"webhook_endpoints" cross join "webhook_deliveries" on "webhook_deliveries".rowid in (
    select rowid from "webhook_deliveries" indexed by "webhook_deliveries_due" where "endpoint_id" = "webhook_endpoints"."id" and "due_at" <= ${now.getTime()}
    order by "due_at", rowid limit ${MAX_DELIVERIES_A_RUN}) where ${isLeased}`
  const answers = await repeatable(() =>
    runBatch(db, [
      sql`delete from "webhook_deliveries" where rowid in (select "webhook_deliveries".rowid from "webhook_endpoints"
        cross join "webhook_deliveries" on "endpoint_id" = "webhook_endpoints"."id" and "due_at" is not null
        where ${isOf(accountId)} and "disabled_at" <= ${now.getTime() - WEBHOOK_GRACE_SECONDS * 1000} limit ${MAX_KEPT_DELIVERIES})`,
      sql`update "webhook_endpoints" set "lease" = ${token}, "leased_until" = ${until} where ${isOf(accountId)}
        and "disabled_at" is null and coalesce("leased_until", 0) <= ${now.getTime()} and ${WORK_AT} <= ${now.getTime()}
        and ${isServedNow(now)}`,
      ...nextPublications(isLeased, now),
      endStep(isOf(accountId), now),
      sql`select ${DELIVERY.columns}, ${TARGET.columns}, "webhook_deliveries"."due_at" < ${HEAD_DUE} as "is_early" from ${firstDue}
        order by "webhook_deliveries"."due_at", "webhook_deliveries".rowid`,
      sql`select "username", "blog_host" from "accounts" where "id" = ${accountId}`,
    ]),
  )
  const [steps = [], due = [], [blog] = []] = answers.slice(-3)
  const leased = steps.filter(({ lease }) => lease === token)
  const leases = leased.map((step) => {
    const rows = due.filter(({ endpoint_id }) => endpoint_id === step["id"])
    const deliveries = rows.filter(({ is_early }) => !is_early).map(toDelivery)
    return { id: String(step["id"]), token, deliveries, isHeld: deliveries.length < rows.length }
  })
  return blog ? { blog: blog as unknown as BlogOwner, leases } : null
}

/**
 * Notes what an endpoint has answered, or that it has not. If it has not taken the delivery, it is left alone for a while. One that
 * answers 410, or fails for `WEBHOOK_OFF_DAYS` while something waits all the time, is switched off.
 * @param dueAt the next attempt; null if there is none
 * @param wait the seconds for which the endpoint asks to wait, which is no failure; null if it does not
 */
export const noteAttempt = async (
  db: Db,
  { endpoint_id: id, event_id, attempts }: Delivery,
  { status, dueAt, wait }: { status: number | null; dueAt: Date | null; wait: number | null },
  now: Date,
): Promise<void> => {
  const end = sql`"due_at" = null, "finished_at" = ${now.getTime()}`
  const offSince = daysBefore(now, WEBHOOK_OFF_DAYS).getTime()
  const isOver = status === GONE ? sql`true` : sql`"failing_since" < ${offSince}`
  const since = sql`coalesce("failing_since", ${now.getTime()})`
  const failed = sql`${switchOffIf(isOver, status === GONE ? "gone" : "failing", now)},
    "failing_since" = case when ${isOver} or ${FIRST_DUE} is not null then ${since} end,`
  const isFailure = !isSuccess(status) && wait === null
  const pause = wait === null ? pauseSince(since, now) : sql`${wait * 1000}`
  const noted = isSuccess(status)
    ? sql`"failing_since" = null where "failing_since" is not null and "disabled_at" is null`
    : sql`${isFailure ? failed : sql``} "lease" = null, "leased_until" = ${now.getTime()} + ${pause} where true`
  await repeatable(() =>
    runBatch(db, [
      // Of the same attempt, so that a repeated call counts it once.
      sql`update "webhook_deliveries" set "answer_status" = ${status},
        "attempts" = ${dueAt && !isFailure ? attempts : attempts + 1},
        ${dueAt ? sql`"due_at" = ${dueAt.getTime()}` : end}
        where "endpoint_id" = ${id} and "event_id" = ${event_id} and "attempts" = ${attempts}`,
      sql`update "webhook_endpoints" set ${noted} and "id" = ${id}`,
    ]),
  )
}

/** Ends the lease of an endpoint, deletes its old deliveries, and finds when it has something to do again; null if it has nothing. */
export const releaseEndpoint = async (db: Db, { id, token, isHeld }: Lease, now: Date): Promise<Date | null> => {
  const [, , , [next]] = await repeatable(() =>
    runBatch(db, [
      // They make room for those of other posts.
      sql`update "webhook_deliveries" set "due_at" = ${HEAD_DUE} where rowid in (select rowid from "webhook_deliveries"
        indexed by "webhook_deliveries_due" where "endpoint_id" = ${id} and "due_at" <= ${now.getTime()} order by "due_at", rowid
        limit ${isHeld ? MAX_KEPT_DELIVERIES : 0}) and "due_at" < ${HEAD_DUE}`,
      sql`update "webhook_endpoints" set "lease" = null, "leased_until" = null where "id" = ${id} and "lease" = ${token}`,
      sql`delete from "webhook_deliveries" where rowid in (select rowid from "webhook_deliveries" where "endpoint_id" = ${id}
        and "due_at" is null order by "finished_at" desc, rowid desc limit -1 offset ${MAX_KEPT_DELIVERIES})`,
      endStep(sql`"id" = ${id}`, now),
    ]),
  )
  const time = next?.["wake_at"]
  return typeof time === "number" ? new Date(time) : null
}

/** Takes endpoints that have something to do, at most `limit`, those that wait for longest first. @returns the account of each */
export const takeWaiting = async (db: Db, now: Date, limit: number): Promise<string[]> => {
  const [rows] = await runBatch(db, [
    sql`update "webhook_endpoints" set "wake_at" = ${now.getTime() + WEBHOOK_RUN_SECONDS * 1000} where rowid in (
      select rowid from "webhook_endpoints" where "wake_at" <= ${now.getTime()} order by "wake_at" limit ${limit})
      returning "account_id"`,
  ])
  return rows.map((row) => String(row["account_id"]))
}
