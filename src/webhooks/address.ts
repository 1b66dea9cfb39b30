import { isLoopback, type Places } from "../addresses.ts"
import { fieldError } from "../http/errors.ts"
import { CleanText } from "../http/fields.ts"
import { MAX_URL_CHARS } from "../limits.ts"

/** Matches an IPv4 or IPv6 address as URLs write it, `10.0.0.1` and `[::1]`. Does not match `a1.example`. */
const IP_LITERAL = /^(?:\[.*\]|[\d.]+)$/

/** Matches names that only a private network has: `printer`, `nas.local`, `a.internal`. Does not match `hooks.example.org`. */
const PRIVATE_NAME = /^[^.]+$|(?:^|\.)(?:local|localhost|internal|intranet|lan|home|corp|private|home\.arpa|onion)$/

/** Returns the name of a URL's host without the dot that may end it. */
export const hostnameOf = (url: string): string => new URL(url).hostname.replace(/\.$/, "")

/** The address of a webhook endpoint. */
export const EndpointUrl = CleanText.max(MAX_URL_CHARS, `At most ${MAX_URL_CHARS} characters.`)
  .refine((text) => URL.canParse(text), "Must be an address such as https://hooks.example/edgepost.")
  .transform((text) => new URL(text).href)

/** Returns, but does not throw, the ApiError 400 of an address. */
export const addressError = (message: string) => fieldError("url", "validation_error", message)

/**
 * Requires that an address is one of the public internet and not the service's. On a local machine, other ports of it are
 * allowed as well.
 * @throws ApiError 400 about `url`
 */
export const requirePublicAddress = (url: string, { origin, readerOrigin }: Places): void => {
  const { protocol, port, origin: own, username, password, hash } = new URL(url)
  const name = hostnameOf(url)
  if (username || password) throw addressError("Must not contain a name or a password. Put a secret into its query.")
  if (hash) throw addressError("Must not have a fragment (#…), which is not sent.")
  const isLocal = isLoopback(own) && isLoopback(origin)
  const isService = [origin, readerOrigin].some((each) =>
    isLocal ? hostnameOf(each) === name && new URL(each).port === port : `.${name}`.endsWith(`.${hostnameOf(each)}`),
  )
  if (isService) throw addressError("This is an address of the service itself, or below it. Choose another one.")
  if (isLocal) return
  if (protocol !== "https:") throw addressError("Must begin with https://.")
  // A URL leaves out the port of its scheme, 443.
  if (port !== "") throw addressError("Must not name a port: https has 443.")
  if (IP_LITERAL.test(name) || PRIVATE_NAME.test(name))
    throw addressError("Must be a name of the public internet, not an IP address or a name of a private network.")
}
