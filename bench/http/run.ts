// Measures edgepost beside a bare Worker that makes the same calls: interleaved rounds, then a mixed load. See README.md.
import { execFileSync } from "node:child_process"
import { appendFileSync, mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join, resolve } from "node:path"

import { at, median, setting } from "../shared.ts"
import { type Bundle, bundle } from "./bundle.ts"
import { countCalls } from "./calls.ts"
import { type Figures, measure, mediansOf } from "./load.ts"
import { type Load, type MixedResult, runMixed } from "./mixed.ts"
import { CLEAN_UP, OPERATIONS } from "./operations.ts"
import { type Prepared, prepareTarget } from "./prepare.ts"
import type { Line, Summary } from "./tables.ts"

/** How often all processes are started: the code of each process is compiled in its own way. */
const starts = setting("STARTS", 3)
const rounds = setting("ROUNDS", 3)
const requests = setting("REQUESTS", 400)
const sizes = (process.env["POSTS"] ?? "1000,100000").split(",").map(Number)
const [few = 0, ...more] = sizes
const mixed = {
  seconds: setting("MIXED_SECONDS", 600),
  times: setting("MIXED_TIMES", 3),
  concurrency: setting("MIXED_CONCURRENCY", 16),
}
const CONCURRENCIES = [1, 16]
const SIDES = ["bare", "edgepost"] as const
type Side = (typeof SIDES)[number]
type Bundles = Record<Side, Bundle>
/** Another checkout, whose service is measured as well. */
const before = process.env["BEFORE"]

/** The figures of all rounds, by operation, concurrency and target. */
type Rounds = Record<string, Record<string, Record<string, Figures[]>>>

const bundleBoth = (entries: Record<Side, string>, folder: string): Bundles => ({
  bare: bundle(entries.bare, join(folder, "bare")),
  edgepost: bundle(entries.edgepost, join(folder, "edgepost")),
})

/** Sends one batch of requests of an operation. */
const runBatch = async (target: Prepared, operation: string, concurrency: number, first: number): Promise<Figures> => {
  const { status, request, most = Infinity, times = 1 } = at(OPERATIONS, operation)
  const all = Array.from({ length: requests * times }, (_, i) => request(first + i, target))
  const { figures } = await measure(target, all, { status, concurrency: Math.min(concurrency, most) })
  await target.query(CLEAN_UP)
  return figures
}

/** Runs all targets in each round, and adds their figures to the results. Each round begins with another target. */
const runRounds = async (targets: Prepared[], results: Rounds): Promise<void> => {
  // The first round warms up.
  for (let round = 0; round <= rounds; round++)
    for (const operation of Object.keys(OPERATIONS))
      for (const concurrency of CONCURRENCIES)
        for (const i of targets.keys()) {
          const target = targets[(round + i) % targets.length]
          if (!target) continue
          const figures = await runBatch(target, operation, concurrency, round * requests)
          if (round === 0) continue
          const byTarget = ((results[operation] ??= {})[concurrency] ??= {})
          ;(byTarget[target.name] ??= []).push(figures)
        }
}

/** Returns medians of each target, and medians of the rounds' ratios of one target to another. */
const summarize = (results: Rounds, pairs: [one: string, other: string][]): Summary => {
  const summary: Summary = {}
  for (const [operation, byConcurrency] of Object.entries(results))
    for (const [concurrency, byTarget] of Object.entries(byConcurrency)) {
      const figures = Object.fromEntries(Object.entries(byTarget).map(([name, all]) => [name, mediansOf(all)]))
      const ratios = pairs.map(([one, other]) => {
        const ratioOf = (key: "p50" | "cpuMs") =>
          median(at(byTarget, one).map((ours, round) => ours[key] / (at(byTarget, other)[round]?.[key] ?? NaN)))
        return [`${one} / ${other}`, { p50: ratioOf("p50"), cpuMs: ratioOf("cpuMs") }] as const
      })
      ;(summary[operation] ??= {})[concurrency] = { figures, ratios: Object.fromEntries(ratios) }
    }
  return summary
}

