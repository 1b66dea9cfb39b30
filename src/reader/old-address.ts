import { toOldPath } from "../../packages/edgepost/src/old-path.ts"
import { type BlogKey, LIST_QUERY, OLD_ONLY } from "../addresses.ts"
import { openReplica } from "../db/client.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/errors.ts"
import { MOVED_CACHE_SECONDS } from "../limits.ts"
import { findRedirect } from "../redirects/store.ts"
import { Moved } from "./own-address.ts"
import { accountOf } from "./store.ts"

// Leads readers from addresses that a blog had before to its posts. Own pages win: redirects are looked up where there is none.

/** Redirects that follow one another are followed so often; more are a redirect loop. */
const MAX_HOPS = 5

const movedTo = (c: AppContext, location: string): Response => {
  c.header("Cache-Control", `public, max-age=${MOVED_CACHE_SECONDS}`)
  return c.redirect(location, 301)
}

/** Returns a path as routes compare it, without the slash at its end. */
const routed = (path: string): string => path.replace(/(?<=.)\/$/, "")

/** Finds where an old address below the root of a blog's host leads. @returns an absolute URL; null if nowhere, or to itself */
const findOldAddress = async (c: AppContext, blog: BlogKey, isExact: boolean): Promise<string | null> => {
  const { origin, pathname, search } = new URL(c.req.url)
  let address = pathname + search
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    const { path, whole } = toOldPath(address)
    const forms = isExact && hop === 0 ? [whole] : [whole, path]
    const found = await findRedirect(openReplica(c.env.DB), accountOf(blog), forms, c.var.now)
    if (!found && hop === 0) return null
    if (!found || found.isPost) {
      const location = new URL(found ? `/${found.target}/` : address, origin)
      const isElsewhere = routed(location.pathname) !== routed(pathname) || location.search !== search
      return location.origin === origin && isElsewhere ? location.href : null
    }
    if (!found.target.startsWith("/")) return null
    address = found.target
  }
  return null
}

/** Answers the root of a blog's host if its query makes it an old address, such as `/?p=12`, or if no more is asked; else null. */
export const answerOldRoot = async (c: AppContext): Promise<Response | null> => {
  const { rootBlog, isBelowRoot } = c.var
  const names = [...new URL(c.req.url).searchParams.keys()]
  if (!rootBlog || !isBelowRoot || names.every((name) => LIST_QUERY.includes(name))) return null
  const location = await findOldAddress(c, rootBlog, true)
  if (location !== null) return movedTo(c, location)
  return c.req.header(OLD_ONLY) === undefined ? null : c.body(null, 404)
}

/** Answers a reader's request that has failed with the address where the page is; null if it is nowhere. */
export const redirectReader = async (error: unknown, c: AppContext): Promise<Response | null> => {
  if (error instanceof Moved) return movedTo(c, error.location)
  // The error may come before these are known.
  const { rootBlog } = c.var as Partial<AppContext["var"]>
  const isMissing = error instanceof ApiError && error.code === "not_found" && ["GET", "HEAD"].includes(c.req.method)
  if (!isMissing || !rootBlog) return null
  const location = await findOldAddress(c, rootBlog, false)
  return location === null ? null : movedTo(c, location)
}
