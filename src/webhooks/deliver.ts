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
import { secretOf, signedHeaders } from "./sign.ts"
import { type Claimed, claimEndpoints, type Delivery, isSuccess, noteAttempt, releaseEndpoint } from "./store.ts"

/** The input of a run. */
export interface DeliveryRun {
  db: Db
  accountId: string
  places: Places
  operatorToken: string
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

/** Sends a message. @returns the status of the answer, whose body is not read; null without an answer in time */
const post = async (url: string, headers: Record<string, string>, body: string): Promise<number | null> => {
  try {
    const answer = await fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: { "Content-Type": "application/json", "User-Agent": "edgepost", ...headers },
      body,
      signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_SECONDS * 1000),
    })
    await answer.body?.cancel()
    return answer.status
  } catch {
    return null
  }
}

/** Returns when a failed delivery is tried again, the last time a day after its event; null after that. */
const nextAttempt = ({ attempts, starts_at }: Delivery, now: Date): Date | null => {
  const seconds = Math.min(WEBHOOK_RETRY_SECONDS * WEBHOOK_RETRY_FACTOR ** attempts, MAX_WEBHOOK_RETRY_SECONDS)
  const end = starts_at.getTime() + WEBHOOK_SECONDS * 1000
  return now.getTime() < end ? new Date(Math.min(now.getTime() + seconds * 1000, end)) : null
}

/** Delivers what an endpoint has to get, one after another, until its time is over. */
const deliverAll = async (
  { db, places, operatorToken, readClock }: DeliveryRun,
  blog: BlogOwner,
  endpointId: string,
  all: Claimed["deliveries"],
): Promise<void> => {
  const secret = await secretOf(operatorToken, endpointId)
  const end = readClock().getTime() + WEBHOOK_RUN_SECONDS * 1000
  for (const delivery of all) {
    if (readClock().getTime() > end) return
    const body = bodyOf(delivery, places, blog)
    const headers = await signedHeaders(secret, { id: delivery.event_id, now: readClock(), body })
    const status = await post(delivery.url, headers, body)
    const now = readClock()
    await noteAttempt(db, delivery, { status, dueAt: isSuccess(status) ? null : nextAttempt(delivery, now) }, now)
  }
}

/**
 * Delivers the events of an account that are due to its endpoints, at the same time to each. Concurrent runs are safe: an
 * endpoint belongs to one of them.
 * @returns when the next delivery is due; null without one
 * @throws Error if the database fails; after the lease, what was sent may be sent again
 */
export const deliverDue = async (run: DeliveryRun): Promise<Date | null> => {
  const token = crypto.randomUUID()
  const claimed = await claimEndpoints(run.db, { accountId: run.accountId, token, now: run.readClock() })
  if (!claimed) return null
  const endpoints = Map.groupBy(claimed.deliveries, ({ endpoint_id }) => endpoint_id)
  const settled = await Promise.allSettled(
    [...endpoints].map(async ([id, deliveries]) => {
      await deliverAll(run, claimed.blog, id, deliveries)
      return releaseEndpoint(run.db, id, token)
    }),
  )
  for (const one of settled) if (one.status === "rejected") throw one.reason
  const times = settled.flatMap((one) => (one.status === "fulfilled" && one.value ? [one.value.getTime()] : []))
  return times.length > 0 ? new Date(Math.min(...times)) : null
}
