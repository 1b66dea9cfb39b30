import { beforeAll, describe, expect, it } from "vitest"

import { ApiError } from "../../src/http/problem.ts"
import { PROBLEMS } from "../../src/http/problems.ts"
import { sniffFormat } from "../../src/images/codec/header.ts"
import { readPngChunks } from "../../src/images/codec/png.ts"
import { convertUpload } from "../../src/images/upload.ts"
import { API, call, encode, fileForm, newAuthor } from "../support.ts"
import { type Bytes, pngChecksum } from "./chunks.ts"
import { withExif } from "./exif.ts"
import { picture } from "./files.ts"
import { MUTATIONS, randomFrom } from "./mutations.ts"
import { peakBytes, resetPeak, watchCodecs } from "./watch.ts"

const FORMATS = ["png", "jpeg", "webp"] as const

const noise = (random: () => number, side: number): Uint8Array =>
  Uint8Array.from({ length: side * side * 4 }, (_, i) =>
    i % 4 === 3 ? 255 : Math.floor(random() * 64) + ((i >> 4) % 128),
  )

/** A picture of 128 × 128 needs the encoder at its smallest and a decoder. */
const MAX_PEAK_BYTES = 45_000_000

/** A PNG whose chunks have the checksums of what they hold; other files as they are. */
const withChecksums = (file: Bytes): Bytes => {
  if (sniffFormat(file) !== "png") return file
  for (const { whole } of readPngChunks(file))
    if (whole.length >= 12) whole.set(pngChecksum(whole.subarray(4, -4)), whole.length - 4)
  return file
}

it("checksums are mended to what a writer makes of them", () => {
  const whole = picture("png", 20, 10)
  expect(withChecksums(whole.slice())).toEqual(whole)
})

const hash = async (bytes: Bytes): Promise<string> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex()

/** 201, or the status of the error that an upload would be answered. */
const statusOf = async (file: Bytes): Promise<number> => {
  try {
    await convertUpload(file)
    return 201
  } catch (error) {
    return error instanceof ApiError ? PROBLEMS[error.code].status : 500
  }
}

beforeAll(watchCodecs)

describe("mutated files", () => {
  it("5000 of them: each is converted or refused, the codecs stay sound and small", async () => {
    const random = randomFrom(3)
    const good = encode(noise(random, 64), 64, 64, "jpeg")
    const hashGood = async () => hash((await convertUpload(good)).webp)
    const expected = await hashGood()
    const seeds = FORMATS.flatMap((format) =>
      [8, 33, 128].flatMap((side) => {
        const file = encode(noise(random, side), side, side, format)
        return [file, withExif(file, format, 6)]
      }),
    )
    const counts: Record<number, number> = {}
    for (let i = 0; i < 5000; i++) {
      const seed = seeds[i % seeds.length] ?? good
      const mutated = MUTATIONS[Math.floor(random() * MUTATIONS.length)]?.(seed.slice(), random) ?? seed
      resetPeak()
      // Half of the PNGs get checksums that are right again: what they inflate to is damaged, too.
      const status = await statusOf(random() < 0.5 ? withChecksums(mutated) : mutated)
      counts[status] = (counts[status] ?? 0) + 1
      expect(i % 100 === 0 ? await hashGood() : expected, `the good picture after ${i}`).toBe(expected)
      expect(peakBytes()).toBeLessThan(MAX_PEAK_BYTES)
    }
    expect(Object.keys(counts)).toEqual(["201", "400"])
    expect(counts[201]).toBeGreaterThan(500)
    expect(counts[400]).toBeGreaterThan(1500)
  })

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
  })
})
