import { MAX_THOROUGH_PX } from "../limits.ts"
import type { ImageFormat } from "./header.ts"

/** libwebp's own settings of a lossy picture. */
export interface LossySettings {
  quality: number
  /** Effort: 4 is cwebp's own search, 2 takes half its time. */
  method: number
  filter_strength?: number
}

const THOROUGH: LossySettings = { quality: 80, method: 4 }
const QUICK: LossySettings = { quality: 80, method: 2 }
/** On clean pictures the quick search loses most; a little quality and all the smoothing there is win the bytes back. */
const QUICK_CLEAN: LossySettings = { quality: 79.3, method: 2, filter_strength: 100 }
/** From WebP: what was coded once comes out larger the second time; half a point of quality makes up for it. */
const AGAIN: LossySettings = { quality: 79.5, method: 4 }
/** A JPEG of fewer bits a pixel shows no noise worth keeping. */
const CLEAN_BITS_PER_PX = 1.3

/** How a picture is coded lossy. Large JPEGs are what phones send in numbers: for them time counts more than the last bytes. */
export const lossySettings = (format: ImageFormat, fileBytes: number, px: number): LossySettings => {
  if (format === "webp") return AGAIN
  if (format === "png" || px <= MAX_THOROUGH_PX) return THOROUGH
  return (8 * fileBytes) / px < CLEAN_BITS_PER_PX ? QUICK_CLEAN : QUICK
}

/** For a WebP of less quality than ours, two tries. @param share of the bytes that it had, below 1, of those that it came to */
export const coarser = (share: number): LossySettings[] =>
  [75, 30].map((quality) => ({ ...AGAIN, quality: Math.max(1, quality * share ** 1.2) }))
