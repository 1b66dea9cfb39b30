import { count } from "./characters.ts"
import { INDENTED_CODE } from "./containers.ts"
import type { Effort } from "./effort.ts"
import type { Line } from "./lines.ts"

// What a parser has to do for tables, told from the lines that may be their rows.

/** A line with a pipe may be the head of a table. */
const PIPED = 450
/** Of each word, pipe, run of hashes and blank between them, for every other one that is held together with it. */
const HELD = 0.0004
const TABLE = 1200
const CELL = 750
/** Of each cell, for every other one that is held together with it: each edit of a table looks through those before it. */
const CELL_BY_CELL = 0.15
/** Dashes alone underline a heading. */
export const DELIMITER_ROW = /^(?=.*[|:])[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*(?::?-+:?[ \t]*)?)*$/
const PIECES_OF_ROW = /\||[ \t]+|[^ \t|]+/g

/** Of a short line each character counts as a piece: it comes to nothing. */
const SHORT = 128

const piecesOf = (line: string): number => (line.length <= SHORT ? line.length : count(line, PIECES_OF_ROW))

/** Cells without the pipes at both ends. */
const cellsOf = (row: string): string[] => row.trim().replace(/^\|/, "").replace(/\|$/, "").split("|")

/** Of what is held at the end of a part, what stays with the next: all, what was held before the part, or nothing. */
type Kept = "all" | "before" | "nothing"

/** What each takes for all that come together with it. */
const measureHeld = (weight: number) => {
  let held = 0
  let before = 0
  return {
    hold: (added: number): number => {
      const steps = weight * added * (2 * held + added)
      held += added
      return steps
    },
    endPart: (kept: Kept): void => {
      if (kept !== "all") held = kept === "before" ? before : 0
      before = held
    },
  }
}

/**
 * Every row has the columns of the delimiter row, or more if more are written.
 * @param lines without a blank one in between
 * @param hold what its cells and its pieces take for all that are held
 */
const addTable = (
  effort: Effort,
  lines: Line[],
  hold: { cells: (added: number) => number; pieces: (added: number) => number },
): void => {
  const delimiters = lines.filter(({ rest }) => DELIMITER_ROW.test(rest))
  const [first] = delimiters
  if (!first) return
  const rows = lines.slice(Math.max(0, lines.indexOf(first) - 1))
  const columns = Math.max(...delimiters.map(({ rest }) => cellsOf(rest).length))
  const cells = rows.reduce((sum, { rest }) => sum + Math.max(columns, cellsOf(rest).length), 0)
  const pieces = rows.reduce((sum, { rest }) => sum + count(rest, PIECES_OF_ROW), 0)
  const steps = TABLE + CELL * cells + hold.cells(cells) + hold.pieces(pieces)
  effort.add("table cells", steps, rows[0]?.number ?? 1)
}

/**
 * Follows the lines of a block that may be rows.
 * @param hasTables whether any line of the document may be the row under a head
 */
export const measureRows = (effort: Effort, hasTables: boolean) => {
  let rows: Line[] = []
  /** Of headings, too. */
  const pieces = measureHeld(HELD)
  const cells = measureHeld(CELL_BY_CELL)

  return {
    add: (line: Line): void => {
      rows.push(line)
    },
    /** Until the next line tells whether it is a head. */
    addHead: ({ rest, number }: Line): void => {
      effort.add("table cells", rest.includes("|") ? PIPED : 0, number)
      const mayBeHead = hasTables && !INDENTED_CODE.test(rest)
      effort.add("words and pipes of a line", mayBeHead ? HELD * piecesOf(rest) ** 2 : 0, number)
    },
    /** No line behind it is in the same table. */
    end: (): void => {
      addTable(effort, rows, { cells: cells.hold, pieces: pieces.hold })
      rows = []
    },
    /** @returns what these pieces take with all that the block holds so far */
    hold: pieces.hold,
    endPart: (kept: Kept): void => {
      pieces.endPart(kept)
      cells.endPart(kept)
    },
  }
}
