import * as z from "zod"

import {
  BODY_SECONDS,
  IDEMPOTENCY_KEY_HOURS,
  MAX_FIELD_ERRORS,
  MAX_IMAGE_SIDE_PX,
  MAX_JPEG_SCANS,
  MAX_PASSKEYS,
  MAX_UPLOAD_BYTES,
  RECENT_SIGN_IN_SECONDS,
  RETRY_AFTER_SECONDS,
  UPLOAD_PACE_BYTES,
  UPLOAD_PACE_SECONDS,
} from "../limits.ts"

// The table of error codes, from which the documentation of errors is generated.

interface Problem {
  status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 410 | 412 | 415 | 416 | 422 | 429 | 500 | 503
  about: string
}

export const PROBLEMS = {
  validation_error: {
    status: 400,
    about: "One or more fields break a rule. `errors` names every one of them with its limit.",
  },
  unknown_parameter: { status: 400, about: "The query has a name that this call does not know, or one name twice." },
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
  unknown_language: {
    status: 400,
    about:
      "The code names no single language: it begins with 4 to 8 letters, or is `und`, `mul`, `zxx` or `mis`. Send a BCP 47 code such as `en`, `pt-BR` or `zh-Hant`.",
  },
  body_required: { status: 400, about: "`image_ids` was sent without `body`. Send both." },
  body_too_complex: {
    status: 400,
    about: "The body is too complex to render. `errors` says what there is too much of, and what to do.",
  },
  unknown_image_id: { status: 400, about: "No image of this account has this id. Upload it first." },
  file_too_large: {
    status: 400,
    about: `The image is larger than ${MAX_UPLOAD_BYTES / 2 ** 20} MB (${MAX_UPLOAD_BYTES} bytes).`,
  },
  unsupported_format: { status: 400, about: "The bytes are not a PNG, JPEG or WebP image." },
  resolution_too_large: { status: 400, about: `The image is wider or higher than ${MAX_IMAGE_SIDE_PX} pixels.` },
  animated_not_supported: { status: 400, about: "The image is animated. Send a still image." },
  undecodable_image: {
    status: 400,
    about: `The image is damaged or cut off, or it is a JPEG with more than ${MAX_JPEG_SCANS} scans.`,
  },
  invalid_signature: {
    status: 400,
    about: "The `Stripe-Signature` of the webhook is missing, wrong or too old.",
  },
  text_quota: {
    status: 400,
    about: "The account's texts have no space left for this body. Delete posts or translations.",
  },
  storage_quota: { status: 400, about: "The account has no space left for this image." },
  too_many_passkeys: {
    status: 400,
    about: `An account has at most ${MAX_PASSKEYS} passkeys. Remove one first.`,
  },
  unauthorized: {
    status: 401,
    about: "The API key is missing, malformed, unknown, revoked or expired, or there are two different keys.",
  },
  sign_in_required: { status: 401, about: "You are not signed in, or your session has ended." },
  recent_sign_in_required: {
    status: 401,
    about: `This needs a sign-in of the last ${RECENT_SIGN_IN_SECONDS / 60} minutes. Sign in again.`,
  },
  passkey_unknown: {
    status: 401,
    about:
      "This passkey is not known here: it was removed, or its account was erased. Ask the operator for a sign-in link.",
  },
  passkey_refused: {
    status: 401,
    about: "The passkey's signature is not valid: it is for another site, or by another passkey.",
  },
  subscription_required: { status: 403, about: "The account has no paid time left." },
  account_restricted: { status: 403, about: "The operator has restricted this account." },
  insufficient_scope: {
    status: 403,
    about:
      "The scope of the API key does not allow this: `draft` keys only write drafts that stay drafts and switch no review off, `read` keys only read the account and posts that readers can see.",
  },
  not_the_author: { status: 403, about: "The post belongs to another author." },
  cross_site: { status: 403, about: "The request was not sent by a page of this service." },
  not_found: { status: 404, about: "There is nothing at this address." },
  method_not_allowed: { status: 405, about: "This address has other methods: see `Allow`." },
  body_timeout: {
    status: 408,
    about: `The request body did not arrive in time: within ${BODY_SECONDS} seconds, and an upload with at least ${UPLOAD_PACE_BYTES} bytes in each ${UPLOAD_PACE_SECONDS} seconds. Nothing was written.`,
  },
  sign_in_link_used: {
    status: 410,
    about:
      "The sign-in link was used, has expired or does not exist. If you are signed in already, go to the settings. Else ask the operator for another one.",
  },
  idempotency_in_progress: {
    status: 409,
    about: "A request with this Idempotency-Key is still running. Send it again after `Retry-After`.",
  },
  passkey_challenge_used: {
    status: 410,
    about: "The passkey's challenge was used, has expired or does not exist. Start again.",
  },
  image_expired: {
    status: 410,
    about: "The image was not used in time, or was deleted with the last post that showed it. Upload it again.",
  },
  version_conflict: {
    status: 412,
    about: "The post has changed since the version in `If-Match`. Read it again, then repeat your change.",
  },
  unsupported_media_type: {
    status: 415,
    about: "The body is compressed (`Content-Encoding`), or has another content type than its address takes.",
  },
  range_not_satisfiable: { status: 416, about: "The image has fewer bytes: see `Content-Range`." },
  idempotency_key_reused: {
    status: 422,
    about: `This Idempotency-Key came with another request in the last ${IDEMPOTENCY_KEY_HOURS} hours. Make a new key for each request.`,
  },
  rate_limited: {
    status: 429,
    about:
      "Too many uploads, writes, bodies that are too complex, unknown API keys or attempts to sign in. Wait as long as `Retry-After` says.",
  },
  internal_error: {
    status: 500,
    about: "The service failed. Tell the operator the `request_id`: it finds the error in the logs.",
  },
  not_set_up: { status: 503, about: "The deployment has no PUBLIC_ORIGIN yet. The page `/` says what to set." },
  misconfigured: { status: 500, about: "A variable of this deployment is not valid. `detail` names it." },
  busy: {
    status: 503,
    about:
      "Too many uploads wait for their turn, or this one has waited too long. It did not count as an upload. Send it again after `Retry-After`.",
  },
  unavailable: { status: 503, about: "A part of the service does not answer. Try again after `Retry-After`." },
} as const satisfies Record<string, Problem>

