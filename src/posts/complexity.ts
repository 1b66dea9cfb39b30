import { MAX_BODY_LINES, MAX_CONTAINERS, MAX_PARSER_WORK, MAX_STRUCTURES } from "../limits.ts"
import { LINE_ENDING } from "./blocks.ts"
import { type Line, linesOutsideCode } from "./lines.ts"

// Upper bounds on what the parser may have to do, from one pass over the lines, before it is asked to. What takes it
// more than linear time is counted by paragraph and by block, as the worst that the lines may turn out to be.

const MARKERS = /^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)|\[\^[^\]]+\]:))+/
const MARKER = />|[-+*]|\d+[.)]|\[\^/g
const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/
const UNDERLINE = /^[\s>]*(?:=+|-+)[ \t]*$/
const DEFINITION = /^[\s>]*\[[^\]]+\]:/
/** Begins a paragraph of its own, whatever stands before it. */
const BEGINS_PARAGRAPH = /^ {0,3}(?:[-+*][ \t]|#{1,6}[ \t])|^\s*$/
/** After a blank line nothing else can still belong to a list, a quote or a footnote. */
const BEGINS_BLOCK = /^(?![-+*](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$))[^ \t]/
/** A long run opens as many times as it has characters. */
const DELIMITERS = /[*_~[\]]/g
const UNCLOSED_HTML = /<[?!]/g
const BACKTICKS = /`+/g
const DASHES = /^[ \t]*:?-+:?[ \t]*$/
const count = (line: string, pattern: RegExp): number => line.match(pattern)?.length ?? 0

/** Groups lines; a line that begins a group may see the one before it. */
const group = (lines: Line[], begins: (line: string, before: string) => boolean): Line[][] => {
  const groups: Line[][] = []
  let before = ""
  for (const line of lines) {
    const last = groups.at(-1)
    if (last && !begins(line.text, before)) last.push(line)
    else groups.push([line])
    before = line.text
  }
  return groups
}

const isBlank = (text: string): boolean => text.trim() === ""

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

/** Every row has the columns of the delimiter row, or more if more are written. */
const countTable = (rows: Line[]): number => {
  const delimiters = rows.filter(({ text }) => isDelimiterRow(text))
  if (delimiters.length === 0) return 0
  const columns = Math.max(...delimiters.map(({ text }) => cellsOf(text).length))
  return rows.reduce((cells, { text }) => cells + Math.max(columns, cellsOf(text).length), 0)
}

/** Quotes and list items that begin on the line, or that its indent says it goes on with. */
const countContainers = (text: string, isInside: boolean): number => {
  const markers = count(MARKERS.exec(text)?.[0] ?? "", MARKER)
  const indent = /^[ \t]*/.exec(text)?.[0].replaceAll("\t", "    ").length ?? 0
  return markers + (isInside ? Math.min(indent / 4, MAX_CONTAINERS) : 0)
}

const isStructure = ({ text }: Line): boolean =>
  MARKERS.test(text) || HEADING.test(text) || UNDERLINE.test(text) || DEFINITION.test(text) || text.includes("|")

interface Measure {
  /** Containers, headings, definitions and cells. */
  structures: number
  /** Lines that may end containers of lines before them: each is paid for by all that follow. */
  lines: number
}

const measureBlock = (lines: Line[]): Measure => {
  const sum: Measure = { structures: 0, lines: 0 }
  let isInside = false
  for (const { text } of lines) {
    const containers = countContainers(text, isInside)
    isInside ||= containers > 0
    sum.structures +=
      containers + (HEADING.test(text) || UNDERLINE.test(text) ? 1 : 0) + (DEFINITION.test(text) ? 2 : 0)
    if (isInside) sum.lines += 1
  }
  const tables = group(lines, isBlank)
  sum.structures += tables.reduce((cells, rows) => cells + countTable(rows), 0)
  return sum
}

/** What one paragraph may cost: runs of markers are compared with each other, and some openers read on to its end. */
const paragraphWork = (lines: Line[]): number => {
  const text = lines.map((line) => line.text).join("\n")
  const runs = count(text, DELIMITERS)
  const lengths = new Set(text.match(BACKTICKS)?.map((run) => run.length))
  return runs ** 2 + (count(text, UNCLOSED_HTML) + lengths.size) * text.length
}

const at = ([line]: Line[]): string => `Line ${line?.number ?? 1}`

/**
 * Whether Markdown can be parsed in reasonable time.
 * @returns a sentence that names the construct of which there is too much and where it begins, or null
 */
export const tooMuchToParse = (markdown: string): string | null => {
  if ((markdown.match(LINE_ENDING)?.length ?? 0) >= MAX_BODY_LINES) return `It has more than ${MAX_BODY_LINES} lines.`
  const lines = linesOutsideCode(markdown)
  const deep = lines.find(({ text }) => count(MARKERS.exec(text)?.[0] ?? "", MARKER) > MAX_CONTAINERS)
  if (deep) return `${at([deep])} is in more than ${MAX_CONTAINERS} quotes and lists.`
  let [structures, work] = [0, 0]
  for (const block of group(lines, (text, before) => isBlank(before) && BEGINS_BLOCK.test(text))) {
    const own = measureBlock(block)
    structures += own.structures
    work += (own.structures + own.lines) ** 2
    if (structures > MAX_STRUCTURES || work > MAX_PARSER_WORK)
      return `${at(block.filter(isStructure))}: with what begins here there are too many list items, quotes, headings, definitions or table cells.`
    for (const paragraph of group(block, (text) => BEGINS_PARAGRAPH.test(text))) {
      work += paragraphWork(paragraph)
      if (work > MAX_PARSER_WORK)
        return `${at(paragraph)}: the paragraph that begins here has too many *, _, ~, brackets, runs of backticks or <.`
    }
  }
  return null
}
