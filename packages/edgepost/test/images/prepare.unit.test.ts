import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"

import sharp, { type Sharp } from "sharp"
import { expect, test } from "vitest"

import { inJpeg, jpegSegment } from "../../../../test/images/chunks.ts"
import { withExif } from "../../../../test/images/exif.ts"
import { prepareImage } from "../../src/images/prepare.ts"
import { MAX_UPLOAD_BYTES } from "../../src/limits.ts"
import { animatedPng, animation, bmpOf, halves, noise, pngOfBytes, svgOf } from "./images.ts"

/** Prepares a file and returns the result with its metadata, and a function that reads a pixel, RGBA. */
const prepare = async (file: Uint8Array) => {
  const { bytes, sha256, warnings } = await prepareImage(Buffer.from(file))
  expect(sha256).toBe(createHash("sha256").update(bytes).digest("hex"))
  const metadata = await sharp(bytes).metadata()
  const { data, info } = await sharp(bytes).autoOrient().ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const pixel = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)]
  const { format, width, height } = metadata
  return { bytes, warnings, metadata, pixel, kind: `${format} ${width}x${height}` }
}

const RED = [255, 0, 0, 255]
const BLUE = [0, 0, 255, 255]

/** Expects a colour up to what lossy formats change. Fails if a channel is off by more than lossy formats make it. */
const expectColour = (pixel: number[], colour: number[]) => {
  for (const [i, value] of colour.entries())
    expect(Math.abs((pixel[i] ?? 0) - value), `${pixel.join()} is ${colour.join()}`).toBeLessThan(12)
}

test.each([
  ["PNG", () => halves(2048, 3).png().toBuffer()],
  ["PNG of full height", () => halves(3, 2048).png().toBuffer()],
  ["PNG with a palette", () => halves(8, 8).png({ palette: true }).toBuffer()],
  ["PNG with 16 bits", () => halves(8, 8).toColourspace("rgb16").png().toBuffer()],
  ["PNG of one frame", () => animatedPng(1)],
  ["PNG of 5 MB", () => pngOfBytes(MAX_UPLOAD_BYTES)],
  ["JPEG", () => halves(2048, 3).jpeg().toBuffer()],
  ["JPEG of full height", () => halves(3, 2048).jpeg().toBuffer()],
  ["progressive JPEG", () => halves(8, 8).jpeg({ progressive: true }).toBuffer()],
  ["grey JPEG", () => halves(8, 8).toColourspace("b-w").jpeg().toBuffer()],
  [
    "JPEG with a thumbnail",
    async () => {
      const thumbnail = await halves(4, 4).jpeg().toBuffer()
      return inJpeg(await halves(8, 8).jpeg().toBuffer(), jpegSegment(0xe1, "Exif\0\0", thumbnail))
    },
  ],
  ["JPEG on its side", async () => withExif(await halves(8, 4).jpeg().toBuffer(), "jpeg", 6)],
  ["JPEG with bytes after its end", async () => Buffer.concat([await halves(8, 8).jpeg().toBuffer(), Buffer.alloc(9)])],
  ["lossy WebP", () => halves(2048, 3).webp().toBuffer()],
  ["lossy WebP of full height", () => halves(3, 2048).webp().toBuffer()],
  ["lossless WebP", () => halves(2048, 3).webp({ lossless: true }).toBuffer()],
  ["lossless WebP of full height", () => halves(3, 2048).webp({ lossless: true }).toBuffer()],
  ["WebP with alpha", () => halves(2048, 3, { alpha: true }).webp().toBuffer()],
  ["WebP with alpha, of full height", () => halves(3, 2048, { alpha: true }).webp().toBuffer()],
])("a %s within the limits stays as it is", async (_, make) => {
  const file = Buffer.from(await make())
  const { bytes, warnings } = await prepareImage(file)
  expect(bytes).toBe(file)
  expect(warnings).toEqual([])
})

test("a file within the limits is not decoded", async () => {
  const file = await noise(64, 64).png().toBuffer()
  file.fill(0, 60, 90)
  await expect(sharp(file).raw().toBuffer()).rejects.toThrow("corrupt header")
  expect((await prepareImage(file)).bytes).toBe(file)
})

