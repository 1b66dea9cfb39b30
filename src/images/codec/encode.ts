import { defaultOptions } from "@jsquash/webp/meta.js"

import { MAX_LOSSLESS_PX, MAX_THOROUGH_PX } from "../../limits.ts"
import type { ImageFormat } from "./header.ts"
import type { Pixels } from "./orientation.ts"
import { allocate, takeBytes, trimDecoders, webpEncoder, withPhoton } from "./pool.ts"
import { type EncodedImage, makeAlphaChunk, readStill, smaller } from "./webp.ts"

/** The least share of pixels that equal their left neighbour in a graphic. Screenshots have over 0.8, photos under 0.3. */
const FLAT_SHARE = 0.5

const pixelWords = ({ data, width, height }: Pixels): Uint32Array =>
  new Uint32Array(data.buffer, data.byteOffset, width * height)

/** Says whether lossless coding may be smaller than lossy. Checks every fourth row. */
const isGraphic = (pixels: Pixels): boolean => {
  const all = pixelWords(pixels)
  const { width, height } = pixels
  let [equal, compared] = [0, 0]
  for (let start = 0; start < width * height; start += 4 * width) {
    for (let i = start + 1; i < start + width; i++) if (all[i] === all[i - 1]) equal++
    compared += width - 1
  }
  return equal >= FLAT_SHARE * compared
}

/** Says whether any pixel is not opaque. */
export const isTransparent = (pixels: Pixels): boolean => pixelWords(pixels).some((pixel) => pixel >>> 24 !== 255)

/** Copies an image. Invisible pixels lose their colours. */
const paintVisible = (pixels: Pixels, target: Uint8ClampedArray): void => {
  const all = pixelWords(pixels)
  const to = new Uint32Array(target.buffer, target.byteOffset, all.length)
  for (let i = 0; i < all.length; i++) to[i] = (all[i] ?? 0) >>> 24 === 0 ? 0 : (all[i] ?? 0)
}

/** Paints alpha as an opaque grey image. photon subtracts green from red and blue, so both become zero. */
const paintAlpha = (pixels: Pixels, target: Uint8ClampedArray): void => {
  const all = pixelWords(pixels)
  const to = new Uint32Array(target.buffer, target.byteOffset, all.length)
  for (let i = 0; i < all.length; i++) to[i] = 0xff000000 | (((all[i] ?? 0) >>> 24) * 0x010101)
}

/** Makes an image opaque in place. An invisible pixel takes the colour of the pixel before it, which costs no bytes. */
const dropAlpha = (pixels: Pixels): void => {
  const all = pixelWords(pixels)
  let seen = 0xff000000
  for (let i = 0; i < all.length; i++) {
    const pixel = all[i] ?? 0
    if (pixel >>> 24 !== 0) seen = (pixel | 0xff000000) >>> 0
    all[i] = seen
  }
}

/** The encoder copies the pixels twice and converts them to YUV 4:2:0. */
const ENCODER_BYTES_PER_PX = 9.5
const ENCODER_BYTES = 2_000_000

const encodeByLibwebp = async ({ data, width, height }: Pixels, options: object): Promise<Uint8Array> => {
  trimDecoders()
  const file = await webpEncoder.use(
    (api) => api.encode(data, width, height, { ...defaultOptions, ...options }),
    width * height * ENCODER_BYTES_PER_PX + ENCODER_BYTES,
  )
  if (!file) throw new Error("The encoder returned nothing.")
  return file
}

/** Settings of libwebp. */
interface LossySettings {
  quality: number
  /** The effort: 4 is the default of cwebp, 2 takes half of its time. */
  method: number
}

/** Encodes pixels, with any alpha, to a lossy WebP file by libwebp's quality (0 to 100) and method (0 to 6). @throws Error if it fails */
export const encodeLossy = (pixels: Pixels, settings: LossySettings): Promise<Uint8Array> =>
  encodeByLibwebp(pixels, settings)

/** Encodes pixels to a lossless WebP file. Method 2 would take a fifth more memory to save 1 %. @throws Error if libwebp fails */
export const encodeLossless = (pixels: Pixels): Promise<Uint8Array> =>
  encodeByLibwebp(pixels, { lossless: 1, quality: 75, method: 1 })

/**
 * Encodes to a lossless WebP file by photon. The file is larger than libwebp's, but takes a fraction of the memory.
 * @param paint writes the pixels straight into photon's memory
 */
const encodeByPhoton = ({ width, height }: Pixels, paint: (rgba: Uint8ClampedArray) => void): Promise<Uint8Array> =>
  withPhoton(
    width * height,
    (api) => {
      const pointer = allocate(api, width * height * 4)
      paint(new Uint8ClampedArray(api.memory.buffer, pointer, width * height * 4))
      return api.photonimage_new(pointer, width * height * 4, width, height)
    },
    (api, image) => takeBytes(api, api.photonimage_get_bytes_webp(image)),
  )

/** The quick method takes up to 4 % more bytes, which the lower quality compensates. */
const QUICK: LossySettings = { quality: 79.4, method: 2 }
const THOROUGH: LossySettings = { quality: 80, method: 4 }
/** An image that was lossy before would grow at a higher quality. */
const REENCODED: LossySettings = { quality: 75, method: 4 }

/** Returns the settings for a format and a number of pixels. Large JPEGs come from phones: there, time counts most. */
const lossySettings = (format: ImageFormat, px: number): LossySettings => {
  if (format === "webp") return REENCODED
  return format === "jpeg" && px > MAX_THOROUGH_PX ? QUICK : THOROUGH
}

const encodeLargeLossless = (pixels: Pixels): Promise<Uint8Array> =>
  encodeByPhoton(pixels, (rgba) => paintVisible(pixels, rgba))

/** Encodes colour and alpha separately, because libwebp's alpha coder needs over 120 MB for a large image. Changes the pixels. */
const encodeAlphaSeparately = async (pixels: Pixels, settings: LossySettings): Promise<EncodedImage> => {
  const alpha = makeAlphaChunk(await encodeByPhoton(pixels, (rgba) => paintAlpha(pixels, rgba)))
  dropAlpha(pixels)
  return { ...readStill(await encodeLossy(pixels, settings)), alpha }
}

/** Encodes the pixels of a smaller size, which has to be quick. @throws Error if the codec fails */
export const encodeSmall = async (pixels: Pixels): Promise<EncodedImage> =>
  readStill(await encodeLossy(pixels, { ...QUICK, method: 1 }))

/**
 * Encodes pixels as lossy WebP, and a graphic also as lossless WebP; the smaller result counts. May change the pixels.
 * @param format of the original file, which decides the quality
 * @throws Error if a codec fails
 */
export const encode = async (pixels: Pixels, format: ImageFormat): Promise<EncodedImage> => {
  const px = pixels.width * pixels.height
  const isLarge = px > MAX_LOSSLESS_PX
  const settings = lossySettings(format, px)
  const encodeLosslessly = isLarge ? encodeLargeLossless : encodeLossless
  const lossless = isGraphic(pixels) ? readStill(await encodeLosslessly(pixels)) : null
  const hasSeparateAlpha = isLarge && format !== "jpeg" && isTransparent(pixels)
  const lossy = hasSeparateAlpha
    ? await encodeAlphaSeparately(pixels, settings)
    : readStill(await encodeLossy(pixels, settings))
  return lossless ? smaller(lossy, lossless) : lossy
}
