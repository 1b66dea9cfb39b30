import type { Pixels } from "./orientation.ts"

/** How a row or a column of pixels becomes a shorter one: each new pixel is the mean of those that it covers. */
interface Cover {
  first: number
  weights: number[]
}

/** Returns what each of `to` pixels covers of `from`. */
const coversOf = (from: number, to: number): Cover[] => {
  const step = from / to
  return Array.from({ length: to }, (_, i) => {
    const [start, end] = [i * step, Math.min((i + 1) * step, from)]
    const first = Math.floor(start)
    const count = Math.ceil(end) - first
    const shares = Array.from({ length: count }, (__, j) => Math.min(first + j + 1, end) - Math.max(first + j, start))
    return { first, weights: shares.map((share) => share / (end - start)) }
  })
}

/** Scales opaque pixels down to a width; the height follows. */
export const scaleTo = ({ data, width, height }: Pixels, toWidth: number): Pixels => {
  const toHeight = Math.max(1, Math.round((height * toWidth) / width))
  const columns = coversOf(width, toWidth)
  const scaled = new Uint8ClampedArray(toWidth * toHeight * 4)
  const row = new Float32Array(width * 4)
  let at = 0
  for (const { first, weights } of coversOf(height, toHeight)) {
    row.fill(0)
    for (const [i, weight] of weights.entries()) {
      const start = (first + i) * width * 4
      const line = data.subarray(start, start + row.length)
      for (let j = 0; j < line.length; j++) row[j] = (row[j] ?? 0) + (line[j] ?? 0) * weight
    }
    for (const column of columns) {
      let [red, green, blue] = [0, 0, 0]
      let from = column.first * 4
      for (const weight of column.weights) {
        red += (row[from] ?? 0) * weight
        green += (row[from + 1] ?? 0) * weight
        blue += (row[from + 2] ?? 0) * weight
        from += 4
      }
      scaled[at] = red
      scaled[at + 1] = green
      scaled[at + 2] = blue
      scaled[at + 3] = 255
      at += 4
    }
  }
  return { data: scaled, width: toWidth, height: toHeight }
}
