// Translations: what everything but the engine takes, and how many posts get through. See README.md.
import { writeFileSync } from "node:fs"

import { readProse } from "../markdown/prose.mjs"
import { median } from "../markdown/thread.mjs"
import { measureOverhead } from "./overhead.mjs"
import { measureThroughput } from "./throughput.mjs"

const number = (name, otherwise) => Number(process.env[name] ?? otherwise)
const rounds = number("ROUNDS", 9)
const posts = number("POSTS", 200)

const overhead = {}
for (const [source, documents] of Object.entries(readProse())) {
  overhead[source] = await measureOverhead(documents, { rounds, warmUps: 3 })
  const { times, segments, growth } = overhead[source]
  const all = Object.entries(times).map(([size, ms]) => `${size} KB ${ms.toFixed(1)} ms`)
  console.log(`${source}: ${all.join(", ")} (${segments} segments), growth 20 → 200 KB ${growth.toFixed(1)}`)
}

const throughput = await measureThroughput({ posts, rounds: number("RUNS", 3), delayMs: 200 })
for (const { ms, idealMs, calls } of throughput)
  console.log(
    `${posts} posts × 3 languages: ${calls} calls, ${(ms / 1000).toFixed(1)} s, ideal ${(idealMs / 1000).toFixed(1)} s`,
  )
const ratio = median(throughput.map(({ ms, idealMs }) => ms / idealMs))
console.log(`median ${ratio.toFixed(2)} × the ideal`)

const [, , file] = process.argv
if (file) writeFileSync(file, `${JSON.stringify({ rounds, posts, overhead, throughput, ratio }, null, 2)}\n`)
