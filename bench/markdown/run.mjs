// edgepost's Markdown beside other renderers, on prose and on what is made to cost. See README.md.
import { writeFileSync } from "node:fs"

import { measureFamilies } from "./hostile.mjs"
import { measureProse } from "./ordinary.mjs"
import { readProse } from "./prose.mjs"
import { showFamilies, showProse, summarizeFamilies } from "./tables.mjs"

const number = (name, otherwise) => Number(process.env[name] ?? otherwise)
const rounds = number("ROUNDS", 15)
const runs = number("RUNS", 5)
const only = process.env.ONLY?.split(";")

const sources = readProse()
const options = { rounds, warmUps: number("WARM_UPS", 5), isShared: process.env.SHARED === "1" }
const prose = rounds > 0 ? await measureProse(sources, options) : {}
for (const [source, result] of Object.entries(prose)) console.log(`${source}\n${showProse(result)}\n`)

const report = ({ name, sizes, bound }) =>
  console.error(name, ...[...sizes, bound].map(({ cpuMs, refused }) => `${cpuMs?.toFixed(0)}${refused ? "!" : ""}`))
const families = runs > 0 ? await measureFamilies({ runs, only, report, warmUp: sources.articles[20] }) : []
if (families.length) console.log(`${showFamilies(families)}\n\n${summarizeFamilies(families)}`)

if (process.argv[2]) writeFileSync(process.argv[2], `${JSON.stringify({ rounds, runs, prose, families }, null, 2)}\n`)
