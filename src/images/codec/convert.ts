import { smallerWidths } from "../image.ts"
import { decode } from "./decode.ts"
import { encode, encodeSmall, isTransparent } from "./encode.ts"
import type { ImageHeader } from "./header.ts"
import type { Pixels } from "./orientation.ts"
import { trimCodecs } from "./pool.ts"
import { readProfile } from "./profile.ts"
import { scaleTo } from "./scale.ts"
import { type EncodedImage, writeStill } from "./webp.ts"

export interface ConvertedImage {
  webp: Uint8Array<ArrayBuffer>
  width: number
  height: number
  /** The same image in smaller widths (pixels), the least first, whose files are smaller too. */
  smaller: { width: number; webp: Uint8Array<ArrayBuffer> }[]
}

/**
 * Converts a PNG, JPEG or WebP file to WebP. The result is upright and keeps an RGB color profile, but no other metadata.
 * @param header of the file, from `readHeader`
 * @returns the WebP file and its size in pixels, and its smaller widths unless it is transparent; null if the file cannot be decoded or encoded
 */
export const convert = async (file: Uint8Array, header: ImageHeader): Promise<ConvertedImage | null> => {
  try {
    const profile = await readProfile(file, header.format)
    const pixels = await decode(file, header)
    const write = ({ width, height }: Pixels, encoded: EncodedImage) =>
      writeStill({ ...encoded, width, height, profile })
    const isOpaque = header.format === "jpeg" || !isTransparent(pixels)
    const smaller: ConvertedImage["smaller"] = []
    let last = pixels
    // Before the image itself, whose encoding may change its pixels; each is made of the one before.
    for (const small of isOpaque ? smallerWidths(pixels.width).toReversed() : []) {
      last = scaleTo(last, small)
      smaller.push({ width: small, webp: write(last, await encodeSmall(last)) })
    }
    const { width, height } = pixels
    const webp = write(pixels, await encode(pixels, header.format))
    // A graphic can be smaller as it is, without loss.
    const useful = smaller.filter((each) => each.webp.length < webp.length).toReversed()
    return { webp, width, height, smaller: useful }
  } catch {
    // Codecs trap or throw numbers, which do not tell the cause.
    return null
  } finally {
    trimCodecs()
  }
}
