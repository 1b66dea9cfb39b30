import { crc32 } from "node:zlib"

import { encode } from "../support.ts"

type Bytes = Uint8Array<ArrayBuffer>

export const ascii = (text: string): Bytes => Uint8Array.from(text, (char) => char.charCodeAt(0))

export const concat = (...parts: Uint8Array[]): Bytes => {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

const uint = (value: number, size: number, littleEndian: boolean): Bytes => {
  const bytes = Array.from({ length: size }, (_, i) => Math.floor(value / 256 ** i) % 256)
  return Uint8Array.from(littleEndian ? bytes : bytes.toReversed())
}
const be16 = (value: number) => uint(value, 2, false)
export const be32 = (value: number) => uint(value, 4, false)
const le24 = (value: number) => uint(value, 3, true)
const le32 = (value: number) => uint(value, 4, true)

/** A PNG chunk with its checksum. */
const pngChunk = (type: string, data: Uint8Array = new Uint8Array()): Bytes => {
  const body = concat(ascii(type), data)
  return concat(be32(data.length), body, be32(crc32(body)))
}

export const PNG_SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

/** A PNG that claims a size and holds next to nothing. */
export const pngOf = (width: number, height: number): Bytes =>
  concat(
    PNG_SIGNATURE,
    pngChunk("IHDR", concat(be32(width), be32(height), Uint8Array.of(8, 6, 0, 0, 0))),
    pngChunk("IDAT", Uint8Array.of(0x78, 0x9c, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01)),
    pngChunk("IEND"),
  )

/** A still PNG made an APNG of one frame. */
export const animatePng = (png: Uint8Array): Bytes =>
  concat(png.subarray(0, 33), pngChunk("acTL", concat(be32(1), be32(0))), png.subarray(33))

/** A JPEG that claims a size in a frame header of this marker and holds nothing. */
export const jpegOf = (width: number, height: number, marker = 0xc0): Bytes =>
  concat(
    Uint8Array.of(0xff, 0xd8, 0xff, marker),
    be16(17),
    Uint8Array.of(8),
    be16(height),
    be16(width),
    Uint8Array.of(3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1, 0xff, 0xd9),
  )

export const riffChunk = (type: string, data: Uint8Array): Bytes =>
  concat(ascii(type), le32(data.length), data, new Uint8Array(data.length % 2))

export const webpOf = (...chunks: Uint8Array[]): Bytes => {
  const body = concat(ascii("WEBP"), ...chunks)
  return concat(ascii("RIFF"), le32(body.length), body)
}

/** The header of an extended WebP: what it claims to be. */
export const vp8x = (width: number, height: number, flags = 0): Bytes =>
  riffChunk("VP8X", concat(Uint8Array.of(flags, 0, 0, 0), le24(width - 1), le24(height - 1)))

export const ANIMATION_FLAG = 0x02

/** A lossy image chunk of a size that decodes to nothing in particular (RFC 6386 section 9.1). */
export const lossyFrame = (width: number, height: number): Bytes => {
  const firstPartBytes = 10_000
  return riffChunk(
    "VP8 ",
    concat(
      le24((firstPartBytes << 5) | 0x10),
      Uint8Array.of(0x9d, 0x01, 0x2a),
      le32(height * 65_536 + width),
      new Uint8Array(2 * firstPartBytes),
    ),
  )
}

/** The image chunk of a simple WebP. */
export const imageChunk = (webp: Uint8Array): Uint8Array => webp.subarray(12)

export const animationFrame = (webp: Uint8Array, width: number, height: number): Bytes =>
  riffChunk(
    "ANMF",
    concat(le24(0), le24(0), le24(width - 1), le24(height - 1), le24(100), Uint8Array.of(0), imageChunk(webp)),
  )

/** An opaque picture of one colour in a format. */
export const picture = (format: "png" | "jpeg" | "webp", width = 4, height = 3): Bytes => {
  const pixels = new Uint8Array(width * height * 4).fill(255)
  return encode(pixels, width, height, format)
}
