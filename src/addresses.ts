// Where readers find blogs, and which host answers what.

/** The origins of the service. */
export interface Places {
  /** The origin of the API, of the settings and of all else that is not for readers. */
  origin: string
  /** The origin of readers' pages. */
  readerOrigin: string
  /** The username of the only blog of `readerOrigin`, which is at its root; null if each blog is at `/@<username>/`. */
  readerBlog: string | null
}

/** The parts of an account of which addresses are made. */
export interface BlogOwner {
  username: string
  /** The host whose root is the blog; null without one of its own. */
  blog_host: string | null
}

/** Names a blog: by its username, or by the host whose root it is. */
export type BlogKey = Pick<BlogOwner, "username"> | { blog_host: string }

/** Tells whether a key names a blog. */
export const isNamed = (key: BlogKey, blog: BlogOwner): boolean =>
  "username" in key ? key.username === blog.username : key.blog_host === blog.blog_host

/** Returns the host and port of an origin or of the URL of a request, which are normalized and name no user. Parses nothing. */
const hostOf = (url: string): string => url.split("/", 3)[2] ?? ""

/** Returns a URL without the dot that may end its host: both are the same host of DNS (RFC 1034 section 3.1). */
export const withoutRootDot = (url: string): string =>
  // Matches the dot before the path of `https://a.example./b` and before the port of `https://a.example.:8/`.
  url.replace(/^([^/]*\/\/[^/?#]*?)\.(?=(?::\d+)?(?:[/?#]|$))/, "$1")

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"])

export const isLoopback = (origin: string): boolean => URL.canParse(origin) && LOOPBACK.has(new URL(origin).hostname)

/** Returns the absolute URL of a blog. @param rest the path below, such as `feed.atom` */
export const blogUrl = (
  { readerOrigin, readerBlog }: Places,
  { username, blog_host }: BlogOwner,
  rest = "",
): string => {
  if (blog_host !== null) return `https://${blog_host}/${rest}`
  return username === readerBlog ? `${readerOrigin}/${rest}` : `${readerOrigin}/@${username}/${rest}`
}

/** Returns the origin of a blog's pages. */
export const blogOrigin = (places: Places, blog: BlogOwner): string => new URL(blogUrl(places, blog)).origin

/** The two kinds of lists beside the blog itself. */
export type ListKind = "tags" | "categories"

/** Returns the absolute URL of the posts with a tag or in a category. */
export const listUrl = (places: Places, blog: BlogOwner, kind: ListKind, name: string): string =>
  blogUrl(places, blog, `${kind}/${encodeURIComponent(name)}/`)

/** Paths at the root of a blog's host that are not the blog's. New posts cannot have such a slug. */
const ROOT_PATHS = new Set(["media", "assets", "preview"])

/** Tells whether the page of an old post stays at `/@<username>/`, because the root of its blog's host has something else there. */
export const hasRootPath = (slug: string): boolean => ROOT_PATHS.has(slug)

/** Returns the absolute URL of a post's public page, in its source language or in `lang`. */
export const pageUrl = (places: Places, blog: BlogOwner, slug: string, lang?: string): string => {
  const rest = `${slug}/${lang ? `${lang}/` : ""}`
  return hasRootPath(slug) ? `${places.readerOrigin}/@${blog.username}/${rest}` : blogUrl(places, blog, rest)
}

/** Returns the absolute URL of a post's preview. */
export const previewUrl = (places: Places, blog: BlogOwner, token: string, lang?: string): string =>
  `${blogOrigin(places, blog)}/preview/${token}/${lang ? `${lang}/` : ""}`

/**
 * Returns the blog at the root of a request's host; null on the service's own hosts. Every other host is a blog's: only the
 * database knows whether there is one.
 */
export const blogAtRoot = (
  requestUrl: string,
  { publicOrigin, readerOrigin, readerBlog }: Record<"publicOrigin" | "readerOrigin" | "readerBlog", string | null>,
): BlogKey | null => {
  const host = hostOf(requestUrl)
  if (publicOrigin === null || host === hostOf(publicOrigin)) return null
  if (readerOrigin !== null && host === hostOf(readerOrigin))
    return readerBlog === null ? null : { username: readerBlog }
  return isLoopback(requestUrl) ? null : { blog_host: new URL(requestUrl).hostname }
}

/** The names in a query that lists of posts know. */
export const LIST_QUERY = ["after", "before", "lang", "page"]

/** The header of a request at the root of a blog's host that asks only for what an old address leads to. */
export const OLD_ONLY = "X-Old-Address-Only"

/** Returns the names in a query that a readers' page knows, sorted. @param path as the router matches it */
export const queryNamesOf = (path: string): string[] => {
  // Matches `/@ann`, `/@ann/tags/sea` and `/@ann/categories/a`. Does not match `/@ann/tags` and `/@ann/a`.
  if (/^\/(?:@|%40)[^/]+(?:\/(?:tags|categories)\/[^/]+)?$/.test(path)) return LIST_QUERY
  // Matches `/@ann/sitemap.xml`.
  if (/^\/(?:@|%40)[^/]+\/sitemap\.xml$/.test(path)) return ["part"]
  // Matches `/@ann/feed.atom`.
  return /^\/(?:@|%40)[^/]+\/feed\.\w+$/.test(path) ? ["lang"] : []
}

/** Matches the paths of a blog's host that the blog's pages do not have: `/media/a`, `/@ann`. Does not match `/media`, `/a`. */
const NOT_OF_BLOG = /^\/(?:@|%40|(?:media|preview)\/|robots\.txt$)/

/** Tells whether a path is that of a blog's page on a host whose root is the blog. */
export const isBelowRoot = (path: string): boolean => !NOT_OF_BLOG.test(path)

/** Returns the path of a blog's page as the routes have it, `/@root/a`, of that below the root of the blog's host, `/a`. */
export const toRoute = (path: string): string => `/@root${path === "/" ? "" : path}`

/**
 * Tells whether a path is that of a readers' page with authors' text.
 * @param path as the router matches it: decoded, without a slash at its end
 */
export const isReaderPage = (path: string): boolean =>
  // Matches `/@ann`, `/%40ann` and `/preview/x`. Does not match `/settings`.
  /^\/(?:@|%40|preview\/)/.test(path)

/**
 * Tells whether a path may be served on a host of the service itself. Readers' pages (`/@…`, `/preview/…`, `/sitemap.xml`)
 * need the host of `readerOrigin`; images (`/media/`) and robots.txt may be on both hosts; all else needs that of `origin`. So
 * authors' HTML never runs on the origin where authors sign in.
 * @param path as the router matches it: decoded, without a slash at its end
 */
export const isAtHome = (requestUrl: string, path: string, { readerOrigin, origin }: Places): boolean => {
  const host = hostOf(requestUrl)
  if (path.startsWith("/media/") || path === "/robots.txt")
    return host === hostOf(readerOrigin) || host === hostOf(origin)
  return host === hostOf(isReaderPage(path) || path === "/sitemap.xml" ? readerOrigin : origin)
}
