// Addresses that a blog had before, in one form: what the command line sends, the service stores and readers ask for must meet.
// Free of Node: the service does the same.

const encodeSegment = (segment: string): string => {
  try {
    return encodeURIComponent(decodeURIComponent(segment).normalize("NFC"))
  } catch {
    // An escape that is no UTF-8, `%E9`, is left as it is.
    return segment
  }
}

/** Matches the end of `/a/`, `/a.html`, `/a.htm/` and `/a/index.html`. Does not match `/a.php`. */
const END = /(?:(?:\/index)?\.html?)?\/*$/i

/** An old address. */
export interface OldPath {
  /** In NFC and percent-encoded, without `index.html`, `.html` and a slash at its end; "/" for the root. */
  path: string
  /** The same with the query, `/?p=12`; equal to `path` without one. */
  whole: string
}

/** Returns the form of an address that begins with `/`. Dots are resolved, and a fragment is left out. */
export const toOldPath = (address: string): OldPath => {
  // The host takes no part; it makes `/a/../b` and spaces what they are in a URL.
  const { pathname, search } = new URL(`http://host${address}`)
  const path = pathname.split("/").map(encodeSegment).join("/").replace(END, "") || "/"
  const query = new URLSearchParams(search).toString()
  return { path, whole: query === "" ? path : `${path}?${query}` }
}
