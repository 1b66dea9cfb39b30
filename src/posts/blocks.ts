import { postprocess, preprocess } from "micromark"
import type { Event, Point, Token } from "micromark-util-types"

import { asDocument, count, LINE_ENDING, withoutMark } from "./characters.ts"
import { isApart } from "./containers.ts"
import { parserFor, type Shared } from "./dialects.ts"
import { type End, endOfFence, endOfHtml, followFences, type IsEnd, MAY_DEFINE } from "./fences.ts"
import { isOrdinary, leadOf, tokenizeOrdinary } from "./ordinary.ts"

// A document is parsed block by block: micromark keeps every event of what it parses, and takes more than linear time.

/** Top-level blocks that are parsed in one go: what goes before and behind changes nothing about them. */
export interface Block {
  text: string
  /** Where the block begins: its line, from 1, and its place in UTF-16 units. */
  line: number
  offset: number
  /** From its first parse, where that was needed early. */
  events: Event[] | null
}

export interface Blocks {
  blocks: Block[]
  /** Every definition and footnote of the document. */
  shared: Shared
}

/** Small blocks are parsed together. */
export const MIN_CHARS = 2048

/** An array that finds its strings in constant time: documents define thousands of labels. */
class Names extends Array<string> {
  #known = new Set<string>()

  override includes(name: string): boolean {
    return this.#known.has(name)
  }

  override push(...names: string[]): number {
    for (const name of names) this.#known.add(name)
    return super.push(...names)
  }
}

const LINE = /[^\r\n]*(?:\r\n|\r|\n|$)/y
const BLANK = /^[ \t]*[\r\n]*$/

/** Where a line follows a blank one and no list, quote or footnote can go on, behind a place: fenced code and HTML still can. */
function* candidates(markdown: string, from: number): Generator<number> {
  let isAfterBlank = false
  let before = ""
  for (let at = from; at < markdown.length;) {
    LINE.lastIndex = at
    const [line = ""] = LINE.exec(markdown) ?? []
    if (isAfterBlank && isApart(line, before)) yield at
    isAfterBlank = BLANK.test(line)
    if (!isAfterBlank) before = line
    at += line.length
  }
}

interface Piece {
  end: number
  length: number
  isOrdinary: boolean
}

/** What lies between the candidates; paragraphs and headings that stand in front of something else are apart from it. */
function* cutPieces(markdown: string): Generator<Piece> {
  let start = 0
  for (const end of [...candidates(markdown, 0), markdown.length]) {
    const text = markdown.slice(start, end)
    const lead = isOrdinary(text) ? text.length : leadOf(text)
    if (lead > 0) yield { end: start + lead, length: lead, isOrdinary: true }
    if (lead < text.length) yield { end, length: text.length - lead, isOrdinary: false }
    start = end
  }
}

/** Groups pieces with their like. @returns where each group ends */
const groupPieces = (markdown: string): number[] => {
  const groups: Piece[] = []
  for (const piece of cutPieces(markdown)) {
    const last = groups.at(-1)
    if (last && last.isOrdinary === piece.isOrdinary && last.length < MIN_CHARS)
      Object.assign(last, { end: piece.end, length: last.length + piece.length })
    else groups.push(piece)
  }
  return groups.map(({ end }) => end)
}

