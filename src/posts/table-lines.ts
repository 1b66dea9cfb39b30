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
