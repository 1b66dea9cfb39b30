import { htmlBlockNames, htmlRawNames } from "micromark-util-html-tag-name"

import { LINE_ENDING } from "./characters.ts"

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
export const MAY_BE_LONG_HTML = new RegExp(`^ {0,3}<(?:[!?]|${RAW_NAMES})`, "i")

const HTML_NAMES = [...htmlBlockNames, RAW_NAMES].join("|")
const QUOTED = `"[^"]*"|'[^']*'`
const UNQUOTED = "[^<>\"'`]*"
/** One of the names that begin it anywhere, or any tag with nothing behind it (CommonMark section 4.6). */
export const MAY_BE_HTML = new RegExp(
  String.raw`^ {0,3}<(?:[!?]|/?(?:${HTML_NAMES})(?:[ \t/>]|$)|/?[a-z]${UNQUOTED}(?:(?:${QUOTED})${UNQUOTED})*>[ \t]*$)`,
  "i",
)

/** Whether a block of HTML may go on behind a blank line. */
export const isLastingHtml = (html: string): boolean => {
  const text = html.trimStart()
  return MAY_BE_LONG_HTML.test(text) && !LONG_HTML.some(([start, end]) => start.test(text) && end.test(text))
}

const AT_MARGIN = /^[`~]/
/**
 * HTML, and fences that are indented or in a container: how far they go depends on what stands before them. Footnotes,
 * which define something, are parsed at once.
 */
const DOUBTFUL = /^[\s>+*\-\d.)]*(?:`{3}|~{3}|<)/

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
      if (fence) fence = CLOSING_FENCE.exec(line)?.[1]?.startsWith(fence) ? "" : fence
      else if (AT_MARGIN.test(line)) fence = OPENING_FENCE.exec(line)?.[1] ?? ""
      else isDoubtful ||= DOUBTFUL.test(line)
    if (isDoubtful) return "doubtful"
    return fence ? "open" : "closed"
  }
}
