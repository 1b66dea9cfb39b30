import { describe, expect, it } from "vitest"

import { decodeWebp } from "../../src/images/codec/decode.ts"
import type { Pixels } from "../../src/images/codec/orientation.ts"
import { API, call, encode, env, fileForm, newAuthor } from "../support.ts"
import { withExif } from "./exif.ts"

const W = 48
const H = 32
const COLOURS = {
  topLeft: [220, 30, 30],
  topRight: [30, 200, 40],
  bottomLeft: [40, 60, 220],
  bottomRight: [240, 220, 40],
}

/** Paints an upright image of W × H whose four corners differ. */
const upright = (): Uint8Array => {
  const rgba = new Uint8Array(W * H * 4)
  for (let y = 0; y < H; y++)
    for (let x = 0; x < W; x++) {
      const [left, right] = y < H / 2 ? [COLOURS.topLeft, COLOURS.topRight] : [COLOURS.bottomLeft, COLOURS.bottomRight]
      rgba.set([...(x < W / 3 ? left : right), 255], (y * W + x) * 4)
    }
  return rgba
}

/** Return the position of the upright image's pixel (x, y) in an image of each orientation (Exif 2.32 section 4.6.4 A). */
const STORED: Record<number, (x: number, y: number) => [number, number]> = {
  1: (x, y) => [x, y],
  2: (x, y) => [W - 1 - x, y],
  3: (x, y) => [W - 1 - x, H - 1 - y],
  4: (x, y) => [x, H - 1 - y],
  5: (x, y) => [y, x],
  6: (x, y) => [y, W - 1 - x],
  7: (x, y) => [H - 1 - y, W - 1 - x],
  8: (x, y) => [H - 1 - y, x],
}

const stored = (orientation: number): { rgba: Uint8Array; width: number; height: number } => {
  const [width, height] = orientation >= 5 ? [H, W] : [W, H]
  const rgba = new Uint8Array(W * H * 4)
  const source = upright()
  for (let y = 0; y < H; y++)
    for (let x = 0; x < W; x++) {
      const [sx, sy] = STORED[orientation]?.(x, y) ?? [0, 0]
      rgba.set(source.subarray((y * W + x) * 4, (y * W + x) * 4 + 4), (sy * width + sx) * 4)
    }
  return { rgba, width, height }
}

const meanDifference = (pixels: Pixels, expected: Uint8Array): number => {
  let sum = 0
  for (let i = 0; i < expected.length; i++) sum += Math.abs((pixels.data[i] ?? 0) - (expected[i] ?? 0))
  return sum / expected.length
}

describe.each(["jpeg", "png", "webp"] as const)("a %s with an Exif orientation", (format) => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    `an uploaded ${format} with Exif orientation %i is stored upright`,
    async (orientation) => {
      const { key } = await newAuthor()
      const { rgba, width, height } = stored(orientation)
      const file = withExif(encode(rgba, width, height, format), format, orientation)
      const { status, json } = await call("POST", `${API}/image-upload/`, { key, body: fileForm(file) })
      expect([status, json.width, json.height]).toEqual([201, W, H])
      const { objects } = await env.MEDIA.list()
      const fileKey = objects.find((object) => object.key.includes(json.image_id))?.key ?? ""
      const webp = new Uint8Array((await (await env.MEDIA.get(fileKey))?.arrayBuffer()) ?? new ArrayBuffer(0))
      expect(meanDifference(await decodeWebp(webp), upright())).toBeLessThan(6)
    },
  )
})
