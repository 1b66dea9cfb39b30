// Ordinary prose: every tool in a thread of its own, one call at a time, each tool once in a round.
import { execFileSync } from "node:child_process"

import { SIZES } from "./prose.mjs"
import { median, Thread } from "./thread.mjs"
import { TOOLS } from "./tools.mjs"

const CMARK = ["-e", "table", "-e", "strikethrough", "-e", "autolink", "-e", "tasklist", "-e", "footnotes"]

const runCmark = (texts) => {
  const start = performance.now()
  for (const input of texts) execFileSync("cmark-gfm", CMARK, { input, maxBuffer: 64 * 1024 * 1024 })
  const ms = performance.now() - start
  return { ms, cpuMs: null, refused: null }
}

/** In rounds that begin with another tool each, so that none always follows the same one. */
const rotate = (list, by) => [...list.slice(by % list.length), ...list.slice(0, by % list.length)]

const measureSource = async (documents, runners, { rounds, warmUps }) => {
  const times = {}
  for (let round = -warmUps; round < rounds; round++)
    for (const size of SIZES)
      for (const [tool, run] of rotate(Object.entries(runners), round + warmUps)) {
        const texts = tool === "start of cmark-gfm" ? documents[size].map(() => "") : documents[size]
        const { ms, cpuMs, refused } = await run(texts)
        if (refused) throw new Error(`${tool} refuses ${size} KB: ${refused}`)
        if (round < 0) continue
        const own = ((times[tool] ??= {})[size] ??= { ms: [], cpuMs: [] })
        own.ms.push(ms / texts.length)
        if (cpuMs !== null) own.cpuMs.push(cpuMs / texts.length)
      }
  return times
}

const summarize = (times) => {
  const ms = Object.fromEntries(
    Object.entries(times).map(([tool, sizes]) => [tool, SIZES.map((size) => median(sizes[size].ms))]),
  )
  const cpuMs = Object.fromEntries(
    Object.entries(times).map(([tool, sizes]) => [tool, SIZES.map((size) => median(sizes[size].cpuMs) ?? null)]),
  )
  // Its process takes longer to start than most documents to render: what is left is what it is compared with.
  ms["cmark-gfm, without start"] = ms["cmark-gfm"].map((own, i) => Math.max(0, own - ms["start of cmark-gfm"][i]))
  return {
    ms,
    cpuMs,
    growth: Object.fromEntries(Object.entries(ms).map(([tool, [, small, large]]) => [tool, large / small])),
    ratioToMarkdownIt: ms.edgepost.map((own, i) => own / ms["markdown-it"][i]),
  }
}

export const measureProse = async (sources, options) => {
  const results = {}
  for (const [name, documents] of Object.entries(sources)) {
    const shared = new Thread()
    const threads = Object.keys(TOOLS).map((tool) => [tool, options.isShared ? shared : new Thread()])
    const runners = Object.fromEntries(threads.map(([tool, thread]) => [tool, (texts) => thread.run(tool, texts)]))
    const cmark = { "cmark-gfm": runCmark, "start of cmark-gfm": runCmark }
    const times = await measureSource(documents, { ...runners, ...cmark }, options)
    results[name] = { documents: SIZES.map((size) => documents[size].length), ...summarize(times) }
    for (const [, thread] of threads) await thread.stop()
  }
  return results
}
