import type { Pixels } from "./orientation.ts"

/** Of an image that was drawn, more than half of the pixels equal their left neighbour: screenshots above 0.8, photos below 0.3. */
const FLAT_SHARE = 0.5

const words = ({ data, width, height }: Pixels): Uint32Array =>
  new Uint32Array(data.buffer, data.byteOffset, width * height)

/** Says whether lossless may be smaller than lossy. Looks at every fourth row. */
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

/** Says whether any pixel is not opaque. */
export const isTransparent = (pixels: Pixels): boolean => words(pixels).some((pixel) => pixel >>> 24 !== 255)

/** Copies an image without the colours of its invisible pixels. */
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

/** Makes an image opaque in place. An invisible pixel takes the colour of the pixel before it, which costs nothing to code. */
export const dropAlpha = (pixels: Pixels): void => {
  const all = words(pixels)
  let seen = 0xff000000
  for (let i = 0; i < all.length; i++) {
    const pixel = all[i] ?? 0
    if (pixel >>> 24 !== 0) seen = (pixel | 0xff000000) >>> 0
    all[i] = seen
  }
}
