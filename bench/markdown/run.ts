// Measures edgepost's Markdown beside other renderers, on prose and on hostile documents. See README.md.
import { existsSync, readFileSync, writeFileSync } from "node:fs"

import { at, setting } from "../shared.ts"
import { type FamilyResult, measureFamilies } from "./hostile.ts"
import { measureProse } from "./ordinary.ts"
import { readProse } from "./prose.ts"
import { type Results, showFamilies, showProse } from "./tables.ts"

const rounds = setting("ROUNDS", 15)
const runs = setting("RUNS", 5)
const only = process.env["ONLY"]?.split(";")

const report = ({ name, sizes }: FamilyResult): void =>
  console.error(name, ...sizes.map(({ cpuMs, refused }) => `${cpuMs?.toFixed(0)}${refused === null ? "" : "!"}`))

/** The results of the file. What a run leaves out stays as it was. */
const [file] = process.argv.slice(2)
const before: Partial<Results> = file && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {}

const sources = readProse()
const measured = { ...before }
if (rounds > 0) {
  const options = { rounds, warmUps: setting("WARM_UPS", 5), isShared: process.env["SHARED"] === "1" }
  const prose = await measureProse(sources, options)
  Object.assign(measured, { rounds, prose })
  for (const [source, result] of Object.entries(prose)) console.log(`${source}\n${showProse(result)}\n`)
}
if (runs > 0) {
  const families = await measureFamilies({ runs, only, report, warmUp: at(sources, "articles")[20] })
  const all = [...((only && before.families) || []), ...families].map((family) => [family.name, family] as const)
  measured.runs = runs
  measured.families = [...new Map(all).values()]
  console.log(showFamilies(measured.families))
}
if (file) writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`)
