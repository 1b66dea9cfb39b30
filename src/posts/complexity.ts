import { MAX_BODY_LINES, MAX_CONTAINERS, MAX_PARSER_STEPS } from "../limits.ts"
import { count, isBlank, LINE_ENDING } from "./characters.ts"
import { isApart } from "./containers.ts"
import { addInlines } from "./density.ts"
import { MAY_BE_TABLE } from "./dialects.ts"
import { type Effort, measureEffort } from "./effort.ts"
import { MAY_DEFINE, mayLeaveOpen } from "./fences.ts"
import { type Line, readLines } from "./lines.ts"

// What a parser has to do to tell the blocks, and at least inside of them, before it does it: counted from the lines, as
// the worst that they may turn out to be. Steps are measured in bench/markdown, memory in test/full/memory.test.ts.

const LINE = 80
/** Of a line behind a blank one that stands in no container, and before which no block can be cut. */
const UNCUT = 1200
const CHAR = 1.5
/** It is up to four columns, each held apart. */
const TAB = 16
/** Of each quote, item and footnote that a line goes on with. */
const CONTINUED = 150
const BEGUN = 1500
/** Of an item with another marker than the one before it: a list of its own, as a rule. */
const OTHER_MARKER = 250
/** A quote or list that is in no other. */
const OUTER = 1700
const TASK = 350
/** Of each fence, also where it is none. */
const FENCE = 380
/** Of each escape or reference in what it says of its code. */
const INFO = 180
/** Of each run of its markers. */
const RULE = 130
/** A line with a pipe may be the head of a table. */
const PIPED = 450
/** Of each word, pipe, run of hashes and blank between them, for every other one that is held together with it. */
const HELD = 0.0004
const HEADING = 850
/** Of one that is a paragraph until its underline comes. */
const UNDERLINED = 1500
const LINK_DEFINITION = 3500
/** With its call, and the way back. */
const FOOTNOTE = 6600
const TABLE = 1200
const CELL = 750
/** Of each cell, for every other one of its table. */
const CELL_BY_CELL = 0.5
/** What ends inside of a block moves all that the block has so far: for each of its lines, and what the line is in. */
const ENDED = 1.2

/** Of each line inside of a quote, a list or a footnote, for all that these hold so far. */
const INSIDE = 0.035
/** What inlines take more inside of these, as a part of what they take, and where a block goes on without any. */
const INLINES_INSIDE = 0.7
const INLINES_UNCUT = 1.5

/** There, of a paragraph behind another one. */
const NEXT_INSIDE = 100
/** There, of what may mark emphasis, and of what may refer to a definition. */
const MARK = 55
const REFERENCE = 200

