import { MAX_BODY_LINES, MAX_CONTAINERS, MAX_PARSER_STEPS } from "../limits.ts"
import { count, isBlank, LINE_ENDING } from "./characters.ts"
import { INDENTED_CODE, isApart } from "./containers.ts"
import { measureParts } from "./cut-parts.ts"
import { MAY_BE_TABLE } from "./dialects.ts"
import { type Effort, measureEffort } from "./effort.ts"
import { measureTexts } from "./held-texts.ts"
import { type Line, readLines } from "./lines.ts"
import { addMarked, ENDED, escapeSteps } from "./marked-lines.ts"
import { measureRows } from "./rows.ts"

// What a parser has to do to tell the blocks, and at least inside of them, before it does it: counted from the lines, as
// the worst that they may turn out to be. Steps are measured in bench/markdown, memory in test/soak/memory.test.ts.

const LINE = 80
const CHAR = 1.5
/** It is up to four columns, each held apart. */
const TAB = 16
const TAB_COLUMNS = 4
/** Of each quote, item and footnote that a line goes on with. */
const CONTINUED = 150
/** Of each blank in front of what stands in these, for each of them. */
const BLANK = 0.5
const BEGUN = 1500
/** Of an item with another marker than the one before it: a list of its own, as a rule. */
const OTHER_MARKER = 250
/** A quote or list that is in no other. */
const OUTER = 1700
/** Of each fence, also where it is none. */
const FENCE = 380
/** With its call, and the way back. */
const FOOTNOTE = 6600

/** Of each line inside of a quote, a list or a footnote, for all that these hold so far. */
const INSIDE = 0.035
/** Of a paragraph inside of these, behind another one. */
const NEXT_INSIDE = 100

const MARKERS_AND_BLANKS = /^(?:[-+*_> \t]|\d{1,9}[.)])*/
const ITEM_MARKER = /(?:[-+*]|\d[.)])(?=[ \t]|$)/
const BEGINS_FENCE = /^ {0,3}(?:`{3}|~{3})/

const CAUSES = { quotes: "quotes", items: "list items", footnotes: "footnotes" } as const

/** Adds what lines take, one after another. */
const addLines = (effort: Effort, markdown: string) => {
  const rows = measureRows(effort, MAY_BE_TABLE.test(markdown))
  const parts = measureParts(effort)
  const texts = measureTexts(effort, markdown)
  /** How much the block has so far, and what it is in. */
  let size = 0
  let isInside = false
  let isIndentedCode = false
  let container: string = CAUSES.quotes
  let marker: string | undefined
  let lastText: Line | undefined

  const beginBlock = (last: Line, number: number): void => {
    ;[isInside, container] = [false, CAUSES.quotes]
    // In a container it is open for all that is told up to the blank line.
    const isLeft = lastText !== undefined && lastText.depth > 0 && (lastText.isCode || lastText.mayBeHtml)
    const isOpen = last.isCode || last.mayBeHtml || last.isLost || isLeft
    // Code and HTML hold all together that they stand in.
    if (!isOpen) size = 0
    const kept = parts.mayHold() ? "all" : "before"
    rows.endPart(isOpen ? kept : "nothing")
    texts.endPart(isOpen)
    parts.end(isOpen, number)
  }

  const addContainers = ({ text, begun, begins, depth, ended, number, isCode }: Line): void => {
    const isOuter = begins > 0 && !isInside
    if (begins > 0) container = begun.quotes > begun.items ? CAUSES.quotes : CAUSES.items
    isInside = depth > 0
    size += 1 + depth + begins
    effort.add(isCode ? "lines" : container, CONTINUED * (depth - begins) + (isInside ? INSIDE * size : 0), number)
    const front = isInside ? (MARKERS_AND_BLANKS.exec(text)?.[0] ?? "") : ""
    effort.add(container, BLANK * depth * (front.length + TAB_COLUMNS * count(front, /\t/g)), number)
    effort.add(container, BEGUN * (begun.quotes + begun.items) + (isOuter ? OUTER : 0), number)
    if (begun.items > 0) {
      const other = marker
      marker = ITEM_MARKER.exec(text)?.[0].slice(-1)
      effort.add(CAUSES.items, marker === other ? 0 : OTHER_MARKER, number)
    }
    effort.add(CAUSES.footnotes, FOOTNOTE * begun.footnotes, number)
    // Where another begins, the end of a single one is no more than that.
    if (ended > Math.min(begins, 1)) effort.add("nested lists and quotes", ENDED * size, number)
  }

  const add = (line: Line, last: Line | undefined): void => {
    const { rest, begins, number, isCode } = line
    const isBehindBlank = last !== undefined && isBlank(last.text)
    const isNext = isBehindBlank && isApart(line.text, lastText?.text ?? "")
    if (isNext || isBlank(rest)) rows.end()
    if (isNext) beginBlock(last, number)
    if (!isBlank(line.text)) lastText = line
    parts.add(line, last)
    effort.add("lines", isBlank(rest) ? 0 : LINE, number)
    addContainers(line)
    isIndentedCode = !isInside && INDENTED_CODE.test(rest) && (isBehindBlank || isIndentedCode)
    if (!isCode && !isIndentedCode) rows.add(line)
    texts.add(line, last, isIndentedCode)
    const isNextInside =
      !isCode && !isBlank(rest) && isInside && begins === 0 && last !== undefined && isBlank(last.rest)
    effort.add(container, isNextInside ? NEXT_INSIDE : 0, number)
    effort.add("fences", BEGINS_FENCE.test(rest) ? FENCE + escapeSteps(rest) : 0, number)
    if (isCode) return
    rows.addHead(line)
    if (!isIndentedCode) addMarked(effort, line, { last, size, hold: rows.hold })
  }

  const end = (number: number): void => {
    rows.end()
    parts.end(false, number)
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
