import { postprocess, preprocess } from "micromark"
import type { Event, Point } from "micromark-util-types"

import { asDocument, count, LINE_ENDING, withoutMark } from "./characters.ts"
import { MAY_CONTINUE } from "./containers.ts"
import { parserFor, type Shared } from "./dialects.ts"
import { type End, followFences, isLastingHtml } from "./fences.ts"
import { isOrdinary, tokenizeParagraphs } from "./paragraphs.ts"

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
const MIN_CHARS = 2048

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

/** Where a line follows a blank one and no list, quote or footnote can go on: fenced code and HTML still can. */
const candidates = (markdown: string): number[] => {
  const starts: number[] = []
  let isAfterBlank = false
  for (let at = 0; at < markdown.length;) {
    LINE.lastIndex = at
    const [line = ""] = LINE.exec(markdown) ?? []
    if (isAfterBlank && !MAY_CONTINUE.test(line)) starts.push(at)
    isAfterBlank = BLANK.test(line)
    at += line.length
  }
  return starts
}

/** Groups what lies between the candidates: ordinary paragraphs with their like, and all else with its like. */
const groupPieces = (markdown: string): number[] => {
  const starts = [0, ...candidates(markdown)]
  const runs: { end: number; length: number; ordinary: boolean }[] = []
  for (const [i, start] of starts.entries()) {
    const end = starts[i + 1] ?? markdown.length
    const ordinary = isOrdinary(markdown.slice(start, end))
    const last = runs.at(-1)
    if (last && last.ordinary === ordinary && last.length < MIN_CHARS)
      Object.assign(last, { end, length: last.length + end - start })
    else runs.push({ end, length: end - start, ordinary })
  }
  return runs.map(({ end }) => end)
}

/** A line that may begin a quote, a list or a footnote. */
const CONTAINER = /^[ \t]*(?:>|[-+*](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$)|\[\^)/m

/** The events of a block; what stands inside its texts is not parsed yet, unless they are ordinary paragraphs. */
export const tokenize = (shared: Shared, { text, line, offset }: Block): Event[] => {
  const parser = parserFor(shared, text)
  const from: Point = { line, column: 1, offset, _index: 0, _bufferIndex: -1 }
  if (isOrdinary(text)) return tokenizeParagraphs(parser, text, from)
  // Without containers a document is its flow, and a walk over every character is saved.
  const tokenizer = CONTAINER.test(text) ? parser.document(from) : parser.flow(from)
  return tokenizer.write(preprocess()(asDocument(text), undefined, true))
}

const isPadding = (type: string): boolean => ["lineEnding", "lineEndingBlank", "linePrefix"].includes(type)

/** Whether fenced code or HTML is still open at the end, and goes on over blank lines. */
const isOpen = (events: Event[]): boolean => {
  const flow = events.findLast(([, { type }]) => type === "chunkFlow")?.[1]._tokenizer?.events ?? events
  const [, last, context] = flow.findLast(([, { type }]) => !isPadding(type)) ?? []
  if (last?.type === "htmlFlow") return isLastingHtml(context?.sliceSerialize(last) ?? "")
  if (last?.type !== "codeFenced") return false
  const start = flow.findLastIndex(([kind, token]) => kind === "enter" && token === last)
  const fences = flow.slice(start).filter(([kind, { type }]) => kind === "enter" && type === "codeFencedFence")
  return fences.length < 2
}

/** What other blocks have to know has one. */
const MAY_DEFINE = /\]:/

/** Follows fenced code at the margin from a piece on. @returns the piece that it ends in, or the document, and how */
const endOfFences = (markdown: string, ends: number[], first: number): { last: number; end: End } => {
  const follow = followFences()
  for (let last = first; ; last++) {
    const end = follow(markdown.slice(ends[last - 1], ends[last]))
    if (end !== "open" || last === ends.length - 1) return { last, end }
  }
}

/** Cuts one block, of a piece and those behind it that it goes on over. Parses it if others depend on it. */
const cutBlock = (markdown: string, ends: number[], first: number, line: number, shared: Shared) => {
  const offset = ends[first - 1] ?? 0
  const upTo = (last: number): Block => ({ text: markdown.slice(offset, ends[last]), line, offset, events: null })
  const parse = (block: Block) => ({ ...block, events: tokenize(shared, block) })
  if (isOrdinary(upTo(first).text)) return { block: upTo(first), last: first }
  let { last, end } = endOfFences(markdown, ends, first)
  const block = upTo(last)
  if (end !== "doubtful" && !MAY_DEFINE.test(block.text)) return { block, last }
  let parsed = parse(block)
  while (last < ends.length - 1 && isOpen(parsed.events)) {
    // Twice as much each time: what stays open to the end is not looked at over and over.
    const size = 2 * parsed.text.length
    while (last < ends.length - 1 && (ends[last] ?? 0) - offset < size) last++
    parsed = parse(upTo(last))
  }
  return { block: parsed, last }
}

/** Cuts a document into blocks, without its byte order mark. Parses those that others depend on. */
export const cutBlocks = (document: string): Blocks => {
  const markdown = withoutMark(document)
  const shared: Shared = { defined: new Names(), gfmFootnotes: new Names(), lazy: {} }
  const ends = groupPieces(markdown)
  const blocks: Block[] = []
  let line = 1
  for (let first = 0; first < ends.length;) {
    const { block, last } = cutBlock(markdown, ends, first, line, shared)
    blocks.push(block)
    line += count(block.text, LINE_ENDING)
    first = last + 1
  }
  return { blocks, shared }
}

/** All events of a block. @param shared of a document that was cut whole: by then everything is defined */
export const eventsOf = (shared: Shared, block: Block): Event[] => {
  // Their parser may have parsed another document since.
  parserFor(shared, block.text)
  return postprocess(block.events ?? tokenize(shared, block))
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
