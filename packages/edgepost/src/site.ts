// Addresses as texts of the folder write them.

/** Matches `https://a.example/b`, `data:a` and `//a.example/b`. Does not match `/b` and `a/b:c`. */
export const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i

/** Decodes percent signs; returns a text that they do not make as it is. */
export const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const trimSlashes = (path: string): string => {
  let start = 0
  let end = path.length
  while (path[start] === "/") start++
  while (end > start && path[end - 1] === "/") end--
  return path.slice(start, end)
}

/** Matches the extension of a page: `.md`, `.html`. Does not match `.pdf`. */
export const PAGE = /\.(?:md|mdx|markdown|html?)$/i
/** Matches the name of a page that stands for its folder: `/index`, `index`. Does not match `/reindex`. */
const INDEX = /(?:^|\/)_?index$/i

/**
 * Returns a key that is the same for all ways to write the path of one page: percent-encoded or not, with an extension, with
 * `index`, with a final slash, in another case. The key of the start page is "".
 */
export const pathKey = (path: string): string =>
  trimSlashes(trimSlashes(decode(path)).replace(PAGE, "").replace(INDEX, ""))
    .normalize("NFC")
    .toLowerCase()

/** Returns a host as it is without `www.`. Matches the start of `www.e.x`. */
export const withoutWww = (host: string): string => host.replace(/^www\./, "")

/** Tells whether an address of the web is on a site. Old sites change between `www.e.x` and `e.x`, and between http and https. */
export const isOnSite = ({ protocol, host }: URL, site: URL): boolean =>
  (protocol === "https:" || protocol === "http:") && withoutWww(host) === withoutWww(site.host)

/** The base of relative addresses of a site whose own address is not known. */
export const UNKNOWN_SITE = "https://none.invalid"

/** Returns a path, or that of an address of a site; null for an address of another site, and of any where the site is not known. */
export const pathOnSite = (address: string, siteUrl: string | null): string | null =>
  ADDRESS.test(address) ? (resolveOnSite(address, siteUrl)?.pathname ?? null) : address

/** Resolves an address; null unless it is one of the site. @param siteUrl null if the site is not known: then relative addresses alone are */
export const resolveOnSite = (address: string, siteUrl: string | null): URL | null => {
  const site = new URL(siteUrl ?? UNKNOWN_SITE)
  const url = URL.canParse(address, site.href) ? new URL(address, site.href) : null
  return url && isOnSite(url, site) ? url : null
}
