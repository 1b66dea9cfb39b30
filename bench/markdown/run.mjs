// edgepost's Markdown beside other renderers, on prose and on what is made to cost. See README.md.
import { existsSync, readFileSync, writeFileSync } from "node:fs"

import { measureFamilies } from "./hostile.mjs"
import { measureProse } from "./ordinary.mjs"
import { readProse } from "./prose.mjs"
import { showFamilies, showProse } from "./tables.mjs"

const number = (name, otherwise) => Number(process.env[name] ?? otherwise)
const rounds = number("ROUNDS", 15)
const runs = number("RUNS", 5)
const only = process.env.ONLY?.split(";")

const report = ({ name, sizes }) =>
  console.error(name, ...sizes.map(({ cpuMs, refused }) => `${cpuMs?.toFixed(0)}${refused ? "!" : ""}`))

/** What a run leaves out stays as it was. */
const [file] = process.argv.slice(2)
const before = file && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {}

const sources = readProse()
const measured = { ...before }
if (rounds > 0) {
  const options = { rounds, warmUps: number("WARM_UPS", 5), isShared: process.env.SHARED === "1" }
  Object.assign(measured, { rounds, prose: await measureProse(sources, options) })
  for (const [source, result] of Object.entries(measured.prose)) console.log(`${source}\n${showProse(result)}\n`)
}
if (runs > 0) {
  const families = await measureFamilies({ runs, only, report, warmUp: sources.articles[20] })
  const all = [...((only && before.families) || []), ...families].map((family) => [family.name, family])
  Object.assign(measured, { runs, families: [...new Map(all).values()] })
  console.log(showFamilies(measured.families))
}
if (file) writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`)
