import { describe, expect, it } from "vitest"

import { convert } from "../../src/images/codec/convert.ts"
import { decodeWebp } from "../../src/images/codec/decode.ts"
import { encodeLossless, encodeLossy } from "../../src/images/codec/encode.ts"
import { readHeader, sniffFormat } from "../../src/images/codec/header.ts"
import { codecBytes } from "../../src/images/codec/pool.ts"
import { readWebpChunks } from "../../src/images/codec/webp.ts"
import { MAX_DECODER_BYTES, MAX_ENCODER_BYTES, MAX_PROFILE_BYTES } from "../../src/limits.ts"
import { encode } from "../support.ts"
import {
  type Bytes,
  bytesOf,
  iccProfile,
  imageChunk,
  inJpeg,
  inPng,
  jpegSegment,
  pngChunk,
  riffChunk,
  vp8x,
  webpOf,
  withProfile,
} from "./chunks.ts"

const converted = async (file: Bytes) => {
  const format = sniffFormat(file)
  const header = format && readHeader(file, format)
  const made = header && (await convert(file, header))
  if (!made) throw new Error("The file was not converted.")
  return made
}

const imagesOf = (webp: Uint8Array) => [...readWebpChunks(webp)].filter(({ name }) => name !== "VP8X")

const namesOf = (webp: Bytes): string[] => [...readWebpChunks(webp)].map(({ name }) => name)

/** Paints width × height pixels RGBA, each by a rule. */
const paint = (width: number, height: number, rule: (x: number, y: number) => number[]): Uint8Array => {
  const rgba = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rgba.set(rule(x, y), (y * width + x) * 4)
  return rgba
}
const wave = (x: number, y: number): number[] => [128 + 90 * Math.sin(x / 9), 128 + 90 * Math.cos(y / 7), (x + y) % 256]
const photo = (width = 96, height = 64) => paint(width, height, (x, y) => [...wave(x, y), 255])

/** Returns the padded data of the image chunk of a simple WebP. */
const imageDataOf = (file: Bytes): Uint8Array => imageChunk(file).subarray(8)

const COARSE = { quality: 30, method: 4 }
/** Encodes a WebP of a lower quality than edgepost uses. */
const coarseOf = async (rgba: Uint8Array, width: number, height: number): Promise<Bytes> =>
  Uint8Array.from(await encodeLossy({ data: new Uint8ClampedArray(rgba), width, height }, COARSE))
const coarse = await coarseOf(photo(), 96, 64)
const canvas = (flags: number): Bytes => vp8x(96, 64, flags)

describe.each(["png", "jpeg", "webp"] as const)("the ICC profile of a %s", (format) => {
  const carrying = (profile: Uint8Array) =>
    withProfile(encode(photo(64, 64), 64, 64, format), { format, side: 64 }, profile)

  it.each([
    ["600 bytes", 600],
    ["the maximum size", MAX_PROFILE_BYTES],
  ])(`image conversion keeps the ICC profile of a ${format}: %s`, async (_, size) => {
    const profile = iccProfile({ size })
    const { webp } = await converted(carrying(profile))
    const [first, second] = readWebpChunks(webp)
    expect(first).toMatchObject({ name: "VP8X" })
    expect(second).toEqual({ name: "ICCP", data: profile })
  })

  it.each<[string, Uint8Array]>([
    ["larger than the limit", iccProfile({ size: MAX_PROFILE_BYTES + 1 })],
    ["for grey", iccProfile({ space: "GRAY" })],
    ["for CMYK", iccProfile({ space: "CMYK" })],
    ["not of the size that it states", iccProfile().fill(1, 0, 4)],
    ["without its signature", iccProfile().fill(0, 36, 40)],
    ["cut off in its header", iccProfile().slice(0, 100)],
    ["with more tags than fit into it", iccProfile().fill(1, 128, 132)],
    ["with a tag beyond its end", iccProfile({ tagAt: 145 })],
    ["empty", new Uint8Array()],
  ])(`image conversion drops the unusable ICC profile of a ${format}: %s`, async (_, profile) => {
    const { webp } = await converted(carrying(profile))
    expect(namesOf(webp)).not.toContain("ICCP")
  })
})

const SECRET = "GPS 52.5N 13.4E <script>PK\u0003\u0004"