test.each([
  ["PNG", () => halves(2049, 30).png().toBuffer(), "png 2048x30"],
  ["PNG on end", () => halves(30, 4098).png().toBuffer(), "png 15x2048"],
  ["JPEG", () => halves(4096, 100).jpeg().toBuffer(), "jpeg 2048x50"],
  ["JPEG on end", () => halves(100, 2049).jpeg().toBuffer(), "jpeg 100x2048"],
  ["lossy WebP", () => halves(2049, 30).webp().toBuffer(), "png 2048x30"],
  ["lossless WebP", () => halves(30, 2049).webp({ lossless: true }).toBuffer(), "png 30x2048"],
  ["WebP with alpha", () => halves(4096, 30, { alpha: true }).webp().toBuffer(), "png 2048x15"],
])("a %s over 2048 pixels is scaled", async (_, make, kind) => {
  const prepared = await prepare(await make())
  expect(prepared.kind).toBe(kind)
  expectColour(prepared.pixel(1, 1), RED)
  expect(prepared.warnings).toEqual([])
})

test("a PNG over 5 MB is encoded again", async () => {
  expect((await prepare(await pngOfBytes(MAX_UPLOAD_BYTES + 1))).kind).toBe("png 8x8")
})

/** A PNG of over 5 MB. */
const newLargePng = () => noise(2048, 900).png().toBuffer()

test("a photo in a PNG becomes a WebP if a PNG has over 5 MB", async () => {
  const { bytes, kind } = await prepare(await newLargePng())
  expect(kind).toBe("webp 2048x900")
  expect(bytes.length).toBeLessThan(MAX_UPLOAD_BYTES)
})

test("a JPEG over 5 MB stays a JPEG with full colours", async () => {
  const { bytes, kind, metadata } = await prepare(
    await noise(2048, 1000).jpeg({ quality: 100, chromaSubsampling: "4:4:4" }).toBuffer(),
  )
  expect(kind).toBe("jpeg 2048x1000")
  expect(metadata.chromaSubsampling).toBe("4:4:4")
  expect(bytes.length).toBeLessThan(MAX_UPLOAD_BYTES)
})

test("a screenshot of 2560 × 1440 stays a PNG, and its text can be read", async () => {
  const lines = Array.from(
    { length: 40 },
    (_, i) => `<text x="20" y="${30 + 35 * i}" font-size="22">The quick fox ${i}</text>`,
  )
  const svg = svgOf(`<rect width="2560" height="1440" fill="white"/>${lines.join("")}`, {
    size: 'width="2560" height="1440"',
  })
  const screenshot = await sharp(svg).png().toBuffer()
  const { bytes, kind } = await prepare(screenshot)
  expect(kind).toBe("png 2048x1152")
  expect(bytes.length).toBeLessThan(500_000)
  // Each line of text is still dark on white.
  const { data } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true })
  for (let i = 0; i < 40; i++) {
    const rows = data.subarray(Math.round((14 + 35 * i) * 0.8) * 2048, Math.round((31 + 35 * i) * 0.8) * 2048)
    expect(Math.min(...rows)).toBeLessThan(60)
    expect(Math.max(...rows)).toBe(255)
  }
})

test.each([
  ["jpeg", 6],
  ["jpeg", 3],
  ["png", 6],
  ["webp", 6],
] as const)("a scaled %s with the Exif orientation %i is upright", async (format, orientation) => {
  const { metadata, pixel } = await prepare(
    await halves(2100, 100).withMetadata({ orientation }).toFormat(format).toBuffer(),
  )
  const { width, height } = metadata
  expect(metadata.orientation).toBeUndefined()
  expect([width, height]).toEqual(orientation === 6 ? [98, 2048] : [2048, 98])
  // 6 turns the left side up, 3 turns it to the right.
  expectColour(pixel(1, 1), orientation === 6 ? RED : BLUE)
  expectColour(pixel(width - 2, height - 2), orientation === 6 ? BLUE : RED)
})

test.each([
  ["PNG", (image: Sharp) => image.png()],
  ["WebP", (image: Sharp) => image.webp()],
  ["AVIF", (image: Sharp) => image.avif()],
  ["TIFF", (image: Sharp) => image.tiff({ compression: "lzw" })],
  ["GIF", (image: Sharp) => image.gif()],
])("a %s keeps its alpha", async (_, encode) => {
  const { metadata, pixel } = await prepare(await encode(halves(2100, 30, { alpha: true })).toBuffer())
  expect(metadata.hasAlpha).toBe(true)
  expectColour(pixel(2, 2), RED)
  expect(pixel(2040, 20)[3]).toBe(0)
})

