import type * as z from "zod"

import type { ProblemCode } from "./errors.ts"

export type Method = "GET" | "POST" | "PATCH" | "DELETE"
/**
 * Who may call: anybody, the holder of an API key, the operator; of the service's own pages and their forms anybody, an
 * author or the operator who is signed in.
 */
export type Access = "public" | "key" | "operator" | "page" | "author" | "operator-page"

export interface Success {
  description: string
  schema?: z.ZodType
  contentType?: string
  headers?: Record<string, string>
}

/** One method of one address: what the router mounts and what the OpenAPI document says of it. */
export interface Operation {
  method: Method
  /** Hono's syntax, with the trailing slash of the spec. */
  path: string
  access: Access
  /** Unique; the name that generated clients give the call. */
  operationId: string
  /** Pages for people are left out of the OpenAPI document. */
  tag: string | null
  summary: string
  description?: string
  params?: z.ZodObject
  query?: z.ZodObject
  headers?: z.ZodObject
  body?: z.ZodObject
  /** Of the body; JSON where it is left out. */
  contentType?: typeof FORM | typeof MULTIPART
  /** Bytes of the body. */
  bodyLimit?: number
  /** Field errors are reported only after the author is known: the handler throws them. */
  authorFirst?: true
  /** A body that may be sent. */
  example?: Record<string, unknown>
  /** Whether it takes an Idempotency-Key. */
  isOnce?: boolean
  successes: Record<number, Success>
  /** Codes beside those that its access class brings. */
  problems: ProblemCode[]
}

/** The answer of a page. */
export const shown = { 200: { description: "The page", contentType: "text/html" } }
export const FORM = "application/x-www-form-urlencoded"
export const MULTIPART = "multipart/form-data"

/** The answer to a form: where the browser goes next. */
export const moved = (to: string) => ({ 303: { description: to, headers: { Location: to } } })

/** Problem codes of each access class. */
const ACCESS_PROBLEMS: Record<Access, ProblemCode[]> = {
  public: [],
  key: ["unauthorized", "subscription_required", "account_restricted"],
  operator: ["unauthorized", "not_found", "rate_limited"],
  page: ["cross_site"],
  author: ["cross_site", "sign_in_required"],
  "operator-page": ["cross_site", "sign_in_required", "not_found"],
}

/** What was made may be gone by then. */
const ONCE_PROBLEMS: ProblemCode[] = [
  "validation_error",
  "idempotency_in_progress",
  "idempotency_key_reused",
  "not_found",
  "image_expired",
]

/** Every code that an operation may answer: its own, its access class's, and those that can befall any. */
export const problemsOf = ({ access, problems, isOnce }: Operation): ProblemCode[] => [
  ...new Set<ProblemCode>([
    ...problems,
    ...ACCESS_PROBLEMS[access],
    ...(isOnce ? ONCE_PROBLEMS : []),
    "not_found",
    "internal_error",
    "misconfigured",
    "unavailable",
  ]),
]
