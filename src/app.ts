import { Hono, type MiddlewareHandler } from "hono"
import { cors } from "hono/cors"
import { getPathNoStrict } from "hono/utils/url"

import { authenticate, scopeGuard, withKeyRefusal } from "./accounts/authenticate.ts"
import { blogAtRoot, isAtHome, isBelowRoot, isLoopback, toRoute } from "./addresses.ts"
import { serveDocument } from "./api-docs/routes.ts"
import { placesOf, publicOrigin, readConfig } from "./config.ts"
import { openD1 } from "./db/client.ts"
import { type AppContext, type AppEnv, routeOf } from "./http/context.ts"
import { ApiError } from "./http/errors.ts"
import { onError } from "./http/on-error.ts"
import { type Access, isPagePost, MULTIPART } from "./http/operation.ts"
import { requireOwnPost } from "./http/own-post.ts"
import { limitCalls } from "./http/rate-limit.ts"
import { CORS_PREFIXES, mountRoutes } from "./http/route.ts"
import { CORS_MAX_AGE_SECONDS, HSTS_SECONDS } from "./limits.ts"
import { log } from "./log.ts"
import { micropubOnly } from "./micropub/guard.ts"
import { operatorExists, operatorOnly } from "./operator/guard.ts"
import { countRefusals, sumSteps } from "./operator/refusals.ts"
import { countRefusedBody } from "./posts/refused-bodies.ts"
import { selectPathPost } from "./posts/write.ts"
import { redirectReader } from "./reader/old-address.ts"
import { routes } from "./routes.ts"
import { authorOnly, operatorSessionOnly, recentOnly } from "./sessions/authenticate.ts"
import { renderFirstRun } from "./ui/first-run-page.tsx"
import { PAGE_HEADERS } from "./ui/layout.tsx"
import { PREVIEW_HEADERS } from "./ui/reader-headers.ts"

/**
 * Returns the path by which a request is routed, without a slash at its end. On a blog's host, its pages have the routes of
 * `/@<username>/`.
 */
export const routedPath = (request: Request, env: Env): string => {
  const path = getPathNoStrict(request)
  if (!isBelowRoot(path)) return path
  try {
    return blogAtRoot(request.url, readConfig(env)) ? toRoute(path) : path
  } catch {
    // The request is told what is misconfigured.
    return path
  }
}

export const app = new Hono<AppEnv>({ getPath: (request, options) => routedPath(request, options?.env as Env) })

/** Returns the client's request id if it is safe to log, else a new one. */
export const requestIdOf = (sent = ""): string => (/^[\w=-]{1,255}$/.test(sent) ? sent : crypto.randomUUID())

/** Returns the log fields of a request, without its query and without secrets in its path. */
const describeRequest = (c: AppContext) => ({
  request_id: c.get("requestId"),
  method: c.req.method,
  route: routeOf(c),
  status: c.res.status,
  account: c.get("account")?.username,
})

const EXPOSED_HEADERS = [
  "ETag",
  "Location",
  "Link",
  "Allow",
  "Retry-After",
  "RateLimit",
  "RateLimit-Policy",
  "WWW-Authenticate",
  "X-Request-Id",
  "Idempotent-Replayed",
]

