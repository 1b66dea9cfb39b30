// Writes the tables of README.md from results.json: `npm run bench:markdown:tables`.
import { readFileSync } from "node:fs"
import { join } from "node:path"

import { at, putIn, table } from "../shared.ts"
import { type FamilyResult, LENGTHS, LIMIT_MS, type Outcome } from "./hostile.ts"
import type { ProseResult } from "./ordinary.ts"
import { KB, SIZES } from "./prose.ts"

export interface Results {
  rounds: number
  runs: number
  prose: Record<string, ProseResult>
  families: FamilyResult[]
}

const MAX_ROWS = 40
const EMPTY = "cmark-gfm, empty"
const BEFORE = "edgepost 0.1"

const ms = (time: number): string => (time >= 9.95 ? time.toFixed(0) : time.toFixed(time < 0.995 ? 2 : 1))

const worstOf = ({ sizes }: FamilyResult): number => Math.max(...sizes.map(({ cpuMs }) => cpuMs ?? Infinity))

const ratio = (value: number | null): string => (value === null ? "" : value.toFixed(1))

/** Returns the ratios of a tool's times to those of another, one for each size. */
const ratiosTo = ({ times }: ProseResult["cpu"], tool: string, other: string): string[] => {
  const others = at(times, other)
  return at(times, tool).map((time, i) => ratio(time / (others[i] ?? NaN)))
}

const showTimes = (summary: ProseResult["cpu"]): string => {
  const head = [
    "CPU ms",
    ...SIZES.map((size) => `${size} KB`),
    "growth 20 → 200 KB",
    ...SIZES.map((size) => `to micromark, ${size} KB`),
  ]
  const rows = Object.entries(summary.times).map(([tool, own]) =>
    tool === EMPTY
      ? [tool, ...own.map(ms), "", ...SIZES.map(() => "")]
      : [tool, ...own.map(ms), ratio(at(summary.growth, tool)), ...ratiosTo(summary, tool, "micromark")],
  )
  return table([head, ...rows])
}

/** Compares edgepost with version 0.1 in one line. */
const showRatios = (summary: ProseResult["cpu"]): string => {
  const grows = `edgepost grows ${ratio(at(summary.growth, "edgepost"))} ×`
  if (!(BEFORE in summary.times)) return grows
  const ratios = ratiosTo(summary, "edgepost", BEFORE).map((value, i) => `${value} at ${SIZES[i]} KB`)
  return `${grows}; to version 0.1: ${ratios.join(", ")}`
}

export const showProse = ({ cpu, clock }: ProseResult): string =>
  `${showTimes(cpu)}\n\nCPU time: ${showRatios(cpu)}. By the clock: ${showRatios(clock)}.`

const outcome = ({ cpuMs, refused }: Outcome): string =>
  cpuMs === null ? `over ${LIMIT_MS}` : `${ms(cpuMs)}${refused === null ? "" : " refused"}`

const slowest = (results: FamilyResult[], isRefused: boolean): string => {
  const all = results.flatMap(({ name, sizes }) => sizes.map((size) => ({ name, ...size })))
  const [first] = all
    .filter(({ refused }) => (refused !== null) === isRefused)
    .toSorted((a, b) => (b.cpuMs ?? Infinity) - (a.cpuMs ?? Infinity))
  return first ? `${outcome({ ...first, refused: null })} ms (${first.name})` : "none"
}

/** Returns a summary of all families, and a table of the slowest. */
export const showFamilies = (results: FamilyResult[]): string => {
  const slow = results.toSorted((a, b) => worstOf(b) - worstOf(a)).slice(0, MAX_ROWS)
  const head = ["", ...LENGTHS.map((length) => `${length / KB} KB`)]
  const rows = slow.map(({ name, sizes }) => [name, ...sizes.map(outcome)])
  const html = Math.max(...results.flatMap(({ sizes }) => sizes.map(({ bytes }) => bytes ?? 0)))
  const summary = `${results.length} families; slowest accepted: ${slowest(results, false)}, slowest refused: ${slowest(results, true)}; longest HTML ${html} bytes.`
  return `${summary}\n\n${table([head, ...rows])}`
}

if (import.meta.main) {
  const text = readFileSync(join(import.meta.dirname, "results.json"), "utf8")
  const { prose, families } = JSON.parse(text) as Results
  putIn(join(import.meta.dirname, "README.md"), {
    ...Object.fromEntries(Object.entries(prose).map(([source, result]) => [source, showProse(result)])),
    families: showFamilies(families),
  })
}
