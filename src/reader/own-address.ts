import { type BlogOwner, blogUrl, hasRootPath, isNamed } from "../addresses.ts"
import type { AppContext } from "../http/context.ts"
import { ApiError } from "../http/errors.ts"

// A blog has one address: the root of its host, or `/@<username>/`. What comes to another one is led there.

/** A request for a page that is at another address. */
export class Moved extends Error {
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
 * @throws Moved, which `redirectReader` answers; ApiError 404 on the host of another blog
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
