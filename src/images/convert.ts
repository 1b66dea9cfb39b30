import { MAX_LOSSLESS_PX, MAX_THOROUGH_PX } from "../limits.ts"
import { decodeByPhoton, decodeJpeg, decodeWebp, encodeByPhoton, encodeLossless, encodeLossy } from "./codec.ts"
import { alphaAsGreen, dropAlpha, isGraphic, isTransparent } from "./content.ts"
import type { ImageFormat, ImageHeader } from "./header.ts"
import { orient, type Pixels } from "./orientation.ts"
import { readProfile } from "./profile.ts"
import { type Chunk, readStill, type Still, writeStill } from "./webp.ts"

export interface Converted {
  webp: Uint8Array<ArrayBuffer>
  width: number
  height: number
}

const CMYK_COMPONENTS = 4

const decode = (file: Uint8Array, { format, components }: ImageHeader): Promise<Pixels> => {
  if (format === "webp") return decodeWebp(file)
  return format === "jpeg" && components !== CMYK_COMPONENTS ? decodeJpeg(file) : decodeByPhoton(file)
}

type Coded = Pick<Still, "image" | "alpha">

const coded = (file: Uint8Array): Coded => {
  const still = readStill(file)
  if (!still) throw new Error("The coder wrote no picture.")
  return still
}

/** What stands before the image stream of a `VP8L` chunk, and not in an `ALPH` one: signature, size, flags. */
const VP8L_HEADER_BYTES = 5
/** Lossless, unfiltered (RFC 9649 section 2.7.1.2). */
const ALPH_LOSSLESS = 1

const sizeOf = ({ image, alpha }: Coded): number => image.data.length + (alpha?.data.length ?? 0)

const smallest = (first: Coded, ...others: Coded[]): Coded =>
  others.reduce((least, other) => (sizeOf(other) < sizeOf(least) ? other : least), first)

/** A large picture with alpha: colours by libwebp, alpha by photon, because libwebp's coder of alpha wants over 120 MB. Changes the pixels. */
const encodeAlphaApart = async (pixels: Pixels, isQuick: boolean): Promise<Coded> => {
  const { image } = coded(await encodeByPhoton(alphaAsGreen(pixels)))
  const data = new Uint8Array(1 + image.data.length - VP8L_HEADER_BYTES)
  data[0] = ALPH_LOSSLESS
  data.set(image.data.subarray(VP8L_HEADER_BYTES), 1)
  dropAlpha(pixels)
  const alpha: Chunk = { name: "ALPH", data }
  return { ...coded(await encodeLossy(pixels, isQuick)), alpha }
}

/** Above the bound libwebp's lossless coder would take more memory than there is: photon's stands in for it. */
const encodeLarge = async (pixels: Pixels, isQuick: boolean): Promise<Coded> => {
  const lossless = isGraphic(pixels) ? coded(await encodeByPhoton(pixels)) : null
  const lossy = isTransparent(pixels)
    ? await encodeAlphaApart(pixels, isQuick)
    : coded(await encodeLossy(pixels, isQuick))
  return lossless ? smallest(lossy, lossless) : lossy
}

const encode = async (pixels: Pixels, format: ImageFormat): Promise<Coded> => {
  const size = pixels.width * pixels.height
  // Large JPEGs are what phones send in numbers: for them time counts more than the last bytes.
  const isQuick = format === "jpeg" && size > MAX_THOROUGH_PX
  if (size > MAX_LOSSLESS_PX) return encodeLarge(pixels, isQuick)
  const lossy = coded(await encodeLossy(pixels, isQuick))
  return isGraphic(pixels) ? smallest(lossy, coded(await encodeLossless(pixels))) : lossy
}

/**
 * Converts a PNG, JPEG or WebP file to WebP: upright, with its colour profile, with nothing else of the source.
 * @returns null when the bytes cannot be decoded
 */
export const convert = async (file: Uint8Array, header: ImageHeader): Promise<Converted | null> => {
  try {
    const profile = await readProfile(file, header.format)
    const pixels = orient(await decode(file, header), header.orientation)
    const { width, height } = pixels
    const made = await encode(pixels, header.format)
    // A WebP source that is smaller already and stands upright keeps its picture: coding it again would only lose.
    const source = header.format === "webp" && header.orientation === 1 ? readStill(file) : null
    const best = source ? smallest(source, made) : made
    return { webp: writeStill({ ...best, width, height, profile }), width, height }
  } catch {
    // Codecs trap or throw numbers; none of them says why.
    return null
  }
}
