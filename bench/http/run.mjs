// edgepost beside a Worker that makes the same calls and nothing else: interleaved rounds, then a mixed load. See README.md.
import { execFileSync } from "node:child_process"
import { appendFileSync, mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"

import { median } from "../markdown/thread.mjs"
import { bundle } from "./bundle.mjs"
import { countCalls } from "./calls.mjs"
import { measure } from "./load.mjs"
import { runMixed } from "./mixed.mjs"
import { CLEAN_UP, OPERATIONS } from "./operations.mjs"
import { prepareTarget } from "./prepare.mjs"

const number = (name, otherwise) => Number(process.env[name] ?? otherwise)
/** Each target is a process with one way of being compiled: how often all are started anew. */
const starts = number("STARTS", 3)
const rounds = number("ROUNDS", 3)
const requests = number("REQUESTS", 400)
const sizes = (process.env.POSTS ?? "1000,100000").split(",").map(Number)
const mixed = {
  seconds: number("MIXED_SECONDS", 600),
  times: number("MIXED_TIMES", 3),
  concurrency: number("MIXED_CONCURRENCY", 16),
}
const CONCURRENCIES = [1, 16]
const ENTRIES = { edgepost: "src/index.ts", bare: "bench/http/bare.ts" }
const COUNTED = { edgepost: "bench/http/counted-edgepost.ts", bare: "bench/http/counted-bare.ts" }

const bundleAll = (entries, folder) =>
  Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, bundle(entry, join(folder, name))]))

/** One batch of requests of an operation. */
const runBatch = async (target, operation, concurrency, first) => {
  const { status, request, most = Infinity, times = 1 } = OPERATIONS[operation]
  const all = Array.from({ length: requests * times }, (_, i) => request(first + i, target))
  const { figures } = await measure(target, all, { status, concurrency: Math.min(concurrency, most) })
  await target.query(CLEAN_UP)
  return figures
}

/** All targets in turn in each round, each round beginning with another; the first round warms up. Adds to the results. */
const runRounds = async (targets, results) => {
  for (let round = 0; round <= rounds; round++)
    for (const operation of Object.keys(OPERATIONS))
      for (const concurrency of CONCURRENCIES)
        for (const i of targets.keys()) {
          const target = targets[(round + i) % targets.length]
          const figures = await runBatch(target, operation, concurrency, round * requests)
          if (round > 0) (((results[operation] ??= {})[concurrency] ??= {})[target.name] ??= []).push(figures)
        }
}

const medians = (all) =>
  Object.fromEntries(Object.keys(all[0]).map((name) => [name, median(all.map((figures) => figures[name]))]))

/** Medians of each target, and medians of the rounds' ratios of one target to another. */
const summarise = (results, ratios) => {
  const summary = {}
  for (const [operation, byConcurrency] of Object.entries(results))
    for (const [concurrency, byTarget] of Object.entries(byConcurrency)) {
      const figures = Object.fromEntries(Object.entries(byTarget).map(([name, all]) => [name, medians(all)]))
      const relative = ratios.map(([one, other]) => {
        const each = byTarget[one].map((ours, round) => ({
          p50: ours.p50 / byTarget[other][round].p50,
          cpuMs: ours.cpuMs / byTarget[other][round].cpuMs,
        }))
        return [`${one} / ${other}`, medians(each)]
      })
      ;(summary[operation] ??= {})[concurrency] = { figures, ratios: Object.fromEntries(relative) }
    }
  return summary
}

const show = (summary) => {
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

const runMixedOnce = async (name, bundled, load) => {
  const target = await prepareTarget(name, bundled, sizes[0])
  try {
    const result = await runMixed(target, load, mixed.concurrency)
    const { requests: sent, seconds, errors, wrong, posts, pictures, lost, memory } = result
    console.log(
      `${name}, mixed: ${sent} requests in ${seconds.toFixed(0)} s, ${errors} errors, ${wrong} wrong answers, ${posts} posts and ${pictures} pictures looked for, ${lost} lost; ${memory.warmMb.toFixed(0)} → ${memory.endMb.toFixed(0)} MB`,
    )
    return result
  } finally {
    await target.stop()
  }
}

/**
 * Both in turn so many times, each beginning every other time, in a process of its own: edgepost for so long, and then the
 * same requests to all others.
 */
const runBothMixed = async (bundles) => {
  const results = { edgepost: [], bare: [] }
  let load = { seconds: mixed.seconds }
  for (let time = 0; time < mixed.times; time++)
    for (const name of time % 2 === 0 ? ["edgepost", "bare"] : ["bare", "edgepost"]) {
      const { steps, ...result } = await runMixedOnce(name, bundles[name], load)
      results[name].push(result)
      load = { steps }
    }
  return results
}

const isFlawed = ({ errors, wrong, lost }) => errors + wrong + lost > 0

const nameOf = (side, size) => `${side}, ${size}`

const runTargets = async (bundles, results) => {
  const targets = []
  try {
    for (const size of sizes)
      for (const side of ["bare", "edgepost"])
        targets.push(await prepareTarget(nameOf(side, size), bundles[side], size))
    await runRounds(targets, results)
  } finally {
    for (const target of targets) await target.stop()
  }
}

const runStarts = async (bundles) => {
  const results = {}
  for (let start = 0; start < starts; start++) await runTargets(bundles, results)
  return summarise(results, [
    ...sizes.map((size) => [nameOf("edgepost", size), nameOf("bare", size)]),
    ...sizes.slice(1).map((size) => [nameOf("edgepost", size), nameOf("edgepost", sizes[0])]),
  ])
}

const folder = mkdtempSync(join(tmpdir(), "edgepost-bench-http-"))
try {
  const calls = await countCalls(bundleAll(COUNTED, folder), sizes)
  const bundles = bundleAll(ENTRIES, folder)
  const summary = await runStarts(bundles)
  show(summary)
  const mixedResults = mixed.seconds > 0 ? await runBothMixed(bundles) : null
  const machine = { cpu: cpus()[0].model, cores: cpus().length, node: process.version }
  const line = {
    at: new Date().toISOString(),
    commit: execFileSync("git", ["describe", "--always", "--dirty"], { encoding: "utf8" }).trim(),
    machine,
    starts,
    rounds,
    requests,
    sizes,
    calls,
    summary,
    mixed: mixedResults,
  }
  if (process.argv[2]) appendFileSync(process.argv[2], `${JSON.stringify(line)}\n`)
  if (
    Object.values(mixedResults ?? {})
      .flat()
      .some(isFlawed)
  )
    process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true })
}
