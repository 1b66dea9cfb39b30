import { expect, test } from "vitest"

import { be16, be32, bytesOf, jpegSegment, pngChunk, pngHead, PNG_SIGNATURE } from "../../../../test/images/chunks.ts"
import { hasFrames, readHeader, sniffFormat } from "../../src/images/header.ts"
import { animation, halves } from "./images.ts"

const read = (file: Uint8Array) => {
  const bytes = Buffer.from(file)
  const format = sniffFormat(bytes)
  return format && readHeader(bytes, format)
}

/** Makes a JPEG without pixels whose frame header has this marker. */
const jpegOf = (marker: number, { bits = 8, components = 3 } = {}) =>
  bytesOf(
    [0xff, 0xd8],
    jpegSegment(marker, [bits], be16(3), be16(5), [components], new Uint8Array(3 * components)),
    jpegSegment(0xda, new Uint8Array(10)),
    [0, 0, 0xff, 0xd9],
  )

test.each([
  ["PNG", (w: number, h: number) => halves(w, h).png().toBuffer()],
  ["JPEG", (w: number, h: number) => halves(w, h).jpeg().toBuffer()],
  ["lossy WebP", (w: number, h: number) => halves(w, h).webp().toBuffer()],
  ["lossless WebP", (w: number, h: number) => halves(w, h).webp({ lossless: true }).toBuffer()],
  ["WebP with alpha", (w: number, h: number) => halves(w, h, { alpha: true }).webp().toBuffer()],
])("the header of a %s states its size", async (_, make) => {
  const still = { isAnimated: false, isComplete: true }
  expect(read(await make(2049, 3))).toEqual({ width: 2049, height: 3, ...still })
  expect(read(await make(3, 300))).toEqual({ width: 3, height: 300, ...still })
})

test("the header of an animated WebP states its size", async () => {
  expect(read(await animation("webp"))).toEqual({ width: 8, height: 8, isAnimated: true, isComplete: true })
})

test.each([
  ["baseline", jpegOf(0xc0), true],
  ["extended", jpegOf(0xc1), true],
  ["progressive", jpegOf(0xc2), true],
  ["grey", jpegOf(0xc0, { components: 1 }), true],
  ["lossless", jpegOf(0xc3), false],
  ["arithmetic", jpegOf(0xc9), false],
  ["of 12 bits", jpegOf(0xc1, { bits: 12 }), false],
  ["of two components", jpegOf(0xc0, { components: 2 }), false],
  ["of four components", jpegOf(0xc0, { components: 4 }), false],
])("a JPEG that is %s counts as one that all decoders read: %#", (_, file, isRead) => {
  expect(read(file)).toEqual(isRead ? { width: 5, height: 3, isAnimated: false, isComplete: true } : null)
})

test("the end of a JPEG is not that of its thumbnail", () => {
  const [start, rest] = [jpegOf(0xc0).subarray(0, 2), jpegOf(0xc0).subarray(2, -2)]
  const file = bytesOf(start, jpegSegment(0xe1, "Exif\0\0", jpegOf(0xc0)), rest)
  expect(read(file)?.isComplete).toBe(false)
  expect(read(bytesOf(file, [0xff, 0xd9]))?.isComplete).toBe(true)
})

test("a PNG whose first chunk is not IHDR has no header", () => {
  const [cgbi, head] = [pngChunk("CgBI", be32(0)), pngHead(4, 4).subarray(PNG_SIGNATURE.length)]
  expect(read(bytesOf(PNG_SIGNATURE, cgbi, head, pngChunk("IEND")))).toBeNull()
})

test.each([
  ["PNG", () => halves(8, 8).png().toBuffer()],
  ["JPEG", () => halves(8, 8).jpeg().toBuffer()],
  ["WebP", () => halves(8, 8).webp().toBuffer()],
  ["WebP with alpha", () => halves(8, 8, { alpha: true }).webp().toBuffer()],
])("each beginning of a %s is incomplete or has no header", async (_, make) => {
  const file = await make()
  for (let length = 0; length < file.length; length++)
    expect(read(file.subarray(0, length))?.isComplete ?? false, `${length} bytes`).toBe(false)
})

const LOOP = bytesOf([0x21, 0xff, 11], "NETSCAPE2.0", [3, 1, 0, 0, 0])
const FRAME = bytesOf([0x21, 0xf9, 4, 0, 0, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
const GIF = bytesOf("GIF89a", [1, 0, 1, 0, 0x80, 0, 0], new Uint8Array(6))
/** Makes a big-endian TIFF of one entry, with the offset of its next page. */
const tiffOf = (next: number) => bytesOf("MM\0*", be32(8), be16(1), new Uint8Array(12), be32(next))

test.each([
  ["a GIF of one frame that loops", bytesOf(GIF, LOOP, FRAME, [0x3b]), false],
  ["a GIF of two frames that plays once", bytesOf(GIF, FRAME, FRAME, [0x3b]), true],
  ["a GIF whose end is missing", bytesOf(GIF, FRAME.subarray(0, -3)), false],
  ["a TIFF of one page", tiffOf(0), false],
  ["a TIFF of two pages", tiffOf(8), true],
  ["a TIFF whose directory is missing", tiffOf(8).subarray(0, 8), false],
  ["an AVIF", bytesOf(be32(24), "ftypavif"), false],
  ["an animated AVIF", bytesOf(be32(24), "ftypavis"), true],
])("%s: several frames or pages: %#", (_, file, expected) => {
  const bytes = Buffer.from(file)
  const format = sniffFormat(bytes)
  expect(format && hasFrames(bytes, format, null)).toBe(expected)
})
