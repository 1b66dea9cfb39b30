import { MAX_THOROUGH_PX } from "../limits.ts"
import { roughness } from "./content.ts"
import type { ImageFormat } from "./header.ts"
import type { Pixels } from "./orientation.ts"

/** libwebp's own settings of a lossy picture. */
export interface LossySettings {
  quality: number
  /** Effort: 4 is cwebp's own search, 2 takes half its time. */
  method: number
  filter_strength?: number
}

const THOROUGH: LossySettings = { quality: 80, method: 4 }
/** On clean pictures the quick search loses most; a little quality and all the smoothing there is win the bytes back. */
const QUICK_CLEAN: LossySettings = { quality: 79.3, method: 2, filter_strength: 100 }
const QUICK: LossySettings = { quality: 80, method: 2 }
/** In noise there is nothing to search for: the quickest is smaller and nearer to the source than the next. */
const QUICK_NOISY: LossySettings = { quality: 80.3, method: 1 }
/** Between neighbours. Held against cwebp on a dozen photographs with six strengths of noise, as JPEG of 80, 90 and 95. */
const CLEAN_BELOW = 4
const NOISY_FROM = 7
/** From WebP: what was coded once comes out larger the second time; half a point of quality makes up for it. */
const AGAIN: LossySettings = { quality: 79.5, method: 4 }

/** How a picture is coded lossy. Large JPEGs are what phones send in numbers: for them time counts more than the last bytes. */
export const lossySettings = (format: ImageFormat, pixels: Pixels): LossySettings => {
  if (format === "webp") return AGAIN
  if (format === "png" || pixels.width * pixels.height <= MAX_THOROUGH_PX) return THOROUGH
  const rough = roughness(pixels)
  if (rough < CLEAN_BELOW) return QUICK_CLEAN
  return rough < NOISY_FROM ? QUICK : QUICK_NOISY
}

/** For a WebP of less quality than ours, two tries. @param share of the bytes that it had, below 1, of those that it came to */
export const coarser = (share: number): LossySettings[] =>
  [75, 30].map((quality) => ({ ...AGAIN, quality: Math.max(1, quality * share ** 1.2) }))
