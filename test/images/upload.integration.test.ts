import { describe, expect, it } from "vitest"

import { API, type Author, call, env, newAuthor, rows, stopClock } from "../support.ts"
import {
  be32,
  type Bytes,
  bytesOf,
  imageChunk,
  le32,
  PNG_SIGNATURE,
  pngHead,
  riffChunk,
  vp8x,
  webpOf,
} from "./chunks.ts"
import { ANIMATION_FLAG, animatePng, animationFrame, jpegOf, lossyFrame, pngOf, whiteImage } from "./files.ts"

const FORMATS = ["png", "jpeg", "webp"] as const

const send = ({ key }: Author, bytes: Bytes, name = "image", type = "") => {
  const form = new FormData()
  form.append("file", new File([bytes], name, { type }))
  return call("POST", `${API}/image-upload/`, { key, body: form })
}
const outcome = async (bytes: Bytes) => {
  const { status, json } = await send(await newAuthor(), bytes)
  return [status, json.code ?? `${json.width} × ${json.height}`]
}
const refused = (code: string) => [400, code]

it("an upload of an image answers 201 with image_id, image_url, size and expires_at", async () => {
  stopClock(new Date("2030-01-01T00:00:00Z"))
  const { username, key } = await newAuthor()
  const { status, json, headers } = await send({ username, key }, whiteImage("png", 4, 3))
  expect(status).toBe(201)
  expect(json).toEqual({
    success: true,
    image_id: expect.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
    image_url: `/media/${username}/blog_img/${json.image_id}.webp`,
    source_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    original_sha256: null,
    expires_at: "2030-01-01T00:30:00.000Z",
    width: 4,
    height: 3,
    warnings: [],
  })
  expect(headers.get("Location")).toBe(json.image_url)
  expect(headers.get("RateLimit-Policy")).toBe('"upload";q=10;w=60')
  expect(headers.get("RateLimit")).toMatch(/^"upload";r=9;t=60$/)
})

describe("the bytes decide the format", () => {
  const DISGUISES = [
    ["image.png", "image/png"],
    ["image.jpg", "image/jpeg"],
    ["image.gif", "image/gif"],
    ["evil.html", "text/html"],
    ["../../etc/passwd", "application/octet-stream"],
    ["名前", ""],
  ] as const
  describe.each(FORMATS)("%s", (format) => {
    it.each(DISGUISES)(`an upload of a ${format} named %s with Content-Type %j answers 201`, async (name, type) => {
      const { status, json } = await send(await newAuthor(), whiteImage(format), name, type)
      expect([status, json.width, json.height]).toEqual([201, 4, 3])
    })

    it(`an upload of a ${format} is stored as WebP`, async () => {
      const author = await newAuthor()
      const { json } = await send(author, whiteImage(format))
      const [row] = await rows("select account_id from images where id = ?", json.image_id)
      const stored = await env.MEDIA.get(`${String(row?.account_id)}/${json.image_id}.webp`)
      const bytes = new Uint8Array((await stored?.arrayBuffer()) ?? [])
      expect(String.fromCharCode(...bytes.subarray(0, 4), ...bytes.subarray(8, 12))).toBe("RIFFWEBP")
    })
  })
})

describe("unsupported_format", () => {
  it.each([
    ["an empty file", ""],
    ["one byte", "x"],
    ["text", "not an image"],
    ["GIF", "GIF89a\x01\0\x01\0\x80\0\0\xff\xff\xff\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;"],
    ["BMP", `BM${"\0".repeat(60)}`],
    ["TIFF", `II*\0${"\0".repeat(60)}`],
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'],
    ["PDF", "%PDF-1.7\n"],
    ["AVIF", "\0\0\0\x20ftypavif\0\0\0\0avifmif1"],
    ["HEIC", "\0\0\0\x20ftypheic\0\0\0\0mif1heic"],
    ["JPEG XL", "\xff\x0a\0\0"],
    ["ICO", "\0\0\x01\0\x01\0"],
    ["a WAVE file", `RIFF\x24\0\0\0WAVEfmt ${"\0".repeat(30)}`],
    ["a PNG after a space", " \x89PNG\r\n\x1a\n"],
    ["ZIP", "PK\x03\x04"],
  ])("an upload of %s named image.png answers 400 unsupported_format", async (_, text) => {
    const answer = await send(await newAuthor(), bytesOf(text), "image.png", "image/png")
    expect([answer.status, answer.json.code]).toEqual(refused("unsupported_format"))
    expect(answer.json.errors).toEqual([
      { field: "file", code: "unsupported_format", message: expect.stringMatching(/PNG.*JPEG.*WebP/) },
    ])
  })
})

