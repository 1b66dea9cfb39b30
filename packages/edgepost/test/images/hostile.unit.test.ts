import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { gzipSync } from "node:zlib"

import sharp from "sharp"
import { afterAll, beforeAll, expect, test } from "vitest"

import { cpuSecondsOf } from "../../../../test/cpu.ts"
import { be16, be32, bytesOf, jpegSegment, pngChunk, pngHead } from "../../../../test/images/chunks.ts"
import { randomFrom } from "../../../../test/random.ts"
import { search } from "../../../../test/search.ts"
import { ImageError, prepareImage } from "../../src/images/prepare.ts"
import { animation, bmpOf, halves, svgOf } from "./images.ts"

/** Prepares a file that must be refused, and returns the error's code and message. */
const refusal = async (file: Uint8Array): Promise<string> => {
  const error: unknown = await prepareImage(Buffer.from(file)).then(
    () => new Error("It was accepted."),
    (e: unknown) => e,
  )
  if (!(error instanceof ImageError)) throw error
  // Printable, and says what to do.
  expect(error.message).toMatch(/^[^\p{C}]+\. [^\p{C}]+\.$/u)
  return `${error.code}: ${error.message}`
}

const SIDE = 30_000

test.each([
  ["PNG", bytesOf(pngHead(SIDE, SIDE), pngChunk("IDAT", [0x78, 0x9c]), pngChunk("IEND"))],
  [
    "JPEG",
    bytesOf(
      [0xff, 0xd8],
      jpegSegment(0xc0, [8], be16(SIDE), be16(SIDE), [3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]),
      jpegSegment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]),
      new Uint8Array(40),
      [0xff, 0xd9],
    ),
  ],
  [
    "GIF",
    bytesOf(
      "GIF89a",
      be16(SIDE).toReversed(),
      be16(SIDE).toReversed(),
      [0xf0, 0, 0, 0, 0, 0, 9, 9, 9, 0x2c, 0, 0, 0, 0],
      be16(SIDE).toReversed(),
      be16(SIDE).toReversed(),
      [0, 2, 2, 0x4c, 0x01, 0, 0x3b],
    ),
  ],
])("a %s of 30,000 × 30,000 pixels is refused with its size", async (_, file) => {
  expect(await refusal(file)).toMatch(/^image_too_large: The image has 30000 × 30000 pixels; at most 100 million/)
})

test("an image of 100 million pixels is decoded, and one of more is not", async () => {
  const red = sharp({ create: { width: 10_000, height: 10_000, channels: 3, background: "red" } })
  expect((await prepareImage(await red.png().toBuffer())).warnings).toEqual([])
  const larger = bytesOf(pngHead(10_000, 10_001), pngChunk("IDAT", [0x78, 0x9c]), pngChunk("IEND"))
  expect(await refusal(larger)).toContain("image_too_large")
})

test("a PNG without pixels is refused", async () => {
  expect(await refusal(bytesOf(pngHead(0, 4), pngChunk("IDAT", [0x78, 0x9c]), pngChunk("IEND")))).toContain("damaged")
})

test("a BMP that states many pixels is refused before memory is taken for them", async () => {
  expect(await refusal(bmpOf({ bits: 1, width: SIDE, height: SIDE, rows: [0, 0, 0, 0] }))).toContain(
    "unsupported_image",
  )
  expect(await refusal(bmpOf({ bits: 24, width: -2, height: 2, rows: [0, 0, 0, 0] }))).toContain("unsupported_image")
})

test.each([
  ["compressed BMP", bmpOf({ bits: 8, width: 1, height: 1, compression: 1, rows: [1, 0, 0, 1] })],
  ["BMP of 16 bits", bmpOf({ bits: 16, width: 1, height: 1, rows: [1, 0, 0, 1] })],
  [
    "BMP with other masks",
    bmpOf({
      bits: 32,
      width: 1,
      height: 1,
      compression: 3,
      masks: [255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0],
      rows: [1, 0, 0, 1],
    }),
  ],
  ["HEIC", bytesOf(be32(24), "ftypheic", be32(0), "mif1heic", new Uint8Array(40))],
])("a %s is refused as unsupported", async (_, file) => {
  expect(await refusal(file)).toMatch(/^unsupported_image: This kind of (BMP|HEIF).*Save the image as JPEG or PNG\./)
})

