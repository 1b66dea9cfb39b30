/** Joins byte arrays, in order, into one new array. A number is one byte, 0 to 255. */
export const concatBytes = (parts: (Uint8Array | number[])[]): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/**
 * Reads a stream to its end.
 * @param onProgress gets the number of bytes read so far
 * @returns null if it has more than `limit` bytes; then it is cancelled
 * @throws the error of a stream that breaks off
 */
export const readAll = async (
  reader: ReadableStreamDefaultReader<Uint8Array>,
  limit: number,
  onProgress?: (length: number) => void,
): Promise<Uint8Array<ArrayBuffer> | null> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { value } = await reader.read()
    if (!value) return concatBytes(chunks)
    chunks.push(value)
    length += value.byteLength
    onProgress?.(length)
    if (length > limit) {
      void reader.cancel()
      return null
    }
  }
}
