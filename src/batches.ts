import { CLEANUP_BATCH, MAX_CLEANUP_BATCHES } from "./limits.ts"

/**
 * Calls `work` until a batch is not full, at most `MAX_CLEANUP_BATCHES` times. The next scheduled run does the rest.
 * @param work processes one batch of at most `size` items (`CLEANUP_BATCH`), and returns how many there were
 */
export const processInBatches = async (work: (size: number) => Promise<number>): Promise<void> => {
  for (let batch = 0; batch < MAX_CLEANUP_BATCHES; batch++) if ((await work(CLEANUP_BATCH)) < CLEANUP_BATCH) return
}