export type ProblemCode = keyof typeof PROBLEMS

/** The names of spec.md section 7 for a status, and RFC 9110's for the rest. */
export const TITLES: Record<Problem["status"], string> = {
  400: "ValidationError",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  412: "Precondition Failed",
  415: "Unsupported Media Type",
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

/** The body of every error answer: problem details (RFC 9457). */
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

/** A page to which an error page links, with its name. */
export interface Home {
  href: string
  name: string
}

interface Extra {
  /** The blog of a readers' page that does not exist. */
  home?: Home
  errors?: FieldError[]
  headers?: Record<string, string>
  suggested_slug?: string
  /** The body was longer than the limit. */
  isTooLong?: boolean
  /** The original error, for the log only. */
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

/** Returns, but does not throw, the error for one invalid field. `code` decides the status, and is also the field's code. */
export const fieldError = (field: string, code: ProblemCode, message: string, extra: Extra = {}): ApiError =>
  new ApiError(code, message, { ...extra, errors: [{ field, code, message }] })

/** Returns at most `MAX_FIELD_ERRORS` errors; if some are left out, each field keeps its first one. */
const limitErrors = (all: FieldError[]): FieldError[] => {
  if (all.length <= MAX_FIELD_ERRORS) return all
  const fields = [...Map.groupBy(all, ({ field }) => field.split(".")[0]).values()]
  return [...fields.map(([first]) => first), ...fields.flatMap(([, ...others]) => others)]
    .filter((error) => error !== undefined)
    .slice(0, MAX_FIELD_ERRORS)
}

/**
 * Returns one error for several invalid fields; those above `MAX_FIELD_ERRORS` are left out.
 * Its code is that of the fields if all have the same code of `PROBLEMS`, else `validation_error` (400).
 */
export const fieldErrors = (all: FieldError[]): ApiError => {
  const errors = limitErrors(all)
  const [first] = errors
  const shared = first && first.code in PROBLEMS && errors.every(({ code }) => code === first.code)
  const code = shared ? (first.code as ProblemCode) : "validation_error"
  return new ApiError(code, errors.map(({ field, message }) => `${field}: ${message}`).join(" "), { errors })
}

/** Returns an ApiError 401 that asks for an API key in `WWW-Authenticate` (RFC 9110 section 11.6.1). */
export const unauthorized = (detail: string): ApiError =>
  new ApiError("unauthorized", detail, { headers: { "WWW-Authenticate": 'Api-Key realm="edgepost"' } })

/** Returns the ApiError 401 for every kind of invalid API key. Its text is always the same, so that callers learn nothing about keys. */
export const invalidKey = (): ApiError => unauthorized("This API key is not valid: it is unknown, revoked or expired.")

/** Returns an ApiError 503 with `Retry-After`, for a part of the platform that failed for now. @param cause for the log only */
export const unavailable = (cause: unknown, detail?: string): ApiError =>
  new ApiError("unavailable", detail, { headers: { "Retry-After": String(RETRY_AFTER_SECONDS) }, cause })
