// Measures ordinary prose: each tool in a thread of its own, one call at a time, each tool once in a round.
import { at, median } from "../shared.ts"
import { openCmark } from "./cmark.ts"
import { type Documents, type Size, SIZES } from "./prose.ts"
import { type Measured, Thread } from "./thread.ts"
import { TOOLS } from "./tools.ts"

type Runner = (size: Size) => Promise<Measured | null> | Pick<Measured, "ms" | "cpuMs">

interface Sample {
  tool: string
  size: Size
  ms: number
  cpuMs: number
}

interface Summary {
  /** Medians by tool, one for each of SIZES. */
  times: Record<string, number[]>
  /** How many times as long 200 KB take as 20 KB; null if it could not be measured. */
  growth: Record<string, number | null>
}

export interface ProseResult {
  /** The numbers of documents, one for each of SIZES. */
  documents: number[]
  cpu: Summary
  clock: Summary
}

interface Options {
  rounds: number
  warmUps: number
  /** All tools run in one thread. */
  isShared: boolean
}

/** Lets each round begin with another tool, so that no tool always follows the same one. */
const rotate = <T>(list: T[], by: number): T[] => [...list.slice(by % list.length), ...list.slice(0, by % list.length)]

const measureSource = async (
  documents: Documents,
  runners: Record<string, Runner>,
  { rounds, warmUps }: Options,
): Promise<Sample[]> => {
  const samples = []
  for (let round = -warmUps; round < rounds; round++)
    for (const size of SIZES)
      for (const [tool, run] of rotate(Object.entries(runners), round + warmUps)) {
        const result = await run(size)
        if (!result) throw new Error(`${tool} takes too long for ${size} KB.`)
        if ("refused" in result && result.refused !== null)
          throw new Error(`${tool} refuses ${size} KB: ${result.refused}`)
        const count = documents[size].length
        if (round >= 0) samples.push({ tool, size, ms: result.ms / count, cpuMs: result.cpuMs / count })
      }
  return samples
}

const summarize = (samples: Sample[], tools: string[], key: "ms" | "cpuMs"): Summary => {
  const medianOf = (tool: string, size: Size) =>
    median(samples.filter((each) => each.tool === tool && each.size === size).map((each) => each[key]))
  const times = Object.fromEntries(tools.map((tool) => [tool, SIZES.map((size) => medianOf(tool, size))]))
  const growth = Object.fromEntries(tools.map((tool) => [tool, medianOf(tool, 200) / medianOf(tool, 20)]))
  return { times, growth }
}

const measureOne = async (documents: Documents, options: Options): Promise<ProseResult> => {
  const shared = new Thread()
  const threads = Object.fromEntries(Object.keys(TOOLS).map((tool) => [tool, options.isShared ? shared : new Thread()]))
  const empty = SIZES.map((size) => [`empty-${size}`, documents[size].map(() => "")])
  const cmark = openCmark({ ...documents, ...Object.fromEntries(empty) })
  const runners: Record<string, Runner> = {
    ...Object.fromEntries(
      Object.keys(TOOLS).map((tool) => [tool, (size: Size) => at(threads, tool).run(tool, documents[size])]),
    ),
    "cmark-gfm": (size) => cmark.render(String(size)),
    "cmark-gfm, empty": (size) => cmark.render(`empty-${size}`),
  }
  try {
    const samples = await measureSource(documents, runners, options)
    const tools = Object.keys(runners)
    return {
      documents: SIZES.map((size) => documents[size].length),
      cpu: summarize(samples, tools, "cpuMs"),
      clock: summarize(samples, tools, "ms"),
    }
  } finally {
    cmark.close()
    for (const thread of Object.values(threads)) await thread.stop()
  }
}

/** Measures each source. */
export const measureProse = async (
  sources: Record<string, Documents>,
  options: Options,
): Promise<Record<string, ProseResult>> => {
  const results: Record<string, ProseResult> = {}
  for (const [name, documents] of Object.entries(sources)) results[name] = await measureOne(documents, options)
  return results
}
