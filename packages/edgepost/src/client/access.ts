import { EdgepostError } from "./errors.ts"

const invalid = (detail: string): EdgepostError =>
  new EdgepostError({ code: "invalid_options", title: "Invalid options", detail })

// Matches `localhost`, `127.0.0.1` and `[::1]`, as the URL class writes them. Does not match `localhost.example`.
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/** Tells whether others cannot read a key on its way to this address: it is https, or http on this machine. */
export const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname))

/** Returns the address of a service without a slash at its end. @throws EdgepostError unless a key can be sent there safely */
export const checkBaseUrl = (baseUrl: string): string => {
  if (!URL.canParse(baseUrl)) throw invalid(`${baseUrl} is no address. Give one such as https://blog.example.`)
  const url = new URL(baseUrl)
  const { username, password, search, hash, origin, pathname } = url
  if (!isSafe(url)) throw invalid(`${origin} is not https, so that others could read the key. Give the https address.`)
  if (username || password || search || hash)
    throw invalid(`The address of ${origin} must have no user, query or fragment.`)
  return `${origin}${pathname}`.replace(/\/+$/, "")
}

/** Returns the key if a header can hold it. @throws EdgepostError that does not show the key */
export const checkApiKey = (apiKey: string): string => {
  // Matches `ep_a1B2`. Does not match an empty key, or one with a blank, a line break or `é`.
  if (/^[\x21-\x7e]+$/.test(apiKey)) return apiKey
  throw invalid("The API key is empty, or has a blank or a character that no key has. Copy it again.")
}
