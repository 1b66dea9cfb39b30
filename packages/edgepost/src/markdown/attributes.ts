import { type Reader, replace, type Step } from "./reader.ts"

// Attribute lists: kramdown's `{: .a}`, and `{.a}` of others. Only ids of headings are kept.

/** Matches `{: .a}`, `{#id .a}` and `{a="b"}`, also over two lines. Does not match `{` without its end in the paragraph. */
const BRACES = /^\{((?:[^{}\n]|\n(?!\s*\n)){0,500})\}/
/** Matches `.a`, `#b`, `c=d` and `c="d e"`, several. Does not match `a b`. */
export const ATTRIBUTES = /^\s*(?:(?:[.#][\w:.-]+|[\w-]+=(?:"[^"]*"|'[^']*'|[^\s"']+))(?:\s+|$))+$/
/** Matches what kramdown has after `{:`: `.a`, `toc`, `name: .a`, `:options a="b"`. Does not match ` (`. */
const KRAMDOWN = /^[\s:/]*[\w.#][^]*$|^\/$/
/** Matches tags around text that stays, and empty ones: `::nomarkdown`, `::options a="b" /`, `:/`. Does not match `:.a`. */
const EXTENSION = /^:(?::(?:comment|nomarkdown|options)(?![\w-])|\/)/
/** Matches headings: `## A`, `> # A`. Does not match `##A`. */
export const HEADING = /^[ \t>]*#{1,6}[ \t]/
/** Matches the line below a heading: `===`, `--`. Does not match `- a`. */
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/
/** Matches a list that is one id: `#id`. Does not match `#id .a`. */
const ONLY_ID = /^\s*#\S+\s*$/
/** Matches the list item that kramdown's table of contents replaces: `* TOC`, `1. Contents`. Does not match `* [a](b)`. */
const TOC_ITEM = /^(?:[*+-]|\d+\.)[ \t]+[\w \t]{1,60}$/

/** Matches the label of a definition, which may be a link's words: `[a]: b`. Does not match `[a] b` and `[^a]: b`. */
const DEFINITION = /^ {0,3}\[(?!\^)[^[\]\n]+\]:/gm

/** Returns the id of a list. Matches `#a` and `.b #a`. Does not match `b#a`. */
const idOf = (list: string): string | null => /(?:^|\s)#([^\s#]+)/.exec(list)?.[1] ?? null

/**
 * Removes an attribute list, and keeps the id of a heading. Returns null for other text in braces.
 * @param from the end of what was scanned before, which does not change any more
 */
export const scanAttributes = (reader: Reader, at: number, from: number): Step | null => {
  const { text, lines } = reader
  const [whole, list = ""] = BRACES.exec(text.slice(at, at + 502)) ?? []
  if (whole === undefined) return null
  const end = at + whole.length
  const isKramdown = list.startsWith(":") && KRAMDOWN.test(list.slice(1))
  // Matches the end of a line in a quote. Does not match `>`.
  const attributes = isKramdown ? list.slice(1) : list.replaceAll(/\n[ \t>]*/g, " ")
  if (isKramdown ? list.includes("\n") : !ATTRIBUTES.test(attributes)) return null
  const id = idOf(attributes)
  const start = lines.start(at)
  const before = text.slice(start, at)
  const next = lines.next(end)
  const isLast = lines.isBlankAfter(end)
  const withBlanks = (kept: string): Step => replace(Math.max(from, start + before.trimEnd().length), end, kept)
  if (EXTENSION.test(list) && !(before.trim() === "" && isLast)) return replace(at, end, "")
  if (before.trim() === "") return isLast ? removeLine() : null
  if (isLast && (HEADING.test(before) || (next !== null && UNDERLINE.test(text.slice(next, lines.end(next)))))) {
    // The service knows `{#id}`, and no other attributes.
    if (!isKramdown && ONLY_ID.test(attributes)) return { item: null, end }
    return withBlanks(id === null ? "" : ` {#${id}}`)
  }
  // Matches words in brackets for the list alone, in one paragraph: `[a b]`. Does not match `![a]` and `[a][b]`.
  const [words] = /(?<![\]!\\])\[(?:[^[\]\n]|\n(?!\s*\n)){1,200}\]$/.exec(text.slice(Math.max(0, at - 203), at)) ?? []
  if (words !== undefined && !isKramdown && at - words.length >= from && !reader.find(DEFINITION, 0))
    return replace(at - words.length, end, words.slice(1, -1))
  // Matches what an attribute list may follow: `)` of a link, a backquote of code. Does not match ` `.
  if ((isKramdown ? /\S/ : /[)\]`*_]/).test(text[at - 1] ?? " ")) return replace(at, end, "")
  // Prose may end with `{a=b}`. Matches `.a` and ` .a`. Does not match `a=b`.
  return isLast && (isKramdown || /^\s*\./.test(attributes)) ? withBlanks("") : null

  function removeLine(): Step | null {
    if (start === 0) return isKramdown ? replace(0, end, "") : null
    const previous = lines.start(start - 1)
    const line = text.slice(previous, lines.end(previous))
    if (!isKramdown && line.trim() === "") return null
    if (attributes.trim() === "toc" && TOC_ITEM.test(line)) return replace(Math.max(from, previous), end, "")
    return replace(Math.max(from, lines.end(previous)), end, id !== null && HEADING.test(line) ? ` {#${id}}` : "")
  }
}
