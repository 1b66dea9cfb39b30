// The tables of README.md and its plot, from the last line of results.jsonl, that of the mixed load from the last line of
// results-mixed.jsonl: `npm run bench:http:tables` puts them in.
import { readFileSync, writeFileSync } from "node:fs"

import { median } from "../markdown/thread.mjs"
import { putIn, table } from "../readme.mjs"
import { dollarsPerMillion } from "./costs.mjs"
import { plot } from "./plot.mjs"

const lastOf = (file) =>
  JSON.parse(
    readFileSync(new URL(file, import.meta.url), "utf8")
      .trim()
      .split("\n")
      .at(-1),
  )

const { at, commit = "unknown", machine, starts = 1, rounds, requests, sizes, calls, summary } = lastOf("results.jsonl")
const withMixed = lastOf("results-mixed.jsonl")
const [few, many = few] = sizes

const grouped = (value) => value.toLocaleString("en").replaceAll(",", " ")
const ms = (value) => value.toFixed(2)

const showTimes = (size, concurrency) =>
  table([
    ["ms", "bare p50", "p95", "p99", "edgepost p50", "p95", "p99", "ratio of p50"],
    ...Object.entries(summary).map(([operation, { [concurrency]: found }]) => {
      const [bare, edgepost] = ["bare", "edgepost"].map((side) => found.figures[`${side}, ${size}`])
      const times = [bare, edgepost].flatMap(({ p50, p95, p99 }) => [p50, p95, p99].map(ms))
      return [operation, ...times, ms(found.ratios[`edgepost, ${size} / bare, ${size}`].p50)]
    }),
  ])

const showWork = (size, concurrency) =>
  table([
    ["", "bare CPU ms", "edgepost CPU ms", "ratio", "bare requests/s", "edgepost requests/s"],
    ...Object.entries(summary).map(([operation, { [concurrency]: found }]) => {
      const [bare, edgepost] = ["bare", "edgepost"].map((side) => found.figures[`${side}, ${size}`])
      return [
        operation,
        ...[bare, edgepost].map(({ cpuMs }) => ms(cpuMs)),
        ms(found.ratios[`edgepost, ${size} / bare, ${size}`].cpuMs),
        ...[bare, edgepost].map(({ perSecond }) => grouped(Math.round(perSecond))),
      ]
    }),
  ])

const showGrowth = () =>
  table([
    ["", `p50 ms at ${grouped(few)}`, `at ${grouped(many)}`, "ratio", "ratio of CPU ms"],
    ...Object.entries(summary).map(
      ([
        operation,
        {
          1: { figures, ratios },
        },
      ]) => {
        const { p50, cpuMs } = ratios[`edgepost, ${many} / edgepost, ${few}`]
        const times = [few, many].map((size) => ms(figures[`edgepost, ${size}`].p50))
        return [operation, ...times, ms(p50), ms(cpuMs)]
      },
    ),
  ])

const showCalls = () =>
  table([
    ["", "D1 calls", "rows read", `at ${grouped(many)}`, "rows written", "KV", "R2", "object"],
    ...Object.entries(calls.edgepost[few]).map(([operation, ours]) => [
      operation,
      ours.d1_calls,
      `${ours.rows_read} (${calls.bare[few][operation].rows_read})`,
      `${calls.edgepost[many][operation].rows_read} (${calls.bare[many][operation].rows_read})`,
      `${ours.rows_written} (${calls.bare[few][operation].rows_written})`,
      ours.kv_reads + ours.kv_writes,
      ours.r2_reads + ours.r2_writes,
      ours.object_calls,
    ]),
  ])

const showCosts = () =>
  table([
    ["US dollars for a million requests", "bare", "edgepost"],
    ...Object.entries(summary).map(
      ([
        operation,
        {
          1: { figures },
        },
      ]) => [
        operation,
        ...["bare", "edgepost"].map((side) =>
          dollarsPerMillion(calls[side][few][operation], figures[`${side}, ${few}`].cpuMs).toFixed(2),
        ),
      ],
    ),
  ])

const growthOf = ({ memory }) => memory.endMb - memory.warmMb

const showMixed = ({ mixed }) =>
  table([
    ["", "seconds", "requests", "errors", "looked for", "lost", "CPU ms", "MB after a tenth", "at the end", "growth"],
    ...mixed.edgepost.flatMap((_, time) =>
      Object.entries(mixed).map(([side, { [time]: result }]) => [
        `${side}, ${time + 1}`,
        result.seconds.toFixed(0),
        grouped(result.requests),
        result.errors + result.wrong,
        grouped(result.posts + result.pictures),
        result.lost,
        ms(result.cpuMs),
        ...[result.memory.warmMb, result.memory.endMb, growthOf(result)].map((mb) => mb.toFixed(0)),
      ]),
    ),
  ])

const showGrowthOfMemory = ({ mixed }) => {
  const [edgepost, bare] = ["edgepost", "bare"].map((side) => median(mixed[side].map(growthOf)).toFixed(0))
  return `The medians of the growth: ${edgepost} MB, and ${bare} MB of the bare Worker.`
}

const about = `${at.slice(0, 10)}, commit ${commit}, ${machine.cores} cores (${machine.cpu}), Node ${machine.node.slice(1)}: medians of ${starts * rounds} rounds of ${requests} requests, two or three times as many reads; processes were started ${starts === 1 ? "once" : `${starts} times`}.`

putIn(new URL("README.md", import.meta.url), {
  run: about,
  plot: "![Medians by operation](plot.svg)",
  one: `${showTimes(few, 1)}\n\n${showWork(few, 1)}`,
  many: `${showTimes(few, 16)}\n\n${showWork(few, 16)}`,
  growth: many === few ? "Measured at one number of posts only." : showGrowth(),
  calls: showCalls(),
  costs: showCosts(),
  mixed: `Of the run of ${withMixed.at.slice(0, 16).replace("T", " ")} UTC.\n\n${showMixed(withMixed)}\n\n${showGrowthOfMemory(withMixed)}`,
})
writeFileSync(new URL("plot.svg", import.meta.url), plot(summary, sizes))
