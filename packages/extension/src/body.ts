import { MAX_BODY_BYTES } from "../../../src/limits.ts"
import { escapeAddress, escapeText } from "./escape.ts"

// Puts the body of a post together.

const escapeRegex = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** Returns the Markdown with the address of each uploaded image replaced. The other images become links. */
export const withImages = (body: string, addresses: string[], uploads: Record<string, string>): string =>
  addresses.reduce((text, address) => {
    // Matches `![A boat](https://a.example/b.png)` for that address. Does not match `[A boat](https://a.example/b.png)`.
    const image = new RegExp(`!\\[((?:\\\\.|[^\\]\\\\])*)\\]\\(${escapeRegex(address)}\\)`, "g")
    return text.replace(image, (_, alt: string) => {
      const upload = uploads[address]
      return upload === undefined
        ? `[${alt.trim() || escapeText(nameOf(address))}](${address})`
        : `![${alt}](${upload})`
    })
  }, body)

/** Returns the last part of an address, for an image without a text. */
export const nameOf = (address: string): string => {
  const { pathname, host } = new URL(address)
  return pathname.split("/").findLast(Boolean) ?? host
}

/** Returns a quote with a link to the page. */
export const quoteOf = (title: string, url: string): string => `> Source: [${escapeText(title)}](${escapeAddress(url)})`

/** Returns the first blocks of a text, as many as a post may have. */
export const cutBody = (text: string): string => {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= MAX_BODY_BYTES) return text
  // A stream leaves out a character whose end is missing.
  const begin = new TextDecoder().decode(bytes.subarray(0, MAX_BODY_BYTES), { stream: true })
  const end = begin.lastIndexOf("\n\n")
  return end > 0 ? begin.slice(0, end) : begin
}
