import { SWEEP_BATCH, SWEEP_ROUNDS } from "./limits.ts"

/**
 * Works off what is due in batches, and so many of them at most: the next run goes on.
 * @param work does one batch, and tells how many were in it
 */
export const inRounds = async (work: (batch: number) => Promise<number>): Promise<void> => {
  for (let round = 0; round < SWEEP_ROUNDS; round++) if ((await work(SWEEP_BATCH)) < SWEEP_BATCH) return
}
