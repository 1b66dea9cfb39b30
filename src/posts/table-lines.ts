import type { Line } from "./lines.ts"

// Tables (GFM), as far as lines alone tell.

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

/** Cells at most: every row has the columns of the delimiter row, or more if more are written. */
export const countTable = (rows: Line[]): number => {
  const delimiters = rows.filter(({ text }) => isDelimiterRow(text))
  if (delimiters.length === 0) return 0
  const columns = Math.max(...delimiters.map(({ text }) => cellsOf(text).length))
  return rows.reduce((cells, { text }) => cells + Math.max(columns, cellsOf(text).length), 0)
}

/** Pipes in it are what they seem, and it is in no list or quote. */
const PLAIN_ROW = /^ {0,3}[^\s>\-+*#<=~\d\\`][^\\`]*$/
/** In one way only, so that a failing match is not tried over and over. */
const CERTAIN_DELIMITER_ROW = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/
/** A row, and nothing that could end the table. */
const ROW = /^ {0,3}(?!\[\^)[^\s>\-+*#<=~\d_`].*\|/

const isHead = (head: Line | undefined, delimiters: Line | undefined, before: Line | undefined): boolean =>
  head !== undefined &&
  delimiters !== undefined &&
  (before === undefined || before.text.trim() === "") &&
  PLAIN_ROW.test(head.text) &&
  /[|:]/.test(delimiters.text) &&
  CERTAIN_DELIMITER_ROW.test(delimiters.text) &&
  cellsOf(head.text).length === cellsOf(delimiters.text).length

/** Lines of a block that are rows of a table without doubt: what is in one row never meets what is in another. */
export const tableRows = (block: Line[]): Set<Line> => {
  const rows = new Set<Line>()
  let isTable = false
  for (const [i, line] of block.entries()) {
    const goesOn = CERTAIN_DELIMITER_ROW.test(line.text) || ROW.test(line.text)
    isTable = isHead(line, block[i + 1], block[i - 1]) || (isTable && goesOn)
    if (isTable) rows.add(line)
  }
  return rows
}