test("an empty file is refused", async () => {
  expect(await refusal(Buffer.alloc(0))).toBe("damaged_image: The file is empty. Save the image again.")
})

test.each([
  ["text", Buffer.from("\u001b[31mNo image\u0007")],
  ["HTML", Buffer.from("<!DOCTYPE html><html><svg></svg></html>")],
  ["a compressed SVG", gzipSync(svgOf('<rect width="50" height="50"/>'))],
  ["a PDF", Buffer.from("%PDF-1.7\n")],
  ["a video", bytesOf(be32(24), "ftypisom", be32(0), new Uint8Array(40))],
])("%s is refused as no image", async (_, file) => {
  expect(await refusal(file)).toMatch(/^unsupported_image: The file is no PNG/)
})

const FORMATS: [string, () => Promise<Buffer>][] = [
  ["PNG", () => halves(40, 30).png().toBuffer()],
  ["JPEG", () => halves(40, 30).jpeg().toBuffer()],
  ["progressive JPEG", () => halves(40, 30).jpeg({ progressive: true }).toBuffer()],
  ["WebP", () => halves(40, 30).webp().toBuffer()],
  ["WebP with alpha", () => halves(40, 30, { alpha: true }).webp().toBuffer()],
  ["GIF", () => halves(40, 30).gif().toBuffer()],
  ["AVIF", () => halves(40, 30).avif().toBuffer()],
  ["TIFF", () => halves(40, 30).tiff().toBuffer()],
  ["BMP", () => Promise.resolve(bmpOf({ bits: 24, width: 4, height: 4, rows: Array.from({ length: 48 }, () => 9) }))],
]

test.each(FORMATS)("a %s that is cut off is refused", async (_, make) => {
  const file = await make()
  // The last bytes of some formats are padding.
  for (const share of [0.1, 0.5, 0.9]) {
    const cut = file.subarray(0, Math.floor(file.length * share))
    expect(await refusal(cut)).toMatch(/^(damaged|unsupported)_image/)
  }
})

test.each([...FORMATS, ["animated GIF", () => animation("gif")] as const])(
  "a changed %s is accepted or refused, never more",
  async (_, make) => {
    const file = await make()
    await search(100, async (seed) => {
      const next = randomFrom(seed)
      const random = (below: number) => Math.floor(next() * below)
      const changed = Buffer.from(file)
      for (let n = 0; n <= random(4); n++)
        changed[random(seed % 2 ? Math.min(64, file.length) : file.length)] = random(256)
      const cut = changed.subarray(0, random(8) ? file.length : random(file.length))
      const refused: unknown = await prepareImage(cut).then(
        () => null,
        (error: unknown) => error,
      )
      expect(refused === null || refused instanceof ImageError, String(refused)).toBe(true)
    })
  },
)

test("an SVG over 1 MB is refused", async () => {
  const padding = 1024 * 1024 - svgOf("").length
  expect((await prepareImage(svgOf(" ".repeat(padding)))).warnings).toEqual([])
  expect(await refusal(svgOf(" ".repeat(padding + 1)))).toMatch(/^image_too_large: The SVG has over 1 MB/)
})

