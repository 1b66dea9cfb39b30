// The tables of README.md, from the results of a run: `npm run bench:translations:tables` puts them in.
import { readFileSync } from "node:fs"

import { putIn, table } from "../readme.mjs"

const { overhead, throughput, posts, ratio } = JSON.parse(
  readFileSync(new URL("results.json", import.meta.url), "utf8"),
)

const overheadTable = table([
  ["CPU ms", "2 KB", "20 KB", "200 KB", "segments of 200 KB", "growth 20 → 200 KB"],
  ...Object.entries(overhead).map(([source, { times, segments, growth }]) => [
    source,
    ...Object.values(times).map((ms) => ms.toFixed(1)),
    segments,
    growth.toFixed(1),
  ]),
])

const seconds = (ms) => (ms / 1000).toFixed(1)
const throughputTable = table([
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

putIn(new URL("README.md", import.meta.url), {
  overhead: overheadTable,
  throughput: `${posts} posts, three languages each, ten messages at a time; median ratio ${ratio.toFixed(2)}.\n\n${throughputTable}`,
})
