import { decode } from "./decode.ts"
import { encode } from "./encode.ts"
import type { ImageHeader } from "./header.ts"
import { trimCodecs } from "./pool.ts"
import { readProfile } from "./profile.ts"
import { writeStill } from "./webp.ts"

export interface Converted {
  webp: Uint8Array<ArrayBuffer>
  width: number
  height: number
}

/**
 * Converts a PNG, JPEG or WebP file to WebP: upright, with its ICC profile, and without any other metadata.
 * @returns null when the bytes cannot be decoded
 */
export const convert = async (file: Uint8Array, header: ImageHeader): Promise<Converted | null> => {
  try {
    const profile = await readProfile(file, header.format)
    const pixels = await decode(file, header)
    const { width, height } = pixels
    const coded = await encode(pixels, header.format)
    return { webp: writeStill({ ...coded, width, height, profile }), width, height }
  } catch {
    // Codecs trap or throw numbers; none of them says why.
    return null
  } finally {
    trimCodecs()
  }
}
