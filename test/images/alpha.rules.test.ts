import { describe, expect, it } from "vitest"

import { encodeAlpha } from "../../src/images/alpha.ts"
import { decodeWebp, encodeLossy } from "../../src/images/codec.ts"
import type { Pixels } from "../../src/images/orientation.ts"
import { makePrefixCode } from "../../src/images/prefix-code.ts"
import { readStill, writeStill } from "../../src/images/webp.ts"
import { randomFrom } from "./mutations.ts"

type Rule = (x: number, y: number) => number

/** A black picture whose alpha goes by a rule, clamped. */
const pixelsOf = (width: number, height: number, rule: Rule): Pixels => {
  const data = new Uint8ClampedArray(4 * width * height)
  for (let i = 0; i < width * height; i++) data[4 * i + 3] = rule(i % width, Math.floor(i / width))
  return { data, width, height }
}

const alphaOf = ({ data }: Pixels): Uint8Array => data.filter((_, i) => i % 4 === 3) as unknown as Uint8Array

/** What libwebp reads of an `ALPH` chunk beside a lossy picture. */
const decodeAlpha = async (payload: Uint8Array, width: number, height: number): Promise<Uint8Array> => {
  const opaque = { data: new Uint8ClampedArray(4 * width * height).fill(255), width, height }
  const { image } = readStill(await encodeLossy(opaque, { quality: 1, method: 0 }))
  const alpha = { name: "ALPH", data: payload }
  return alphaOf(await decodeWebp(writeStill({ image, alpha, width, height, profile: null })))
}

/** What alpha takes, and the first pixel where libwebp reads another; -1 for none. */
const roundTrip = async (pixels: Pixels): Promise<{ bytes: number; wrongAt: number }> => {
  const payload = encodeAlpha(pixels)
  const decoded = await decodeAlpha(payload, pixels.width, pixels.height)
  return { bytes: payload.length, wrongAt: alphaOf(pixels).findIndex((value, i) => value !== decoded[i]) }
}

const disc = (size: number, radius: number, edge: number): Rule => {
  const middle = size / 2
  return (x, y) => {
    const inside = Math.max(0, Math.min(1, (radius - Math.hypot(x - middle, y - middle)) / edge + 0.5))
    return Math.round(255 * inside * inside * (3 - 2 * inside))
  }
}

const noise = (seed: number, levels = 256): Rule => {
  const random = randomFrom(seed)
  return () => (Math.floor(random() * levels) * 255) / (levels - 1)
}

/** Noise that comes again after so many rows. */
const noiseAgain = (seed: number, width: number, rows: number): Rule => {
  const values = Array.from({ length: width * rows }, noise(seed))
  return (x, y) => values[(y % rows) * width + x] ?? 0
}

const fibonacci = (count: number): number[] => {
  const numbers = [1, 1]
  while (numbers.length < count) numbers.push((numbers.at(-1) ?? 0) + (numbers.at(-2) ?? 0))
  return numbers
}

/** Values so rare that their codes would be longer than there may be. */
const rareValues = (seed: number): Rule => {
  const values = fibonacci(28).flatMap((count, value) => Array.from({ length: count }, () => value))
  const random = randomFrom(seed)
  for (let i = values.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[values[i], values[j]] = [values[j] ?? 0, values[i] ?? 0]
  }
  return (x, y) => values[y * 1024 + x] ?? 0
}

const SIDE = 100
/** In small steps along each row, or along each column. */
const walk = (seed: number, isDown: boolean): Rule => {
  const random = randomFrom(seed)
  const values = new Uint8ClampedArray(SIDE * SIDE)
  for (let i = 0; i < values.length; i++)
    values[i] = i % SIDE ? (values[i - 1] ?? 0) + Math.floor(random() * 3) - 1 : 128
  return (x, y) => values[isDown ? x * SIDE + y : y * SIDE + x] ?? 0
}

/** Each pixel a small step from where its three neighbours point to. */
const slope = (seed: number): Rule => {
  const random = randomFrom(seed)
  const values = new Uint8ClampedArray(SIDE * SIDE).fill(128)
  for (let i = SIDE + 1; i < values.length; i++)
    values[i] =
      (values[i - 1] ?? 0) + (values[i - SIDE] ?? 0) - (values[i - SIDE - 1] ?? 0) + Math.floor(random() * 3) - 1
  return (x, y) => values[y * SIDE + x] ?? 0
}