it("an upload of a lossless WebP of 28 bytes and 100 × 100 pixels of one colour answers 201", async () => {
  // RFC 9649: no transform, no cache, no groups, then five prefix codes of the one symbol 0, four bits each.
  const stream = [0x2f, ...le32(99 + 99 * 2 ** 14), 0x88, 0x88, 0x08]
  const file = webpOf(riffChunk("VP8L", stream))
  expect(file.length).toBe(28)
  expect(await outcome(file)).toEqual([201, "100 × 100"])
})

// A PNG ends at IEND, but bytes after it count for the size of the file.
const padded = (length: number) => {
  const png = whiteImage("png")
  return bytesOf(png, new Uint8Array(length - png.length))
}

describe("the size limit of uploads", () => {
  it("an upload of 5 242 880 bytes answers 201", async () => {
    expect(await outcome(padded(5_242_880))).toEqual([201, "4 × 3"])
  })

  it.each([5_242_881, 6_000_000])("an upload of %i bytes answers 400 file_too_large with the limit", async (length) => {
    const { status, json } = await send(await newAuthor(), padded(length))
    expect([status, json.code, json.title]).toEqual([400, "file_too_large", "ValidationError"])
    expect(json.errors).toEqual([
      { field: "file", code: "file_too_large", message: expect.stringMatching(/the limit is 5 MB\.|At most 5 MB;/) },
    ])
  })
})

describe("the pixel limit of uploads", () => {
  describe.each(FORMATS)("%s", (format) => {
    it.each([
      [2048, 1],
      [1, 2048],
    ])(`an upload of a ${format} of %i × %i pixels answers 201`, async (width, height) => {
      expect(await outcome(whiteImage(format, width, height))).toEqual([201, `${width} × ${height}`])
    })

    it.each([
      [2049, 1],
      [1, 2049],
    ])(`an upload of a ${format} of %i × %i pixels answers 400 resolution_too_large`, async (width, height) => {
      expect(await outcome(whiteImage(format, width, height))).toEqual(refused("resolution_too_large"))
    })
  })

  it("an upload of a png of 2048 × 2048 pixels answers 201", async () => {
    expect(await outcome(whiteImage("png", 2048, 2048))).toEqual([201, "2048 × 2048"])
  })

  // The decoder uses the size of the frame: 16383 × 16383 in 20 KB would take seconds and hundreds of megabytes.
  it.each([
    ["lossy", lossyFrame(2049, 1)],
    ["lossless", imageChunk(whiteImage("webp", 2049, 1))],
  ])("an upload of a WebP of 4 × 3 pixels with a %s frame of 2049 × 1 answers 400", async (_, frame) => {
    expect((await outcome(webpOf(vp8x(4, 3), frame)))[0]).toBe(400)
  })

  it.each([
    ["PNG of width 0", pngOf(0, 1)],
    ["PNG of height 0", pngOf(1, 0)],
    ["JPEG of height 0", jpegOf(1, 0)],
    [
      "JPEG with a second, larger frame header",
      bytesOf(jpegOf(1, 1).subarray(0, -2), jpegOf(20_000, 20_000).subarray(2)),
    ],
    ["PNG with a second, larger header", bytesOf(pngHead(1, 1), pngOf(20_000, 20_000).subarray(8))],
  ])("an upload of a broken image answers 400: %s", async (_, bytes) => {
    expect((await outcome(bytes))[0]).toBe(400)
  })
})

