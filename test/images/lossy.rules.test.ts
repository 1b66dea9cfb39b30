import { expect, it } from "vitest"

import type { ImageFormat } from "../../src/images/header.ts"
import { lossySettings } from "../../src/images/lossy.ts"

/** Grey stripes, each pixel this far from its neighbours. */
const striped = (width: number, height: number, step: number) => {
  const data = new Uint8ClampedArray(width * height * 4)
  for (let i = 0; i < width * height; i++) data.fill(100 + (i % 2) * step, 4 * i, 4 * i + 3)
  return { data, width, height }
}

it.each<[string, ImageFormat, [width: number, height: number, step: number], object]>([
  ["a large clean JPEG quickly, and smoothed", "jpeg", [2048, 1024, 3], { method: 2, filter_strength: 100 }],
  ["a large JPEG quickly", "jpeg", [2048, 1024, 4], { quality: 80, method: 2 }],
  ["a large JPEG quickly, up to where noise begins", "jpeg", [2048, 1024, 6], { quality: 80, method: 2 }],
  ["a large noisy JPEG in the quickest way", "jpeg", [2048, 1024, 7], { quality: 80.3, method: 1 }],
  ["a JPEG of two rows", "jpeg", [2048, 2, 7], { method: 4 }],
  ["a small noisy JPEG thoroughly", "jpeg", [1500, 1000, 7], { quality: 80, method: 4 }],
  ["a large PNG thoroughly", "png", [2048, 1024, 7], { quality: 80, method: 4 }],
  ["a WebP a little coarser", "webp", [2048, 1024, 7], { quality: 79.5, method: 4 }],
])("codes %s", (_, format, [width, height, step], expected) => {
  expect(lossySettings(format, striped(width, height, step))).toMatchObject(expected)
})