it.each<[string, Bytes]>([
  [
    "Exif, XMP, IPTC, comment and trailing bytes of a JPEG",
    bytesOf(
      inJpeg(
        encode(photo(), 96, 64, "jpeg"),
        jpegSegment(0xe1, "Exif\0\0", SECRET),
        jpegSegment(0xe1, "http://ns.adobe.com/xap/1.0/\0", SECRET),
        jpegSegment(0xed, SECRET),
        jpegSegment(0xfe, SECRET),
      ),
      SECRET,
    ),
  ],
  [
    "text, Exif, unknown chunks and trailing bytes of a PNG",
    bytesOf(
      inPng(
        encode(photo(), 96, 64, "png"),
        pngChunk("tEXt", SECRET),
        pngChunk("eXIf", SECRET),
        pngChunk("prVt", SECRET),
      ),
      SECRET,
    ),
  ],
  [
    "Exif, XMP, unknown chunks and trailing bytes of a WebP",
    bytesOf(
      webpOf(
        canvas(0x0c),
        imageChunk(encode(photo(), 96, 64, "webp")),
        riffChunk("EXIF", SECRET),
        riffChunk("XMP ", SECRET),
        riffChunk("JUNK", SECRET),
      ),
      SECRET,
    ),
  ],
  [
    "the bytes after the image inside the image chunk of a lossy WebP",
    webpOf(riffChunk("VP8 ", imageDataOf(coarse), SECRET)),
  ],
])("image conversion removes from the uploaded file: %s", async (_, file) => {
  const { webp } = await converted(file)
  expect(new TextDecoder("latin1").decode(webp)).not.toContain("GPS")
  expect(["VP8 ", "VP8L"]).toContain(namesOf(webp).join())
})

const alphaError = (a: Uint8ClampedArray, b: Uint8Array): number => {
  let sum = 0
  for (let i = 3; i < b.length; i += 4) sum += Math.abs((a[i] ?? 0) - (b[i] ?? 0))
  return sum / (b.length / 4)
}
const colourError = (a: Uint8ClampedArray, b: Uint8Array): number => {
  let [sum, count] = [0, 0]
  for (let i = 0; i < b.length; i += 4) {
    if (b[i + 3] !== 255) continue
    for (let c = 0; c < 3; c++) sum += Math.abs((a[i + c] ?? 0) - (b[i + c] ?? 0))
    count += 3
  }
  return sum / count
}

describe("alpha", () => {
  it.each([
    ["small", 200, 150],
    ["large", 2048, 1024],
  ])("image conversion keeps the alpha of a %s photo in fewer bytes than the source", async (_, width, height) => {
    const disc = (x: number, y: number) => Math.hypot(x - width / 2, y - height / 2)
    const rgba = paint(width, height, (x, y) => [...wave(x, y), Math.max(0, Math.min(255, 300 - disc(x, y) / 2))])
    const file = encode(rgba, width, height, "png")
    const { webp } = await converted(file)
    const pixels = await decodeWebp(webp)
    expect([pixels.width, pixels.height]).toEqual([width, height])
    expect(alphaError(pixels.data, rgba)).toBeLessThan(0.5)
    expect(colourError(pixels.data, rgba)).toBeLessThan(8)
    expect(webp.length).toBeLessThan(file.length)
  })

  it.each<[string, number, number, (x: number, y: number) => number]>([
    ["hard edges", 512, 256, (x) => ((x >> 6) % 2 ? 255 : 0)],
    ["a soft disc", 512, 256, (x, y) => Math.max(0, Math.min(255, 300 - Math.hypot(x - 256, y - 128)))],
    ["a gradient", 512, 256, (x, y) => (x + y) / 3],
    ["noise", 512, 256, (x, y) => (x * x * 7 + y * y * 3 + ((x * y) >> 3)) % 256],
    ["a single transparent pixel", 2048, 1024, (x, y) => (x === 1500 && y === 700 ? 77 : 255)],
  ])("image conversion keeps the alpha of a photo exactly: %s in %i × %i pixels", async (_, width, height, alpha) => {
    const rgba = paint(width, height, (x, y) => [...wave(x, y), alpha(x, y)])
    const { webp } = await converted(encode(rgba, width, height, "png"))
    expect(namesOf(webp)).toEqual(["VP8X", "ALPH", "VP8 "])
    expect(alphaError((await decodeWebp(webp)).data, rgba)).toBe(0)
  })

  it("image conversion makes a drawing with alpha a lossless WebP whose alpha is exact", async () => {
    const rgba = paint(300, 200, (x, y) => (Math.hypot(x - 150, y - 100) < 80 ? [200, 40, 40, 255] : [0, 0, 0, 0]))
    const { webp } = await converted(encode(rgba, 300, 200, "png"))
    expect(namesOf(webp)).toEqual(["VP8L"])
    expect(alphaError((await decodeWebp(webp)).data, rgba)).toBe(0)
  })
})

