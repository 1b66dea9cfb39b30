import type { Context } from "hono"
import { HTTPException } from "hono/http-exception"
import type * as z from "zod"

import { isReaderPage } from "../config.ts"
import { isUnavailable } from "../db/client.ts"
import { log, trace } from "../log.ts"
import { renderProblem } from "../ui/error-page.tsx"
import { PAGE_HEADERS } from "../ui/layout.tsx"
import { renderReaderProblem } from "../ui/reader-error-page.ts"
import { READER_POLICY } from "../ui/reader-headers.ts"
import { type AppEnv, routeOf } from "./context.ts"
import { ApiError, PROBLEMS, type Problem, TITLES, unavailable } from "./errors.ts"
import { isForPrograms } from "./route.ts"

/** Returns the path of the sign-in page for a page. */
const signInPath = (path: string): string => (path.startsWith("/operator") ? "/operator/sign-in/" : "/sign-in/")

const asApiError = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error
  if (isUnavailable(error)) return unavailable(error)
  // Hono's CSRF middleware throws its own error.
  if (error instanceof HTTPException && error.status === 403) return new ApiError("cross_site")
  return new ApiError("internal_error")
}

/** Tells whether a browser asks for a page: `Accept` names HTML, and the path is not for programs, such as `/api/…`. */
export const isForPerson = (c: Context<AppEnv>): boolean =>
  /\btext\/html\b/.test(c.req.header("Accept") ?? "") && !isForPrograms(c.req.path)

/**
 * Answers a request that threw an error: a page for browsers, problem details (RFC 9457) for programs. Redirects a browser
 * that is not signed in to the sign-in page. Unknown errors become 500. Logs errors from 500 on.
 */
export const onError = (error: unknown, c: Context<AppEnv>): Response | Promise<Response> => {
  const { code, message: detail, extra } = asApiError(error)
  const { status } = PROBLEMS[code]
  const request_id = c.get("requestId")
  // The handler may have set them already. Rate-limit headers stay.
  for (const name of ["ETag", "Link", "Location", "Retry-After"]) c.header(name, undefined)
  // An upload without a place is no failure of the service.
  if (status >= 500 && code !== "busy")
    log("error", { message: "request.failed", request_id, route: routeOf(c), code, error: trace(error) })
  if (isForPerson(c)) {
    if (code === "sign_in_required") return c.redirect(signInPath(c.req.path), 303)
    if (code === "recent_sign_in_required") return c.redirect("/sign-in/?again=1", 303)
    const { path } = c.req
    if (isReaderPage(path)) {
      // Without a valid configuration there is no origin.
      const origin = c.get("origin") as string | undefined
      const home = extra.home ?? (origin === undefined ? null : { href: `${origin}/`, name: "edgepost" })
      const page = renderReaderProblem({ title: TITLES[status], detail, request_id, home })
      const policy = { "Content-Security-Policy": READER_POLICY, "Cache-Control": "no-store" }
      return c.html(page, status, { ...policy, ...extra.headers })
    }
    const page = renderProblem({ title: TITLES[status], detail, errors: extra.errors ?? [], request_id, path })
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
