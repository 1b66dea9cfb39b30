import { encodeLossy } from "./codec.ts"
import { coarser, MAX_QUALITY_AGAIN } from "./lossy.ts"
import type { Pixels } from "./orientation.ts"
import { type Coded, readStill, smallest } from "./webp.ts"

/** Each takes as long as coding the picture did. */
const MAX_TRIES = 4
/** A picture of so much of the source's bytes is near enough to it. */
const NEAR = 0.85

/** libwebp's quality that comes to this share of the bytes, roughly. */
const guessQuality = (share: number): number => MAX_QUALITY_AGAIN * share ** 1.2

const bytesOf = ({ image }: Coded): number => image.data.length

/**
 * A WebP is coded anew like any other, because bytes can stand beside, behind and inside its picture. So that its colours
 * do not grow by that, they are coded coarser, as little as four tries can tell. What grows all the same: a lossless
 * picture, alpha, whose coder searched longer than ours may within the memory there is, and colours of next to no quality.
 * @param pixels as they were coded
 * @param made what they were coded to
 */
export const fitSource = async (file: Uint8Array, pixels: Pixels, made: Coded): Promise<Coded> => {
  const source = readStill(file)
  const most = bytesOf(source)
  if (source.image.name !== "VP8 " || made.image.name !== "VP8 " || bytesOf(made) <= most) return made
  let best = made
  let [fits, tooLarge] = [0, MAX_QUALITY_AGAIN]
  let quality = guessQuality(most / bytesOf(made))
  for (let tries = 0; tries < MAX_TRIES && (bytesOf(best) > most || bytesOf(best) < NEAR * most); tries++) {
    const tried = { ...readStill(await encodeLossy(pixels, coarser(quality))), alpha: made.alpha }
    if (bytesOf(tried) > most) {
      tooLarge = quality
      best = fits === 0 ? smallest(best, tried) : best
    } else {
      fits = quality
      best = tried
    }
    quality = (fits + tooLarge) / 2
  }
  return best
}
