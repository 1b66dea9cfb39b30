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
/** Between neighbours. Found by holding the three against cwebp on photographs of bench/images with more and less noise. */
const CLEAN_BELOW = 4
const NOISY_FROM = 7
/** From WebP: what was coded once comes out larger the second time; half a point of quality makes up for it. */
export const MAX_QUALITY_AGAIN = 79.5
const AGAIN: LossySettings = { quality: MAX_QUALITY_AGAIN, method: 4 }

/** How a picture is coded lossy. Large JPEGs are what phones send in numbers: for them time counts more than the last bytes. */
export const lossySettings = (format: ImageFormat, pixels: Pixels): LossySettings => {
  if (format === "webp") return AGAIN
  if (format === "png" || pixels.width * pixels.height <= MAX_THOROUGH_PX) return THOROUGH
  const rough = roughness(pixels)
  if (rough < CLEAN_BELOW) return QUICK_CLEAN
  return rough < NOISY_FROM ? QUICK : QUICK_NOISY
}

/** How a WebP of less quality than ours is coded. */
export const coarser = (quality: number): LossySettings => ({ ...AGAIN, quality })
