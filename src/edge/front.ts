import { LIST_QUERY, OLD_ONLY, queryNamesOf, withoutRootDot } from "../addresses.ts"
import { app, requestIdOf, routedPath } from "../app.ts"
import { matchesEtag } from "../http/etag.ts"
import { UNCACHED, withoutEdgeHeaders } from "./cache-policy.ts"

/** Matches what every reader gets alike: `/@ann/a`, `/media/…`, `/sitemap.xml`. Does not match `/preview/x`, `/settings`. */
const CACHEABLE_PATH = /^\/(?:@|%40|media\/|sitemap\.xml$|robots\.txt$)/

/** Headers by which an answer may be another than that of other readers. */
const OWN_HEADERS = ["Authorization", "X-API-KEY", "Cookie", "Range"]

const isAnonymousRead = ({ method, headers }: Request): boolean =>
  ["GET", "HEAD"].includes(method) && !OWN_HEADERS.some((name) => headers.has(name))

/** The bindings of isolates that have no cache before `Reader`, as on a local machine: its way is not taken again. */
const uncached = new WeakSet<Env>()

/** Answers a request: one for what all readers get alike by `Reader`, before which the edge keeps answers. */
export const fetchAtEdge = async (arrived: Request, env: Env, ctx: ExecutionContext): Promise<Response> => {
  const plain = withoutRootDot(arrived.url)
  const request = plain === arrived.url ? arrived : new Request(plain, arrived)
  if (uncached.has(env) || !isAnonymousRead(request)) return app.fetch(request, env, ctx)
  const path = routedPath(request, env)
  if (!CACHEABLE_PATH.test(path)) return app.fetch(request, env, ctx)
  const { method, url, headers } = request
  const id = requestIdOf(headers.get("X-Request-Id") ?? undefined)
  const network = headers.get("CF-Connecting-IP") ?? ""
  // No header changes a page; `Accept` chooses the format of errors, which are not kept.
  const own = { Accept: headers.get("Accept") ?? "*/*", "X-Request-Id": id, "CF-Connecting-IP": network }
  const [address, asked] = [new URL(url), new URL(url)]
  // The edge would keep an answer once for each query.
  const known = queryNamesOf(path).flatMap((name) => {
    const value = address.searchParams.get(name)
    return value === null ? [] : [[name, value] as [string, string]]
  })
  asked.search = new URLSearchParams(known).toString()
  const ask = (to: URL, more = {}) =>
    ctx.exports
      .Reader({ props: { origin: to.origin } })
      .fetch(new Request(to, { method, headers: { ...own, ...more }, redirect: "manual" }))
  const isOther = asked.search !== address.search
  // The query is a part of an old site's addresses, at the root of a blog's host and where no page is there.
  const isOldRoot =
    isOther && path === "/@root" && [...address.searchParams.keys()].some((name) => !LIST_QUERY.includes(name))
  const old = isOldRoot ? await ask(address, { [OLD_ONLY]: "1" }) : null
  let sent = old && old.status !== 404 ? old : await ask(asked)
  // And of what a page redirects to.
  const isMoved = sent.status > 300 && sent.status < 400
  if (isOther && !isOldRoot && (isMoved || (sent.status === 404 && path.startsWith("/@root")))) {
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
