import { decode } from "./decode.ts"
import { encode } from "./encode.ts"
import type { ImageHeader } from "./header.ts"
import { trimCodecs } from "./pool.ts"
import { readProfile } from "./profile.ts"
import { writeStill } from "./webp.ts"

export interface ConvertedImage {
  webp: Uint8Array<ArrayBuffer>
  width: number
  height: number
}

/**
 * Converts a PNG, JPEG or WebP file to WebP. The result is upright and keeps an RGB color profile, but no other metadata.
 * @param header of the file, from `readHeader`
 * @returns the WebP file and its size in pixels; null if the file cannot be decoded or encoded
 */
export const convert = async (file: Uint8Array, header: ImageHeader): Promise<ConvertedImage | null> => {
  try {
    const profile = await readProfile(file, header.format)
    const pixels = await decode(file, header)
    const { width, height } = pixels
    const encoded = await encode(pixels, header.format)
    return { webp: writeStill({ ...encoded, width, height, profile }), width, height }
  } catch {
    // Codecs trap or throw numbers, which do not tell the cause.
    return null
  } finally {
    trimCodecs()
  }
}
