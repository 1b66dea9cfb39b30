/** A started codec and its linear memory. */
export interface Instance<T> {
  api: T
  memory: WebAssembly.Memory
}

/**
 * Holds an instance of a codec while it is healthy: after an exception its memory may be damaged for good, and memory
 * that grew beyond `keepBytes` never shrinks. Starting another takes a millisecond or two, but the memory of the one
 * before stays until it is collected: an instance serves a whole conversion, and is trimmed after it.
 */
export const holdCodec = <T>(start: (bytes: number) => Promise<Instance<T>>, keepBytes: number) => {
  let held: Instance<T> | null = null
  const drop = (): void => {
    held = null
  }
  const size = (): number => held?.memory.buffer.byteLength ?? 0
  const trim = (): void => {
    if (size() > keepBytes) drop()
  }
  /** @param bytes of memory that the work needs at least */
  const use = async <R>(work: (api: T) => R, bytes = 0): Promise<R> => {
    if (size() < bytes) drop()
    held ??= await start(bytes)
    try {
      return work(held.api)
    } catch (error) {
      drop()
      throw error
    }
  }
  return { use, drop, trim, size }
}
