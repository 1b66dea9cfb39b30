import type { EdgepostError } from "edgepost/client"

// Says in plain words what is wrong and what to do.

/** Returns a number of seconds in words, such as `1 second` or `15 minutes`. */
export const durationOf = (seconds: number): string => {
  const [count, unit] = seconds < 120 ? [seconds, "second"] : [seconds / 60, "minute"]
  return new Intl.NumberFormat("en", { style: "unit", unit, unitDisplay: "long" }).format(Math.ceil(count))
}

const timeOf = (seconds: number, now: number): string => {
  const time = new Date(now + seconds * 1000).toLocaleTimeString([], {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  })
  return `in ${durationOf(seconds)}, at ${time}`
}

type Facts = Pick<EdgepostError, "code" | "status" | "detail" | "errors" | "retryAfter">

/**
 * Explains a failed call of the service.
 * @param address of the service
 * @param now milliseconds since the epoch
 */
export const explain = ({ code, status, detail, errors, retryAfter }: Facts, address: string, now: number): string => {
  const when = retryAfter === null ? "in a minute" : timeOf(retryAfter, now)
  if (code === "unreachable")
    return `${address} does not answer. Check your connection, and the address in the options. Then try again.`
  if (status === 401)
    return `The service does not accept the key: it was revoked, has expired, or is mistyped. Make a new draft key at ${address}/settings/keys/, and enter it in the options.`
  if (code === "insufficient_scope")
    return `The key cannot write drafts. Make a key of the scope “draft” at ${address}/settings/keys/, and enter it in the options.`
  if (code === "subscription_required")
    return `The account has no paid time, so it cannot write. See ${address}/settings/. Then try again.`
  if (code === "account_restricted") return `The operator has restricted this account: ${detail} Ask the operator.`
  if (status === 403) return `The service refuses this: ${detail}`
  if (status === 412) return "The draft was changed at the same time. Try again: then it gets an address of its own."
  if (status === 429) return `The service has had too many requests of this account. Try again ${when}.`
  if (status === 503) return `The service is too busy, or a part of it is down. Try again ${when}.`
  if (status >= 500) return `The service has failed (${status}). Try again in a minute.`
  if (errors.length > 0)
    return errors.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join("\n")
  return detail
}

/** Returns the text of an error that is not the service's. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

// Matches `chrome://settings` and `about:addons`. Does not match `https://a.example`.
const OWN_PAGE = /^(?!https?:|file:)/
const STORE = /^https:\/\/(?:chromewebstore\.google\.com|chrome\.google\.com\/webstore|addons\.mozilla\.org)(?:\/|$)/

/** Explains why the browser lets no extension read a page. @param url empty if the browser does not tell it */
export const explainUnreadable = (url: string): string => {
  // Matches `https://a.example/b.pdf`. Does not match `https://a.example/pdf`.
  if (/\.pdf(?:$|[?#])/i.test(url)) return "This is a PDF file, which cannot be read. Copy its text into the form."
  if (url.startsWith("file:"))
    return "This is a file on your computer. To read it, switch on “Allow access to file URLs” in the details of this extension, then reload the page."
  if (url === "" || OWN_PAGE.test(url) || STORE.test(url))
    return "This is a page of the browser itself, which no extension may read. Open the page of an article."
  return "The browser does not let extensions read this page. Reload it, or copy its text into the form."
}
