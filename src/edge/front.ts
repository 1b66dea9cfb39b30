import { READER_QUERY } from "../addresses.ts"
import { app, requestIdOf, routedPath } from "../app.ts"
import { matchesEtag } from "../http/etag.ts"
import { UNCACHED, withoutEdgeHeaders } from "./cache-policy.ts"

/** Matches what every reader gets alike: `/@ann/a`, `/media/…`, `/sitemap.xml`. Does not match `/preview/x`, `/settings`. */
const CACHEABLE_PATH = /^\/(?:@|%40|media\/|sitemap\.xml$|robots\.txt$)/

/** Headers by which an answer may be another than that of other readers. */
const OWN_HEADERS = ["Authorization", "X-API-KEY", "Cookie", "Range"]

const isCacheable = (request: Request, env: Env): boolean =>
  ["GET", "HEAD"].includes(request.method) &&
  !OWN_HEADERS.some((name) => request.headers.has(name)) &&
  CACHEABLE_PATH.test(routedPath(request, env))

/** The bindings of isolates that have no cache before `Reader`, as on a local machine: its way is not taken again. */
const uncached = new WeakSet<Env>()

/** Answers a request: one for what all readers get alike by `Reader`, before which the edge keeps answers. */
export const fetchAtEdge = async (request: Request, env: Env, ctx: ExecutionContext): Promise<Response> => {
  if (uncached.has(env) || !isCacheable(request, env)) return app.fetch(request, env, ctx)
  const { method, url, headers } = request
  const id = requestIdOf(headers.get("X-Request-Id") ?? undefined)
  // No other header changes a page; `Accept` chooses the format of errors, which are not kept.
  const own = { Accept: headers.get("Accept") ?? "*/*", "X-Request-Id": id }
  const [address, asked] = [new URL(url), new URL(url)]
  // The edge would keep an answer once for each query.
  const isImage = asked.pathname.startsWith("/media/")
  const others = [...asked.searchParams.keys()].filter((name) => isImage || !READER_QUERY.has(name))
  for (const name of others) asked.searchParams.delete(name)
  const ask = (to: URL) =>
    ctx.exports
      .Reader({ props: { origin: to.origin } })
      .fetch(new Request(to, { method, headers: own, redirect: "manual" }))
  // The query is a part of an old site's addresses, at the root and where no page is, and of what a page redirects to.
  const isOldRoot = others.length > 0 && asked.pathname === "/"
  let sent = await ask(isOldRoot ? address : asked)
  if (sent.status !== 200 && others.length > 0 && !isImage && !isOldRoot) {
    await sent.body?.cancel()
    sent = await ask(address)
  }
  if (sent.headers.has(UNCACHED)) uncached.add(env)
  const answer = withoutEdgeHeaders(sent, id)
  const etag = answer.headers.get("ETag")
  if (answer.status !== 200 || etag === null || !matchesEtag(headers.get("If-None-Match") ?? undefined, etag))
    return answer
  await answer.body?.cancel()
  for (const name of ["Content-Type", "Content-Length"]) answer.headers.delete(name)
  return new Response(null, { status: 304, headers: answer.headers })
}
