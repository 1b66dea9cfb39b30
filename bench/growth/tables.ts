// Writes the tables of README.md from results.json.
import { readFileSync } from "node:fs"
import { join } from "node:path"

import { putIn, table } from "../shared.ts"

/** The rows of a request, by the size of the account. Of a job or a queue: of its dearest call. */
export interface Measured {
  request: string
  /** The most that an answer shows. */
  shows: number[]
  read: number[]
  written: number[]
}

interface Results {
  sizes: number[]
  results: Measured[]
}

/** Times that the rows may grow while the account grows to the largest one, and still count as constant. */
const CONSTANT = 1.5

/** Names how rows grow with an account. @param growth of the account, from the smallest to the largest one */
const lawOf = (rows: number[], shows: number[], growth: number): string => {
  const [first = 0, last = 0] = [rows[0], rows.at(-1)]
  // Some rows more are no growth, of what reads few.
  if (last <= CONSTANT * first + 20) return "constant"
  const ratio = last / Math.max(1, first)
  const shown = (shows.at(-1) ?? 1) / Math.max(1, shows[0] ?? 1)
  if (shown > 1) return ratio <= CONSTANT * shown ? "linear in what it shows" : `grows ${ratio.toFixed(1)} ×`
  return ratio > growth / 4 ? "linear" : `grows ${ratio.toFixed(1)} ×`
}

/** Writes the tables. */
export const writeTables = (): void => {
  const { sizes, results } = JSON.parse(readFileSync(join(import.meta.dirname, "results.json"), "utf8")) as Results
  const growth = (sizes.at(-1) ?? 1) / (sizes[0] ?? 1)
  const tableOf = (rowsOf: (one: Measured) => number[]) => {
    const rows = results
      .filter((one) => rowsOf(one).some((number) => number > 0))
      .map((one) => [one.request, ...rowsOf(one), lawOf(rowsOf(one), one.shows, growth)])
    return table([["request", ...sizes, "law"], ...rows])
  }
  putIn(join(import.meta.dirname, "README.md"), {
    read: tableOf(({ read }) => read),
    written: tableOf(({ written }) => written),
  })
}
