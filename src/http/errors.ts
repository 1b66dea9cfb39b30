import * as z from "zod"

import {
  IDEMPOTENCY_KEY_HOURS,
  MAX_FIELD_ERRORS,
  MAX_IMAGE_SIDE_PX,
  MAX_JPEG_SCANS,
  MAX_PASSKEYS,
  MAX_UPLOAD_BYTES,
  RETRY_AFTER_SECONDS,
} from "../limits.ts"

// One table: code → status and what it means. The documentation of errors is made from it.

interface Problem {
  status: 400 | 401 | 403 | 404 | 405 | 409 | 410 | 412 | 416 | 422 | 429 | 500 | 503
  about: string
}

export const PROBLEMS = {
  validation_error: {
    status: 400,
    about: "One or more fields break a rule. `errors` names every one of them with its limit.",
  },
  invalid_json: {
    status: 400,
    about: "The request body is not a JSON object in UTF-8, or is longer than the limit that `detail` names.",
  },
  invalid_multipart: {
    status: 400,
    about: "The request body is not multipart/form-data with exactly one part named `file`.",
  },
  duplicate_slug: {
    status: 400,
    about: "Another post, possibly a draft or another author's, has this slug. `suggested_slug` is free.",
  },
  lang_code_not_listed: {
    status: 400,
    about: "`lang_code` is neither `primary_language` nor in `translation_languages`.",
  },
  body_required: { status: 400, about: "`image_ids` was sent without `body`. Send both." },
  body_too_complex: {
    status: 400,
    about: "The body takes more work than one may; `errors` says what of it there is too much of.",
  },
  unknown_image_id: { status: 400, about: "No picture of this account has this id. Upload it first." },
  file_too_large: {
    status: 400,
    about: `The picture is larger than ${MAX_UPLOAD_BYTES / 2 ** 20} MB (${MAX_UPLOAD_BYTES} bytes).`,
  },
  unsupported_format: { status: 400, about: "The bytes are not a PNG, JPEG or WebP picture." },
  resolution_too_large: { status: 400, about: `The picture is wider or higher than ${MAX_IMAGE_SIDE_PX} pixels.` },
  animated_not_supported: { status: 400, about: "The picture is animated. Send a still one." },
  undecodable_image: {
    status: 400,
    about: `The picture is damaged or cut off, or a JPEG of more than ${MAX_JPEG_SCANS} scans.`,
  },
  invalid_signature: {
    status: 400,
    about: "A webhook whose `Stripe-Signature` is missing, wrong, or not of this time.",
  },
  storage_quota: { status: 400, about: "The account's pictures would take more space than it has." },
  too_many_passkeys: {
    status: 400,
    about: `The account has ${MAX_PASSKEYS} passkeys, which is the most. Remove one first.`,
  },
  unauthorized: {
    status: 401,
    about: "No API key, a malformed, unknown or revoked one, or two different ones.",
  },
  sign_in_required: { status: 401, about: "Nobody is signed in, or the session has ended." },
  passkey_unknown: {
    status: 401,
    about: "Nobody has this passkey here: it was removed, or its account is gone. Ask the operator for a sign-in link.",
  },
  passkey_refused: {
    status: 401,
    about: "What the passkey signed does not hold: it is for another site, not by this passkey, or a copy of it.",
  },
  subscription_required: { status: 403, about: "The account has no paid time left." },
  account_restricted: { status: 403, about: "The operator has restricted this account." },
  not_the_author: { status: 403, about: "The post belongs to another author." },
  cross_site: { status: 403, about: "The form or call was not sent by a page of this service." },
  not_found: { status: 404, about: "There is nothing at this address." },
  method_not_allowed: { status: 405, about: "This address has other methods: see `Allow`." },
  sign_in_link_used: {
    status: 410,
    about: "The sign-in link was used before, has expired or never was. Ask the operator for another one.",
  },
  idempotency_in_progress: {
    status: 409,
    about: "A request with this Idempotency-Key is still running. Send it again after `Retry-After`.",
  },
  passkey_challenge_used: {
    status: 410,
    about: "What the passkey was asked to sign was used before, has expired or never was. Begin anew.",
  },
  image_expired: {
    status: 410,
    about: "The picture was not used in time, or was deleted with the last post that showed it. Upload it again.",
  },
  version_conflict: {
    status: 412,
    about: "The post has changed since the version in `If-Match`. Read it again, then decide.",
  },
  range_not_satisfiable: { status: 416, about: "The picture has fewer bytes: see `Content-Range`." },
  idempotency_key_reused: {
    status: 422,
    about: `This Idempotency-Key came with another request in the last ${IDEMPOTENCY_KEY_HOURS} hours. Make a new key for each request.`,
  },
  rate_limited: {
    status: 429,
    about: "Too many uploads, bodies that are too complex, or attempts to sign in. Wait as long as `Retry-After` says.",
  },
  internal_error: { status: 500, about: "Our fault. The `request_id` finds it in the logs." },
  misconfigured: { status: 500, about: "A variable of this deployment has a bad value; `detail` names it." },
  unavailable: {
    status: 503,
    about:
      "A part of the service does not answer just now, or too many pictures wait to be converted. Try again after `Retry-After`.",
  },
} as const satisfies Record<string, Problem>

export type ProblemCode = keyof typeof PROBLEMS

/** The names of spec.md section 7 for a status, and RFC 9110's for the rest. */
export const TITLES: Record<Problem["status"], string> = {
  400: "ValidationError",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  410: "Gone",
  412: "Precondition Failed",
  416: "Range Not Satisfiable",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
}

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
