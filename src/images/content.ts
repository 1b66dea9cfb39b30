import type { Pixels } from "./orientation.ts"

/** A picture of which half the pixels equal their left neighbour was drawn, not taken: screenshots lie above 0.8, photos below 0.3. */
const FLAT_SHARE = 0.5

const words = ({ data, width, height }: Pixels): Uint32Array =>
  new Uint32Array(data.buffer, data.byteOffset, width * height)

/** Whether lossless coding may be smaller than lossy. Every fourth row tells. */
export const isGraphic = (pixels: Pixels): boolean => {
  const all = words(pixels)
  const { width, height } = pixels
  let [equal, compared] = [0, 0]
  for (let start = 0; start < width * height; start += 4 * width) {
    for (let i = start + 1; i < start + width; i++) if (all[i] === all[i - 1]) equal++
    compared += width - 1
  }
  return equal >= FLAT_SHARE * compared
}

/** How much neighbours differ, on average: levels of green, from 0 to 255. Every fourth row tells. */
export const roughness = ({ data, width, height }: Pixels): number => {
  let [sum, compared] = [0, 0]
  for (let start = 0; start < width * height; start += 4 * width) {
    for (let i = start + 1; i < start + width; i++) sum += Math.abs((data[4 * i + 1] ?? 0) - (data[4 * i - 3] ?? 0))
    compared += width - 1
  }
  return compared === 0 ? 0 : sum / compared
}

/** Whether any pixel lets the ground through. */
export const isTransparent = ({ data }: Pixels): boolean => {
  for (let i = 3; i < data.length; i += 4) if (data[i] !== 255) return true
  return false
}

/** Copies a picture without the colours that nobody can see. */
export const paintVisible = (pixels: Pixels, target: Uint8ClampedArray): void => {
  const all = words(pixels)
  const to = new Uint32Array(target.buffer, target.byteOffset, all.length)
  for (let i = 0; i < all.length; i++) to[i] = (all[i] ?? 0) >>> 24 === 0 ? 0 : (all[i] ?? 0)
}

/** Paints alpha as an opaque grey image: photon subtracts green from red and blue, which leaves nothing of them to code. */
export const paintAlpha = (pixels: Pixels, target: Uint8ClampedArray): void => {
  const all = words(pixels)
  const to = new Uint32Array(target.buffer, target.byteOffset, all.length)
  for (let i = 0; i < all.length; i++) to[i] = 0xff000000 | (((all[i] ?? 0) >>> 24) * 0x010101)
}

/** Makes the picture opaque in place; what nobody saw takes the colour beside it, which costs nothing to code. */
export const dropAlpha = (pixels: Pixels): void => {
  const all = words(pixels)
  let seen = 0xff000000
  for (let i = 0; i < all.length; i++) {
    const pixel = all[i] ?? 0
    if (pixel >>> 24 !== 0) seen = (pixel | 0xff000000) >>> 0
    all[i] = seen
  }
}
