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

/** Matches the end of `/a.html` and `/a/index.htm`. Does not match `/a.php`. */
const PAGE = /(?:\/index)?\.html?$/i

/** Returns a path without what says at its end that it is a page: slashes, `.html`, `index.html`. */
const withoutEnd = (path: string): string => {
  let end = path.length
  while (path[end - 1] === "/") end -= 1
  const short = path.slice(0, end).replace(PAGE, "")
  return short === path ? path : withoutEnd(short)
}

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
  const path = pathname.split("/").map(encodeSegment).join("/")
  const short = withoutEnd(path) || "/"
  const query = new URLSearchParams(search).toString()
  return { path: short, whole: query === "" ? short : `${short}?${query}` }
}
