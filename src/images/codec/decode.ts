import type { ImageHeader } from "./header.ts"
import { orient, type Pixels } from "./orientation.ts"
import { stripPng } from "./png.ts"
import { dropDecoders, jpegDecoder, passBytes, takeBytes, webpDecoder, webpEncoder, withPhoton } from "./pool.ts"
import { readStill } from "./webp.ts"

/** Warnings after which mozjpeg fills the rest with grey. Matches "Premature end of JPEG file", but not "Invalid SOS parameters". */
const DAMAGE = /premature end|bad Huffman code/i

const decodeJpeg = async (file: Uint8Array): Promise<Pixels> => {
  dropDecoders(jpegDecoder)
  const { pixels, warnings } = await jpegDecoder.use((api) => ({
    pixels: api.decode(file, false),
    warnings: api.warnings.splice(0),
  }))
  if (!pixels || warnings.some((line) => DAMAGE.test(line))) throw new Error("The JPEG is damaged.")
  return pixels
}

/** Decodes a still WebP file, lossy or lossless, to RGBA pixels. @throws Error if it is damaged */
export const decodeWebp = async (file: Uint8Array): Promise<Pixels> => {
  dropDecoders(webpDecoder)
  // Decoding a lossless image takes twice the memory.
  if (readStill(file).image.name === "VP8L") webpEncoder.drop()
  const pixels = await webpDecoder.use(({ decode }) => decode(file))
  if (!pixels) throw new Error("The WebP is damaged.")
  return pixels
}

/** Decodes a PNG or a JPEG of four components with `px` pixels. */
const decodeByPhoton = (file: Uint8Array, px: number): Promise<Pixels> =>
  withPhoton(
    px,
    (api) => api.photonimage_new_from_byteslice(passBytes(api, file), file.length),
    (api, image) => {
      const width = api.photonimage_get_width(image) >>> 0
      const height = api.photonimage_get_height(image) >>> 0
      const data = new Uint8ClampedArray(takeBytes(api, api.photonimage_get_raw_pixels(image)).buffer)
      return { data, width, height }
    },
  )

const CMYK_COMPONENTS = 4

const decodeStored = (file: Uint8Array, { format, components, width, height }: ImageHeader): Promise<Pixels> => {
  if (format === "webp") return decodeWebp(file)
  if (format === "png") return decodeByPhoton(stripPng(file), width * height)
  return components === CMYK_COMPONENTS ? decodeByPhoton(file, width * height) : decodeJpeg(file)
}

/** Decodes an image file to RGBA pixels and turns it upright. @throws Error, or a value of the codec's, if the image is damaged */
export const decode = async (file: Uint8Array, header: ImageHeader): Promise<Pixels> => {
  const pixels = await decodeStored(file, header)
  // Turning holds the pixels twice.
  if (header.orientation !== 1) dropDecoders()
  return orient(pixels, header.orientation)
}
