// The tables of README.md, from the results of a run: `npm run bench:markdown:tables` puts them in.
import { readFileSync } from "node:fs"

import { putIn, table } from "../readme.mjs"
import { LENGTHS, LIMIT_MS } from "./hostile.mjs"
import { KB, SIZES } from "./prose.mjs"

const ms = (time) => (time >= 9.95 ? time.toFixed(0) : time.toFixed(time < 0.995 ? 2 : 1))

const MAX_ROWS = 40

const worstOf = ({ sizes }) => Math.max(...sizes.map(({ cpuMs }) => cpuMs ?? Infinity))

const ratio = (value) => (value === null ? "" : value.toFixed(1))

const EMPTY = "cmark-gfm, empty"

const showTimes = ({ times: all, growth }) => {
  const head = [
    "CPU ms",
    ...SIZES.map((size) => `${size} KB`),
    "growth 20 → 200 KB",
    ...SIZES.map((size) => `to micromark, ${size} KB`),
  ]
  const rows = Object.entries(all).map(([tool, own]) => {
    const ratios = own.map((time, i) => ratio(time / all.micromark[i]))
    return tool === EMPTY
      ? [tool, ...own.map(ms), "", "", "", ""]
      : [tool, ...own.map(ms), ratio(growth[tool]), ...ratios]
  })
  return table([head, ...rows])
}

/** edgepost beside its own past, in a line. */
const showRatios = ({ times: all, growth }) => {
  const before = all["edgepost 0.1"]
  const ratios = before?.map((time, i) => `${ratio(all.edgepost[i] / time)} at ${SIZES[i]} KB`)
  return `edgepost grows ${ratio(growth.edgepost)} ×${ratios ? `; to version 0.1: ${ratios.join(", ")}` : ""}`
}

export const showProse = ({ cpu, clock }) =>
  `${showTimes(cpu)}\n\nCPU time: ${showRatios(cpu)}. By the clock: ${showRatios(clock)}.`

const outcome = ({ cpuMs, refused }) =>
  cpuMs === null ? `over ${LIMIT_MS}` : `${ms(cpuMs)}${refused ? " refused" : ""}`

const slowest = (results, isRefused) => {
  const all = results.flatMap(({ name, sizes }) => sizes.map((size) => ({ name, ...size })))
  const [first] = all
    .filter(({ refused }) => (refused !== null) === isRefused)
    .toSorted((a, b) => (b.cpuMs ?? Infinity) - (a.cpuMs ?? Infinity))
  return first ? `${outcome({ ...first, refused: null })} ms (${first.name})` : "none"
}

/** The slowest, and what they come to: all of them are in results.json. */
export const showFamilies = (results) => {
  const slow = results.toSorted((a, b) => worstOf(b) - worstOf(a)).slice(0, MAX_ROWS)
  const head = ["", ...LENGTHS.map((length) => `${length / KB} KB`)]
  const rows = slow.map(({ name, sizes }) => [name, ...sizes.map(outcome)])
  const html = Math.max(...results.flatMap(({ sizes }) => sizes.map(({ bytes }) => bytes ?? 0)))
  const summary = `${results.length} families; slowest accepted: ${slowest(results, false)}, slowest refused: ${slowest(results, true)}; longest HTML ${html} bytes.`
  return `${summary}\n\n${table([head, ...rows])}`
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const { prose, families } = JSON.parse(readFileSync(new URL("results.json", import.meta.url), "utf8"))
  putIn(new URL("README.md", import.meta.url), {
    ...Object.fromEntries(Object.entries(prose).map(([source, results]) => [source, showProse(results)])),
    families: showFamilies(families),
  })
}
