import { encodeLossy } from "./codec.ts"
import { coarser } from "./lossy.ts"
import type { Pixels } from "./orientation.ts"
import { type Coded, readStill, smallest } from "./webp.ts"

/**
 * A WebP is coded anew like any other, because bytes can stand beside, behind and inside its picture. So that its colours
 * do not grow by that, they are coded coarser. What may grow all the same: a lossless picture and alpha, whose
 * coder searched longer than ours may within the memory there is.
 * @param pixels as they were coded
 * @param made what they were coded to
 */
export const fitSource = async (file: Uint8Array, pixels: Pixels, made: Coded): Promise<Coded> => {
  const source = readStill(file)
  let best = made
  if (source.image.name !== "VP8 " || made.image.name !== "VP8 ") return best
  for (const settings of coarser(source.image.data.length / made.image.data.length)) {
    if (best.image.data.length <= source.image.data.length) break
    best = smallest(best, { ...readStill(await encodeLossy(pixels, settings)), alpha: made.alpha })
  }
  return best
}
