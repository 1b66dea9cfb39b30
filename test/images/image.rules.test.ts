import { describe, expect, it } from "vitest"

import { type ImageHeader, readHeader, sniffFormat } from "../../src/images/header.ts"
import { isImageId, isPastLifetime, isTooLarge, judge, mediaPath, parseMediaPath } from "../../src/images/image.ts"

// 2016-07-30T23:54:10.259Z, the ULID specification's own.
const ID = "01ARYZ6S41TSV4RRFFQ69G5FAV"
const BORN = 1469918176385
const TTL = 1800

describe("isImageId", () => {
  it.each([
    ["an id", ID, true],
    ["the greatest", "7".padEnd(26, "Z"), true],
    ["a time beyond 48 bits", "8".padEnd(26, "0"), false],
    ["one letter less", ID.slice(1), false],
    ["one letter more", `${ID}0`, false],
    ["lower case", ID.toLowerCase(), false],
    ["I, L, O, U", "01ARYZ6S41TSV4RRFFQ69GILOU", false],
    ["a line behind it", `${ID}\n`, false],
    ["nothing", "", false],
  ])("%s", (_, id, expected) => {
    expect(isImageId(id)).toBe(expected)
  })
})

describe("judge", () => {
  const now = new Date(BORN + TTL * 1000)
  const found = (changes: object) => ({ id: ID, width: 1, height: 1, expires_at: now, attached: false, ...changes })

  it.each([
    ["own and younger", found({ expires_at: new Date(now.getTime() + 1) }), "usable"],
    ["own and of exactly its time", found({}), "expired"],
    ["own, old and attached", found({ expires_at: new Date(0), attached: true }), "usable"],
    ["not found, of exactly its time", null, "expired"],
  ])("%s", (_, row, expected) => {
    expect(judge(ID, row, TTL, now)).toBe(expected)
  })

  it("not found, a millisecond younger: unknown", () => {
    const before = new Date(now.getTime() - 1)
    expect([judge(ID, null, TTL, before), isPastLifetime(ID, TTL, before)]).toEqual(["unknown", false])
  })
})

describe("media paths", () => {
  it("are read as they are written", () => {
    expect(parseMediaPath(mediaPath("a-1", ID))).toEqual({ username: "a-1", imageId: ID })
  })

  it.each([
    ["another host's", `https://a.example/media/ann/blog_img/${ID}.webp`],
    ["a query", `/media/ann/blog_img/${ID}.webp?x=1`],
    ["a fragment", `/media/ann/blog_img/${ID}.webp#x`],
    ["a line behind it", `/media/ann/blog_img/${ID}.webp\n`],
    ["something before it", `x/media/ann/blog_img/${ID}.webp`],
    ["climbing", `/media/../media/ann/blog_img/${ID}.webp`],
    ["a capital in the name", `/media/Ann/blog_img/${ID}.webp`],
    ["another extension", `/media/ann/blog_img/${ID}.png`],
    ["no id", "/media/ann/blog_img/cat.webp"],
  ])("%s is none", (_, path) => {
    expect(parseMediaPath(path)).toBeNull()
  })
})

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...part].map((c) => c.charCodeAt(0)) : part)))
/** The header of whatever format the bytes are. */
const read = (file: Uint8Array): ImageHeader | null => {
  const format = sniffFormat(file)
  return format && readHeader(file, format)
}
const zeros = (count: number): number[] => Array<number>(count).fill(0)
const uint32 = (n: number): number[] => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255]

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const png = (width: number, height: number, ...chunks: (string | number[])[]) =>
  bytes(PNG, uint32(13), "IHDR", uint32(width), uint32(height), [8, 6, 0, 0, 0], zeros(4), ...chunks)
const chunk = (name: string, size = 0): (string | number[])[] => [uint32(size), name, zeros(size + 4)]
const jpeg = (...segments: number[][]) => bytes([0xff, 0xd8], ...segments, zeros(16))
const frame = (marker: number): number[] => [0xff, marker, 0, 17, 8, 0x04, 0x01, 0x08, 0x02]
const webp = (...parts: (string | number[])[]) => {
  const file = bytes("RIFF", zeros(4), "WEBP", ...parts, zeros(16))
  new DataView(file.buffer).setUint32(4, file.length - 8, true)
  return file
}

describe("readHeader", () => {
  const still = { width: 2050, height: 1025, isAnimated: false }

  it.each<[string, Uint8Array, Partial<ImageHeader> | null]>([
    ["PNG", png(2050, 1025, ...chunk("IDAT")), { format: "png", ...still }],
    ["PNG of 4 bytes a side", png(4294967295, 1), { format: "png", width: 4294967295, height: 1, isAnimated: false }],
    ["APNG", png(2050, 1025, ...chunk("acTL", 8), ...chunk("IDAT")), { format: "png", ...still, isAnimated: true }],
    [
      "APNG behind other chunks",
      png(2050, 1025, ...chunk("tEXt", 9), ...chunk("acTL", 8)),
      { format: "png", ...still, isAnimated: true },
    ],
    [
      "PNG with acTL behind its pixels",
      png(2050, 1025, ...chunk("IDAT"), ...chunk("acTL", 8)),
      { format: "png", ...still },
    ],
    ["PNG cut off in its header", png(2050, 1025).slice(0, 28), null],
    ["PNG without IHDR", bytes(PNG, uint32(13), "IDAT", zeros(30)), null],
    ["baseline JPEG", jpeg(frame(0xc0)), { format: "jpeg", width: 2050, height: 1025, isAnimated: false }],
    ["progressive JPEG", jpeg(frame(0xc2)), { format: "jpeg", width: 2050, height: 1025, isAnimated: false }],
    [
      "JPEG behind tables and fillers",
      jpeg([0xff, 0xc4, 0, 4, 9, 9], [0xff, 0xff], frame(0xc0)),
      { format: "jpeg", ...still },
    ],
    ["JPEG without a frame", jpeg([0xff, 0xc4, 0, 4, 9, 9]), null],
    ["JPEG of nothing", bytes([0xff, 0xd8, 0xff]), null],
    ["lossy WebP", webp("VP8 ", [10, 0, 0, 0], zeros(6), [0x02, 0x08, 0x01, 0x04]), { format: "webp", ...still }],
    [
      "lossless WebP",
      webp("VP8L", [10, 0, 0, 0], [0x2f, 0x01, 0x08, 0x00, 0x01], zeros(5)),
      { format: "webp", ...still },
    ],
    [
      "extended WebP",
      webp("VP8X", [10, 0, 0, 0], zeros(4), [0x01, 0x08, 0, 0x00, 0x04, 0]),
      { format: "webp", ...still },
    ],
    [
      "animated WebP",
      webp("VP8X", [10, 0, 0, 0], [2, 0, 0, 0], [0x01, 0x08, 0, 0x00, 0x04, 0]),
      { format: "webp", ...still, isAnimated: true },
    ],
    ["RIFF that is no WebP", bytes("RIFF", zeros(4), "WAVE", zeros(40)), null],
    ["GIF", bytes("GIF89a", zeros(40)), null],
    ["SVG", bytes("<svg xmlns='http://www.w3.org/2000/svg'/>"), null],
    ["nothing", bytes(), null],
  ])("%s", (_, file, expected) => {
    const header = read(file)
    expect(header === null).toBe(expected === null)
    expect(header ?? {}).toMatchObject(expected ?? {})
  })

  it("reads a view into a larger buffer", () => {
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
])("%i × %i too large: %s", (width, height, expected) => {
  expect(isTooLarge({ width, height })).toBe(expected)
})
