import { CLEANUP_BATCH, MAX_CLEANUP_BATCHES } from "./limits.ts"

/**
 * Repeats a job until a batch is not full, at most `MAX_CLEANUP_BATCHES` times. The next run continues.
 * @param work processes one batch of at most `size` items, and returns how many there were
 */
export const processInBatches = async (work: (size: number) => Promise<number>): Promise<void> => {
  for (let round = 0; round < MAX_CLEANUP_BATCHES; round++) if ((await work(CLEANUP_BATCH)) < CLEANUP_BATCH) return
}
