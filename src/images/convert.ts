import { MAX_LOSSLESS_PX } from "../limits.ts"
import {
  decodeByPhoton,
  decodeJpeg,
  decodeWebp,
  dropDecoders,
  encodeByPhoton,
  encodeLossless,
  encodeLossy,
  trimCodecs,
} from "./codec.ts"
import { dropAlpha, isGraphic, isTransparent, paintAlpha, paintVisible } from "./content.ts"
import type { ImageHeader } from "./header.ts"
import { lossySettings, type LossySettings } from "./lossy.ts"
import { orient, type Pixels } from "./orientation.ts"
import { stripPng } from "./png.ts"
import { readProfile } from "./profile.ts"
import { fitSource } from "./recode.ts"
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

const encodeLargeLossless = async (pixels: Pixels): Promise<Coded> =>
  readStill(await encodeByPhoton(pixels.width, pixels.height, (rgba) => paintVisible(pixels, rgba)))

/** Encodes colour and alpha separately: libwebp's alpha coder needs over 120 MB for a large image. Changes the pixels. */
const encodeAlphaApart = async (pixels: Pixels, settings: LossySettings): Promise<Coded> => {
  const { width, height } = pixels
  const alpha = makeAlphaChunk(await encodeByPhoton(width, height, (rgba) => paintAlpha(pixels, rgba)))
  dropAlpha(pixels)
  return { ...readStill(await encodeLossy(pixels, settings)), alpha }
}

/** Above the bound libwebp's lossless coder would take more memory than there is: photon's stands in for it. */
const encodeLarge = async (pixels: Pixels, { format, hasAlpha }: ImageHeader): Promise<Coded> => {
  const settings = lossySettings(format, pixels)
  const lossless = isGraphic(pixels) ? await encodeLargeLossless(pixels) : null
  const lossy =
    hasAlpha && isTransparent(pixels)
      ? await encodeAlphaApart(pixels, settings)
      : readStill(await encodeLossy(pixels, settings))
  return lossless ? smallest(lossy, lossless) : lossy
}

const encodeSmall = async (pixels: Pixels, { format }: ImageHeader): Promise<Coded> => {
  const lossy = readStill(await encodeLossy(pixels, lossySettings(format, pixels)))
  return isGraphic(pixels) ? smallest(lossy, readStill(await encodeLossless(pixels))) : lossy
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
    const encode = width * height > MAX_LOSSLESS_PX ? encodeLarge : encodeSmall
    const made = await encode(pixels, header)
    const best = header.format === "webp" ? await fitSource(file, pixels, made) : made
    return { webp: writeStill({ ...best, width, height, profile }), width, height }
  } catch {
    // Codecs trap or throw numbers; none of them says why.
    return null
  } finally {
    trimCodecs()
  }
}
