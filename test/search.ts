import * as fc from "fast-check"
import { inject, TestRunner } from "vitest"

import committed from "./seeds.json" with { type: "json" }

// A search checks inputs that are made from seeds. `npm test` checks the seeds of seeds.json. `npm run test:soak` checks many
// seeds from a random one on, and adds the one that fails. `npm run distil` chooses the seeds of seeds.json.

export type Mode = "distil" | "soak"

declare module "vitest" {
  interface ProvidedContext {
    /** Undefined in `npm test`. */
    search: Mode | undefined
    /** The first seed of the soak. */
    seed: number
  }
  interface TaskMeta {
    /** The seeds that vitest.soak.config.ts writes into seeds.json. */
    seeds?: number[]
  }
}

const SEEDS: Partial<Record<string, Partial<Record<string, number[]>>>> = committed

/** Lists what inputs led to. */
export const outcomes = new Set<string>()

/** Notes what an input leads to, for tests in a Worker, where `npm run distil` does not see which code runs. */
export const note = (outcome: string): void => void outcomes.add(outcome)

/**
 * Checks one input after another, as a whole test.
 * @param count the number of inputs that `npm run distil` chooses from; the soak checks ten times as many
 * @returns the number of inputs that were checked
 * @throws with the seed, because of what `check` throws
 */
export const search = async (count: number, check: (seed: number) => unknown): Promise<number> => {
  const test = TestRunner.getCurrentTest()
  if (!test) throw new Error("A search is a test.")
  const known = SEEDS[test.file.name]?.[test.fullTestName] ?? []
  const mode = inject("search")
  if (mode === "distil") {
    const { chooseSeeds } = await import("../scripts/distil.ts")
    test.meta.seeds = [...(await chooseSeeds(count, check)), ...known.filter((seed) => seed >= count)]
    return count
  }
  if (!mode && known.length === 0) throw new Error("This search has no seeds. Run `npm run distil`.")
  const seeds = mode ? Array.from({ length: 10 * count }, (_, i) => inject("seed") + i) : known
  for (const seed of seeds)
    try {
      await check(seed)
    } catch (error) {
      if (mode) test.meta.seeds = [...known, seed]
      throw new Error(`The input of seed ${seed} fails.`, { cause: error })
    }
  return seeds.length
}

/** Like `search`, with values that fast-check generates and shrinks. */
export const searchProperty = <T>(count: number, property: fc.IRawProperty<T>): Promise<number> =>
  // The first values of fast-check are smaller than the later ones.
  search(count, (seed) => fc.assert(property, { seed, path: String(seed % 100), numRuns: 1 }))
