// Writes the tables of README.md from results.json: `npm run bench:translations:tables`.
import { readFileSync } from "node:fs"
import { join } from "node:path"

import { putIn, table } from "../shared.ts"
import type { Overhead } from "./overhead.ts"
import type { Throughput } from "./throughput.ts"

/** The content of results.json. */
export interface Results {
  rounds: number
  posts: number
  overhead: Record<string, Overhead>
  throughput: Throughput[]
  /** The median of measured time / ideal time. */
  ratio: number
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1)

const TERM_COLUMNS = ["2 KB, 500 terms", "20 KB", "200 KB"]

const showOverhead = ({ overhead }: Results): string =>
  table([
    ["CPU ms", "2 KB", "20 KB", "200 KB", "segments of 200 KB", "growth 20 → 200 KB", ...TERM_COLUMNS],
    ...Object.entries(overhead).map(([source, { times, segments, growth, withTerms }]) => [
      source,
      ...Object.values(times).map((ms) => ms.toFixed(1)),
      segments,
      growth.toFixed(1),
      ...Object.values(withTerms).map((ratio) => `${ratio.toFixed(2)} ×`),
    ]),
  ])

const showThroughput = ({ throughput }: Results): string =>
  table([
    ["round", "calls", "seconds", "ideal", "ratio", "CPU ms a call"],
    ...throughput.map(({ ms, idealMs, calls, cpuMs }, i) => [
      i + 1,
      calls,
      seconds(ms),
      seconds(idealMs),
      (ms / idealMs).toFixed(2),
      (cpuMs / calls).toFixed(1),
    ]),
  ])

const results = JSON.parse(readFileSync(join(import.meta.dirname, "results.json"), "utf8")) as Results
const summary = `${results.posts} posts, three languages each, ten messages at a time; median ratio ${results.ratio.toFixed(2)}.`
putIn(join(import.meta.dirname, "README.md"), {
  overhead: showOverhead(results),
  throughput: `${summary}\n\n${showThroughput(results)}`,
})
