import { preprocess } from "micromark"
import type { Event, ParseContext, Point, Token, TokenizeContext, TokenType } from "micromark-util-types"

// Most of a post is paragraphs that no line can turn into something else. Their text is tokenized alone: the walks that
// look for blocks would find one paragraph.

/** A line that begins or goes on with a paragraph, whatever stands before it. */
const LINE = String.raw`(?![ \t]|\d{1,9}[.)](?:[ \t\r\n]|$))[^\r\n>+\-=#~<|${"`"}*_\[\uFEFF]`
const EMPHASIS = String.raw`[*_]{1,3}[^\s*_\-]`
const CODE = "`{1,2}[^`\\r\\n]"
const LINK = String.raw`\[[^\^\r\n]`
const START = `(?:${LINE}|${EMPHASIS}|${CODE}|${LINK})`
/** In one way only: a line ending that could be read as two would have a failing match tried over and over. */
const ENDING = String.raw`(?:\r\n|\r(?!\n)|\n`
const ORDINARY = new RegExp(String.raw`^(?:${START}[^\r\n|]*${ENDING}|$)|[ \t]*${ENDING}))+$`)
/** Definitions begin a paragraph, tables take a line of dashes. */
const NOT_ORDINARY = /\]:|:-|-:/

/** Whether the text is nothing but paragraphs at the top level. */
export const isOrdinary = (text: string): boolean => !NOT_ORDINARY.test(text) && ORDINARY.test(text)

/** What GFM makes links of, without being asked. */
export const AUTOLINK = /@|www\.|https?:\/\//i

/** Text that no construct begins in, without whitespace that does not count. */
const PLAIN = /^(?! )[^*_[\]<&\\`~!\r\n\t\0]*(?<! )$/

const PARAGRAPH = /((?:[^\r\n]*[^ \t\r\n][^\r\n]*(?:\r\n|\r|\n|$))+)|[ \t]*(?:\r\n|\r|\n|$)/y

/** What has no more to it than its words. */
const literal = (type: TokenType, value: string, at: Point): Event[] => {
  const token: Token = { type, start: at, end: at }
  const context = { sliceSerialize: () => value } as unknown as TokenizeContext
  return [
    ["enter", token, context],
    ["exit", token, context],
  ]
}

const wrap = (events: Event[], at: Point): Event[] => {
  const [enter, exit] = literal("paragraph", "", at)
  return enter && exit ? [enter, ...events, exit] : events
}

/** The events of a paragraph without its last line ending. */
const tokenizeText = (parser: ParseContext, text: string, from: Point): Event[] => {
  const lines = text.split(/(\r\n|\r|\n)/)
  if (!AUTOLINK.test(text) && lines.every((line, i) => i % 2 === 1 || PLAIN.test(line)))
    return lines.flatMap((line, i) => literal(i % 2 === 1 ? "lineEnding" : "data", line, from))
  return parser.text(from).write(preprocess()(text, undefined, true))
}

/** Paragraphs of a text that is ordinary, without their last line ending, and blank lines; lines count from 0. */
export function* splitParagraphs(text: string): Generator<{ all: string; text: string; line: number; offset: number }> {
  for (let at = 0, line = 0; at < text.length;) {
    PARAGRAPH.lastIndex = at
    const [all = "", paragraph = ""] = PARAGRAPH.exec(text) ?? []
    const words = paragraph.replace(/(?:\r\n|\r|\n)$/, "")
    yield { all, text: words, line, offset: at }
    line += words.split(/\r\n|\r|\n/).length
    at += all.length
  }
}

/** The events of a text that is ordinary. */
export const tokenizeParagraphs = (parser: ParseContext, text: string, from: Point): Event[] => {
  const events: Event[] = []
  for (const { all, text: words, line, offset } of splitParagraphs(text)) {
    const point = { ...from, line: from.line + line, offset: from.offset + offset }
    if (words) {
      for (const event of wrap(tokenizeText(parser, words, point), point)) events.push(event)
      const ending = all.slice(words.length)
      if (ending) events.push(...literal("lineEnding", ending, point))
    } else if (all) events.push(...literal("lineEndingBlank", all.replace(/^[ \t]+/, ""), point))
  }
  return events
}
