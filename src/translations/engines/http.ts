import { readAll } from "../../bytes.ts"
import { MAX_ENGINE_ANSWER_BYTES } from "../../limits.ts"
import { detailOf, type Failure, outage } from "./engine.ts"

// Sends requests to engines with an HTTP API, and turns their status codes into failures.

const MAX_WAIT_SECONDS = 24 * 60 * 60

/** Reads Retry-After in seconds (RFC 9110 section 10.2.3). A date is compared with the response's own Date. */
const retryAfter = ({ headers }: Response): number | undefined => {
  const header = headers.get("Retry-After")
  if (!header) return undefined
  // `120`; not `Fri, 20 Nov 2026 12:00:00 GMT`.
  const seconds = /^\d+$/.test(header)
    ? Number(header)
    : (Date.parse(header) - Date.parse(headers.get("Date") ?? "")) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(1, Math.ceil(seconds)), MAX_WAIT_SECONDS) : undefined
}

const LIMIT = "A limit of the translation engine is reached. The service retries automatically."
const OUTAGE = "The translation engine is unavailable. The service retries automatically."
const BAD_KEY =
  "The translation engine rejects its key; the operator of this service must replace it. The service retries automatically."
const BAD_ADDRESS =
  "The address of the translation engine is wrong; the operator of this service must correct it. The service retries automatically."

/** The meaning of these depends on the request: the engine decides. */
const REFUSAL_STATUSES = new Set([400, 404, 413, 422])

const failureOf = (response: Response): Failure | null => {
  const { ok, status } = response
  if (ok || REFUSAL_STATUSES.has(status)) return null
  const afterSeconds = retryAfter(response)
  const more = { ...(afterSeconds !== undefined && { afterSeconds }), detail: `HTTP ${status}` }
  if (status === 429 || status === 402) return { kind: "later", code: "engine_limit", message: LIMIT, ...more }
  if (status === 408 || status === 409 || status >= 500) return outage(OUTAGE, more)
  const { detail } = more
  if (status === 401 || status === 403) return { kind: "later", code: "engine_key", message: BAD_KEY, detail }
  return { kind: "later", code: "engine_address", message: BAD_ADDRESS, detail }
}

/**
 * Sends a request to an engine. Does not throw, and follows no redirects.
 * @param secret is kept out of the log
 * @returns the status and JSON (null if it is not JSON or longer than `MAX_ENGINE_ANSWER_BYTES`) of a success or of a 400, 404, 413 or 422; else the failure
 */
export const fetchJson = async (
  url: string,
  init: RequestInit & { signal: AbortSignal },
  secret?: string | null,
): Promise<{ status: number; json: unknown } | { failure: Failure }> => {
  try {
    // A redirect could send the key elsewhere. Workers do not support "error" here.
    const response = await fetch(url, { ...init, redirect: "manual" })
    const failure = failureOf(response)
    if (failure) return { failure }
    const bytes = response.body ? await readAll(response.body.getReader(), MAX_ENGINE_ANSWER_BYTES) : null
    if (!bytes) return { status: response.status, json: null }
    const text = new TextDecoder().decode(bytes)
    try {
      return { status: response.status, json: JSON.parse(text) }
    } catch {
      return { status: response.status, json: null }
    }
  } catch (error) {
    return { failure: outage(OUTAGE, { detail: detailOf(error, secret) }) }
  }
}
