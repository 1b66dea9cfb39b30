import { expect, it } from "vitest"

import { codecBytes } from "../../src/images/codec/pool.ts"
import { API, call, fileForm, newAuthor } from "../support.ts"
import { type Bytes, riffChunk, vp8x, webpOf } from "./chunks.ts"
import { dropCodecs } from "./codecs.ts"
import { ANIMATION_FLAG, jpegOf, lossyFrame, pngOf, whiteImage } from "./files.ts"

const upload = async (bytes: Bytes) => {
  const { key } = await newAuthor()
  const { status, json } = await call("POST", `${API}/image-upload/`, { key, body: fileForm(bytes) })
  return [status, json.code]
}

it("an upload whose header states too large an image size answers 400 before any codec starts", async () => {
  const cases: [string, Bytes][] = [
    ["PNG of 20000 × 20000", pngOf(20_000, 20_000)],
    ["PNG of 2049 × 1", pngOf(2049, 1)],
    ["PNG of 4294967295 × 4294967295", pngOf(2 ** 32 - 1, 2 ** 32 - 1)],
    ["JPEG of 20000 × 20000", jpegOf(20_000, 20_000)],
    ["progressive JPEG of 20000 × 20000", jpegOf(20_000, 20_000, 0xc2)],
    ["extended WebP of 20000 × 20000", webpOf(vp8x(20_000, 20_000))],
    ["animated WebP of 20000 × 20000", webpOf(vp8x(20_000, 20_000, ANIMATION_FLAG))],
    ["lossless WebP of 16384 × 16384", webpOf(riffChunk("VP8L", [0x2f, 0xff, 0xff, 0xff, 0x0f], new Uint8Array(20)))],
    ["lossy WebP of 16383 × 16383", webpOf(lossyFrame(16_383, 16_383))],
  ]
  dropCodecs()
  for (const [name, bytes] of cases) expect(await upload(bytes), name).toEqual([400, "resolution_too_large"])
  expect(codecBytes()).toBe(0)
  expect(await upload(whiteImage("png"))).toEqual([201, undefined])
  expect(codecBytes()).toBeGreaterThan(0)
})
