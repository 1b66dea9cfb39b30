import {
  MAX_BODY_LINES,
  MAX_CONTAINERS,
  MAX_INLINES,
  MAX_PARSER_WORK,
  MAX_STRUCTURES,
  MAX_TABLE_CELLS,
} from "../limits.ts"
import { LINE_ENDING } from "./blocks.ts"
import { count, countInlines, tooManyInlines } from "./density.ts"
import { group, isBlank, type Line, linesOutsideCode } from "./lines.ts"

// Upper bounds on what a parser may have to do to tell the blocks, before it does it: counted from the lines, as the worst
// that they may turn out to be. What stands inside the blocks is for density.ts.

const MARKERS = /^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)|\[\^[^\]]+\]:))+/
const MARKER = />|[-+*]|\d+[.)]|\[\^/g
const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/
const UNDERLINE = /^[\s>]*(?:=+|-+)[ \t]*$/
const DEFINITION = /^[\s>]*\[[^\]]+\]:/
const FOOTNOTE_DEFINITION = /^[\s>]*\[\^[^\]]+\]:/
/** After a blank line nothing else can still belong to a list, a quote or a footnote. */
const BEGINS_BLOCK = /^(?![-+*](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$))[^ \t]/

const DASHES = /^[ \t]*:?-+:?[ \t]*$/

/** Cells without the pipes at both ends. */
const cellsOf = (row: string): string[] =>
  row
    .trim()
    .replace(/^[\s>]*\|?/, "")
    .replace(/\|$/, "")
    .split("|")

const isDelimiterRow = (row: string): boolean => {
  // Dashes alone underline a heading.
  if (!/[|:]/.test(row)) return false
  const cells = cellsOf(row)
  return DASHES.test(cells[0] ?? "") && cells.every((cell) => cell.trim() === "" || DASHES.test(cell))
}

/** Cells at most: every row has the columns of the delimiter row, or more if more are written; one row delimits. */
const countTable = (rows: Line[]): number => {
  const delimiters = rows.filter(({ text }) => isDelimiterRow(text))
  if (delimiters.length === 0) return 0
  const columns = Math.max(...delimiters.map(({ text }) => cellsOf(text).length))
  const cells = rows.map(({ text }) => Math.max(columns, cellsOf(text).length))
  return cells.reduce((sum, own) => sum + own, -columns)
}

/** Quotes and list items that begin on the line, or that its indent says it goes on with. */
const countContainers = (text: string, isInside: boolean): number => {
  const markers = count(MARKERS.exec(text)?.[0] ?? "", MARKER)
  // Behind the marks of quotes, too.
  const indent = /^[ \t>]*/.exec(text)?.[0].replaceAll(/> ?/g, "").replaceAll("\t", "    ").length ?? 0
  return markers + (isInside ? Math.min(indent / 4, MAX_CONTAINERS) : 0)
}

const isStructure = ({ text }: Line): boolean =>
  MARKERS.test(text) || HEADING.test(text) || UNDERLINE.test(text) || DEFINITION.test(text) || text.includes("|")

/** What a parser spends on a construct, against an item of a list that has more of them. */
const OUTER_CONTAINER = 3
const TABLE = 3
const QUOTE = 2
const SETEXT_HEADING = 2
const LINK_DEFINITION = 4
const FOOTNOTE = 10

const weigh = (text: string, containers: number): number => {
  const quotes = count(/^[\s>]*/.exec(text)?.[0] ?? "", />/g)
  const heading = UNDERLINE.test(text) ? SETEXT_HEADING : Number(HEADING.test(text))
  const definition = FOOTNOTE_DEFINITION.test(text) ? FOOTNOTE : DEFINITION.test(text) ? LINK_DEFINITION : 0
  return containers + quotes * (QUOTE - 1) + heading + definition
}

interface Measure {
  /** Containers, headings, definitions and cells, each as heavy as it is. */
  structures: number
  cells: number
  /** Lines that may end containers of lines before them: each is paid for by all that follow. */
  lines: number
}

const measureBlock = (lines: Line[]): Measure => {
  const sum: Measure = { structures: 0, cells: 0, lines: 0 }
  let isInside = false
  for (const { text } of lines) {
    const containers = countContainers(text, isInside)
    sum.structures += weigh(text, containers) + (containers > 0 && !isInside ? OUTER_CONTAINER : 0)
    isInside ||= containers > 0
    if (isInside) sum.lines += 1
  }
  const tables = group(lines, isBlank).map(countTable)
  sum.cells = tables.reduce((cells, own) => cells + own, 0)
  sum.structures += sum.cells + TABLE * tables.filter((cells) => cells > 0).length
  return sum
}

/** What is indented so far may be code. */
const MAY_BE_CODE = /^(?: {4}|[ ]{0,3}\t)/

/** The line up to which there are so many inlines that it is no use to tell the blocks: HTML may have some that are none. */
const findCrowded = (lines: Line[]): Line | undefined => {
  let inlines = 0
  return lines.find(({ text }) => {
    inlines += MAY_BE_CODE.test(text) ? 0 : countInlines(text)
    return inlines > 2 * MAX_INLINES
  })
}

const at = ([line]: Line[]): string => `Line ${line?.number ?? 1}`

/**
 * Whether the blocks of a document can be told in reasonable time.
 * @returns a sentence that names the construct of which there is too much and where it begins, or null
 */
export const tooManyBlocks = (markdown: string): string | null => {
  if ((markdown.match(LINE_ENDING)?.length ?? 0) >= MAX_BODY_LINES) return `It has more than ${MAX_BODY_LINES} lines.`
  const lines = linesOutsideCode(markdown)
  const deep = lines.find(({ text }) => count(MARKERS.exec(text)?.[0] ?? "", MARKER) > MAX_CONTAINERS)
  if (deep) return `${at([deep])} is in more than ${MAX_CONTAINERS} quotes and lists.`
  const crowded = findCrowded(lines)
  if (crowded) return tooManyInlines(crowded.number)
  let [structures, cells, work] = [0, 0, 0]
  for (const block of group(lines, (text, before) => isBlank(before) && BEGINS_BLOCK.test(text))) {
    const own = measureBlock(block)
    structures += own.structures
    cells += own.cells
    work += (own.structures + own.lines) ** 2
    if (cells > MAX_TABLE_CELLS)
      return `${at(block.filter(isStructure))}: with the table that begins here there are more than ${MAX_TABLE_CELLS} cells.`
    if (structures > MAX_STRUCTURES || work > MAX_PARSER_WORK)
      return `${at(block.filter(isStructure))}: with what begins here there are too many list items, quotes, headings, definitions or table cells.`
  }
  return null
}
