import { MAX_CONTAINERS, MAX_DELIMITERS, MAX_TABLE_CELLS } from "../limits.ts"

// Upper bounds on what the parser may have to do, from one pass over the lines, before it is asked to.
// A bound may be too high, never too low: what only looks like code, a list or a table is counted as the worse of both.

const CONTAINERS = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/
const CONTAINER = />|[-+*]|\d+[.)]/g
const DELIMITERS = /[*_~]+|[[\]]/g
/** Begins a block of its own, whatever stands before it. */
const INTERRUPTS = /^ {0,3}(?:[-+*][ \t]|#{1,6}[ \t])|^\s*$/
const DELIMITER_ROW = /^[\s>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)*$/
/** A fence at the margin is in no list, quote or footnote that could end before it does. */
const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})/
/** In HTML a fence is no fence. */
const HTML = /^ {0,3}</m

const count = (line: string, pattern: RegExp): number => line.match(pattern)?.length ?? 0

/** Lines without those in fenced code, which costs nothing. */
const withoutCode = (lines: string[]): string[] => {
  let fence = ""
  return lines.filter((line) => {
    const [, mark = ""] = FENCE.exec(line) ?? []
    if (!fence) fence = mark
    else if (mark.startsWith(fence) && line.trim() === mark) fence = ""
    return !fence
  })
}

const countCells = (row: string): number =>
  row
    .trim()
    .replace(/^[\s>]*\|/, "")
    .replace(/\|$/, "")
    .split("|").length

/** Every row has the columns of the delimiter row, or more if more are written. */
const measureTable = (block: string[]): number => {
  const delimiters = block.filter((row) => row.includes("|") && DELIMITER_ROW.test(row))
  if (delimiters.length === 0) return 0
  const columns = Math.max(...delimiters.map(countCells))
  const cells = block.map((row) => Math.max(columns, countCells(row)))
  return cells.reduce((sum, cell) => sum + cell, 0) - delimiters.length * columns
}

interface Measure {
  /** Runs of `*`, `_`, `~` and single brackets in the paragraph that has most of them: pairing takes quadratic time. */
  delimiters: number
  cells: number
  /** Quotes and lists that the deepest line is in. */
  containers: number
}

const measure = (lines: string[]): Measure => {
  const most: Measure = { delimiters: 0, cells: 0, containers: 0 }
  let delimiters = 0
  let block: string[] = []
  for (const line of [...lines, ""]) {
    if (INTERRUPTS.test(line)) delimiters = 0
    delimiters += count(line, DELIMITERS)
    most.delimiters = Math.max(most.delimiters, delimiters)
    most.containers = Math.max(most.containers, count(CONTAINERS.exec(line)?.[0] ?? "", CONTAINER))
    if (line.trim() !== "") block.push(line)
    else {
      most.cells += measureTable(block)
      block = []
    }
  }
  return most
}

/**
 * Whether Markdown can be parsed in reasonable time.
 * @returns a sentence that names the construct of which there is too much, or null
 */
export const tooMuchToParse = (markdown: string): string | null => {
  const lines = markdown.split(/\r\n|\n|\r/)
  const { delimiters, cells, containers } = measure(HTML.test(markdown) ? lines : withoutCode(lines))
  if (delimiters > MAX_DELIMITERS) return `A paragraph has more than ${MAX_DELIMITERS} runs of *, _ or ~ and brackets.`
  if (cells > MAX_TABLE_CELLS) return `Its tables have more than ${MAX_TABLE_CELLS} cells.`
  return containers > MAX_CONTAINERS ? `A line is in more than ${MAX_CONTAINERS} quotes and lists.` : null
}
