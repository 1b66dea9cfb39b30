import { describe, expect, it } from "vitest"

import { type ImageHeader, readHeader, sniffFormat } from "../../src/images/codec/header.ts"
import {
  imageStatus,
  isImageId,
  isPastLifetime,
  isTooLarge,
  mediaPath,
  parseMediaPath,
} from "../../src/images/image.ts"
import {
  be16,
  be32,
  bytesOf,
  jpegSegment,
  PNG_SIGNATURE,
  pngChunk,
  pngHead,
  riffChunk,
  vp8x,
  webpOf,
} from "./chunks.ts"

// 2016-07-30T23:54:10.259Z, the ULID specification's own.
const ID = "01ARYZ6S41TSV4RRFFQ69G5FAV"
const BORN = 1469918176385
const TTL = 1800

describe("isImageId", () => {
  it.each([
    ["a ULID", ID, true],
    ["the greatest ULID", "7".padEnd(26, "Z"), true],
    ["a time beyond 48 bits", "8".padEnd(26, "0"), false],
    ["a ULID without its first letter", ID.slice(1), false],
    ["a ULID with one more letter", `${ID}0`, false],
    ["a ULID in lower case", ID.toLowerCase(), false],
    ["a ULID with I, L, O and U", "01ARYZ6S41TSV4RRFFQ69GILOU", false],
    ["a ULID and a line break", `${ID}\n`, false],
    ["an empty text", "", false],
  ])("isImageId of %s (%j) returns %s", (_, id, expected) => {
    expect(isImageId(id)).toBe(expected)
  })
})

describe("imageStatus", () => {
  const now = new Date(BORN + TTL * 1000)
  const found = (changes: object) => ({
    id: ID,
    width: 1,
    height: 1,
    source_sha256: null,
    original_sha256: null,
    expires_at: now,
    attached: false,
    ...changes,
  })

  it.each([
    ["that expires in 1 ms", "usable", found({ expires_at: new Date(now.getTime() + 1) })],
    ["that expires now", "expired", found({})],
    ["that expired before but is attached", "usable", found({ expires_at: new Date(0), attached: true })],
    ["that is unknown and 30 minutes old", "expired", null],
  ])("imageStatus returns for an image %s the status %s", (_, expected, row) => {
    expect(imageStatus(ID, row, TTL, now)).toBe(expected)
  })

  it("imageStatus returns unknown for an unknown image id 1 ms younger than 30 minutes", () => {
    const before = new Date(now.getTime() - 1)
    expect([imageStatus(ID, null, TTL, before), isPastLifetime(ID, TTL, before)]).toEqual(["unknown", false])
  })
})

describe("media paths", () => {
  it("parseMediaPath reads the username and image id that mediaPath writes into a path", () => {
    expect(parseMediaPath(mediaPath("a-1", ID))).toEqual({ username: "a-1", imageId: ID })
  })

  it.each([
    ["with a host", `https://a.example/media/ann/blog_img/${ID}.webp`],
    ["with a query", `/media/ann/blog_img/${ID}.webp?x=1`],
    ["with a fragment", `/media/ann/blog_img/${ID}.webp#x`],
    ["with a line break at the end", `/media/ann/blog_img/${ID}.webp\n`],
    ["with a letter before it", `x/media/ann/blog_img/${ID}.webp`],
    ["with ..", `/media/../media/ann/blog_img/${ID}.webp`],
    ["with a capital letter in the username", `/media/Ann/blog_img/${ID}.webp`],
    ["with another extension", `/media/ann/blog_img/${ID}.png`],
    ["without an image id", "/media/ann/blog_img/cat.webp"],
  ])("parseMediaPath returns null for an image path %s", (_, path) => {
    expect(parseMediaPath(path)).toBeNull()
  })
})

/** Detects the format and reads the header. */
const read = (file: Uint8Array): ImageHeader | null => {
  const format = sniffFormat(file)
  return format && readHeader(file, format)
}
const zeros = (count: number) => new Uint8Array(count)

