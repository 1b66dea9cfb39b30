import * as z from "zod"

import { IDEMPOTENCY_KEY_HOURS, MAX_IDEMPOTENCY_KEY_CHARS } from "../limits.ts"
import type { ProblemCode } from "./errors.ts"
import { refuse } from "./fields.ts"

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
/**
 * Who may call a route. `public` takes any caller, `key` an API key, `operator` the operator's token.
 * `page`, `author` and `operator-page` are pages and forms for any visitor, a signed-in author and a signed-in operator;
 * `recent-author` for an author who has signed in within the last `RECENT_SIGN_IN_SECONDS`.
 */
export type Access = "public" | "key" | "operator" | "page" | "author" | "recent-author" | "operator-page"

export interface Success {
  description: string
  schema?: z.ZodType
  contentType?: string
  headers?: Record<string, string>
}

interface Declared {
  method: Method
  /** The path in Hono's syntax, with a trailing slash. */
  path: string
  access: Access
  description?: string
  params?: z.ZodObject
  query?: z.ZodObject
  headers?: z.ZodObject
  body?: z.ZodObject
  /** The content type of the body; JSON by default. */
  contentType?: typeof FORM | typeof MULTIPART
  /** The most bytes that a body may have. */
  bodyLimit?: number
  /** The handler of a form throws the field errors itself, since it shows the form again. */
  checksAuthorFirst?: true
  /** An example body for the documentation. */
  example?: Record<string, unknown>
  /** The post of the path is read in one batch with the key, before the body. */
  readsPost?: true
  /** API keys with the scope `draft` may call the route, although it writes. */
  isForDrafts?: true
  /** API keys with the scope `read` may not call the route, although it only reads. */
  isPrivate?: true
  /** A call of Micropub, whose API key may also stand where its clients put it. */
  isMicropub?: true
  /** The route accepts an Idempotency-Key. */
  acceptsIdempotencyKey?: boolean
  successes: Record<number, Success>
  /** Error codes, in addition to those of the access class. */
  problems?: ProblemCode[]
}

/** An operation of the OpenAPI document. */
export interface Documented extends Declared {
  /** A unique name, which generated clients give their method. */
  operationId: string
  /** The section of the document. */
  tag: string
  summary: string
  problems: ProblemCode[]
}

/** A page, a form or a call by a page's script, which the OpenAPI document leaves out. */
interface Undocumented extends Declared {
  tag: null
}

/** Declares one method of one path, for the router, the validator and the OpenAPI document. */
export type Operation = Documented | Undocumented

/** The declared answer of an HTML page. */
export const shown = { 200: { description: "The page", contentType: "text/html" } }
export const FORM = "application/x-www-form-urlencoded"
export const MULTIPART = "multipart/form-data"

/** Returns the declaration of a redirect with status 303, which answers a form. @param to describes the target in words */
export const moved = (to: string) => ({ 303: { description: to, headers: { Location: to } } })

/** The error codes of each access class. */
const ACCESS_PROBLEMS: Record<Access, ProblemCode[]> = {
  public: [],
  key: ["unauthorized", "subscription_required", "account_restricted", "insufficient_scope", "rate_limited"],
  operator: ["unauthorized", "not_found", "rate_limited"],
  page: ["cross_site", "unsupported_media_type", "rate_limited"],
  author: ["cross_site", "unsupported_media_type", "sign_in_required", "rate_limited"],
  "recent-author": [
    "cross_site",
    "unsupported_media_type",
    "sign_in_required",
    "recent_sign_in_required",
    "rate_limited",
  ],
  "operator-page": ["cross_site", "unsupported_media_type", "sign_in_required", "not_found", "rate_limited"],
}

/** The error codes of routes with an Idempotency-Key: the result of the first request may be deleted. */
const ONCE_PROBLEMS: ProblemCode[] = [
  "validation_error",
  "idempotency_in_progress",
  "idempotency_key_reused",
  "not_found",
  "image_expired",
]

/** Tells whether an operation is one of the API, which refuses unknown names in a query: `/api/…`, not `/micropub/`. */
export const knowsItsQuery = ({ path }: Operation): boolean => /^\/(?:operator\/)?api\//.test(path)

/** Tells whether an operation is a POST to a page, by a form or by the page's script. */
export const isPagePost = ({ method, access }: Operation): boolean =>
  method === "POST" && ACCESS_PROBLEMS[access].includes("cross_site")

/** Lists every error code that an operation can answer with: declared ones, and those of its access class and of all routes. */
export const problemsOf = (operation: Operation): ProblemCode[] => [
  ...new Set<ProblemCode>([
    ...(operation.problems ?? []),
    ...(knowsItsQuery(operation) ? (["unknown_parameter"] as const) : []),
    ...ACCESS_PROBLEMS[operation.access],
    ...(operation.acceptsIdempotencyKey ? ONCE_PROBLEMS : []),
    ...(operation.body ? (["body_timeout", "unsupported_media_type"] as const) : []),
    "not_found",
    "internal_error",
    "misconfigured",
    "not_set_up",
    "unavailable",
  ]),
]

// Matches `order-17`. Does not match `é`.
const PRINTABLE_ASCII = /^[\x20-\x7e]+$/

const IdempotencyKey = z.object({
  "Idempotency-Key": z
    .string()
    .superRefine((key, ctx) => {
      if (!PRINTABLE_ASCII.test(key) || key.length > MAX_IDEMPOTENCY_KEY_CHARS)
        refuse(ctx, "validation_error", `Send 1 to ${MAX_IDEMPOTENCY_KEY_CHARS} characters of printable ASCII.`)
    })
    .optional()
    .meta({
      minLength: 1,
      maxLength: MAX_IDEMPOTENCY_KEY_CHARS,
      pattern: PRINTABLE_ASCII.source,
      description: `A repeated request with the same key takes effect only once; keys are kept for ${IDEMPOTENCY_KEY_HOURS} hours`,
    }),
})

/** Returns the schema of all headers that an operation reads, its Idempotency-Key included; undefined if it reads none. */
export const headersOf = ({ headers, acceptsIdempotencyKey }: Operation): z.ZodObject | undefined =>
  acceptsIdempotencyKey ? IdempotencyKey.extend(headers?.shape ?? {}) : headers
