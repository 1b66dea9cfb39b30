// Writes PNG, JPEG and WebP bytes. It shares no code with src/images, which it tests, and also runs in plain Node.
import { crc32, deflateSync } from "node:zlib"

import { concatBytes } from "../../src/bytes.ts"
import { ascii } from "../../src/images/codec/bytes.ts"

export type Bytes = Uint8Array<ArrayBuffer>
type Part = Uint8Array | number[] | string

/** Joins parts. A text becomes one byte for each character. */
export const bytesOf = (...parts: Part[]): Bytes =>
  concatBytes(parts.map((part) => (typeof part === "string" ? ascii(part) : part)))

// A shift would make a number of 32 bits negative.
const littleEndian = (value: number, size: number): Bytes =>
  Uint8Array.from({ length: size }, (_, i) => Math.floor(value / 256 ** i))
export const le24 = (value: number): Bytes => littleEndian(value, 3)
export const le32 = (value: number): Bytes => littleEndian(value, 4)
export const be16 = (value: number): Bytes => littleEndian(value, 2).toReversed()
export const be32 = (value: number): Bytes => littleEndian(value, 4).toReversed()

export const PNG_SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

/** Returns the checksum that ends a chunk of this name and data. */
export const pngChecksum = (nameAndData: Uint8Array): Bytes => be32(crc32(nameAndData))

export const pngChunk = (name: string, ...parts: Part[]): Bytes => {
  const data = bytesOf(...parts)
  const nameAndData = bytesOf(name, data)
  return bytesOf(be32(data.length), nameAndData, pngChecksum(nameAndData))
}

/** Returns the signature and the IHDR chunk of a PNG with 8 bits RGBA. */
export const pngHead = (width: number, height: number): Bytes =>
  bytesOf(PNG_SIGNATURE, pngChunk("IHDR", be32(width), be32(height), [8, 6, 0, 0, 0]))

const PNG_HEAD_BYTES = 33

/** Inserts chunks after the header of a PNG. */
export const inPng = (png: Uint8Array, ...chunks: Bytes[]): Bytes =>
  bytesOf(png.subarray(0, PNG_HEAD_BYTES), ...chunks, png.subarray(PNG_HEAD_BYTES))

export const jpegSegment = (marker: number, ...parts: Part[]): Bytes => {
  const data = bytesOf(...parts)
  return bytesOf([0xff, marker], be16(data.length + 2), data)
}

/** Inserts segments before the other segments of a JPEG. */
export const inJpeg = (jpeg: Uint8Array, ...segments: Bytes[]): Bytes =>
  bytesOf(jpeg.subarray(0, 2), ...segments, jpeg.subarray(2))

export const riffChunk = (name: string, ...parts: Part[]): Bytes => {
  const data = bytesOf(...parts)
  return bytesOf(name, le32(data.length), data, new Uint8Array(data.length % 2))
}

export const webpOf = (...chunks: Uint8Array[]): Bytes => {
  const body = bytesOf("WEBP", ...chunks)
  return bytesOf("RIFF", le32(body.length), body)
}

/** Returns the header chunk of an extended WebP with this canvas. */
export const vp8x = (width: number, height: number, flags = 0): Bytes =>
  riffChunk("VP8X", [flags, 0, 0, 0], le24(width - 1), le24(height - 1))

/** Returns the image chunk of a simple WebP. */
export const imageChunk = (webp: Uint8Array): Uint8Array => webp.subarray(12)

/** Makes an ICC profile with one tag (ICC.1:2022 section 7). */
export const iccProfile = ({ size = 600, space = "RGB ", tagAt = 144 } = {}): Bytes => {
  const tags = bytesOf(be32(1), "desc", be32(tagAt), be32(size - 144))
  const header = bytesOf(be32(size), new Uint8Array(8), "mntr", space, "XYZ ", new Uint8Array(12), "acsp")
  return bytesOf(header, new Uint8Array(88), tags, new Uint8Array(size - 144).fill(size))
}

/** Adds an ICC profile to a square image. */
export const withProfile = (
  file: Uint8Array,
  { format, side }: { format: "png" | "jpeg" | "webp"; side: number },
  profile: Uint8Array,
): Bytes => {
  if (format === "png") return inPng(file, pngChunk("iCCP", "p\0\0", deflateSync(profile)))
  if (format === "jpeg") return inJpeg(file, jpegSegment(0xe2, "ICC_PROFILE\0", [1, 1], profile))
  return webpOf(vp8x(side, side, 0x20), riffChunk("ICCP", profile), imageChunk(file))
}