/** A line that may begin a quote, a list or a footnote. */
const CONTAINER = /^[ \t]*(?:>|[-+*](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$)|\[\^)/m

const startOf = ({ line, offset }: Block): Point => ({ line, column: 1, offset, _index: 0, _bufferIndex: -1 })

/** The events of a block; what stands inside its texts is not parsed yet. */
export const tokenize = (shared: Shared, block: Block): Event[] => {
  const { text } = block
  const parser = parserFor(shared, text)
  const from = startOf(block)
  // Without containers a document is its flow, and a walk over every character is saved.
  const tokenizer = CONTAINER.test(text) ? parser.document(from) : parser.flow(from)
  return tokenizer.write(preprocess()(asDocument(text), undefined, true))
}

const CONTAINERS = new Set(["blockQuote", "listOrdered", "listUnordered", "gfmFootnoteDefinition"])

/** Fenced code or HTML that goes on over blank lines. */
interface Open {
  isEnd: IsEnd
  /** Then the line behind the blank one ends it, with the container, and how it does so depends on what that line is. */
  isInContainer: boolean
}

/** What is still open at the end of what was parsed. */
const findOpen = (events: Event[]): Open | null => {
  const lastChunk = events.findLastIndex(([, { type }]) => type === "chunkFlow")
  const flow = events[lastChunk]?.[1]._tokenizer?.events ?? events
  // Behind what has ended come line endings.
  const [, last, context] = flow.at(-1) ?? []
  const isInContainer = events.slice(lastChunk + 1).some(([, { type }]) => CONTAINERS.has(type))
  const textOf = (token?: Token): string => (token && context?.sliceSerialize(token)) ?? ""
  if (last?.type === "htmlFlow") {
    const isEnd = endOfHtml(textOf(last))
    return isEnd && { isEnd, isInContainer }
  }
  if (last?.type !== "codeFenced") return null
  const start = flow.findLastIndex(([kind, token]) => kind === "enter" && token === last)
  const fences = flow.slice(start).filter(([kind, { type }]) => kind === "enter" && type === "codeFencedFenceSequence")
  return fences.length < 2 ? { isEnd: endOfFence(textOf(fences[0]?.[1])), isInContainer } : null
}

/** Follows fenced code at the margin from a place on. @returns the first of the ends that it does not go on over, and how */
const followPieces = (markdown: string, from: number, ends: number[], first: number): { end: number; state: End } => {
  const follow = followFences()
  let at = from
  for (let i = first; ; i++) {
    const end = ends[i] ?? markdown.length
    const state = follow(markdown.slice(at, end))
    if (state !== "open" || end === markdown.length) return { end, state }
    at = end
  }
}

/** Behind the first line that ends something, or of the document. */
const findEnd = (markdown: string, from: number, isEnd: IsEnd): number => {
  for (LINE.lastIndex = from; LINE.lastIndex < markdown.length;) {
    const [line = ""] = LINE.exec(markdown) ?? []
    if (isEnd(line.replace(/[\r\n]+$/, ""))) return LINE.lastIndex
  }
  return markdown.length
}

/** How far a block goes on that was parsed up to a blank line. What stands behind that is for others: nothing is open there. */
const endOfOpen = (markdown: string, block: Block, shared: Shared): number => {
  let part = block
  let end = part.offset + part.text.length
  for (let open = findOpen(block.events ?? []); open && end < markdown.length;) {
    if (!open.isInContainer) return findEnd(markdown, end, open.isEnd)
    const { value: next = markdown.length } = candidates(markdown, end).next()
    const line = part.line + count(part.text, LINE_ENDING)
    part = { text: markdown.slice(end, next), line, offset: end, events: null }
    open = findOpen(tokenize(shared, part))
    end = next
  }
  return end
}

/**
 * Cuts one block: the rest of a piece, and what that goes on over. Parses it if others depend on it.
 * @param first of the pieces: the one that it begins in
 */
const cutBlock = (markdown: string, ends: number[], first: number, offset: number, line: number, shared: Shared) => {
  const upTo = (end: number): Block => ({ text: markdown.slice(offset, end), line, offset, events: null })
  const parse = (block: Block) => ({ ...block, events: tokenize(shared, block) })
  const piece = upTo(ends[first] ?? markdown.length)
  if (isOrdinary(piece.text)) return piece
  const { end, state } = followPieces(markdown, offset, ends, first)
  const block = upTo(end)
  if (state !== "doubtful" && !MAY_DEFINE.test(block.text)) return block
  const parsed = parse(block)
  const whole = upTo(endOfOpen(markdown, parsed, shared))
  return whole.text.length > block.text.length ? parse(whole) : parsed
}

/** Cuts a document into blocks, without its byte order mark. Parses those that others depend on. */
export const cutBlocks = (document: string): Blocks => {
  const markdown = withoutMark(document)
  const shared: Shared = { defined: new Names(), gfmFootnotes: new Names(), lazy: {} }
  const ends = groupPieces(markdown)
  const blocks: Block[] = []
  let [first, offset, line] = [0, 0, 1]
  do {
    const block = cutBlock(markdown, ends, first, offset, line, shared)
    blocks.push(block)
    offset += block.text.length
    line += count(block.text, LINE_ENDING)
    while ((ends[first] ?? Infinity) <= offset) first++
  } while (offset < markdown.length)
  return { blocks, shared }
}

/** All events of a block. @param shared of a document that was cut whole: by then everything is defined */
export const eventsOf = (shared: Shared, block: Block): Event[] => {
  // It may have parsed another document since.
  const parser = parserFor(shared, block.text)
  const events = block.events ?? tokenizeOrdinary(parser, block.text, startOf(block)) ?? tokenize(shared, block)
  return postprocess(events)
}

/** Adjacent blocks, so many as are worth an effort that each group takes anew. */
export const groupBlocks = (blocks: Block[]): Block[][] => {
  const groups: Block[][] = []
  let length = MIN_CHARS
  for (const block of blocks) {
    if (length >= MIN_CHARS) {
      groups.push([])
      length = 0
    }
    groups.at(-1)?.push(block)
    length += block.text.length
  }
  return groups
}