describe("alpha comes back as it was", () => {
  it.each<[string, number, number, Rule]>([
    ["nothing but 0", 300, 200, () => 0],
    ["nothing but 255", 300, 200, () => 255],
    ["one value of its own", 300, 200, (x, y) => (x === 150 && y === 100 ? 77 : 255)],
    ["two values", 300, 200, (x, y) => ((x >> 3) + (y >> 4)) % 2],
    ["a gradient to the right", 300, 200, (x) => x * 0.85],
    ["a gradient downwards", 300, 200, (_, y) => y],
    ["a gradient to a corner", 300, 200, (x, y) => (x + y) / 2],
    ["a soft disc", 400, 400, disc(400, 150, 60)],
    ["a hard disc", 400, 400, disc(400, 150, 1)],
    ["noise", 300, 200, noise(1)],
    ["noise of two values", 1024, 1024, noise(2, 2)],
    ["stripes", 300, 200, (x) => (x % 7) * 40],
    ["one pixel", 1, 1, () => 128],
    ["one column", 1, 2048, (_, y) => y % 251],
    ["one row", 2048, 1, (x) => x % 251],
    ["two columns", 2, 999, (x, y) => (y % 13) * 9 + x],
    ["three columns of noise", 3, 500, noise(3)],
    ["four columns", 4, 501, (x, y) => (y % 5) * 50 + x],
    ["odd sides", 333, 77, disc(77, 30, 9)],
    ["the widest", 2048, 1025, disc(1024, 400, 90)],
    ["values too rare for a code of their own length", 1024, 812, rareValues(4)],
    ["what came long before", 700, 200, noiseAgain(5, 700, 90)],
  ])("%s", async (_, width, height, rule) => {
    expect((await roundTrip(pixelsOf(width, height, rule))).wrongAt).toBe(-1)
  })

  it.each<[string, number, Rule]>([
    ["none", 0, (x, y) => ((x * x * 7 + y * y * 3) % 31 > 15 ? 255 : 0)],
    ["horizontal", 1, walk(6, false)],
    ["vertical", 2, walk(7, true)],
    ["gradient", 3, slope(8)],
  ])("by the filter that suits it: %s", async (_, filter, rule) => {
    const pixels = pixelsOf(SIDE, SIDE, rule)
    expect((encodeAlpha(pixels)[0] ?? 0) >> 2).toBe(filter)
    expect((await roundTrip(pixels)).wrongAt).toBe(-1)
  })

  it("whatever is painted", async () => {
    const random = randomFrom(10)
    const below = (end: number): number => Math.floor(random() * end)
    for (let i = 0; i < 100; i++) {
      const [width, height] = [1 + below(90), 1 + below(90)]
      const pixels = pixelsOf(width, height, () => 0)
      for (let layer = below(6); layer >= 0; layer--) {
        const [left, top, right, bottom] = [below(width), below(height), 1 + below(width), 1 + below(height)]
        const [level, tilt, grain] = [below(256), below(9) - 4, below(3) ? 0 : below(256)]
        for (let y = top; y < bottom; y++)
          for (let x = left; x < right; x++)
            pixels.data[4 * (y * width + x) + 3] = level + tilt * (x - y) + (grain ? below(grain) : 0)
      }
      expect((await roundTrip(pixels)).wrongAt).toBe(-1)
    }
  })
})

/** A tenth more than it takes, or what cannot be undercut. Without matches or filters the discs take several times that. */
describe("alpha takes few bytes", () => {
  it.each<[string, number, number, Rule, number]>([
    ["one value", 2048, 1025, () => 255, 900],
    ["a hard disc", 1024, 1024, disc(1024, 400, 1), 7_200],
    ["a soft disc", 1024, 1024, disc(1024, 400, 60), 19_000],
    ["a very soft disc", 1024, 1024, disc(1024, 400, 400), 60_000],
    ["a gradient", 1024, 1024, (x, y) => (x + y) / 8, 900],
    ["runs in three columns", 3, 2000, (_, y) => (y >> 5) * 4, 150],
    ["noise", 300, 200, noise(11), 60_100],
    ["noise of two values", 512, 512, noise(12, 2), 46_000],
    ["noise that comes again 63 000 bytes later", 700, 180, noiseAgain(13, 700, 90), 63_300],
  ])("%s", async (_, width, height, rule, most) => {
    const { bytes, wrongAt } = await roundTrip(pixelsOf(width, height, rule))
    expect(wrongAt).toBe(-1)
    expect(bytes).toBeLessThanOrEqual(most)
  })
})

describe("a prefix code", () => {
  it.each([
    [30, 15],
    [19, 7],
    [280, 15],
    [2, 15],
  ])("of %i symbols is complete within %i bits", (symbols, most) => {
    const { lengths, codes } = makePrefixCode(Uint32Array.from(fibonacci(40).slice(0, symbols)), most)
    const used = [...lengths].filter((length) => length > 0)
    expect(Math.max(...used)).toBeLessThanOrEqual(most)
    expect(used.reduce((sum, length) => sum + 2 ** -length, 0)).toBe(1)
    expect(new Set(codes).size).toBe(codes.length)
  })
})
