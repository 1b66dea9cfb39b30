import { SWEEP_BATCH, SWEEP_ROUNDS } from "./limits.ts"

/**
 * Repeats a job until a batch is not full, at most `SWEEP_ROUNDS` times. The next run continues.
 * @param work processes one batch of at most `size` items, and returns how many there were
 */
export const processInBatches = async (work: (size: number) => Promise<number>): Promise<void> => {
  for (let round = 0; round < SWEEP_ROUNDS; round++) if ((await work(SWEEP_BATCH)) < SWEEP_BATCH) return
}
