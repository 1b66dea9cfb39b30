import type { Event, Point, Token, TokenizeContext, TokenType } from "micromark-util-types"

// Paragraphs, headings and fenced code at the margin that no line around them can turn into something else, and their
// events (CommonMark chapter 4, "Leaf blocks").

/** In one way only: a line ending that could be read as two would have a failing match tried over and over. */
const ENDING = String.raw`(?:\r\n|\r(?!\n)|\n)`
const END = `(?:${ENDING}|$)`
const BACKTICK = "`"
/** A line that begins or goes on with a paragraph, whatever stands before it. */
const LINE = String.raw`(?![ \t]|\d{1,9}[.)](?:[ \t\r\n]|$))[^\r\n>+\-=#~<|${BACKTICK}*_\[\uFEFF]`
const EMPHASIS = String.raw`[*_]{1,3}[^\s*_\-]`
const CODE = `${BACKTICK}{1,2}[^${BACKTICK}\\r\\n]`
const LINK = String.raw`\[[^\^\r\n]`
const PARAGRAPH = new RegExp(String.raw`(?:(?:${LINE}|${EMPHASIS}|${CODE}|${LINK})[^\r\n|]*${END})+`, "y")
/** Definitions begin a paragraph, tables take a line of dashes. */
const MAY_BE_NO_PARAGRAPH = /\]:|:-|-:/
/** Other hashes might close it. */
const HEADING = new RegExp(String.raw`(?<marks>#{1,6}) +(?<text>(?!\s)[^\r\n#|]*[^\s#|])[ \t]*(?<ending>${END})`, "y")
const BLANK = new RegExp(String.raw`[ \t]*${END}`, "y")
const OPENING_FENCE = new RegExp(
  String.raw`(?<mark>${BACKTICK}{3,}|~{3,}(?!~))(?<info>[^${BACKTICK}\r\n]*)(?<ending>${ENDING})`,
  "y",
)
const CLOSING_FENCE = new RegExp(
  String.raw`(?<ending>${ENDING}) {0,3}(?<mark>${BACKTICK}{3,}|~{3,})[ \t]*(?=[\r\n]|$)`,
  "g",
)
const LAST_ENDING = new RegExp(END, "y")
/** What escapes and references to characters begin with, and what a parser replaces. */
const MAY_BE_PARSED = /[&\\\0]/

/** A block that its own lines tell. */
export interface LeafBlock {
  /** With its last line ending, in UTF-16 units. */
  length: number
  /** What is to be parsed inside of it. */
  text: string
  /** @param inside those of its text */
  events: (inside: Event[], at: Point) => Event[]
}

/** A token of what has no more to it than its words, or than what is inside of it. */
export const wrap = (type: TokenType, value: string, at: Point, inside: Event[] = []): Event[] => {
  const token: Token = { type, start: at, end: at }
  const context = { sliceSerialize: () => value } as unknown as TokenizeContext
  return [["enter", token, context], ...inside, ["exit", token, context]]
}

const endingsOf = (ending: string, at: Point): Event[] => (ending ? wrap("lineEnding", ending, at) : [])

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

export const readBlank = (markdown: string, at: number): LeafBlock | null => {
  const [line] = matchAt(BLANK, markdown, at) ?? []
  if (line === undefined) return null
  const events = (_: Event[], point: Point) => wrap("lineEndingBlank", line.replace(/^[ \t]+/, ""), point)
  return { length: line.length, text: "", events }
}

export const readParagraph = (markdown: string, at: number): LeafBlock | null => {
  const [all] = matchAt(PARAGRAPH, markdown, at) ?? []
  if (all === undefined || MAY_BE_NO_PARAGRAPH.test(all)) return null
  const text = all.replace(/(?:\r\n|\r|\n)$/, "")
  const events = (inside: Event[], point: Point) => [
    ...wrap("paragraph", "", point, inside),
    ...endingsOf(all.slice(text.length), point),
  ]
  return { length: all.length, text, events }
}

export const readHeading = (markdown: string, at: number): LeafBlock | null => {
  const found = matchAt(HEADING, markdown, at)
  if (!found) return null
  const { marks = "", text = "", ending = "" } = found.groups ?? {}
  const events = (inside: Event[], point: Point) => [
    ...wrap("atxHeading", "", point, [
      ...wrap("atxHeadingSequence", marks, point),
      ...wrap("atxHeadingText", "", point, inside),
    ]),
    ...endingsOf(ending, point),
  ]
  return { length: found[0].length, text, events }
}

/** The line ending before a closing fence, with the fence. */
const findClosing = (markdown: string, mark: string, from: number): RegExpExecArray | null => {
  CLOSING_FENCE.lastIndex = from
  for (const found of markdown.matchAll(CLOSING_FENCE)) if (found.groups?.["mark"]?.startsWith(mark)) return found
  return null
}

const infoOf = (language: string, at: Point): Event[] => wrap("codeFencedFenceInfo", "", at, wrap("data", language, at))

/** Fenced code that is closed. */
const readCode = (markdown: string, at: number): LeafBlock | null => {
  const opening = matchAt(OPENING_FENCE, markdown, at)
  if (!opening) return null
  const { mark = "", info = "", ending = "" } = opening.groups ?? {}
  const [language = ""] = info.replace(/^[ \t]+/, "").split(/[ \t]/, 1)
  const start = at + opening[0].length
  const closing = findClosing(markdown, mark, start - ending.length)
  if (!closing || MAY_BE_PARSED.test(language)) return null
  const end = closing.index + closing[0].length
  const [lastEnding = ""] = matchAt(LAST_ENDING, markdown, end) ?? []
  const linesAt = (point: Point): Event[] => {
    // Two fences may share a line ending.
    if (closing.index < start) return []
    const code = markdown.slice(start, closing.index).replaceAll("\0", "\uFFFD")
    return [...wrap("codeFlowValue", code, point), ...endingsOf(closing.groups?.["ending"] ?? "", point)]
  }
  const events = (_: Event[], point: Point) => [
    ...wrap("codeFenced", "", point, [
      ...wrap("codeFencedFence", "", point, language ? infoOf(language, point) : []),
      ...endingsOf(ending, point),
      ...linesAt(point),
      ...wrap("codeFencedFence", "", point),
    ]),
    ...endingsOf(lastEnding, point),
  ]
  return { length: end + lastEnding.length - at, text: "", events }
}

const READERS = [readParagraph, readBlank, readHeading, readCode]

/** The leaf block that stands at a place, if it is one of these. */
export const readLeafBlock = (markdown: string, at: number): LeafBlock | null => {
  for (const read of READERS) {
    const found = read(markdown, at)
    if (found) return found
  }
  return null
}
