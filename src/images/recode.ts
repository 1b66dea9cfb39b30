import { decodeWebp, encodeLossy } from "./codec.ts"
import type { ImageHeader } from "./header.ts"
import { COARSER } from "./lossy.ts"
import type { Pixels } from "./orientation.ts"
import { type Coded, readStill, sizeOf, smallest, type Still, writeStill } from "./webp.ts"

// A WebP that is uploaded is not to grow by being coded again, nor to carry along what hides in its picture's chunk.

/** Whether the picture needs the last byte of its chunk: then nothing can stand behind it. */
const endsWithItsPicture = async ({ image, width, height }: Omit<Still, "profile">): Promise<boolean> => {
  const shorter = { ...image, data: image.data.subarray(0, -1) }
  const file = writeStill({ image: shorter, alpha: null, profile: null, width, height })
  return decodeWebp(file).then(
    () => false,
    () => true,
  )
}

/** Lossy pictures are always coded anew, because theirs may have gaps between its partitions; coarser, where they would grow. */
const fitLossy = async (source: Coded, pixels: Pixels, made: Coded): Promise<Coded> => {
  let best = made
  for (const settings of COARSER) {
    if (sizeOf(best) <= sizeOf(source)) break
    const coarser = readStill(await encodeLossy(pixels, settings))
    best = smallest(best, { ...coarser, alpha: coarser.alpha ?? made.alpha })
  }
  return best
}

/**
 * Makes the most of a WebP source.
 * @param pixels upright, as they were coded
 * @param made what they were coded to
 * @returns the smallest that is safe: larger than the source only where that is turned or hides something
 */
export const fitSource = async (
  file: Uint8Array,
  { orientation }: ImageHeader,
  pixels: Pixels,
  made: Coded,
): Promise<Coded> => {
  const source = readStill(file)
  if (source.image.name === "VP8 ") return fitLossy(source, pixels, made)
  if (orientation !== 1 || sizeOf(made) <= sizeOf(source)) return made
  const { width, height } = pixels
  return (await endsWithItsPicture({ ...source, width, height })) ? { ...source, alpha: null } : made
}
