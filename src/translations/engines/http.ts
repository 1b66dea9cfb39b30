import { detailOf, type Failure, outage } from "./engine.ts"

// What engines with an HTTP API have in common: how they are asked, and what their refusals mean.

const MAX_WAIT_SECONDS = 24 * 60 * 60

/** Reads Retry-After (RFC 9110 section 10.2.3): seconds, or a date by the clock of the sender. */
const retryAfter = ({ headers }: Response): number | undefined => {
  const header = headers.get("Retry-After")
  if (!header) return undefined
  const seconds = /^\d+$/.test(header)
    ? Number(header)
    : (Date.parse(header) - Date.parse(headers.get("Date") ?? "")) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(1, Math.ceil(seconds)), MAX_WAIT_SECONDS) : undefined
}

const LIMIT = "The translation engine has a limit that is used up for now; it will be asked again."
const OUTAGE = "The translation engine is out of order; it will be asked again."
const REFUSED =
  "The translation engine refuses its key; the operator of this service must replace it. It will be asked again."
const ADDRESS =
  "The address of the translation engine does not take its requests; the operator of this service must correct it. It will be asked again."

/** What these mean depends on what was asked. */
const REFUSALS = new Set([400, 404, 413, 422])

const explain = (response: Response): Failure | null => {
  const { ok, status } = response
  if (ok || REFUSALS.has(status)) return null
  const afterSeconds = retryAfter(response)
  const more = { ...(afterSeconds !== undefined && { afterSeconds }), detail: `HTTP ${status}` }
  if (status === 429 || status === 402) return { kind: "later", code: "engine_limit", message: LIMIT, ...more }
  if (status === 408 || status === 409 || status >= 500) return outage(OUTAGE, more)
  const { detail } = more
  if (status === 401 || status === 403) return { kind: "later", code: "engine_key", message: REFUSED, detail }
  return { kind: "later", code: "engine_address", message: ADDRESS, detail }
}

/**
 * Asks an engine over HTTP.
 * @param secret is kept out of the log
 * @returns the status and JSON of its answer (null: no JSON), be it a success or a refusal of what was asked; or why there is none
 */
export const ask = async (
  url: string,
  init: RequestInit & { signal: AbortSignal },
  secret?: string | null,
): Promise<{ status: number; json: unknown } | { failure: Failure }> => {
  try {
    // A redirect could carry the key elsewhere, and the runtime knows no "error" here.
    const response = await fetch(url, { ...init, redirect: "manual" })
    const failure = explain(response)
    if (failure) return { failure }
    const text = await response.text()
    try {
      return { status: response.status, json: JSON.parse(text) }
    } catch {
      return { status: response.status, json: null }
    }
  } catch (error) {
    return { failure: outage(OUTAGE, { detail: detailOf(error, secret) }) }
  }
}
