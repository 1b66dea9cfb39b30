import { toOldPath } from "../../packages/edgepost/src/old-path.ts"
import { type BlogKey, type BlogOwner, blogUrl, hasRootPath, isNamed } from "../addresses.ts"
import { openReplica } from "../db/client.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/errors.ts"
import { MOVED_CACHE_SECONDS } from "../limits.ts"
import { findRedirect } from "../redirects/store.ts"
import { accountOf } from "./store.ts"

// A blog has one address: the root of its host, or `/@<username>/`. What comes to another one is led there.

/** A request for a page that is at another address. */
class Moved extends Error {
  /** The absolute URL. */
  readonly location: string
  constructor(location: string) {
    super(location)
    this.location = location
  }
}

/** Requires that a request did not come to the host of another blog. @throws ApiError 404 */
export const requireOwnHost = ({ var: { rootBlog } }: AppContext, blog: BlogOwner): void => {
  if (rootBlog && !isNamed(rootBlog, blog)) throw new ApiError("not_found", "There is no such page.")
}

/**
 * Requires that a request for a page of a blog came to the blog's own address.
 * @param slug of the post, if it is a post's page
 * @throws Moved, which `leadHome` answers; ApiError 404 on the host of another blog
 */
export const requireOwnAddress = (c: AppContext, blog: BlogOwner, slug = ""): void => {
  requireOwnHost(c, blog)
  const { places, isBelowRoot } = c.var
  const home = new URL(blogUrl(places, blog))
  const { host, pathname, search } = new URL(c.req.url)
  const isRoot = home.pathname === "/"
  if (!isRoot || (isBelowRoot && host === home.host) || (!isBelowRoot && hasRootPath(slug))) return
  // Matches `/@ann/` and `/%40ann`. Does not match `/a/`.
  const rest = isBelowRoot ? pathname.slice(1) : pathname.replace(/^\/(?:@|%40)[^/]+\/?/, "")
  throw new Moved(`${home.href}${rest}${search}`)
}

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
    const { target, isPost } = found ?? { target: null, isPost: false }
    if (target === null || isPost) {
      const location = new URL(target === null ? address : `/${target}/`, origin)
      const isElsewhere = routed(location.pathname) !== routed(pathname) || location.search !== search
      return location.origin === origin && isElsewhere ? location.href : null
    }
    if (!target.startsWith("/")) return null
    address = target
  }
  return null
}

/** The parameters of the first page's own addresses. */
const OWN_PARAMETERS = new Set(["lang", "page", "after"])

/** Answers the root of a blog's host if its query makes it an old address, such as `/?p=12`; null if it does not. */
export const answerOldRoot = async (c: AppContext): Promise<Response | null> => {
  const { rootBlog, isBelowRoot } = c.var
  const names = [...new URL(c.req.url).searchParams.keys()]
  if (!rootBlog || !isBelowRoot || names.every((name) => OWN_PARAMETERS.has(name))) return null
  const location = await findOldAddress(c, rootBlog, true)
  return location === null ? null : movedTo(c, location)
}

/** Answers a reader's request that has failed with the address where the page is; null if it is nowhere. */
export const leadHome = async (error: unknown, c: AppContext): Promise<Response | null> => {
  if (error instanceof Moved) return movedTo(c, error.location)
  // The error may come before these are known.
  const { rootBlog } = c.var as Partial<AppContext["var"]>
  const isMissing = error instanceof ApiError && error.code === "not_found" && ["GET", "HEAD"].includes(c.req.method)
  if (!isMissing || !rootBlog) return null
  const location = await findOldAddress(c, rootBlog, false)
  return location === null ? null : movedTo(c, location)
}
