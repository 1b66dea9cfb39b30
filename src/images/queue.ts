import { ApiError } from "../http/errors.ts"
import { BUSY_RETRY_SECONDS, MAX_CONVERSION_SECONDS, MAX_WAITING_CONVERSIONS, UPLOAD_BODY_SECONDS } from "../limits.ts"

// The uploads of this isolate: their bodies must fit into its memory, and a conversion occupies its only thread.

const POLL_MS = 20
/** After so many milliseconds an upload was ended by the platform, which runs no `finally`. */
const MAX_UPLOAD_MS = (UPLOAD_BODY_SECONDS + (MAX_WAITING_CONVERSIONS + 1) * MAX_CONVERSION_SECONDS) * 1000

/** The accounts with an upload, with the time at which its place is free at the latest, in milliseconds since the epoch. */
const places = new Map<string, number>()
/** The time at which the running conversion has ended at the latest, in milliseconds since the epoch; 0 if none runs. */
let runningUntil = 0

const busy = (detail: string): ApiError =>
  new ApiError("busy", detail, { headers: { "Retry-After": String(BUSY_RETRY_SECONDS) } })

/**
 * Runs an upload in a place of this isolate: one place an account, one place more than `MAX_WAITING_CONVERSIONS` in all.
 * @param work reads the body, converts and stores it
 * @throws ApiError 503 `busy` at once if there is no place
 */
export const withPlace = async <T>(accountId: string, work: () => Promise<T>): Promise<T> => {
  const now = Date.now()
  for (const [id, until] of places) if (until <= now) places.delete(id)
  if (places.has(accountId)) throw busy("Another upload of this account is being converted. Send one at a time.")
  if (places.size > MAX_WAITING_CONVERSIONS) throw busy("Too many images wait to be converted.")
  const until = now + MAX_UPLOAD_MS
  places.set(accountId, until)
  try {
    return await work()
  } finally {
    if (places.get(accountId) === until) places.delete(accountId)
  }
}

/**
 * Runs one conversion at a time, because two would not fit into the isolate's memory.
 * @param pauseMs milliseconds before it begins, in which other requests go on
 */
export const runExclusive = async <T>(pauseMs: number, convert: () => Promise<T>): Promise<T> => {
  // Polls, because promises of a request that the platform has ended never settle.
  while (Date.now() < runningUntil) await scheduler.wait(POLL_MS)
  const until = Date.now() + MAX_CONVERSION_SECONDS * 1000
  runningUntil = until
  try {
    await scheduler.wait(pauseMs)
    return await convert()
  } finally {
    if (runningUntil === until) runningUntil = 0
  }
}
