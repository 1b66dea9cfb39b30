/** A started codec and its linear memory. */
export interface Instance<T> {
  api: T
  memory: WebAssembly.Memory
}

/**
 * Holds an instance of a codec while it is healthy: after an exception its memory may be damaged for good, and memory
 * that grew beyond `keepBytes` never shrinks. Starting another takes a millisecond or two.
 */
export const holdCodec = <T>(start: () => Promise<Instance<T>>, keepBytes: number) => {
  let held: Instance<T> | null = null
  const drop = (): void => {
    held = null
  }
  const size = (): number => held?.memory.buffer.byteLength ?? 0
  const use = async <R>(work: (api: T) => R): Promise<R> => {
    held ??= await start()
    try {
      const result = work(held.api)
      if (size() > keepBytes) drop()
      return result
    } catch (error) {
      drop()
      throw error
    }
  }
  return { use, drop, size }
}
