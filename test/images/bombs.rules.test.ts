import { beforeAll, expect, it } from "vitest"

import { convertUpload } from "../../src/images/upload.ts"
import { MAX_JPEG_SCANS } from "../../src/limits.ts"
import { encode } from "../support.ts"
import { deflate, join, pngChunk } from "./exif.ts"
import { peakBytes, resetPeak, watchCodecs } from "./watch.ts"

beforeAll(watchCodecs)

const PNG_HEAD = 33

it("a colour profile of 30 MB stays deflated", async () => {
  const small = encode(new Uint8Array(4 * 64).fill(200), 8, 8, "png")
  const bomb = pngChunk("iCCP", [112, 0, 0, ...(await deflate(new Uint8Array(30_000_000)))])
  resetPeak()
  const { width } = await convertUpload(join(small.subarray(0, PNG_HEAD), bomb, small.subarray(PNG_HEAD)))
  expect(width).toBe(8)
  expect(peakBytes()).toBeGreaterThan(0)
  expect(peakBytes()).toBeLessThan(25_000_000)
})

it("a JPEG of many scans is refused before it is decoded", async () => {
  const jpeg = encode(new Uint8Array(4 * 64).fill(200), 8, 8, "jpeg")
  const scan = [0xff, 0xda, 0, 2]
  const file = join(jpeg.subarray(0, 2), ...Array.from({ length: MAX_JPEG_SCANS }, () => scan), jpeg.subarray(2))
  await expect(convertUpload(file)).rejects.toThrow(/At most 100 scans; this JPEG has 101/)
})

it("a marker that decoders disagree about ends a JPEG: scans could hide behind it", async () => {
  const jpeg = encode(new Uint8Array(4 * 64).fill(200), 8, 8, "jpeg")
  const hidden = [0xff, 0x02, 0, 8, 0xff, 0xda, 0, 2, 0, 0]
  const file = join(jpeg.subarray(0, 2), hidden, jpeg.subarray(2))
  await expect(convertUpload(file)).rejects.toThrow(/header/)
})
