import { type BlogOwner, pageUrl, type Places } from "../addresses.ts"
import type { Db } from "../db/client.ts"
import {
  MAX_WEBHOOK_RETRY_SECONDS,
  WEBHOOK_RETRY_FACTOR,
  WEBHOOK_RETRY_SECONDS,
  WEBHOOK_RUN_SECONDS,
  WEBHOOK_SECONDS,
  WEBHOOK_TIMEOUT_SECONDS,
} from "../limits.ts"
import { type Claimed, claimEndpoints, GONE, isSuccess, noteAttempt, releaseEndpoint } from "./run-store.ts"
import { type SecretKeys, secretsOf, signedHeaders } from "./sign.ts"
import type { Delivery } from "./store.ts"

/** The input of a run. */
export interface DeliveryRun extends SecretKeys {
  db: Db
  accountId: string
  places: Places
  /** Returns the current time. */
  readClock: () => Date
}

/** Returns what an endpoint gets: the event and its post, without its texts. */
const bodyOf = ({ type, starts_at, post_id, data }: Delivery, places: Places, blog: BlogOwner): string => {
  const event = { type, timestamp: starts_at.toISOString() }
  // A test tells of no post.
  if (post_id === null) return JSON.stringify({ ...event, data: {} })
  const { language, slug, published_at, ...post } = data
  const url = pageUrl(places, blog, slug)
  const times = { published_at: published_at === null ? null : new Date(published_at).toISOString() }
  return JSON.stringify({ ...event, data: { post: { ...post, slug, url, ...times }, language } })
}

/** Sends a message. @returns the answer, whose body is not read; null without one in time */
const post = async (url: string, headers: Record<string, string>, body: string): Promise<Response | null> => {
  try {
    const answer = await fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: { "Content-Type": "application/json", "User-Agent": "edgepost", ...headers },
      body,
      signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_SECONDS * 1000),
    })
    await answer.body?.cancel()
    return answer
  } catch {
    return null
  }
}

/** Returns the seconds for which `Retry-After` asks to wait (RFC 9110, 10.2.3), within limits; null if it is unreadable or past. */
export const readRetryAfter = (text: string, now: Date): number | null => {
  // Each form of a date (5.6.7) ends so. Matches `… 08:49:37 GMT` and `… 08:49:37 1994`, in UTC as well. Does not match `in 2050`.
  const time = /\d\d:\d\d:\d\d (?:GMT|\d{4})$/.test(text) ? Date.parse(`${text} GMT`) : NaN
  // Matches `120`. Does not match `1.5`.
  const seconds = /^\d+$/.test(text) ? Number(text) : (time - now.getTime()) / 1000
  return seconds > 0 ? Math.min(Math.max(seconds, WEBHOOK_RETRY_SECONDS), MAX_WEBHOOK_RETRY_SECONDS) : null
}

/** Returns when a delivery is tried again until a day after its event; null after that. @param wait the seconds that the endpoint asks for */
const nextAttempt = ({ attempts, starts_at }: Delivery, wait: number | null, now: Date): Date | null => {
  const seconds = Math.min(WEBHOOK_RETRY_SECONDS * WEBHOOK_RETRY_FACTOR ** attempts, MAX_WEBHOOK_RETRY_SECONDS)
  const end = starts_at.getTime() + WEBHOOK_SECONDS * 1000
  if (now.getTime() >= end) return null
  return new Date(wait === null ? Math.min(now.getTime() + seconds * 1000, end) : now.getTime() + wait * 1000)
}

/** Delivers what an endpoint has to get, one after another, until one is not taken or its time is over. */
const deliverAll = async (
  { db, places, readClock, ...keys }: DeliveryRun,
  blog: BlogOwner,
  id: string,
  all: Claimed["leases"][number]["deliveries"],
): Promise<void> => {
  const end = readClock().getTime() + WEBHOOK_RUN_SECONDS * 1000
  for (const delivery of all) {
    if (readClock().getTime() > end) return
    const secrets = await secretsOf(keys, { ...delivery, id }, readClock())
    if (secrets.length === 0) throw new Error(`No WEBHOOK_SECRET decrypts the secret of the endpoint ${id}.`)
    const body = bodyOf(delivery, places, blog)
    const headers = await signedHeaders(secrets, { id: delivery.event_id, now: readClock(), body })
    const answer = await post(delivery.url, headers, body)
    const [status, now] = [answer?.status ?? null, readClock()]
    const wait = status === GONE ? null : readRetryAfter(answer?.headers.get("Retry-After") ?? "", now)
    const retryAt = status === GONE ? now : nextAttempt(delivery, wait, now)
    const isTaken = isSuccess(status)
    const outcome = { status, dueAt: isTaken ? null : retryAt, wait }
    await noteAttempt(db, delivery, outcome, now)
    if (!isTaken) return
  }
}

/**
 * Delivers the events of an account that are due to its endpoints, at the same time to each. Concurrent runs are safe: an
 * endpoint belongs to one of them.
 * @returns when its endpoints have more to do; null if they have nothing
 * @throws Error if the database fails; after the lease, what was sent may be sent again
 */
export const deliverDue = async (run: DeliveryRun): Promise<Date | null> => {
  const token = crypto.randomUUID()
  const claimed = await claimEndpoints(run.db, { accountId: run.accountId, token, now: run.readClock() })
  if (!claimed) return null
  const settled = await Promise.allSettled(
    claimed.leases.map(async (lease) => {
      await deliverAll(run, claimed.blog, lease.id, lease.deliveries)
      return releaseEndpoint(run.db, lease, run.readClock())
    }),
  )
  for (const one of settled) if (one.status === "rejected") throw one.reason
  const times = settled.flatMap((one) => (one.status === "fulfilled" && one.value ? [one.value.getTime()] : []))
  return times.length > 0 ? new Date(Math.min(...times)) : null
}
