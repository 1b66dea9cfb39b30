import { outcomes } from "../test/search.ts"

// Chooses seeds by what their inputs do: which parts of the code they run, and how often; in a Worker, what they lead to.

type Check = (seed: number) => unknown

/** Matches `file:///edgepost/src/bytes.ts`, not `file:///edgepost/test/random.ts`. */
const SOURCE = /^file:(?!.*\/node_modules\/).*\/src\/.*\.tsx?$/

/** The effects of an input. */
interface Run {
  seed: number
  features: Set<string>
  /** How often parts of any code ran, which stands for the time. */
  work: number
  /** The number of features that the run would add to the chosen ones, for its work, when that was last counted. */
  use: number
}

/** Starts to count how often each part of the code runs. @returns a function that reads the counts and starts them again */
const openProfiler = async () => {
  const { Session } = await import("node:inspector/promises")
  const session = new Session()
  session.connect()
  await session.post("Profiler.enable")
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true })
  const read = async (run: Run): Promise<void> => {
    const { result } = await session.post("Profiler.takePreciseCoverage")
    for (const { url, functions } of result)
      for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges)) {
        run.work += count
        if (count > 0 && SOURCE.test(url))
          run.features.add(`${url} ${startOffset} ${endOffset} ${count > 1 ? "more than once" : "once"}`)
      }
  }
  // Code that two chosen inputs run stays checked if one of them is no use against a fault.
  return { read, close: () => session.disconnect(), copies: 2 }
}

/** In a Worker no code is seen. */
const NO_PROFILER = { read: async (): Promise<void> => {}, close: () => {}, copies: 1 }

/** Chooses runs until each feature is in as many as wanted, or in all that have it; those first that add most for their work. */
const cover = (runs: Run[], copies: number): Run[] => {
  const missing = new Map<string, number>()
  for (const { features } of runs)
    for (const feature of features) missing.set(feature, Math.min(copies, (missing.get(feature) ?? 0) + 1))
  const left = new Set(runs)
  for (;;) {
    let best: Run | undefined
    for (const run of left) {
      // The use of a run never grows.
      if (best && run.use <= best.use) continue
      const added = [...run.features].filter((feature) => (missing.get(feature) ?? 0) > 0)
      run.use = added.length / Math.sqrt(run.work)
      if (!best || run.use > best.use) best = run
    }
    if (!best || best.use === 0) return runs.filter((run) => !left.has(run))
    left.delete(best)
    for (const feature of best.features) missing.set(feature, (missing.get(feature) ?? 0) - 1)
  }
}

/** Chooses from the seeds below a number those few whose inputs together do what all do. @throws what the check of an input throws */
export const chooseSeeds = async (count: number, check: Check): Promise<number[]> => {
  const profiler = navigator.userAgent === "Cloudflare-Workers" ? NO_PROFILER : await openProfiler()
  const runs: Run[] = []
  for (let seed = 0; seed < count; seed++) {
    await check(seed)
    const run: Run = { seed, features: new Set(outcomes), work: 1, use: Infinity }
    outcomes.clear()
    await profiler.read(run)
    runs.push(run)
  }
  profiler.close()
  const chosen = cover(runs, profiler.copies)
  console.info(`Keeps ${chosen.length} of ${count} inputs.`)
  return chosen.map(({ seed }) => seed)
}