test.each([
  ["GIF", () => halves(30, 20).gif().toBuffer(), "png 30x20"],
  ["TIFF", () => halves(30, 20).tiff().toBuffer(), "png 30x20"],
  [
    "TIFF of 16 bits, big-endian",
    () => halves(30, 20).toColourspace("rgb16").tiff({ bigtiff: false }).toBuffer(),
    "png 30x20",
  ],
  ["AVIF", () => halves(30, 20).avif().toBuffer(), "jpeg 30x20"],
  ["CMYK JPEG", () => halves(30, 20).toColourspace("cmyk").jpeg().toBuffer(), "jpeg 30x20"],
  ["PNG with 16 bits", () => halves(2100, 30).toColourspace("rgb16").png().toBuffer(), "png 2048x29"],
  ["JPEG of Display P3", () => halves(2100, 30).withIccProfile("p3").jpeg().toBuffer(), "jpeg 2048x29"],
])("a %s becomes sRGB without metadata", async (name, make, kind) => {
  const prepared = await prepare(await make())
  expect(prepared.kind).toBe(kind)
  expect(prepared.metadata).toMatchObject({ space: "srgb", depth: "uchar", hasProfile: false })
  expect(prepared.metadata.exif).toBeUndefined()
  expect(prepared.warnings).toEqual([])
  // No ink is as red as a screen.
  expectColour(prepared.pixel(2, 2), name === "CMYK JPEG" ? [232, 0, 0, 255] : RED)
})

test("a scaled image of a wide gamut keeps its colours", async () => {
  const green = sharp({ create: { width: 2100, height: 9, channels: 3, background: "#00c000" } })
  const file = await green.withIccProfile("p3").png().toBuffer()
  const [stored] = await sharp(file, { ignoreIcc: true }).raw().toBuffer()
  const [red, value, blue] = (await prepare(file)).pixel(5, 5)
  expect(stored).toBeGreaterThan(60)
  expectColour([red ?? 0, value ?? 0, blue ?? 0], [0, 192, 0])
})

const TWO_ROWS = [0, 0, 255, 255, 0, 0, 0, 0, 0, 255, 0, 255, 255, 255, 0, 0]

test.each([
  ["24 bits", bmpOf({ bits: 24, width: 2, height: 2, rows: TWO_ROWS }), [[0, 255, 0], [255, 255, 255], RED, BLUE]],
  [
    "24 bits, first row first",
    bmpOf({ bits: 24, width: 2, height: -2, rows: TWO_ROWS }),
    [RED, BLUE, [0, 255, 0], [255, 255, 255]],
  ],
  ["24 bits, one pixel", bmpOf({ bits: 24, width: 1, height: 1, rows: [0, 0, 255, 0] }), [RED]],
  ["32 bits", bmpOf({ bits: 32, width: 2, height: 1, rows: [0, 0, 255, 0, 255, 0, 0, 0] }), [RED, BLUE]],
  [
    "32 bits with masks",
    bmpOf({
      bits: 32,
      width: 1,
      height: 1,
      compression: 3,
      masks: [0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0],
      rows: [0, 0, 255, 9],
    }),
    [RED],
  ],
  [
    "8 bits",
    bmpOf({ bits: 8, width: 2, height: 1, palette: [0, 0, 255, 0, 255, 0, 0, 0], rows: [0, 1, 0, 0] }),
    [RED, BLUE],
  ],
  [
    "4 bits",
    bmpOf({ bits: 4, width: 2, height: 1, palette: [0, 0, 255, 0, 255, 0, 0, 0], rows: [0x01, 0, 0, 0] }),
    [RED, BLUE],
  ],
  [
    "1 bit",
    bmpOf({ bits: 1, width: 2, height: 1, palette: [0, 0, 255, 0, 255, 0, 0, 0], rows: [0x40, 0, 0, 0] }),
    [RED, BLUE],
  ],
])("a BMP of %s becomes a PNG of the same pixels", async (_, file, pixels) => {
  const { metadata, pixel } = await prepare(file)
  expect(metadata.format).toBe("png")
  const seen = pixels.map((__, i) => pixel(i % metadata.width, Math.floor(i / metadata.width)).slice(0, 3))
  expect(seen).toEqual(pixels.map((colour) => colour.slice(0, 3)))
})

