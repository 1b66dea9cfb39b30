import { preprocess } from "micromark"
import type { Event, ParseContext, Point } from "micromark-util-types"

import { count, LINE_ENDING } from "./characters.ts"
import { type LeafBlock, readBlank, readHeading, readLeafBlock, readParagraph, wrap } from "./leaf-blocks.ts"

// Most of a post is leaf blocks that their own lines tell. Their text alone is tokenized: the walks that look for blocks
// would find nothing but these.

/** What GFM makes links of, without being asked. */
export const AUTOLINK = /@|www\.|https?:\/\//i

const BACKTICK = "`"
const WORDS = String.raw`[^*_[\]<&\\${BACKTICK}~!\r\n\t\0]*`
const CODE_SPAN = String.raw`${BACKTICK}(?! )[^${BACKTICK}\r\n\t\0]+${BACKTICK}(?!${BACKTICK})`
/** A line in which no construct begins but code in single backticks, without whitespace that does not count. */
const LITERAL = new RegExp(String.raw`^(?! )${WORDS}(?:${CODE_SPAN}${WORDS})*(?<! )$`)

/** The blocks of a text, if all of them are ordinary. */
const readOrdinary = (markdown: string): LeafBlock[] | null => {
  const blocks: LeafBlock[] = []
  for (let at = 0; at < markdown.length;) {
    const found = readLeafBlock(markdown, at)
    if (!found) return null
    blocks.push(found)
    at += found.length
  }
  return blocks
}

/** Whether a text is nothing but paragraphs, headings and fenced code at the top level. */
export const isOrdinary = (markdown: string): boolean => readOrdinary(markdown) !== null

/**
 * Paragraphs and headings that a text begins with, up to the end of the first blank lines; 0 without any. Whatever was open
 * before, no list, quote or footnote is behind them, because none of their lines goes on with one or begins one.
 * @returns their length in UTF-16 units
 */
export const leadOf = (markdown: string): number => {
  const readAll = (from: number, read: (markdown: string, at: number) => LeafBlock | null): number => {
    let at = from
    for (let found = read(markdown, at); found && at < markdown.length; found = read(markdown, at)) at += found.length
    return at
  }
  const lead = readAll(0, (text, at) => readParagraph(text, at) ?? readHeading(text, at))
  const end = lead && readAll(lead, readBlank)
  return end > lead ? end : 0
}

/** What is to be parsed inside the blocks of a text that is ordinary; lines count from 0. */
export function* ordinaryTexts(markdown: string): Generator<{ text: string; line: number }> {
  let [at, line] = [0, 0]
  for (const { text, length } of readOrdinary(markdown) ?? []) {
    if (text) yield { text, line }
    line += count(markdown.slice(at, (at += length)), LINE_ENDING)
  }
}

/** @param line of words and code by turns */
const literal = (line: string, at: Point): Event[] =>
  line.split(BACKTICK).flatMap((piece, i) => {
    const isCode = i % 2 === 1
    return isCode ? wrap("codeText", "", at, wrap("codeTextData", piece, at)) : wrap("data", piece, at)
  })

const tokenizeText = (parser: ParseContext, text: string, from: Point): Event[] => {
  if (text === "") return []
  const lines = text.split(/(\r\n|\r|\n)/)
  if (!AUTOLINK.test(text) && lines.every((line, i) => i % 2 === 1 || LITERAL.test(line)))
    return lines.flatMap((line, i) => (i % 2 === 1 ? wrap("lineEnding", line, from) : literal(line, from)))
  return parser.text(from).write(preprocess()(text, undefined, true))
}

/** The events of a text, or null if not all of it is ordinary. Where each stands is not told. */
export const tokenizeOrdinary = (parser: ParseContext, markdown: string, from: Point): Event[] | null => {
  const blocks = readOrdinary(markdown)
  if (!blocks) return null
  const all: Event[] = []
  for (const { text, events } of blocks)
    for (const event of events(tokenizeText(parser, text, from), from)) all.push(event)
  return all
}
