import { CLEANUP_BATCH, MAX_CLEANUP_BATCHES } from "./limits.ts"

/** Calls `work` with one portion of a list after another, each of at most `size` items. */
export const inPortions = async <T>(
  list: readonly T[],
  size: number,
  work: (portion: T[]) => Promise<unknown>,
): Promise<void> => {
  for (let at = 0; at < list.length; at += size) await work(list.slice(at, at + size))
}

/**
 * Calls `work` until a batch is not full, at most `MAX_CLEANUP_BATCHES` times. The next scheduled run does the rest.
 * @param work processes one batch of at most `size` items, and returns how many there were
 */
export const processInBatches = async (work: (size: number) => Promise<number>, size = CLEANUP_BATCH) => {
  for (let batch = 0; batch < MAX_CLEANUP_BATCHES; batch++) if ((await work(size)) < size) return
}