const preflight = cors({
  origin: "*",
  allowMethods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
  allowHeaders: ["Authorization", "X-API-KEY", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key"],
  exposeHeaders: EXPOSED_HEADERS,
  maxAge: CORS_MAX_AGE_SECONDS,
})

const isBelow = (path: string, prefixes: string[]): boolean => prefixes.some((prefix) => `${path}/`.startsWith(prefix))

/** Adds the headers that every answer has. Sets them on the answer itself, because `c.header` copies it. */
const addHeaders = (c: AppContext): void => {
  const { headers } = c.res
  headers.set("X-Request-Id", c.get("requestId"))
  headers.set("X-Content-Type-Options", "nosniff")
  // The domain of a blog has other hosts, which are not the service's.
  const domain = c.get("rootBlog") ? "" : "; includeSubDomains"
  headers.set("Strict-Transport-Security", `max-age=${HSTS_SECONDS}${domain}`)
  if (!headers.has("Referrer-Policy")) headers.set("Referrer-Policy", "strict-origin-when-cross-origin")
  if (isBelow(c.req.path, ["/preview/"])) for (const [name, value] of PREVIEW_HEADERS) headers.set(name, value)
  if (isBelow(c.req.path, ["/api/", "/micropub/", "/operator/"]) && !headers.has("Cache-Control"))
    headers.set("Cache-Control", "no-store")
  if (!isBelow(c.req.path, CORS_PREFIXES)) return
  headers.set("Access-Control-Allow-Origin", "*")
  headers.set("Access-Control-Expose-Headers", EXPOSED_HEADERS.join(","))
}

app.onError(async (error, c) => {
  try {
    return (await redirectReader(error, c)) ?? (await onError(await withKeyRefusal(error, c), c))
  } catch (failure) {
    return onError(failure, c)
  }
})
app.notFound(() => {
  throw new ApiError("not_found", "There is nothing at this address.")
})

app.use(async (c, next) => {
  const began = new Date()
  c.set("requestId", requestIdOf(c.req.header("X-Request-Id")))
  c.set("now", began)
  await next()
  // Read again for the log only. In a Worker the clock advances only during I/O.
  const ms = Date.now() - began.getTime()
  log("info", { message: "request.finished", ...describeRequest(c), ms, ...c.get("usage") })
  addHeaders(c)
})
for (const prefix of CORS_PREFIXES) app.options(`${prefix}*`, preflight)
app.use(async (c, next) => {
  const config = readConfig(c.env)
  c.set("config", config)
  const { DB, usage } = openD1(c.env.DB)
  c.env = { ...c.env, DB }
  c.set("usage", usage)
  const isFirstRun = config.publicOrigin === null && !isLoopback(c.req.url)
  if (isFirstRun && c.req.path === "/") return c.html(renderFirstRun(new URL(c.req.url).host), 200, PAGE_HEADERS)
  const origin = publicOrigin(config, c.req.url)
  c.set("origin", origin)
  const places = placesOf(config, origin)
  c.set("places", places)
  const { url, path } = c.req
  const rootBlog = blogAtRoot(url, config)
  c.set("rootBlog", rootBlog)
  // On the service's own hosts nothing is asked of the path as it was sent.
  const pathname = rootBlog && new URL(url).pathname
  c.set("isBelowRoot", pathname !== null && isBelowRoot(pathname))
  if (pathname?.startsWith("/api/blogcontroller/"))
    throw new ApiError("not_found", `This is the host of a blog. The API is at ${origin}.`)
  if (config.readerOrigin && !rootBlog && !isAtHome(url, path, places)) throw new ApiError("not_found")
  return next()
})
app.use("/operator/*", operatorExists)

const GUARDS: Record<Access, MiddlewareHandler<AppEnv>[]> = {
  public: [],
  key: [authenticate(), countRefusals],
  operator: [operatorOnly],
  page: [],
  author: [authorOnly],
  "recent-author": [authorOnly, recentOnly],
  "operator-page": [operatorSessionOnly],
}

/** The access classes of calls that an account may send only so often; uploads have a limit of their own. */
const COUNTED = new Set<Access>(["key", "author", "recent-author"])

const POST_GUARDS = [authenticate(selectPathPost), countRefusals]

mountRoutes(app, routes, (operation) => {
  const { access, contentType, method } = operation
  return [
    ...(operation.isMicropub ? [micropubOnly] : []),
    ...(isPagePost(operation) ? [requireOwnPost(operation)] : []),
    ...(operation.readsPost ? POST_GUARDS : GUARDS[access]),
    ...(access === "key" ? [scopeGuard(operation)] : []),
    ...(COUNTED.has(access) && method !== "GET" ? [sumSteps, countRefusedBody] : []),
    ...(COUNTED.has(access) && contentType !== MULTIPART ? [limitCalls] : []),
  ]
})

// The static file must not be served on the readers' origin.
app.all("/openapi.json", serveDocument)
