import * as z from "zod"

import { MAX_FIELD_ERRORS, RETRY_AFTER_SECONDS } from "../limits.ts"
import { type ProblemCode, PROBLEMS } from "./problems.ts"

export const FieldError = z
  .object({ field: z.string(), code: z.string(), message: z.string() })
  .meta({ id: "FieldError" })
export type FieldError = z.infer<typeof FieldError>

/** RFC 9457, the one shape of every answer that is not a success. */
export const Problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
    errors: z.array(FieldError),
    request_id: z.string(),
    success: z.literal(false),
    suggested_slug: z.string().optional().meta({ description: "With `duplicate_slug`: a slug that is free." }),
  })
  .meta({ id: "Problem" })

interface Extra {
  errors?: FieldError[]
  headers?: Record<string, string>
  suggested_slug?: string
  /** The body was longer than may be sent. */
  isTooLong?: boolean
  /** What led to it, for the log alone. */
  cause?: unknown
}

export class ApiError extends Error {
  readonly code: ProblemCode
  readonly extra: Extra

  constructor(code: ProblemCode, detail: string = PROBLEMS[code].about, extra: Extra = {}) {
    super(detail, { cause: extra.cause })
    this.code = code
    this.extra = extra
  }
}

/** An error of one field: its code stands in `code` and in `errors`. */
export const fieldError = (field: string, code: ProblemCode, message: string, extra: Extra = {}): ApiError =>
  new ApiError(code, message, { ...extra, errors: [{ field, code, message }] })

/** All field errors at once, as far as anybody reads. Where they agree on a code of the table, the answer has that code. */
export const fieldErrors = (all: FieldError[]): ApiError => {
  const errors = all.slice(0, MAX_FIELD_ERRORS)
  const [first] = errors
  const shared = first && first.code in PROBLEMS && errors.every(({ code }) => code === first.code)
  const code = shared ? (first.code as ProblemCode) : "validation_error"
  return new ApiError(code, errors.map(({ field, message }) => `${field}: ${message}`).join(" "), { errors })
}

/** 401 (RFC 9110 section 11.6.1). */
export const unauthorized = (detail: string): ApiError =>
  new ApiError("unauthorized", detail, { headers: { "WWW-Authenticate": 'Api-Key realm="edgepost"' } })

/** The one answer for a key that is malformed, unknown, revoked, or whose account is gone: nothing to probe for. */
export const invalidKey = (): ApiError =>
  unauthorized("This API key is not valid. Making a new key revokes the old one.")

/** 503: a part of the platform failed; the same request may succeed in a moment. */
export const unavailable = (cause: unknown, detail?: string): ApiError =>
  new ApiError("unavailable", detail, { headers: { "Retry-After": String(RETRY_AFTER_SECONDS) }, cause })
