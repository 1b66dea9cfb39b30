// Ordinary prose: every tool in a thread of its own, one call at a time, each tool once in a round.
import { openCmark } from "./cmark.mjs"
import { SIZES } from "./prose.mjs"
import { median, Thread } from "./thread.mjs"
import { TOOLS } from "./tools.mjs"

/** Rounds begin with another tool each, so that none always follows the same one. */
const rotate = (list, by) => [...list.slice(by % list.length), ...list.slice(0, by % list.length)]

const measureSource = async (documents, runners, { rounds, warmUps }) => {
  const measured = []
  for (let round = -warmUps; round < rounds; round++)
    for (const size of SIZES)
      for (const [tool, run] of rotate(Object.entries(runners), round + warmUps)) {
        const { ms, cpuMs, refused } = await run(size)
        if (refused) throw new Error(`${tool} refuses ${size} KB: ${refused}`)
        const count = documents[size].length
        if (round >= 0) measured.push({ tool, size, ms: ms / count, cpuMs: cpuMs / count })
      }
  return measured
}

/** Medians by tool, for each size, with growth and ratios. */
const summarize = (measured, tools, key) => {
  const medianOf = (tool, size) =>
    median(measured.filter((each) => each.tool === tool && each.size === size).map((each) => each[key]))
  const times = Object.fromEntries(tools.map((tool) => [tool, SIZES.map((size) => medianOf(tool, size))]))
  return {
    times,
    growth: Object.fromEntries(Object.entries(times).map(([tool, [, small, large]]) => [tool, large / small])),
  }
}

const measureOne = async (documents, options) => {
  const shared = new Thread()
  const threads = Object.keys(TOOLS).map((tool) => [tool, options.isShared ? shared : new Thread()])
  const empty = SIZES.map((size) => [`empty-${size}`, documents[size].map(() => "")])
  const cmark = openCmark({ ...documents, ...Object.fromEntries(empty) })
  const runners = {
    ...Object.fromEntries(threads.map(([tool, thread]) => [tool, (size) => thread.run(tool, documents[size])])),
    "cmark-gfm": (size) => cmark.render(size),
    "cmark-gfm, empty": (size) => cmark.render(`empty-${size}`),
  }
  try {
    const measured = await measureSource(documents, runners, options)
    const [cpu, clock] = ["cpuMs", "ms"].map((key) => summarize(measured, Object.keys(runners), key))
    return { documents: SIZES.map((size) => documents[size].length), cpu, clock }
  } finally {
    cmark.close()
    for (const [, thread] of threads) await thread.stop()
  }
}

export const measureProse = async (sources, options) => {
  const results = {}
  for (const [name, documents] of Object.entries(sources)) results[name] = await measureOne(documents, options)
  return results
}
