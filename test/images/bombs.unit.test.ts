import { deflateSync } from "node:zlib"

import { beforeAll, expect, it } from "vitest"

import { convertUpload } from "../../src/images/upload.ts"
import { MAX_JPEG_SCANS } from "../../src/limits.ts"
import { encode } from "../support.ts"
import { inJpeg, inPng, jpegSegment, pngChunk } from "./chunks.ts"
import { peakBytes, resetPeak, watchCodecs } from "./codecs.ts"

beforeAll(watchCodecs)

it("convertUpload does not inflate a colour profile of 30 MB in an uploaded PNG", async () => {
  const small = encode(new Uint8Array(4 * 64).fill(200), 8, 8, "png")
  const bomb = pngChunk("iCCP", "p\0\0", deflateSync(new Uint8Array(30_000_000)))
  resetPeak()
  const { width } = await convertUpload(inPng(small, bomb))
  expect(width).toBe(8)
  expect(peakBytes()).toBeGreaterThan(0)
  expect(peakBytes()).toBeLessThan(25_000_000)
})

it("convertUpload refuses a JPEG of 101 scans before it decodes it", async () => {
  const jpeg = encode(new Uint8Array(4 * 64).fill(200), 8, 8, "jpeg")
  const file = inJpeg(jpeg, ...Array.from({ length: MAX_JPEG_SCANS }, () => jpegSegment(0xda)))
  await expect(convertUpload(file)).rejects.toThrow(/The JPEG has 101 scans; the limit is 100/)
})

it("convertUpload refuses a JPEG with a marker that decoders disagree about, as it could hide scans", async () => {
  const jpeg = encode(new Uint8Array(4 * 64).fill(200), 8, 8, "jpeg")
  const hidden = jpegSegment(0x02, jpegSegment(0xda), [0, 0])
  await expect(convertUpload(inJpeg(jpeg, hidden))).rejects.toThrow(/header/)
})
