// Decides which addresses the links of a post may have.

/** Matches `https://e.x` and `MAILTO:a@b`. Does not match `/a:b` or `a b:c`. */
const SCHEME = /^([a-z][a-z0-9+.-]*):/i
const ALLOWED = new Set(["http", "https", "irc", "ircs", "mailto", "sms", "tel", "xmpp"])
/** Matches paths of blogs and images of this service: `/@ann/post`, `/media/a`. Does not match `/about`. */
const OWN_PATH = /^\/(?:@|%40|media\/)/i

/** A problem of a link's address. The values are warning codes. */
export type LinkFault = "relative_link" | "unsupported_link" | "root_link"

/** Removes what browsers ignore in an address: tabs, line endings, and blanks at both ends. Matches `\t` and `\n`, not ` `. */
const normalize = (url: string): string => url.replaceAll(/[\t\n\r]/g, "").trim()

/** Returns the problem of a link's address, or null. */
export const linkFaultOf = (url: string): LinkFault | null => {
  const address = normalize(url)
  const [, scheme] = SCHEME.exec(address) ?? []
  if (scheme !== undefined) return ALLOWED.has(scheme.toLowerCase()) ? null : "unsupported_link"
  if (address.startsWith("//") || (address.startsWith("#") && address !== "#")) return null
  if (!address.startsWith("/")) return "relative_link"
  return OWN_PATH.test(address) ? null : "root_link"
}

/** Returns the address to serve for a link, with a lower-case scheme (RFC 3986 section 3.1); null if readers may only get its text. */
export const hrefOf = (url: string): string | null => {
  const fault = linkFaultOf(url)
  if (fault === "relative_link" || fault === "unsupported_link") return null
  return normalize(url).replace(SCHEME, (scheme) => scheme.toLowerCase())
}
