import type { components } from "./openapi.ts"

/** The body of an answer that is not a success: problem details (RFC 9457). */
export type Problem = components["schemas"]["Problem"]
export type FieldError = components["schemas"]["FieldError"]

/**
 * Codes of errors that the client finds itself:
 * - `invalid_options`: the address or the key cannot be used; no request was sent
 * - `unreachable`: no answer arrived, or only part of one
 * - `redirected`: the answer leads to another address, which must not get the key
 * - `unexpected_answer`: the answer is not of edgepost, such as a page of a proxy
 * - `timeout`: the translations took longer than `timeoutMs`
 */
export type ClientCode = "invalid_options" | "unreachable" | "redirected" | "unexpected_answer" | "timeout"

interface Facts {
  code: Problem["code"] | ClientCode
  detail: string
  status?: number
  title?: string
  errors?: FieldError[]
  requestId?: string | null
  retryAfter?: number | null
  problem?: Problem | null
}

/** The reason why a call failed. Decide by `code`; `message` and `detail` are for people. */
export class EdgepostError extends Error {
  override readonly name = "EdgepostError"
  /** A stable code: of the service's table of errors, or of the client. */
  readonly code: Problem["code"] | ClientCode
  /** HTTP status; 0 without an answer. */
  readonly status: number
  /** The kind of error in a few words, such as `Precondition Failed`. */
  readonly title: string
  /** A sentence for people: what is wrong, and what to do. Equals `message`. */
  readonly detail: string
  /** Every wrong field with its code and message; empty if the error is not about fields. */
  readonly errors: FieldError[]
  /** Finds the request in the service's logs; null without an answer. */
  readonly requestId: string | null
  /** Seconds to wait before the call can succeed, if the service says so. */
  readonly retryAfter: number | null
  /** The problem document as it was received; null if there was none. It may hold more, such as `suggested_slug`. */
  readonly problem: Problem | null

  constructor({ code, detail, ...facts }: Facts, cause?: unknown) {
    super(detail, cause === undefined ? {} : { cause })
    this.code = code
    this.detail = detail
    this.status = facts.status ?? 0
    this.title = facts.title ?? ""
    this.errors = facts.errors ?? []
    this.requestId = facts.requestId ?? null
    this.retryAfter = facts.retryAfter ?? null
    this.problem = facts.problem ?? null
  }
}

const parseProblem = (text: string): Problem | null => {
  try {
    const data: unknown = JSON.parse(text)
    return typeof data === "object" && data !== null && "code" in data && "detail" in data ? (data as Problem) : null
  } catch {
    return null
  }
}

/** Returns the error of a failed answer. @param retryAfter seconds, or null if the answer names none */
export const errorOf = (response: Response, text: string, retryAfter: number | null): EdgepostError => {
  const { status, statusText, headers } = response
  const problem = parseProblem(text)
  const requestId = problem?.request_id ?? headers.get("X-Request-Id")
  if (problem) {
    const { code, title, detail, errors } = problem
    return new EdgepostError({ code, status, title, detail, errors, requestId, retryAfter, problem })
  }
  const detail = `The answer is ${status}, and does not come from edgepost: a server in between may have failed.`
  return new EdgepostError({ code: "unexpected_answer", status, title: statusText, detail, requestId, retryAfter })
}

/** Tells whether an answer leads elsewhere. Browsers hide the status of such an answer. */
const isRedirect = ({ type, status }: Response): boolean =>
  type === "opaqueredirect" || [301, 302, 303, 307, 308].includes(status)

/** Throws if an answer is neither one of edgepost nor an error. @throws EdgepostError */
export const requireEdgepost = (request: Request, response: Response): void => {
  const { status, headers, ok } = response
  const { origin } = new URL(request.url)
  const requestId = headers.get("X-Request-Id")
  if (isRedirect(response)) {
    const location = headers.get("Location")
    const detail = `${origin} redirects to ${location ?? "another address"}. Give the address at which edgepost answers itself.`
    throw new EdgepostError({ code: "redirected", status, title: "Redirected", detail, requestId })
  }
  if (!ok || status === 204 || headers.get("Content-Type")?.includes("json")) return
  const detail = `${origin} does not answer like edgepost. Check the address.`
  throw new EdgepostError({ code: "unexpected_answer", status, title: "Unexpected answer", detail, requestId })
}

/** Returns the most telling message of a failed fetch: Node's names the reason only in its cause. */
const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  if (cause.cause === undefined) return cause.message
  return "code" in Object(cause.cause) ? String(Object(cause.cause).code) : reasonOf(cause.cause)
}

/** Returns the error of a request that got no answer, or only part of one. */
export const unreachable = ({ url }: Request, cause: unknown): EdgepostError => {
  const detail = `${new URL(url).origin} does not answer (${reasonOf(cause)}).`
  return new EdgepostError({ code: "unreachable", title: "Unreachable", detail }, cause)
}
