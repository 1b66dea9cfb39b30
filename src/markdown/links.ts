// Which addresses a post may lead to.

const SCHEME = /^([a-z][a-z0-9+.-]*):/i
const ALLOWED = new Set(["http", "https", "irc", "ircs", "mailto", "sms", "tel", "xmpp"])
/** Pages and pictures of this service. */
const OWN_PATH = /^\/(?:@|%40|media\/)/i

/** Why a link is not what its author wrote, or may not be. */
export type LinkFault = "relative_link" | "unsupported_link" | "root_link"

/** An address as browsers read it: they take blanks off its ends, and control characters out of it. */
const cleaned = (url: string): string => url.replaceAll(/[\t\n\r]/g, "").trim()

/** What is wrong with the address of a link; null where nothing is. */
export const faultOf = (url: string): LinkFault | null => {
  const address = cleaned(url)
  const [, scheme] = SCHEME.exec(address) ?? []
  if (scheme !== undefined) return ALLOWED.has(scheme.toLowerCase()) ? null : "unsupported_link"
  if (address.startsWith("//") || (address.startsWith("#") && address !== "#")) return null
  if (!address.startsWith("/")) return "relative_link"
  return OWN_PATH.test(address) ? null : "root_link"
}

/** The address that a link keeps, with its scheme in small letters (RFC 3986 section 3.1); null where only its text stays. */
export const hrefOf = (url: string): string | null => {
  const fault = faultOf(url)
  if (fault === "relative_link" || fault === "unsupported_link") return null
  return cleaned(url).replace(SCHEME, (scheme) => scheme.toLowerCase())
}