it("image conversion encodes a photo as lossy WebP", async () => {
  expect(namesOf((await converted(encode(photo(), 96, 64, "png"))).webp)).toEqual(["VP8 "])
})

it.each([
  ["opaque", photo(480, 320)],
  ["transparent", paint(480, 320, (x, y) => [...wave(x, y), (x * y) % 256])],
])("image conversion encodes a lossy WebP source exactly once, at quality 75, if it is %s", async (_, rgba) => {
  const source = await coarseOf(rgba, 480, 320)
  const { webp } = await converted(source)
  const expected = await encodeLossy(await decodeWebp(source), { quality: 75, method: 4 })
  expect(imagesOf(webp)).toEqual(imagesOf(expected))
})

it("image conversion keeps the alpha of a large lossy WebP source", async () => {
  const rgba = paint(2048, 1024, (x, y) => [90, 60, 200, Math.max(0, 255 - Math.hypot(x - 1024, y - 512) / 3)])
  const source = await encodeLossy({ data: new Uint8ClampedArray(rgba), width: 2048, height: 1024 }, COARSE)
  expect(namesOf(Uint8Array.from(source))).toContain("ALPH")
  const { webp } = await converted(Uint8Array.from(source))
  expect(alphaError((await decodeWebp(webp)).data, rgba)).toBeLessThan(0.5)
})

it.each([
  ["a drawing", "VP8L", (x: number) => [x < 1000 ? (x * 3) % 256 : 200, 40, 40]],
  ["a photo", "VP8X", (x: number, y: number) => (x < 1000 ? [((x ^ y) & 8) * 31, 0, 0] : wave(x, y))],
])("image conversion removes the colours of fully transparent pixels from %s", async (_, first, colours) => {
  const hidden = paint(2048, 1024, (x, y) => [...colours(x, y), x < 1000 ? 0 : 255])
  const { webp } = await converted(encode(hidden, 2048, 1024, "png"))
  expect(namesOf(webp)[0]).toBe(first)
  const { data } = await decodeWebp(webp)
  // One row of the invisible part: its reds differ by 248 in the source.
  const reds = Array.from({ length: 900 }, (__, x) => data[4 * (512 * 2048 + x)] ?? 0)
  expect(Math.max(...reds) - Math.min(...reds)).toBeLessThan(30)
})

it("image conversion removes trailing bytes inside the image chunk of a lossless WebP source", async () => {
  const drawing = paint(300, 200, (x, y) => [(x >> 5) * 20, (y >> 4) * 20, 90, 255])
  const small = await encodeLossless({ data: new Uint8ClampedArray(drawing), width: 300, height: 200 })
  const { webp } = await converted(webpOf(riffChunk("VP8L", imageDataOf(Uint8Array.from(small)), SECRET)))
  expect(new TextDecoder("latin1").decode(webp)).not.toContain("GPS")
  expect((await decodeWebp(webp)).data).toEqual(new Uint8ClampedArray(drawing))
})

it("image conversion returns null for a JPEG that ends early", async () => {
  const whole = encode(photo(640, 480), 640, 480, "jpeg")
  const header = readHeader(whole, "jpeg")
  const cut = bytesOf(whole.subarray(0, whole.length / 2), [0xff, 0xd9])
  expect(header && (await convert(whole, header))).not.toBeNull()
  expect(header && (await convert(cut, header))).toBeNull()
})

it("image conversion leaves at most MAX_DECODER_BYTES + MAX_ENCODER_BYTES of codec memory in use", async () => {
  for (const format of ["png", "jpeg", "webp"] as const) {
    const file = encode(photo(1500, 800), 1500, 800, format)
    for (let i = 0; i < 2; i++) await converted(file)
  }
  expect(codecBytes()).toBeLessThanOrEqual(MAX_DECODER_BYTES + MAX_ENCODER_BYTES)
})
