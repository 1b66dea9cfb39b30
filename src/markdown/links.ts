// Decides which addresses the links of a post may have.

/** Matches `https://e.x` and `MAILTO:a@b`. Does not match `/a:b` or `a b:c`. */
const SCHEME = /^([a-z][a-z0-9+.-]*):/i
/** The schemes that links may have. */
export const SCHEMES = ["http", "https", "irc", "ircs", "mailto", "sms", "tel", "xmpp"]
/** Matches paths of blogs and images of this service: `/@ann/post`, `/media/a`. Does not match `/about`. */
const OWN_PATH = /^\/(?:@|%40|media\/)/i

/** A problem of a link's address. The values are warning codes. */
export type LinkFault = "relative_link" | "unsupported_link" | "root_link"

/** Removes what browsers ignore in an address: tabs, line endings, and blanks at both ends. Matches `\t` and `\n`, not ` `. */
const normalize = (url: string): string => url.replaceAll(/[\t\n\r]/g, "").trim()

/**
 * Returns the fault of a link's address: `relative_link`, `unsupported_link` (its scheme is not allowed) or `root_link` (a
 * path that is no post or image). Returns null if it is fine.
 */
export const linkFaultOf = (url: string): LinkFault | null => {
  const address = normalize(url)
  const [, scheme] = SCHEME.exec(address) ?? []
  if (scheme !== undefined) return SCHEMES.includes(scheme.toLowerCase()) ? null : "unsupported_link"
  if (address.startsWith("//") || (address.startsWith("#") && address !== "#")) return null
  if (!address.startsWith("/")) return "relative_link"
  return OWN_PATH.test(address) ? null : "root_link"
}

/** Returns a link's address with a lower-case scheme (RFC 3986 section 3.1); null if it is relative or its scheme is not allowed. */
export const hrefOf = (url: string): string | null => {
  const fault = linkFaultOf(url)
  if (fault === "relative_link" || fault === "unsupported_link") return null
  return normalize(url).replace(SCHEME, (scheme) => scheme.toLowerCase())
}