const png = (width: number, height: number, ...chunks: Uint8Array[]) => bytesOf(pngHead(width, height), ...chunks)
const jpeg = (...segments: (Uint8Array | number[])[]) => bytesOf([0xff, 0xd8], ...segments, zeros(6))
const frame = (marker: number) => jpegSegment(marker, [8], be16(1025), be16(2050), zeros(10))
const webp = (chunk: Uint8Array) => webpOf(chunk, zeros(16))

describe("readHeader", () => {
  const still = { width: 2050, height: 1025, isAnimated: false }

  it.each<[string, Uint8Array, Partial<ImageHeader> | null]>([
    ["PNG", png(2050, 1025, pngChunk("IDAT")), { format: "png", ...still }],
    ["PNG of 4294967295 × 1", png(4294967295, 1), { format: "png", width: 4294967295, height: 1, isAnimated: false }],
    [
      "APNG",
      png(2050, 1025, pngChunk("acTL", zeros(8)), pngChunk("IDAT")),
      { format: "png", ...still, isAnimated: true },
    ],
    [
      "APNG with other chunks before acTL",
      png(2050, 1025, pngChunk("tEXt", zeros(9)), pngChunk("acTL", zeros(8))),
      { format: "png", ...still, isAnimated: true },
    ],
    [
      "PNG with acTL after its pixels",
      png(2050, 1025, pngChunk("IDAT"), pngChunk("acTL", zeros(8))),
      { format: "png", ...still },
    ],
    ["PNG cut off in its header", png(2050, 1025).slice(0, 28), null],
    ["PNG without IHDR", bytesOf(PNG_SIGNATURE, pngChunk("IDAT", be32(2050), be32(1025), [8, 6, 0, 0, 0])), null],
    ["baseline JPEG", jpeg(frame(0xc0)), { format: "jpeg", width: 2050, height: 1025, isAnimated: false }],
    ["progressive JPEG", jpeg(frame(0xc2)), { format: "jpeg", width: 2050, height: 1025, isAnimated: false }],
    [
      "JPEG with tables and fillers before its frame",
      jpeg(jpegSegment(0xc4, [9, 9]), [0xff, 0xff], frame(0xc0)),
      { format: "jpeg", ...still },
    ],
    ["JPEG without a frame", jpeg(jpegSegment(0xc4, [9, 9])), null],
    ["JPEG with a signature only", bytesOf([0xff, 0xd8, 0xff]), null],
    ["lossy WebP", webp(riffChunk("VP8 ", zeros(6), [0x02, 0x08, 0x01, 0x04])), { format: "webp", ...still }],
    ["lossless WebP", webp(riffChunk("VP8L", [0x2f, 0x01, 0x08, 0x00, 0x01], zeros(5))), { format: "webp", ...still }],
    ["extended WebP", webp(vp8x(2050, 1025)), { format: "webp", ...still }],
    ["animated WebP", webp(vp8x(2050, 1025, 2)), { format: "webp", ...still, isAnimated: true }],
    ["RIFF file that is not WebP", bytesOf("RIFF", zeros(4), "WAVE", zeros(40)), null],
    ["GIF", bytesOf("GIF89a", zeros(40)), null],
    ["SVG", bytesOf("<svg xmlns='http://www.w3.org/2000/svg'/>"), null],
    ["file of no bytes", bytesOf(), null],
  ])("readHeader returns the format, size and animation of an image file, or null: %s", (_, file, expected) => {
    const header = read(file)
    expect(header === null).toBe(expected === null)
    expect(header ?? {}).toMatchObject(expected ?? {})
  })

  it("readHeader reads an image file that is a view into a larger buffer", () => {
    const file = png(7, 9)
    const buffer = new Uint8Array(file.length + 10)
    buffer.set(file, 10)
    expect(read(buffer.subarray(10))).toMatchObject({ width: 7, height: 9 })
  })
})

it.each([
  [2048, 2048, false],
  [2049, 1, true],
  [1, 2049, true],
])("isTooLarge of an image of %i × %i pixels returns %s", (width, height, expected) => {
  expect(isTooLarge({ width, height })).toBe(expected)
})
