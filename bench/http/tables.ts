// Writes the tables of README.md and its plot: `npm run bench:http:tables`. They come from the last line of results.jsonl;
// those of the mixed load come from the last line of results-mixed.jsonl.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

import { at, median, putIn, table } from "../shared.ts"
import type { Counts } from "./calls.ts"
import { dollarsPerMillion } from "./costs.ts"
import type { Figures } from "./load.ts"
import type { MixedResult } from "./mixed.ts"
import { plot } from "./plot.ts"

/** By operation, then by concurrency. Figures are medians by target; ratios are those of one target to another. */
export type Summary = Record<
  string,
  Record<string, { figures: Record<string, Figures>; ratios: Record<string, Pick<Figures, "p50" | "cpuMs">> }>
>

/** A line of the results: one run. */
export interface Line {
  at: string
  commit: string
  machine: { cpu: string; cores: number; node: string }
  starts: number
  rounds: number
  requests: number
  sizes: number[]
  /** By number of posts, then by operation. */
  calls: Record<"edgepost" | "bare", Record<string, Record<string, Counts>>>
  summary: Summary
  mixed: Record<"edgepost" | "bare", MixedResult[]> | null
}

const SIDES = ["bare", "edgepost"] as const

const lastOf = (file: string): Line => {
  const lines = readFileSync(join(import.meta.dirname, file), "utf8")
    .trim()
    .split("\n")
  return JSON.parse(lines.at(-1) ?? "") as Line
}

const run = lastOf("results.jsonl")
const { calls, summary } = run
const [few = 0, many = few] = run.sizes

const grouped = (value: number): string => value.toLocaleString("en").replaceAll(",", " ")
const ms = (value: number): string => value.toFixed(2)

/** Returns rows of a table, one for each operation at a concurrency. */
const rowsOf = (concurrency: number, row: (found: Summary[string][string], operation: string) => (string | number)[]) =>
  Object.entries(summary).map(([operation, byConcurrency]) => [
    operation,
    ...row(at(byConcurrency, concurrency), operation),
  ])

const showTimes = (size: number, concurrency: number): string =>
  table([
    ["ms", "bare p50", "p95", "p99", "edgepost p50", "p95", "p99", "ratio of p50"],
    ...rowsOf(concurrency, ({ figures, ratios }) => [
      ...SIDES.map((side) => at(figures, `${side}, ${size}`)).flatMap(({ p50, p95, p99 }) => [p50, p95, p99].map(ms)),
      ms(at(ratios, `edgepost, ${size} / bare, ${size}`).p50),
    ]),
  ])

const showWork = (size: number, concurrency: number): string =>
  table([
    ["", "bare CPU ms", "edgepost CPU ms", "ratio", "bare requests/s", "edgepost requests/s"],
    ...rowsOf(concurrency, ({ figures, ratios }) => {
      const both = SIDES.map((side) => at(figures, `${side}, ${size}`))
      return [
        ...both.map(({ cpuMs }) => ms(cpuMs)),
        ms(at(ratios, `edgepost, ${size} / bare, ${size}`).cpuMs),
        ...both.map(({ perSecond }) => grouped(Math.round(perSecond))),
      ]
    }),
  ])

const showGrowth = (): string =>
  table([
    ["", `p50 ms at ${grouped(few)}`, `at ${grouped(many)}`, "ratio", "ratio of CPU ms"],
    ...rowsOf(1, ({ figures, ratios }) => {
      const { p50, cpuMs } = at(ratios, `edgepost, ${many} / edgepost, ${few}`)
      return [...[few, many].map((size) => ms(at(figures, `edgepost, ${size}`).p50)), ms(p50), ms(cpuMs)]
    }),
  ])

const showCalls = (): string =>
  table([
    ["", "D1 calls", "rows read", `at ${grouped(many)}`, "rows written", "KV", "R2", "object"],
    ...Object.keys(at(calls.edgepost, few)).map((operation) => {
      const count = (side: "edgepost" | "bare", size: number, ...kinds: string[]) =>
        kinds.reduce((sum, kind) => sum + at(at(at(calls[side], size), operation), kind), 0)
      const both = (size: number, kind: string) => `${count("edgepost", size, kind)} (${count("bare", size, kind)})`
      return [
        operation,
        count("edgepost", few, "d1_calls"),
        both(few, "rows_read"),
        both(many, "rows_read"),
        both(few, "rows_written"),
        count("edgepost", few, "kv_reads", "kv_writes"),
        count("edgepost", few, "r2_reads", "r2_writes"),
        count("edgepost", few, "object_calls"),
      ]
    }),
  ])

const showCosts = (): string =>
  table([
    ["US dollars for a million requests", "bare", "edgepost"],
    ...rowsOf(1, ({ figures }, operation) =>
      SIDES.map((side) => {
        const { cpuMs } = at(figures, `${side}, ${few}`)
        return dollarsPerMillion(at(at(calls[side], few), operation), cpuMs).toFixed(2)
      }),
    ),
  ])

const growthOf = ({ memory }: MixedResult): number => memory.endMb - memory.warmMb

const showMixed = (mixed: NonNullable<Line["mixed"]>): string => {
  const rows = mixed.edgepost.flatMap((_, time) =>
    (["edgepost", "bare"] as const).flatMap((side) => {
      const result = mixed[side][time]
      return result ? [{ name: `${side}, ${time + 1}`, result }] : []
    }),
  )
  return table([
    ["", "seconds", "requests", "errors", "looked for", "lost", "CPU ms", "MB after a tenth", "at the end", "growth"],
    ...rows.map(({ name, result }) => [
      name,
      result.seconds.toFixed(0),
      grouped(result.requests),
      result.errors + result.wrong,
      grouped(result.posts + result.pictures),
      result.lost,
      ms(result.cpuMs),
      ...[result.memory.warmMb, result.memory.endMb, growthOf(result)].map((mb) => mb.toFixed(0)),
    ]),
  ])
}

const showMemoryGrowth = (mixed: NonNullable<Line["mixed"]>): string => {
  const growth = (side: "edgepost" | "bare") => median(mixed[side].map(growthOf)).toFixed(0)
  return `The medians of the growth: ${growth("edgepost")} MB, and ${growth("bare")} MB of the bare Worker.`
}

const withMixed = lastOf("results-mixed.jsonl")
const { mixed } = withMixed
if (!mixed) throw new Error("The last line of results-mixed.jsonl has no mixed load.")
const { starts, rounds, requests, machine } = run

putIn(join(import.meta.dirname, "README.md"), {
  run: `${run.at.slice(0, 10)}, commit ${run.commit}, ${machine.cores} cores (${machine.cpu}), Node ${machine.node.slice(1)}: medians of ${starts * rounds} rounds of ${requests} requests, two or three times as many reads; processes were started ${starts === 1 ? "once" : `${starts} times`}.`,
  plot: "![Medians by operation](plot.svg)",
  one: `${showTimes(few, 1)}\n\n${showWork(few, 1)}`,
  many: `${showTimes(few, 16)}\n\n${showWork(few, 16)}`,
  growth: many === few ? "Measured at one number of posts only." : showGrowth(),
  calls: showCalls(),
  costs: showCosts(),
  mixed: `Of the run of ${withMixed.at.slice(0, 16).replace("T", " ")} UTC.\n\n${showMixed(mixed)}\n\n${showMemoryGrowth(mixed)}`,
})
writeFileSync(join(import.meta.dirname, "plot.svg"), plot(summary, run.sizes))
