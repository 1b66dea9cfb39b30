import { describe, expect, it } from "vitest"

import { codecBytes } from "../../src/images/codec.ts"
import { convert } from "../../src/images/convert.ts"
import { readHeader, sniffFormat } from "../../src/images/header.ts"
import { isTooLarge } from "../../src/images/image.ts"
import { MAX_DECODER_BYTES, MAX_ENCODER_BYTES } from "../../src/limits.ts"
import { API, call, encode, fileForm, newAuthor } from "../support.ts"
import { withExif } from "./exif.ts"
import { MUTATIONS, randomFrom } from "./mutations.ts"

type Bytes = Uint8Array<ArrayBuffer>
const FORMATS = ["png", "jpeg", "webp"] as const

const noise = (random: () => number, side: number): Uint8Array =>
  Uint8Array.from({ length: side * side * 4 }, (_, i) =>
    i % 4 === 3 ? 255 : Math.floor(random() * 64) + ((i >> 4) % 128),
  )

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
