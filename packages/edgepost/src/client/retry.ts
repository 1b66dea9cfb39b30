import type { EdgepostError } from "./errors.ts"

// Decides whether a request is sent again, and when.

/** The most times that a request is sent, not counting those that a rate limit refused. */
const MAX_ATTEMPTS = 5
/** Longer waits for a rate limit are left to the caller, who sees the last one as `retryAfter`. In seconds. */
export const MAX_WAIT_SECONDS = 300

/** The longest wait after the first attempt, if the service gives no time. It doubles with each attempt. */
const FIRST_BACKOFF_SECONDS = 0.5

/** The clock, the alarm and the dice. Tests hand in their own. */
export interface Timing {
  /** Milliseconds since the epoch. */
  now: () => number
  /** Waits, or throws the reason of the signal as soon as it is aborted. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** From 0, less than 1. */
  random: () => number
}

const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop)
      resolve()
    }, ms)
    signal?.addEventListener("abort", stop, { once: true })
  })

export const REAL_TIMING: Timing = { now: () => Date.now(), sleep, random: () => Math.random() }

/** Reads `RateLimit`. @returns the seconds until another call is allowed, or null if one is allowed now */
export const secondsToLimit = (headers: Headers): number | null => {
  const used = (headers.get("RateLimit") ?? "").split(",").flatMap((limit) => {
    // Matches `"upload";r=0;t=37`, with the 37. Does not match `"upload";r=3;t=60`, which leaves 3 calls.
    const [, seconds] = /;\s*r=0\s*;\s*t=(\d+)/.exec(limit) ?? []
    return seconds === undefined ? [] : [Number(seconds)]
  })
  return used.length > 0 ? Math.max(...used) : null
}

/**
 * Reads how long to wait from `Retry-After`, else from `RateLimit`. A date is compared with the answer's own `Date`.
 * @param now milliseconds since the epoch, for an answer without `Date`
 * @returns seconds, or null if the answer says nothing
 */
export const retryAfterOf = (headers: Headers, now: number): number | null => {
  const header = headers.get("Retry-After")?.trim() ?? ""
  // Matches `120`. Does not match `Wed, 21 Oct 2026 07:28:00 GMT`.
  if (/^\d+$/.test(header)) return Number(header)
  const date = Date.parse(header)
  if (Number.isNaN(date)) return secondsToLimit(headers)
  const answered = Date.parse(headers.get("Date") ?? "")
  return Math.max(0, (date - (Number.isNaN(answered) ? now : answered)) / 1000)
}

/** Tells whether a request can be sent twice and take effect once. */
const isRepeatable = ({ method, headers }: Request): boolean =>
  ["GET", "PUT", "DELETE"].includes(method) ||
  headers.has("Idempotency-Key") ||
  (method === "PATCH" && headers.has("If-Match"))

/** Tells whether a failed request may have taken effect all the same. */
export const mayHaveTakenEffect = ({ code, status }: EdgepostError): boolean =>
  code === "unreachable" || status === 500 || status === 502 || status === 503 || status === 504

/** What a request has been through. */
export interface Attempts {
  /** How often it was sent, from 1. */
  attempt: number
  /** The seconds that it has waited so far. */
  waited: number
}

/** Decides how long to wait before a failed request is sent again. @returns seconds, or null if it must not be sent again */
export const secondsToRetry = (
  request: Request,
  error: EdgepostError,
  { attempt, waited }: Attempts,
  random: () => number,
): number | null => {
  const { code, status, retryAfter } = error
  // Of several uploads that wait for the limit one goes on, and the others wait again.
  const isLimited = status === 429 && (retryAfter ?? 0) > 0
  if (!isLimited && attempt >= MAX_ATTEMPTS) return null
  const isRefused = status === 429 || status === 503 || code === "idempotency_in_progress"
  if (!isRefused && !(mayHaveTakenEffect(error) && isRepeatable(request))) return null
  const seconds = retryAfter ?? random() * FIRST_BACKOFF_SECONDS * 2 ** (attempt - 1)
  return seconds > MAX_WAIT_SECONDS || (isLimited && waited + seconds > MAX_WAIT_SECONDS) ? null : seconds
}

/** Says in a few words why a request waits. */
export const reasonToWait = ({ code, status }: EdgepostError): string => {
  if (code === "unreachable") return "the service does not answer"
  if (code === "idempotency_in_progress") return "an earlier attempt is still running"
  if (status === 429) return "the rate limit is used up"
  return status === 503 ? "the service is busy" : `the service answered ${status}`
}
