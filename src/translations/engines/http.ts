import { ENGINE_TIMEOUT_MS } from "../../limits.ts"
import { type Failure, outage } from "./engine.ts"

// What engines behind HTTP have in common: a limit on their time, and what their refusals mean.

/** RFC 9110 section 10.2.3: seconds or a date. */
const retryAfter = (response: Response, now: Date): number | undefined => {
  const header = response.headers.get("Retry-After")
  if (!header) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - now.getTime()) / 1000
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : undefined
}

const LIMIT = "The translation engine has a limit that is used up for now; it will be asked again."
const OUTAGE = "The translation engine is out of order; it will be asked again."
const REFUSED =
  "The translation engine refuses its key; whoever runs this service has to see to it. It will be asked again."

const explain = (response: Response): { failure: Failure } | null => {
  const { status } = response
  const afterSeconds = retryAfter(response, new Date())
  if (status === 429 || status === 402)
    return { failure: { kind: "later", code: "engine_limit", message: LIMIT, ...(afterSeconds && { afterSeconds }) } }
  if (status === 401 || status === 403) return { failure: { kind: "later", code: "engine_key", message: REFUSED } }
  if (status === 408 || status === 409 || status >= 500) return outage("engine_unavailable", OUTAGE, afterSeconds)
  return null
}

/**
 * Asks an engine over HTTP.
 * @returns the status and JSON of its answer (null: no JSON), or why there is none
 */
export const ask = async (
  url: string,
  init: RequestInit,
): Promise<{ status: number; json: unknown } | { failure: Failure }> => {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(ENGINE_TIMEOUT_MS), redirect: "error" })
    const failure = explain(response)
    if (failure) return failure
    const text = await response.text()
    try {
      return { status: response.status, json: JSON.parse(text) }
    } catch {
      return { status: response.status, json: null }
    }
  } catch {
    return outage("engine_unavailable", OUTAGE)
  }
}