describe("animated_not_supported", () => {
  const still = whiteImage("webp")
  const anim = riffChunk("ANIM", new Uint8Array(6))
  const frame = animationFrame(still, 4, 3)
  it.each([
    ["APNG", animatePng(whiteImage("png"))],
    ["WebP with one frame that is smaller than its canvas", webpOf(vp8x(5, 3, ANIMATION_FLAG), anim, frame)],
    ["WebP with two frames", webpOf(vp8x(4, 3, ANIMATION_FLAG), anim, frame, frame)],
  ])("an upload of an animated %s answers 400 animated_not_supported", async (_, bytes) => {
    expect(await outcome(bytes)).toEqual(refused("animated_not_supported"))
  })

  it("an APNG of exactly one frame counts as a still image, and its upload answers 201", async () => {
    expect((await outcome(animatePng(whiteImage("png"), 1)))[0]).toBe(201)
  })

  it("an animated WebP of exactly one frame counts as a still image, and its upload answers 201", async () => {
    expect(await outcome(webpOf(vp8x(4, 3, ANIMATION_FLAG), anim, frame))).toEqual([201, "4 × 3"])
  })

  it("an upload of an animated WebP whose only frame is cut off answers 400", async () => {
    expect((await outcome(webpOf(vp8x(4, 3, ANIMATION_FLAG), anim, frame).slice(0, -6)))[0]).toBe(400)
  })

  it("an upload of an animated WebP without the animation flag answers 400", async () => {
    expect((await outcome(webpOf(vp8x(4, 3), anim, frame, frame)))[0]).toBe(400)
  })

  it("an upload of a still WebP in the extended format answers 201", async () => {
    expect(await outcome(webpOf(vp8x(4, 3), imageChunk(still)))).toEqual([201, "4 × 3"])
  })
})

const noisy = (format: (typeof FORMATS)[number]) => whiteImage(format, 64, 64)

const badChecksum = (png: Bytes) => png.map((byte, i) => (i === 32 ? byte ^ 1 : byte))

const half = (bytes: Bytes) => bytes.slice(0, Math.ceil(bytes.length / 2))

describe("undecodable_image", () => {
  it.each([
    ["a PNG cut in half", half(noisy("png"))],
    ["a JPEG cut within its tables", noisy("jpeg").slice(0, 300)],
    ["a WebP cut in half", half(noisy("webp"))],
    ["a PNG with invalid pixels", pngOf(4, 4)],
    ["a JPEG with only a frame header", jpegOf(4, 4)],
    ["a WebP with only a header", webpOf(vp8x(4, 4))],
    ["a PNG with a bad checksum", badChecksum(noisy("png"))],
    ["a WebP with invalid pixels", webpOf(riffChunk("VP8L", [0x2f, 3, 0xc0, 0, 0], new Uint8Array(20)))],
  ])("an upload of %s answers 400 undecodable_image", async (_, bytes) => {
    expect(await outcome(bytes)).toEqual(refused("undecodable_image"))
  })

  it.each([
    ["only the signature of a PNG", PNG_SIGNATURE],
    ["only the signature of a JPEG", Uint8Array.of(0xff, 0xd8, 0xff)],
    ["only the signature of a WebP", bytesOf("RIFF\x1a\0\0\0WEBP")],
    ["a JPEG of filler bytes", bytesOf([0xff, 0xd8], new Uint8Array(100_000).fill(0xff))],
    ["a JPEG of empty segments", bytesOf([0xff, 0xd8, 0xff, 0xe0], new Uint8Array(100_000))],
    ["a PNG with a chunk that states 4 GB", bytesOf(pngHead(1, 1), be32(2 ** 32 - 1), "tEXt")],
  ])("an upload of %s as an image answers 400", async (_, bytes) => {
    const [status, code] = await outcome(bytes)
    expect(status).toBe(400)
    expect(["undecodable_image", "unsupported_format"]).toContain(code)
  })
})

const holdings = async () => [
  await rows("select * from images"),
  (await env.MEDIA.list()).objects.length,
  (await env.IMAGE_TICKETS.list()).keys.length,
]

it("uploads that answer 400 store nothing", async () => {
  const author = await newAuthor()
  const before = await holdings()
  for (const bytes of [bytesOf("x"), pngOf(4, 4), pngOf(20_000, 1), animatePng(whiteImage("png"))])
    expect((await send(author, bytes)).status).toBe(400)
  expect(await holdings()).toEqual(before)
})