test.each([
  ["GIF", () => animation("gif"), RED],
  ["WebP", () => animation("webp"), RED],
  ["PNG", () => animatedPng(2), RED],
  ["TIFF", () => animation("tiff"), RED],
])("an animated %s becomes its first frame, with a warning", async (_, make, colour) => {
  const { kind, pixel, warnings, metadata } = await prepare(await make())
  expect(kind).toBe("png 8x8")
  expect(metadata.pages).toBeUndefined()
  expectColour(pixel(1, 1), colour)
  expect(warnings).toEqual([expect.stringContaining("only the first is published")])
})

test.each([
  ["twice its size", 'width="50" height="40"', "png 100x80"],
  ["at most 2048 pixels", 'width="1500" height="300"', "png 2048x410"],
  ["smaller than its size", 'width="30000" height="30000"', "png 2048x2048"],
  ["by its view box", 'viewBox="0 0 24 12"', "png 48x24"],
  ["in millimetres", 'width="210mm" height="297mm"', "png 1448x2048"],
])("an SVG is drawn %s", async (_, size, kind) => {
  const prepared = await prepare(svgOf('<rect width="100%" height="100%" fill="red"/>', { size }))
  expect(prepared.kind).toBe(kind)
  expect(prepared.pixel(10, 10)).toEqual(RED)
  expect(prepared.warnings).toEqual([])
})

test("an SVG keeps its alpha", async () => {
  const { pixel } = await prepare(svgOf('<circle cx="25" cy="20" r="10" fill="red"/>'))
  expect(pixel(50, 40)).toEqual(RED)
  expect(pixel(1, 1)[3]).toBe(0)
})

test.each([
  ["a BOM", "\ufeff"],
  ["a declaration", '<?xml version="1.0"?>\n'],
  ["a long comment", `<!--${"x".repeat(4000)}-->\n`],
  ["entities", '<!DOCTYPE svg [<!ENTITY c "red">]>'],
])("an SVG after %s is drawn", async (_, before) => {
  const colour = before.includes("ENTITY") ? "&c;" : "red"
  expect((await prepare(svgOf(`<rect width="50" height="40" fill="${colour}"/>`, { before }))).pixel(9, 9)).toEqual(RED)
})

const SOURCES: [string, () => Promise<Buffer> | Buffer][] = [
  ["JPEG", () => noise(2500, 90).jpeg().toBuffer()],
  ["PNG", () => noise(2500, 90).png().toBuffer()],
  ["large PNG", newLargePng],
  ["WebP", () => noise(2500, 90).webp().toBuffer()],
  ["GIF", () => animation("gif")],
  ["AVIF", () => noise(99, 90).avif().toBuffer()],
  ["TIFF", () => noise(2500, 90).tiff().toBuffer()],
  ["SVG", () => svgOf('<circle cx="25" cy="20" r="10.3" fill="red"/><text x="2" y="9">a</text>')],
]

// The files come in by standard input, each as a word of Base64.
const HASHES = `
  import { text } from "node:stream/consumers"
  import { prepareImage } from ${JSON.stringify(new URL("../../src/images/prepare.ts", import.meta.url).href)}
  for (const word of (await text(process.stdin)).split(" "))
    console.log((await prepareImage(Buffer.from(word, "base64"))).sha256)
`

test("a converted image has the same hash in another process, and stays as it is once more", async () => {
  const files = await Promise.all(SOURCES.map(async ([, make]) => make()))
  const input = { input: files.map((file) => file.toString("base64")).join(" "), encoding: "utf8" } as const
  const others = execFileSync(process.execPath, ["--input-type=module", "--eval", HASHES], input).trim().split("\n")
  for (const [i, file] of files.entries()) {
    const { bytes, sha256 } = await prepareImage(file)
    const [name] = SOURCES[i] ?? []
    expect(bytes, name).not.toBe(file)
    expect(others[i], name).toBe(sha256)
    expect((await prepareImage(bytes)).bytes, name).toBe(bytes)
  }
})