/** How headings, rules, tasks and definitions begin. */
const MAY_BE_MARKED = /^ {0,3}[#=\-*_[]/
export const ATX_HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/
const THEMATIC_BREAK = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/
const MARKERS = /[-*_]+/g
const ITEM_MARKER = /(?:[-+*]|\d[.)])(?=[ \t]|$)/
const BEGINS_TASK = /^\[[ xX]\][ \t]/
const MAY_REFER = /\](?![(:])/g
const DEFINITION = /^ {0,3}\[[^\]]+\]:/
/** Dashes alone underline a heading. */
const DELIMITER_ROW = /^(?=.*[|:])[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*(?::?-+:?[ \t]*)?)*$/
const BEGINS_FENCE = /^ {0,3}(?:`{3}|~{3})/
const PIECES_OF_ROW = /\||[ \t]+|[^ \t|]+/g
const PIECES_OF_HEADING = /#+|[ \t]+|[^ \t#]+/g
/** What is indented so far may be code. */
export const MAY_BE_CODE = /^ {4}/

/** Of a short line each character counts as a piece: it comes to nothing. */
const SHORT = 128

const piecesOf = (line: string): number => (line.length <= SHORT ? line.length : count(line, PIECES_OF_ROW))

/** Cells without the pipes at both ends. */
const cellsOf = (row: string): string[] => row.trim().replace(/^\|/, "").replace(/\|$/, "").split("|")

/**
 * Every row has the columns of the delimiter row, or more if more are written.
 * @param lines without a blank one in between
 * @param hold what pieces take for all that is held
 */
const addTable = (effort: Effort, lines: Line[], hold: (pieces: number) => number): void => {
  const delimiters = lines.filter(({ rest }) => DELIMITER_ROW.test(rest))
  const [first] = delimiters
  if (!first) return
  const rows = lines.slice(Math.max(0, lines.indexOf(first) - 1))
  const columns = Math.max(...delimiters.map(({ rest }) => cellsOf(rest).length))
  const cells = rows.reduce((sum, { rest }) => sum + Math.max(columns, cellsOf(rest).length), 0)
  const pieces = rows.reduce((sum, { rest }) => sum + count(rest, PIECES_OF_ROW), 0)
  const steps = TABLE + CELL * cells + CELL_BY_CELL * cells ** 2 + hold(pieces)
  effort.add("table cells", steps, rows[0]?.number ?? 1)
}

const CAUSES = { quotes: "quotes", items: "list items", footnotes: "footnotes" } as const

/** Adds what lines take, one after another. */
const addLines = (effort: Effort, markdown: string) => {
  const hasTables = MAY_BE_TABLE.test(markdown)
  const hasDefinitions = MAY_DEFINE.test(markdown)
  /** How much the block has so far, and what it is in. */
  let size = 0
  /** Pieces of headings and of rows that the block has so far. */
  let held = 0
  let isInside = false
  let isUncut = false
  let isIndentedCode = false
  let container: string = CAUSES.quotes
  let marker: string | undefined
  /** All that was taken before the last line behind a blank one that nothing but code and HTML goes on over. */
  let before = effort.total()
  /** Whether a line since then may leave these open, and the part before it does. */
  let mayOpen = false
  let wasOpen = false
  let rows: Line[] = []
  let lastText: Line | undefined

  const hold = (pieces: number): number => {
    const steps = HELD * pieces * (2 * held + pieces)
    held += pieces
    return steps
  }

  const endRows = (): void => {
    addTable(effort, rows, hold)
    rows = []
  }

  /** What leaves code or HTML open, and what comes behind it, is parsed twice: to see that, and together. */
  const endPart = (isOpen: boolean, number: number): void => {
    effort.add("code and HTML", isOpen || wasOpen ? effort.total() - before : 0, number)
    ;[before, mayOpen, wasOpen] = [effort.total(), false, isOpen]
  }

  const add = (line: Line, last: Line | undefined): void => {
    const { rest, begun, depth, ended, number, isCode } = line
    const isBehindBlank = last !== undefined && isBlank(last.text)
    const isNext = isBehindBlank && isApart(line.text, lastText?.text ?? "")
    if (isNext) [isInside, isUncut, container] = [false, false, CAUSES.quotes]
    if (isNext || isBlank(rest)) endRows()
    if (isNext) {
      // In a container it is open for all that is told up to the blank line.
      const isLeft = lastText && lastText.depth > 0 && (lastText.isCode || lastText.mayBeHtml)
      const isOpen = last.isCode || last.mayBeHtml || last.isLost || isLeft === true
      // Code and HTML hold all together that they stand in.
      if (!isOpen) [size, held] = [0, 0]
      endPart(isOpen && mayOpen, number)
    }
    if (!isBlank(line.text)) lastText = line
    mayOpen ||= !(isCode && last?.isCode) && mayLeaveOpen(line.text)
    if (!isCode) rows.push(line)
    const begins = begun.quotes + begun.items + begun.footnotes
    const isOuter = begins > 0 && !isInside
    if (begins > 0) container = begun.quotes > begun.items ? CAUSES.quotes : CAUSES.items
    isInside = depth > 0
    size += 1 + depth + begins
    effort.add("lines", isBlank(rest) ? 0 : LINE, number)
    isIndentedCode = !isInside && MAY_BE_CODE.test(rest) && (isBehindBlank || isIndentedCode)
    const goesOn = isBehindBlank && !isNext && !isInside && !isCode && !isIndentedCode && !isBlank(rest)
    isUncut ||= goesOn
    effort.add("indented paragraphs", goesOn ? UNCUT : 0, number)
    const isNextInside = isInside && begins === 0 && last !== undefined && isBlank(last.rest) && !isBlank(rest)
    effort.add(container, isNextInside && !isCode ? NEXT_INSIDE : 0, number)
    effort.add(isCode ? "lines" : container, CONTINUED * (depth - begins) + (isInside ? INSIDE * size : 0), number)
    effort.add(container, BEGUN * (begun.quotes + begun.items) + (isOuter ? OUTER : 0), number)
    if (begun.items > 0) {
      const other = marker
      marker = ITEM_MARKER.exec(line.text)?.[0].slice(-1)
      effort.add(CAUSES.items, marker === other ? 0 : OTHER_MARKER, number)
    }
    effort.add(CAUSES.footnotes, FOOTNOTE * begun.footnotes, number)
    // Where another begins, the end of a single one is no more than that.
    if (ended > Math.min(begins, 1)) effort.add("nested lists and quotes", ENDED * size, number)
    effort.add("fences", BEGINS_FENCE.test(rest) ? FENCE + INFO * count(rest, /[\\&]/g) : 0, number)
    if (isCode) return
    if (isInside || (isUncut && !isIndentedCode)) {
      addInlines(effort, rest, number, isInside ? INLINES_INSIDE : INLINES_UNCUT)
      effort.add("markers of emphasis", MARK * count(rest, /[*_~]/g), number)
      effort.add("references", hasDefinitions ? REFERENCE * count(rest, MAY_REFER) : 0, number)
    }
    effort.add("table cells", rest.includes("|") ? PIPED : 0, number)
    // Until the next line tells whether it is a head.
    const mayBeHead = hasTables && !MAY_BE_CODE.test(rest)
    effort.add("words and pipes of a line", mayBeHead ? HELD * piecesOf(rest) ** 2 : 0, number)
    if (!MAY_BE_MARKED.test(rest)) return
    effort.add("headings", ATX_HEADING.test(rest) ? HEADING + hold(count(rest, PIECES_OF_HEADING)) : 0, number)
    effort.add("headings", UNDERLINE.test(rest) ? UNDERLINED + 2 * ENDED * size : 0, number)
    effort.add("list items", begun.items > 0 && BEGINS_TASK.test(rest) ? TASK : 0, number)
    effort.add("rules", THEMATIC_BREAK.test(rest) ? RULE * count(rest, MARKERS) : 0, number)
    effort.add("definitions", DEFINITION.test(rest) ? LINK_DEFINITION : 0, number)
  }

  const end = (number: number): void => {
    endRows()
    endPart(false, number)
  }

  return { add, end }
}

/**
 * Whether the blocks of a document can be told in reasonable time.
 * @returns its lines, and what that takes, or a sentence that names the construct of which there is too much and where it begins
 */
export const measureBlocks = (markdown: string): { lines: Line[]; effort: Effort } | { tooComplex: string } => {
  if (count(markdown, LINE_ENDING) >= MAX_BODY_LINES) return { tooComplex: `It has more than ${MAX_BODY_LINES} lines.` }
  const effort = measureEffort()
  effort.add("characters", CHAR * markdown.length + TAB * count(markdown, /\t/g), 1)
  const lines: Line[] = []
  const all = addLines(effort, markdown)
  for (const line of readLines(markdown)) {
    if (line.depth > MAX_CONTAINERS)
      return { tooComplex: `Line ${line.number} is in more than ${MAX_CONTAINERS} quotes and lists.` }
    all.add(line, lines.at(-1))
    lines.push(line)
    // What is too much already need not be followed to its end.
    if (effort.total() > MAX_PARSER_STEPS) break
  }
  all.end(lines.length)
  const tooComplex = effort.refusal()
  return tooComplex ? { tooComplex } : { lines, effort }
}
