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
