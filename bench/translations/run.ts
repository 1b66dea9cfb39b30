// Measures translations: the CPU time without the engine, and the throughput. See README.md.
import { writeFileSync } from "node:fs"

import { readProse } from "../markdown/prose.ts"
import { median, setting } from "../shared.ts"
import { measureOverhead } from "./overhead.ts"
import type { Results } from "./tables.ts"
import { measureThroughput } from "./throughput.ts"

const rounds = setting("ROUNDS", 24)
const posts = setting("POSTS", 200)

const overhead: Results["overhead"] = {}
for (const [source, documents] of Object.entries(readProse())) {
  const result = await measureOverhead(documents, { rounds, warmUps: setting("WARM_UPS", 3) })
  overhead[source] = result
  const all = Object.entries(result.times).map(([size, ms]) => `${size} KB ${ms.toFixed(1)} ms`)
  console.log(
    `${source}: ${all.join(", ")} (${result.segments} segments), growth 20 → 200 KB ${result.growth.toFixed(1)}, with 500 terms ${Object.values(
      result.withTerms,
    )
      .map((ratio) => ratio.toFixed(2))
      .join(", ")} times`,
  )
}

const throughput = await measureThroughput({ posts, rounds: setting("RUNS", 3), delayMs: 200 })
for (const { ms, idealMs, calls } of throughput)
  console.log(
    `${posts} posts × 3 languages: ${calls} calls, ${(ms / 1000).toFixed(1)} s, ideal ${(idealMs / 1000).toFixed(1)} s`,
  )
const ratio = median(throughput.map(({ ms, idealMs }) => ms / idealMs))
console.log(`median ${ratio.toFixed(2)} × the ideal`)

const [, , file] = process.argv
const results: Results = { rounds, posts, overhead, throughput, ratio }
if (file) writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