const show = (summary: Summary): void => {
  for (const [operation, byConcurrency] of Object.entries(summary))
    for (const [concurrency, { figures, ratios }] of Object.entries(byConcurrency)) {
      console.log(`${operation}, ${concurrency} at a time`)
      for (const [name, { p50, p95, p99, perSecond, cpuMs }] of Object.entries(figures))
        console.log(
          `  ${name.padEnd(18)} p50 ${p50.toFixed(2)} p95 ${p95.toFixed(2)} p99 ${p99.toFixed(2)} ms  ${perSecond.toFixed(0)}/s  CPU ${cpuMs.toFixed(2)} ms`,
        )
      for (const [name, { p50, cpuMs }] of Object.entries(ratios))
        console.log(`  ${name}: p50 × ${p50.toFixed(2)}, CPU × ${cpuMs.toFixed(2)}`)
    }
}

const runMixedOnce = async (name: Side, bundled: Bundle, load: Load) => {
  const target = await prepareTarget(name, bundled, few)
  try {
    const run = await runMixed(target, load, mixed.concurrency)
    const { requests: sent, seconds, errors, wrong, posts, pictures, lost, memory } = run.result
    console.log(
      `${name}, mixed: ${sent} requests in ${seconds.toFixed(0)} s, ${errors} errors, ${wrong} wrong answers, ${posts} posts and ${pictures} images looked for, ${lost} lost; ${memory.warmMb.toFixed(0)} → ${memory.endMb.toFixed(0)} MB`,
    )
    return run
  } finally {
    await target.stop()
  }
}

/** Runs the mixed load on both Workers in turn. edgepost's first load lasts some seconds; all others repeat its requests. */
const runBothMixed = async (bundles: Bundles): Promise<Record<Side, MixedResult[]>> => {
  const results: Record<Side, MixedResult[]> = { edgepost: [], bare: [] }
  let load: Load = { seconds: mixed.seconds }
  for (let time = 0; time < mixed.times; time++)
    for (const name of time % 2 === 0 ? SIDES.toReversed() : SIDES) {
      const { result, steps } = await runMixedOnce(name, bundles[name], load)
      results[name].push(result)
      load = { steps }
    }
  return results
}

const isFlawed = ({ errors, wrong, lost }: MixedResult): boolean => errors + wrong + lost > 0

const nameOf = (side: string, size: number): string => `${side}, ${size}`

const runTargets = async (bundles: Bundles, results: Rounds): Promise<void> => {
  const targets: Prepared[] = []
  try {
    for (const size of sizes)
      for (const [name, bundled] of Object.entries(bundles))
        targets.push(await prepareTarget(nameOf(name, size), bundled, size))
    await runRounds(targets, results)
  } finally {
    for (const target of targets) await target.stop()
  }
}

const runStarts = async (bundles: Bundles): Promise<Summary> => {
  const results: Rounds = {}
  for (let start = 0; start < starts; start++) await runTargets(bundles, results)
  return summarize(results, [
    ...sizes.flatMap((size) =>
      Object.keys(bundles)
        .filter((name) => name !== "edgepost")
        .map((name): [string, string] => [nameOf("edgepost", size), nameOf(name, size)]),
    ),
    ...more.map((size): [string, string] => [nameOf("edgepost", size), nameOf("edgepost", few)]),
  ])
}

const folder = mkdtempSync(join(tmpdir(), "edgepost-bench-http-"))
try {
  const counted = { edgepost: "bench/http/counted-edgepost.ts", bare: "bench/http/counted-bare.ts" }
  const calls = await countCalls(bundleBoth(counted, folder), sizes)
  const bundles = bundleBoth({ edgepost: "src/index.ts", bare: "bench/http/bare.ts" }, folder)
  const other = before && { before: bundle(join(resolve(before), "src/index.ts"), join(folder, "before")) }
  const summary = await runStarts({ ...bundles, ...other })
  show(summary)
  const line: Line = {
    at: new Date().toISOString(),
    commit: execFileSync("git", ["describe", "--always", "--dirty"], { encoding: "utf8" }).trim(),
    machine: { cpu: cpus()[0]?.model ?? "", cores: cpus().length, node: process.version },
    starts,
    rounds,
    requests,
    sizes,
    calls,
    summary,
    mixed: mixed.seconds > 0 ? await runBothMixed(bundles) : null,
  }
  if (process.argv[2]) appendFileSync(process.argv[2], `${JSON.stringify(line)}\n`)
  if (
    Object.values(line.mixed ?? {})
      .flat()
      .some(isFlawed)
  )
    process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true })
}
