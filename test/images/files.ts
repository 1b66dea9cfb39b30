import { encode } from "../support.ts"
import {
  be16,
  be32,
  type Bytes,
  bytesOf,
  imageChunk,
  inPng,
  jpegSegment,
  le24,
  le32,
  pngChunk,
  pngHead,
  riffChunk,
} from "./chunks.ts"

/** Makes a PNG that states a size but has no valid pixels. */
export const pngOf = (width: number, height: number): Bytes =>
  bytesOf(pngHead(width, height), pngChunk("IDAT", [0x78, 0x9c, 0x03, 0, 0, 0, 0, 0x01]), pngChunk("IEND"))

/** Makes a PNG that states a number of frames from a still PNG. It has one. */
export const animatePng = (png: Uint8Array, frames = 2): Bytes => inPng(png, pngChunk("acTL", be32(frames), be32(0)))

/** Makes a JPEG that states a size in a frame header with this marker, and has no pixels. */
export const jpegOf = (width: number, height: number, marker = 0xc0): Bytes => {
  const components = [3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
  return bytesOf([0xff, 0xd8], jpegSegment(marker, [8], be16(height), be16(width), components), [0xff, 0xd9])
}

export const ANIMATION_FLAG = 0x02

/** Makes a lossy image chunk of this size with arbitrary pixels (RFC 6386 section 9.1). */
export const lossyFrame = (width: number, height: number): Bytes => {
  const firstPartBytes = 10_000
  return riffChunk(
    "VP8 ",
    le24((firstPartBytes << 5) | 0x10),
    [0x9d, 0x01, 0x2a],
    le32(height * 65_536 + width),
    new Uint8Array(2 * firstPartBytes),
  )
}

export const animationFrame = (webp: Uint8Array, width: number, height: number): Bytes =>
  riffChunk("ANMF", le24(0), le24(0), le24(width - 1), le24(height - 1), le24(100), [0], imageChunk(webp))

/** Encodes an opaque white image. */
export const whiteImage = (format: "png" | "jpeg" | "webp", width = 4, height = 3): Bytes => {
  const pixels = new Uint8Array(width * height * 4).fill(255)
  return encode(pixels, width, height, format)
}
