import type * as z from "zod"

import type { AppContext } from "../http/context.ts"
import type { Problem } from "../http/errors.ts"
import { readSentFields } from "../http/read-body.ts"
import type { Warning } from "../http/validate.ts"
import { MAX_FORM_BYTES } from "../limits.ts"

// What Micropub asks of every request: where its token may stand, and how errors read (W3C Micropub, sections 3.8 and 4).

/** Tells whether the headers hold a token or an API key. */
export const hasTokenHeader = (c: AppContext): boolean =>
  c.req.header("Authorization") !== undefined || c.req.header("X-API-KEY") !== undefined

const tokenOf = async (c: AppContext): Promise<string | undefined> => {
  // Matches `Bearer abc`. Does not match `Api-Key abc`.
  const [, bearer] = /^Bearer\s+(.*)$/i.exec(c.req.header("Authorization")?.trim() ?? "") ?? []
  // Two keys are none, as everywhere.
  if (bearer !== undefined) return bearer === (c.req.header("X-API-KEY") ?? bearer) ? bearer : ""
  // Read before anybody is known, so only a short form.
  if (hasTokenHeader(c)) return undefined
  const [token, ...others] = (await readSentFields(c, MAX_FORM_BYTES)).getAll("access_token")
  return others.every((other) => other === token) ? token : ""
}

/** The names that Micropub has for the fields of a post. */
const PROPERTIES: Record<string, string> = {
  title: "name",
  body: "content",
  meta_description: "summary",
  categories: "category",
  tags: "category",
  published_at: "published",
  slug: "mp-slug",
}

const ERRORS: Record<number, string> = { 400: "invalid_request", 401: "unauthorized", 403: "forbidden" }

/** Names a field of a post as Micropub does. */
export const inMicropub = <T extends Pick<Warning, "field">>(each: T): T => ({
  ...each,
  field: PROPERTIES[each.field] ?? each.field,
})

/** Returns problem details with Micropub's names of the error and of its fields. */
const withMicropubNames = (problem: z.infer<typeof Problem>) => {
  const errors = problem.errors.map(inMicropub)
  const error_description = errors.map(({ field, message }) => `${field}: ${message}`).join(" ") || problem.detail
  const error = problem.code === "insufficient_scope" ? problem.code : (ERRORS[problem.status] ?? problem.code)
  return { ...problem, detail: error_description, errors, error, error_description }
}

/** Middleware that takes the API key of a request from `Bearer` or from the form's `access_token`, and names errors as Micropub does. */
export const micropubOnly = async (c: AppContext, next: () => Promise<void>): Promise<void> => {
  c.set("token", await tokenOf(c))
  await next()
  if (c.res.headers.get("Content-Type") !== "application/problem+json") return
  const { status, headers } = c.res
  c.res = new Response(JSON.stringify(withMicropubNames(await c.res.json())), { status, headers })
}
