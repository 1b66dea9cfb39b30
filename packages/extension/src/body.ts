import { MAX_BODY_BYTES } from "../../../src/limits.ts"
import { escapeAddress, escapeText } from "./escape.ts"

// Puts the body of a post together.

// Matches a fence with its code, such as "```js\n![A](b.png)\n```", in a list or a quote too. Does not match "`a`".
const FENCE = /^[ \t>*+.)\d-]*(?<fence>`{3,}(?=[^`\n]*$)|~{3,})[^]*?(?:^[ \t>]*\k<fence>[`~]*[ \t]*$|(?![^]))/
// Matches "`a`", and a backtick alone. Does not match "\`". The code ends before the next block.
const CODE = /(?<ticks>`+)(?:(?:(?!\n[ \t>]*(?:\n|`{3}|~{3}))[^])*?(?<!`)\k<ticks>(?!`))?/
// Matches `![A boat](https://a.example/b.png)`. Does not match `[A boat](https://a.example/b.png)`.
const IMAGE = /!\[(?<alt>(?:\\[^]|[^[\]\\])*)\]\((?<address>[^\s()]+)\)/
// Each part begins after the one before it, so that code and `\!` hide an image.
const PARTS = new RegExp(String.raw`\\[^]|${FENCE.source}|${CODE.source}|${IMAGE.source}`, "gm")

/** Returns the Markdown with the address of each uploaded image replaced. The other images become links. Code stays. */
export const withImages = (body: string, addresses: string[], uploads: Record<string, string>): string => {
  const known = new Set(addresses)
  return body.replaceAll(PARTS, (part: string, ...rest) => {
    const { alt = "", address = "" } = rest.at(-1) as Record<string, string | undefined>
    if (!known.has(address)) return part
    const upload = uploads[address]
    return upload === undefined ? `[${alt.trim() || escapeText(nameOf(address))}](${address})` : `![${alt}](${upload})`
  })
}

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
