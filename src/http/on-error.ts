import type { Context } from "hono"
import type * as z from "zod"

import { isReaderPage } from "../addresses.ts"
import { isUnavailable } from "../db/client.ts"
import { log, trace } from "../log.ts"
import { hasTypedText, renderProblem } from "../ui/error-page.tsx"
import { PAGE_HEADERS } from "../ui/layout.tsx"
import { renderReaderProblem } from "../ui/reader-error-page.ts"
import { READER_POLICY } from "../ui/reader-headers.ts"
import { type AppEnv, routeOf } from "./context.ts"
import { ApiError, PROBLEMS, type Problem, type ProblemCode, TITLES, unavailable } from "./errors.ts"
import { networkHash, takeCall } from "./rate-limit.ts"
import { readSentForm } from "./read-body.ts"
import { isForPrograms } from "./route.ts"

/** Returns the path of the sign-in page for a page. */
const signInPath = (path: string): string => (path.startsWith("/operator") ? "/operator/sign-in/" : "/sign-in/")

const asApiError = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error
  if (isUnavailable(error)) return unavailable(error)
  return new ApiError("internal_error")
}

/** Tells whether a browser asks for a page: `Accept` names HTML, and the path is not for programs, such as `/api/…`. */
export const isForPerson = (c: Context<AppEnv>): boolean =>
  /\btext\/html\b/.test(c.req.header("Accept") ?? "") && !isForPrograms(c.req.path)

/**
 * Returns the author's form that has failed, if it holds text; null if its Origin was not checked, since another site may
 * have sent it. Forms without a session are counted by network: over the limit they are not read.
 */
const keptForm = async (c: Context<AppEnv>, code: ProblemCode) => {
  if (!c.get("keepsForm")) return null
  const { pathname, search } = new URL(c.req.url)
  const signIn = code === "sign_in_required" ? signInPath(pathname) : null
  if (signIn !== null && !(await takeCall(c.env.ATTEMPT_LIMITER, await networkHash(c, "form")))) return null
  const sent = await readSentForm(c)
  return hasTypedText(sent) ? { action: pathname + search, sent, signIn, maySave: PROBLEMS[code].status >= 500 } : null
}

/**
 * Answers a request that threw an error: a page for browsers, problem details (RFC 9457) for programs. Redirects a browser
 * that is not signed in to the sign-in page, unless its form holds text. Unknown errors become 500. Logs errors from 500 on.
 */
export const onError = async (error: unknown, c: Context<AppEnv>): Promise<Response> => {
  const { code, message: detail, extra } = asApiError(error)
  const { status } = PROBLEMS[code]
  const request_id = c.get("requestId")
  // The handler may have set them already. Rate-limit headers stay.
  for (const name of ["ETag", "Link", "Location", "Retry-After"]) c.header(name, undefined)
  // An upload without a place is no failure of the service.
  if (status >= 500 && code !== "busy")
    log("error", { message: "request.failed", request_id, route: routeOf(c), code, error: trace(error) })
  if (isForPerson(c)) {
    const { path } = c.req
    if (code === "recent_sign_in_required") return c.redirect("/sign-in/?again=1", 303)
    const kept = await keptForm(c, code)
    if (code === "sign_in_required" && !kept) return c.redirect(signInPath(path), 303)
    if (isReaderPage(path)) {
      // Without a valid configuration there is no origin.
      const origin = c.get("origin") as string | undefined
      const home = extra.home ?? (origin === undefined ? null : { href: `${origin}/`, name: "edgepost" })
      const page = renderReaderProblem({ title: TITLES[status], detail, home })
      const policy = { "Content-Security-Policy": READER_POLICY, "Cache-Control": "no-store" }
      return c.html(page, status, { ...policy, ...extra.headers })
    }
    const title = kept?.signIn ? "Sign in again" : TITLES[status]
    const page = renderProblem({ title, detail, errors: extra.errors ?? [], request_id, path, kept })
    return c.html(page, status, { ...PAGE_HEADERS, ...extra.headers })
  }
  return c.json(
    {
      type: `/docs/errors#${code}`,
      title: TITLES[status],
      status,
      detail,
      code,
      errors: extra.errors ?? [],
      request_id,
      success: false,
      ...(extra.suggested_slug && { suggested_slug: extra.suggested_slug }),
    } satisfies z.infer<typeof Problem>,
    status,
    { "Content-Type": "application/problem+json", "Cache-Control": "no-store", ...extra.headers },
  )
}
