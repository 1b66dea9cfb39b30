import { EdgepostError, errorOf, requireEdgepost, unreachable } from "./errors.ts"
import {
  MAX_WAIT_SECONDS,
  mayHaveTakenEffect,
  reasonToWait,
  retryAfterOf,
  secondsToLimit,
  secondsToRetry,
  type Timing,
} from "./retry.ts"

export interface SendOptions {
  fetch: (request: Request) => Promise<Response>
  signal: AbortSignal | undefined
  onWait: ((seconds: number, reason: string) => void) | undefined
}

/** Shorter waits are not worth a word. */
const MIN_TOLD_SECONDS = 1

/** Returns an answer with its whole text, so that nothing can fail later. Its bytes are neither compressed nor counted any more. */
const withText = ({ status, headers }: Response, text: string): Response => {
  const kept = new Headers(headers)
  kept.delete("Content-Encoding")
  kept.delete("Content-Length")
  return new Response(status === 204 ? null : text, { status, headers: kept })
}

/**
 * Returns a fetch that sends a request until it succeeds or must not be sent again. It throws an EdgepostError for each
 * answer that is not a success. After a call that used up a rate limit, the next call to the same path waits.
 */
export const createSend = ({ fetch, signal, onWait }: SendOptions, timing: Timing) => {
  /** The time at which a call is allowed again, in milliseconds since the epoch, by method and path. */
  const allowedAt = new Map<string, number>()

  const wait = async (seconds: number, reason: string): Promise<void> => {
    if (seconds > MIN_TOLD_SECONDS) onWait?.(seconds, reason)
    await timing.sleep(seconds * 1000, signal)
  }

  const waitForLimit = async (call: string): Promise<void> => {
    for (;;) {
      const seconds = ((allowedAt.get(call) ?? 0) - timing.now()) / 1000
      if (seconds <= 0) return
      await wait(seconds, "the rate limit is used up")
    }
  }

  const fetchWhole = async (request: Request): Promise<{ response: Response; text: string }> => {
    try {
      const response = await fetch(request.clone())
      return { response, text: await response.text() }
    } catch (cause) {
      signal?.throwIfAborted()
      throw unreachable(request, cause)
    }
  }

  const sendOnce = async (request: Request): Promise<Response> => {
    const call = `${request.method} ${new URL(request.url).pathname}`
    await waitForLimit(call)
    const { response, text } = await fetchWhole(request)
    requireEdgepost(request, response)
    if (!response.ok) throw errorOf(response, text, retryAfterOf(response.headers, timing.now()))
    const seconds = secondsToLimit(response.headers)
    if (seconds !== null && seconds <= MAX_WAIT_SECONDS) allowedAt.set(call, timing.now() + seconds * 1000)
    return withText(response, text)
  }

  return async (request: Request): Promise<Response> => {
    let isUncertain = false
    for (let attempt = 1, waited = 0; ; attempt += 1) {
      try {
        return await sendOnce(request)
      } catch (error) {
        if (!(error instanceof EdgepostError)) throw error
        // An earlier attempt has deleted it.
        if (isUncertain && request.method === "DELETE" && error.status === 404)
          return new Response(null, { status: 204 })
        const seconds = secondsToRetry(request, error, { attempt, waited }, timing.random)
        if (seconds === null) throw error
        isUncertain ||= mayHaveTakenEffect(error)
        waited += seconds
        await wait(seconds, reasonToWait(error))
      }
    }
  }
}
