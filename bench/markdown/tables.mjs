// The tables of README.md, from the results of a run: `npm run bench:markdown:tables` puts them in.
import { readFileSync } from "node:fs"

import { putIn, table } from "../readme.mjs"
import { LIMIT_MS, MICROMARK_LIMIT_MS } from "./hostile.mjs"
import { KB, SIZES } from "./prose.mjs"

const ms = (time) => (time >= 9.95 ? time.toFixed(0) : time.toFixed(time < 0.995 ? 2 : 1))

const msOrOver = (time, limit) => (time === null ? `over ${limit}` : ms(time))

const ratio = (value) => (value === null ? "" : value.toFixed(1))

const EMPTY = "cmark-gfm, empty"

const showTimes = ({ times: all, growth }) => {
  const head = [
    "CPU ms",
    ...SIZES.map((size) => `${size} KB`),
    "growth 20 → 200 KB",
    ...SIZES.map((size) => `to markdown-it, ${size} KB`),
  ]
  const rows = Object.entries(all).map(([tool, own]) => {
    const ratios = own.map((time, i) => ratio(time / all["markdown-it"][i]))
    return tool === EMPTY
      ? [tool, ...own.map(ms), "", "", "", ""]
      : [tool, ...own.map(ms), ratio(growth[tool]), ...ratios]
  })
  return table([head, ...rows])
}

/** The same by the clock, in a line. */
const showClock = ({ growth, edgepostToMarkdownIt: ratios }) => {
  const growths = ["edgepost", "mdast"].map((tool) => `${tool} grows ${ratio(growth[tool])} ×`)
  const toMarkdownIt = SIZES.map((size, i) => `${ratio(ratios[i])} at ${size} KB`)
  return `By the clock: ${growths.join(", ")}; edgepost to markdown-it: ${toMarkdownIt.join(", ")}.`
}

export const showProse = ({ cpu, clock }) => `${showTimes(cpu)}\n\n${showClock(clock)}`

/** A refusal without its line: the letter that stands for it in the table. */
const withoutLine = (text) => text.replaceAll(/\b(line) \d+/gi, "$1 n")

const documentsOf = ({ sizes, bound, over }) => [...sizes, bound, ...(over ? [over] : [])]

const LETTERS = "abcdefghijklmnopqrstuvwxyz"

/** a to z, then aa to az. */
const letterOf = (i) => (i < LETTERS.length ? LETTERS[i] : `a${LETTERS[i - LETTERS.length]}`)

const letters = (results) => {
  const words = results.flatMap((each) => documentsOf(each).flatMap(({ refused }) => refused ?? []))
  const kinds = [...new Set(words.map((text) => withoutLine(text)))].toSorted((a, b) => a.localeCompare(b))
  return new Map(kinds.map((text, i) => [text, letterOf(i)]))
}

const outcome = ({ cpuMs, refused }, byWords) =>
  msOrOver(cpuMs, LIMIT_MS) + (refused ? ` ${byWords.get(withoutLine(refused))}` : "")

export const showFamilies = (results) => {
  const byWords = letters(results)
  const head = [
    "",
    "64 KB",
    "128 KB",
    "256 KB",
    "bound, KB",
    "ms at the bound",
    "to refuse near it",
    "growth",
    "growth to the bound",
    "mdast",
    "micromark 4 KB",
    "8 KB",
  ]
  const rows = results.map(({ name, sizes, bound, over, growth, growthToBound, mdastMs, micromark }) => [
    name,
    ...sizes.map((size) => outcome(size, byWords)),
    (bound.length / KB).toFixed(bound.length < 10 * KB ? 1 : 0),
    outcome(bound, byWords),
    over ? outcome(over, byWords) : "",
    ratio(growth),
    ratio(growthToBound),
    msOrOver(mdastMs, LIMIT_MS),
    ...micromark.map((time) => msOrOver(time, MICROMARK_LIMIT_MS)),
  ])
  const legend = [...byWords].map(([text, letter]) => `- ${letter}: \`${text}\``)
  return `${table([head, ...rows])}\n\nRefused with:\n\n${legend.join("\n")}`
}

/** What went over the limit has no value, and is worst. */
const worst = (rows, key) =>
  rows
    .map((each) => ({ name: each.name, value: each[key] }))
    .toSorted((a, b) => (b.value ?? Infinity) - (a.value ?? Infinity))[0] ?? { value: 0, name: "none" }

export const summarizeFamilies = (results) => {
  const all = results.flatMap((each) => documentsOf(each).map((one) => ({ name: each.name, ...one })))
  const accepted = worst(
    all.filter(({ refused }) => !refused),
    "cpuMs",
  )
  const refused = worst(
    all.filter((each) => each.refused),
    "cpuMs",
  )
  const [growth, toBound] = ["growth", "growthToBound"].map((key) =>
    worst(
      results.filter((each) => each[key] !== null),
      key,
    ),
  )
  const html = Math.max(...all.map(({ bytes }) => bytes ?? 0))
  return [
    `worst accepted: ${msOrOver(accepted.value, LIMIT_MS)} ms (${accepted.name})`,
    `worst refused: ${ms(refused.value)} ms (${refused.name})`,
    `worst growth from 64 to 128 or from 128 to 256 KB: ${growth.value.toFixed(2)} (${growth.name})`,
    `from half the bound to the bound: ${toBound.value.toFixed(2)} (${toBound.name})`,
    `longest HTML ${html} bytes`,
  ].join(", ")
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const { prose, families } = JSON.parse(readFileSync(new URL("results.json", import.meta.url), "utf8"))
  putIn(new URL("README.md", import.meta.url), {
    ...Object.fromEntries(Object.entries(prose).map(([source, results]) => [source, showProse(results)])),
    families: `${summarizeFamilies(families)}.\n\n${showFamilies(families)}`,
  })
}
