import { describe, expect, it } from "vitest"

import { codecBytes } from "../../src/images/codec.ts"
import { convert } from "../../src/images/convert.ts"
import { readHeader, sniffFormat } from "../../src/images/header.ts"
import { isTooLarge } from "../../src/images/image.ts"
import { MAX_DECODER_BYTES, MAX_ENCODER_BYTES } from "../../src/limits.ts"
import { API, call, encode, fileForm, newAuthor } from "../support.ts"
import { withExif } from "./exif.ts"

type Bytes = Uint8Array<ArrayBuffer>
const FORMATS = ["png", "jpeg", "webp"] as const

/** A generator of the same numbers for the same seed (mulberry32). */
const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
}

const noise = (random: () => number, side: number): Uint8Array =>
  Uint8Array.from({ length: side * side * 4 }, (_, i) =>
    i % 4 === 3 ? 255 : Math.floor(random() * 64) + ((i >> 4) % 128),
  )

const MUTATIONS: ((file: Bytes, random: () => number) => Bytes)[] = [
  // One bit.
  (file, random) => {
    const at = Math.floor(random() * file.length)
    file[at] = (file[at] ?? 0) ^ (1 << Math.floor(random() * 8))
    return file
  },
  // Cut off.
  (file, random) => file.slice(0, Math.floor(random() * file.length)),
  // Several bytes of nothing, in the header more often than not.
  (file, random) => {
    const at = Math.floor(random() ** 3 * file.length)
    return file.fill(Math.floor(random() * 256), at, at + 1 + Math.floor(random() * 8))
  },
  // Two parts changed for each other.
  (file, random) => {
    const [a, b] = [Math.floor(random() * file.length), Math.floor(random() * file.length)]
    const part = file.slice(a, a + 16)
    file.copyWithin(a, b, b + 16)
    file.set(part.subarray(0, Math.max(0, file.length - b)), b)
    return file
  },
  // Length fields that lie.
  (file, random) => {
    new DataView(file.buffer).setUint32(
      Math.floor(random() * Math.min(64, file.length - 4)),
      Math.floor(random() * 2 ** 32),
    )
    return file
  },
  // Something behind the end.
  (file, random) => {
    const longer = new Uint8Array(file.length + 32)
    longer.set(file)
    return longer.fill(Math.floor(random() * 256), file.length)
  },
]

const hash = async (bytes: Bytes): Promise<string> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex()

describe("mutated files", () => {
  it("5000 of them: each is converted or refused, the codecs stay sound and small", async () => {
    const random = randomFrom(3)
    const good = encode(noise(random, 64), 64, 64, "jpeg")
    const goodHeader = readHeader(good, "jpeg")
    const convertGood = async () => {
      const made = goodHeader && (await convert(good, goodHeader))
      return made ? hash(made.webp) : null
    }
    const expected = await convertGood()
    expect(expected).not.toBeNull()
    const seeds = FORMATS.flatMap((format) =>
      [8, 33, 128].flatMap((side) => {
        const file = encode(noise(random, side), side, side, format)
        return [file, withExif(file, format, 6)]
      }),
    )
    const counts = { converted: 0, refused: 0 }
    for (let i = 0; i < 5000; i++) {
      const seed = seeds[i % seeds.length] ?? good
      const mutate = MUTATIONS[Math.floor(random() * MUTATIONS.length)]
      const file = mutate?.(seed.slice(), random) ?? seed
      const format = sniffFormat(file)
      const header = format && readHeader(file, format)
      const isAccepted = header && header.isComplete && !header.isAnimated && !isTooLarge(header)
      const made = isAccepted ? await convert(file, header) : null
      counts[made ? "converted" : "refused"] += 1
      const between = i % 100 === 0 ? await convertGood() : expected
      expect(between, `the good picture after ${i}`).toBe(expected)
      expect(codecBytes()).toBeLessThanOrEqual(MAX_DECODER_BYTES + MAX_ENCODER_BYTES)
    }
    expect(counts.converted).toBeGreaterThan(500)
    expect(counts.refused).toBeGreaterThan(1500)
  }, 60_000)

  it("300 through the door: 201 or 400", async () => {
    const random = randomFrom(7)
    for (let i = 0; i < 300; i += 10) {
      const { key } = await newAuthor()
      for (let j = 0; j < 10; j++) {
        const format = FORMATS[j % 3] ?? "png"
        const file = MUTATIONS[(i / 10 + j) % MUTATIONS.length]?.(encode(noise(random, 16), 16, 16, format), random)
        const { status } = await call("POST", `${API}/image-upload/`, { key, body: fileForm(file ?? new Uint8Array()) })
        expect([201, 400]).toContain(status)
      }
    }
  }, 60_000)
})
