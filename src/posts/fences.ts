import { htmlBlockNames, htmlRawNames } from "micromark-util-html-tag-name"

import { isBlank, LINE_ENDING } from "./characters.ts"

// Where fenced code and HTML begin and end, told from their text alone (CommonMark sections 4.5 and 4.6).

/** No info string behind backticks has one. */
export const OPENING_FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
/** Nothing else than code can end or begin there. */
export const CLOSING_FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*$/

const RAW_NAMES = htmlRawNames.join("|")

/** HTML that goes on over blank lines, at the margin, and what ends it (kinds 1 to 4). */
export const LONG_HTML: [start: RegExp, end: RegExp][] = [
  [new RegExp(String.raw`^<(?:${RAW_NAMES})(?:[ \t\r\n>]|$)`, "i"), new RegExp(`</(?:${RAW_NAMES})>`, "i")],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![a-z]/i, />/],
]
/** All of that, and where its end is not certain: inside of containers, and parsers differ in what ends CDATA. */
export const MAY_BE_LONG_HTML = new RegExp(String.raw`^ {0,3}<(?:[!?]|(?:${RAW_NAMES})(?:[ \t>]|$))`, "i")

/** HTML that the next blank line ends, and that needs none before it (kind 6). */
const BLOCK_HTML = new RegExp(String.raw`^ {0,3}</?(?:${htmlBlockNames.join("|")})(?:[ \t]|/?>|$)`, "i")
const ATTRIBUTE = String.raw`[ \t]+[a-z_:][a-z0-9_.:-]*(?:[ \t]*=[ \t]*(?:"[^"]*"|'[^']*'|[^ \t"'/<=>\`]+))?`
/** A tag with nothing behind it: HTML until the next blank line, but in no paragraph (kind 7). */
const TAG_ALONE = new RegExp(
  String.raw`^ {0,3}<(?:[a-z][a-z0-9-]*(?:${ATTRIBUTE})*[ \t]*/?|/[a-z][a-z0-9-]*[ \t]*)>[ \t]*$`,
  "i",
)
const HTML_NAMES = [...htmlBlockNames, RAW_NAMES].join("|")
const QUOTED = `"[^"]*"|'[^']*'`
const UNQUOTED = "[^<>\"'`]*"
/** One of the names that begin it anywhere, or any tag with nothing behind it (CommonMark section 4.6). */
export const MAY_BE_HTML = new RegExp(
  String.raw`^ {0,3}<(?:[!?]|/?(?:${HTML_NAMES})(?:[ \t/>]|$)|/?[a-z]${UNQUOTED}(?:(?:${QUOTED})${UNQUOTED})*>[ \t]*$)`,
  "i",
)

/** Tells from a line, without its ending, whether it ends what is open. */
export type IsEnd = (line: string) => boolean

/** @param mark the fence that opened the code */
export const endOfFence =
  (mark: string): IsEnd =>
  (line) =>
    CLOSING_FENCE.exec(line)?.[1]?.startsWith(mark) ?? false

/** As micromark 4.0.3 reads it: brackets are taken in twos. */
const CDATA: (typeof LONG_HTML)[number] = [/^<!\[CDATA\[/, /(?<!\])(?:\]\])+>/]
export const ALL_LONG_HTML = [...LONG_HTML, CDATA]

const endOfKind = (html: string): RegExp | undefined => ALL_LONG_HTML.find(([start]) => start.test(html))?.[1]

/** Whether a line ends a paragraph that it could go on with, for the code or HTML that it begins: all but a tag alone. */
export const interrupts = (line: string): boolean =>
  OPENING_FENCE.test(line) || BLOCK_HTML.test(line) || endOfKind(line.replace(/^ {0,3}/, "")) !== undefined

/** Whether a line ends what HTML it may begin. */
export const isHtmlOfOneLine = (line: string): boolean => {
  const text = line.trimStart()
  return endOfKind(text)?.test(text) ?? false
}

/** Fenced code or HTML that is open behind a line. */
export interface Held {
  isEnd: IsEnd
  /** Whether the line that ends it is in it: of code it is the other fence, and of what a blank line ends nothing. */
  holdsEnd: boolean
}

/**
 * What a line leaves open.
 * @param isFirst whether it goes on with no paragraph, whatever it is
 * @returns null where that is not certain; "nothing" for HTML that ends where it begins
 */
export const openedBy = (line: string, isFirst: boolean): Held | "nothing" | null => {
  const [, mark] = OPENING_FENCE.exec(line) ?? []
  if (mark) return { isEnd: endOfFence(mark), holdsEnd: false }
  const text = line.replace(/^ {0,3}/, "")
  const [, end] = LONG_HTML.find(([start]) => start.test(text)) ?? []
  if (end) return end.test(text) ? "nothing" : { isEnd: (other) => end.test(other), holdsEnd: true }
  return BLOCK_HTML.test(line) || (isFirst && TAG_ALONE.test(line)) ? { isEnd: isBlank, holdsEnd: false } : null
}

/** What ends a block of HTML at the margin that goes on behind a blank line; null where that ends it. */
export const endOfHtml = (html: string): IsEnd | null => {
  const text = html.trimStart()
  const end = endOfKind(text)
  return end && !end.test(text) ? (line) => end.test(line) : null
}

/** How fences at the margin begin. */
export const AT_MARGIN = /^[`~]/
/**
 * HTML, and fences that are indented or in a container: how far they go depends on what stands before them. Footnotes,
 * which define something, are parsed at once.
 */
const DOUBTFUL = /^[\s>+*\-\d.)]*(?:`{3}|~{3}|<)/

/** What other blocks have to know has one. */
export const MAY_DEFINE = /\]:/

/** Whether what a line leaves open is not told from the text alone. */
export const mayLeaveOpen = (line: string): boolean =>
  MAY_DEFINE.test(line) || (!AT_MARGIN.test(line) && DOUBTFUL.test(line))

/** What is left open at the end of a text. */
export type End = "closed" | "open" | "doubtful"

/**
 * Follows fenced code at the margin through texts that go on with one another, from a line on where nothing is open.
 * @returns for each text whether a fence is open at its end, or whether something doubtful has come until there
 */
export const followFences = (): ((text: string) => End) => {
  let fence = ""
  let isDoubtful = false
  return (text) => {
    for (const line of text.split(LINE_ENDING))
      if (fence) fence = endOfFence(fence)(line) ? "" : fence
      else if (AT_MARGIN.test(line)) fence = OPENING_FENCE.exec(line)?.[1] ?? ""
      else isDoubtful ||= DOUBTFUL.test(line)
    if (isDoubtful) return "doubtful"
    return fence ? "open" : "closed"
  }
}
