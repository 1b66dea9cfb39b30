// Where readers find blogs, and which host answers what.

/** Returns the absolute URL of a blog. @param origin of readers' pages @param rest the path below, such as `feed.atom` */
export const blogUrl = (origin: string, username: string, rest = ""): string => `${origin}/@${username}/${rest}`

/** The two kinds of lists beside the blog itself. */
export type ListKind = "tags" | "categories"

/** Returns the absolute URL of the posts with a tag or in a category. */
export const listUrl = (origin: string, username: string, kind: ListKind, name: string): string =>
  blogUrl(origin, username, `${kind}/${encodeURIComponent(name)}/`)

/** Returns the absolute URL of a post's public page, in its source language or in `lang`. @param origin of readers' pages */
export const pageUrl = (origin: string, { author, slug }: { author: string; slug: string }, lang?: string): string =>
  `${origin}/@${author}/${slug}/${lang ? `${lang}/` : ""}`

/** Returns the absolute URL of a post's preview. @param origin of readers' pages */
export const previewUrl = (origin: string, token: string, lang?: string): string =>
  `${origin}/preview/${token}/${lang ? `${lang}/` : ""}`

const hostOf = (url: string): string => new URL(url).host

/**
 * Tells whether a path is that of a readers' page with authors' text.
 * @param path as the router matches it: decoded, without a slash at its end
 */
export const isReaderPage = (path: string): boolean =>
  // Matches `/@ann`, `/%40ann` and `/preview/x`. Does not match `/settings`.
  /^\/(?:@|%40|preview\/)/.test(path)

/**
 * Tells whether a path may be served on a host. Readers' pages (`/@…`, `/preview/…`, `/sitemap.xml`) need the host of
 * `readerOrigin`; images (`/media/`) and robots.txt may be on both hosts; all else needs that of `origin`. So authors' HTML
 * never runs on the origin where authors sign in.
 * @param path as the router matches it: decoded, without a slash at its end
 */
export const isAtHome = (requestUrl: string, path: string, readerOrigin: string, origin: string): boolean => {
  const host = hostOf(requestUrl)
  if (path.startsWith("/media/") || path === "/robots.txt")
    return host === hostOf(readerOrigin) || host === hostOf(origin)
  return host === hostOf(isReaderPage(path) || path === "/sitemap.xml" ? readerOrigin : origin)
}