test("SVG entities that expand to gigabytes are refused in less than five seconds of CPU time", async () => {
  const levels = Array.from({ length: 10 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`)
  const before = `<!DOCTYPE svg [<!ENTITY l0 "lol">${levels.join("")}]>`
  const seconds = await cpuSecondsOf(async () => {
    expect(await refusal(svgOf("<text>&l10;</text>", { before }))).toContain("damaged_image")
    expect(await refusal(svgOf('<rect fill="&l10;"/>', { before }))).toContain("damaged_image")
  })
  expect(seconds).toBeLessThan(5)
})

test("SVG elements that repeat each other are refused", async () => {
  const levels = Array.from({ length: 12 }, (_, i) => `<g id="u${i + 1}">${`<use href="#u${i}"/>`.repeat(10)}</g>`)
  const svg = svgOf(`<rect id="u0" display="none"/>${levels.join("")}<use href="#u12"/>`)
  expect(await refusal(svg)).toContain("damaged_image")
})

const CANARY =
  '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="40"><rect id="r" width="50" height="40" fill="red"/></svg>'
const folder = mkdtempSync(join(tmpdir(), "edgepost-svg-"))
let calls = 0
const server = createServer((_, response) => {
  calls++
  response.setHeader("Content-Type", "image/svg+xml").end(CANARY)
})
let origin = ""

beforeAll(async () => {
  writeFileSync(join(folder, "a.svg"), CANARY)
  writeFileSync(join(folder, "a.css"), "rect { fill: red }")
  writeFileSync(join(folder, "a.png"), await sharp(Buffer.from(CANARY)).png().toBuffer())
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

/** Where a canary lies: as an absolute path, a relative one, a file's address and a web address. */
const places = (name: string): string[] => {
  const path = join(folder, name)
  return [path, `../../../../../../../../..${path}`, pathToFileURL(path).href, `${origin}/${name}`]
}

test.each([
  ["image", "a.png", (href: string) => svgOf(`<image width="50" height="40" href="${href}"/>`)],
  ["image with xlink", "a.png", (href: string) => svgOf(`<image width="50" height="40" xlink:href="${href}"/>`)],
  ["image of an SVG", "a.svg", (href: string) => svgOf(`<image width="50" height="40" href="${href}"/>`)],
  [
    "filter image",
    "a.png",
    (href: string) =>
      svgOf(
        `<filter id="f"><feImage href="${href}"/></filter><rect width="50" height="40" fill="blue" filter="url(#f)"/>`,
      ),
  ],
  ["use", "a.svg", (href: string) => svgOf(`<use href="${href}#r"/>`)],
  ["fill", "a.svg", (href: string) => svgOf(`<rect width="50" height="40" fill="url(${href}#r)"/>`)],
  ["XInclude", "a.svg", (href: string) => svgOf(`<xi:include href="${href}"/>`)],
  [
    "import of CSS",
    "a.css",
    (href: string) => svgOf(`<style>@import url("${href}");</style><rect width="50" height="40" fill="none"/>`),
  ],
  [
    "style sheet",
    "a.css",
    (href: string) =>
      svgOf('<rect width="50" height="40" fill="none"/>', {
        before: `<?xml-stylesheet type="text/css" href="${href}"?>`,
      }),
  ],
  ["DTD", "a.svg", (href: string) => svgOf("", { before: `<!DOCTYPE svg SYSTEM "${href}">` })],
])("an SVG loads no other file by %s", async (_, name, make) => {
  for (const place of places(name)) {
    const { bytes } = await prepareImage(make(place))
    const { channels } = await sharp(bytes).stats()
    expect(channels[0]?.max, place).toBe(0)
  }
  expect(calls).toBe(0)
})

test("an SVG with an entity of another file is refused", async () => {
  for (const place of [...places("a.svg"), "file:///etc/passwd"]) {
    const before = `<!DOCTYPE svg [<!ENTITY e SYSTEM "${place}">]>`
    expect(await refusal(svgOf("<text>&e;</text>", { before }))).toContain("damaged_image")
  }
  expect(calls).toBe(0)
})

test.each([
  ['<image href="a.png"/>', true],
  ["<use xlink:href = 'a.svg#b'/>", true],
  ["<foreignObject><p>a</p></foreignObject>", true],
  ['<use href="#b"/><a href="https://a.example/"><rect id="b"/></a>', false],
  ['<image href="data:image/png;base64,AA"/>', false],
])("an SVG with %s warns of what is not drawn: %s", async (inner, warns) => {
  const { warnings } = await prepareImage(svgOf(inner))
  expect(warnings.map((warning) => warning.includes("not drawn"))).toEqual(warns ? [true] : [])
})

test("an SVG that repeats what the warning looks for is read in less than five seconds of CPU time", async () => {
  const svg = svgOf(`<image x=""/>`.repeat(2000) + `<desc>${"image href=".repeat(90_000)}</desc>`)
  expect(await cpuSecondsOf(() => prepareImage(svg))).toBeLessThan(5)
})
