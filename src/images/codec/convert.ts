import { MAX_LOSSLESS_PX, MAX_THOROUGH_PX } from "../../limits.ts"
import {
  decodeByPhoton,
  decodeJpeg,
  decodeWebp,
  dropDecoders,
  encodeByPhoton,
  encodeLossless,
  encodeLossy,
  type LossySettings,
  trimCodecs,
} from "./codec.ts"
import { dropAlpha, isGraphic, isTransparent, paintAlpha, paintVisible } from "./content.ts"
import type { ImageHeader } from "./header.ts"
import { orient, type Pixels } from "./orientation.ts"
import { stripPng } from "./png.ts"
import { readProfile } from "./profile.ts"
import { type Coded, makeAlphaChunk, readStill, smallest, writeStill } from "./webp.ts"

export interface Converted {
  webp: Uint8Array<ArrayBuffer>
  width: number
  height: number
}

const CMYK_COMPONENTS = 4

const decode = (file: Uint8Array, { format, components, width, height }: ImageHeader): Promise<Pixels> => {
  if (format === "webp") return decodeWebp(file)
  if (format === "png") return decodeByPhoton(stripPng(file), width * height)
  return components === CMYK_COMPONENTS ? decodeByPhoton(file, width * height) : decodeJpeg(file)
}

/** Turning takes the pixels twice: the decoder makes room for that. */
const decodeUpright = async (file: Uint8Array, header: ImageHeader): Promise<Pixels> => {
  const pixels = await decode(file, header)
  if (header.orientation !== 1) dropDecoders()
  return orient(pixels, header.orientation)
}

/** The quick method takes up to 4 % more bytes, for which a little less quality makes up. */
const QUICK: LossySettings = { quality: 79.4, method: 2 }
const THOROUGH: LossySettings = { quality: 80, method: 4 }
/** An image that was lossy before comes out larger the second time. */
const AGAIN: LossySettings = { quality: 75, method: 4 }

/** Large JPEGs are what phones send: there, time counts more than the last bytes. */
const lossySettings = ({ format }: ImageHeader, px: number): LossySettings => {
  if (format === "webp") return AGAIN
  return format === "jpeg" && px > MAX_THOROUGH_PX ? QUICK : THOROUGH
}

const encodeLargeLossless = (pixels: Pixels): Promise<Uint8Array> =>
  encodeByPhoton(pixels.width, pixels.height, (rgba) => paintVisible(pixels, rgba))

/** Encodes colour and alpha separately: libwebp's alpha coder needs over 120 MB for a large image. Changes the pixels. */
const encodeAlphaApart = async (pixels: Pixels, settings: LossySettings): Promise<Coded> => {
  const { width, height } = pixels
  const alpha = makeAlphaChunk(await encodeByPhoton(width, height, (rgba) => paintAlpha(pixels, rgba)))
  dropAlpha(pixels)
  return { ...readStill(await encodeLossy(pixels, settings)), alpha }
}

/** Encodes photos lossy, and graphics lossless as well, of which the smaller is kept. May change the pixels. */
const encode = async (pixels: Pixels, header: ImageHeader): Promise<Coded> => {
  const px = pixels.width * pixels.height
  const isLarge = px > MAX_LOSSLESS_PX
  const settings = lossySettings(header, px)
  const encodeExactly = isLarge ? encodeLargeLossless : encodeLossless
  const lossless = isGraphic(pixels) ? readStill(await encodeExactly(pixels)) : null
  const isApart = isLarge && header.format !== "jpeg" && isTransparent(pixels)
  const lossy = isApart ? await encodeAlphaApart(pixels, settings) : readStill(await encodeLossy(pixels, settings))
  return lossless ? smallest(lossy, lossless) : lossy
}

/**
 * Converts a PNG, JPEG or WebP file to WebP: upright, with its colour profile, with nothing else of the source.
 * @returns null when the bytes cannot be decoded
 */
export const convert = async (file: Uint8Array, header: ImageHeader): Promise<Converted | null> => {
  try {
    const profile = await readProfile(file, header.format)
    const pixels = await decodeUpright(file, header)
    const { width, height } = pixels
    const coded = await encode(pixels, header)
    return { webp: writeStill({ ...coded, width, height, profile }), width, height }
  } catch {
    // Codecs trap or throw numbers; none of them says why.
    return null
  } finally {
    trimCodecs()
  }
}
