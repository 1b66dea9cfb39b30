import { expect } from "vitest"

import { ApiError, PROBLEMS } from "../../src/http/errors.ts"
import { sniffFormat } from "../../src/images/codec/header.ts"
import { readPngChunks } from "../../src/images/codec/png.ts"
import { convertUpload } from "../../src/images/upload.ts"
import { randomFrom } from "../random.ts"
import { encode } from "../support.ts"
import { type Bytes, iccProfile, pngChecksum, withProfile } from "./chunks.ts"
import { withExif } from "./exif.ts"
import { MUTATIONS } from "./mutations.ts"
import { peakBytes, resetPeak } from "./watch.ts"

const FORMATS = ["png", "jpeg", "webp"] as const

/** Paints an opaque square of noise, RGBA. */
export const noise = (random: () => number, side: number): Uint8Array =>
  Uint8Array.from({ length: side * side * 4 }, (_, i) =>
    i % 4 === 3 ? 255 : Math.floor(random() * 64) + ((i >> 4) % 128),
  )

/** An image of 128 × 128 needs a decoder and the encoder, both of least size. */
const MAX_PEAK_BYTES = 45_000_000

/** Recomputes the checksums of a PNG's chunks in place. Other files stay unchanged. */
export const withChecksums = (file: Bytes): Bytes => {
  if (sniffFormat(file) !== "png") return file
  for (const { whole } of readPngChunks(file))
    if (whole.length >= 12) whole.set(pngChecksum(whole.subarray(4, -4)), whole.length - 4)
  return file
}

const hash = async (bytes: Bytes): Promise<string> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex()

/** Returns 201, or the status of the error that answers the upload. */
const statusOf = async (file: Bytes): Promise<number> => {
  try {
    await convertUpload(file)
    return 201
  } catch (error) {
    return error instanceof ApiError ? PROBLEMS[error.code].status : 500
  }
}

/**
 * Converts mutated files. Checks that memory stays small, and that a valid image between them always gives the same
 * result. Call `watchCodecs` before.
 * @returns the number of files for each status
 */
export const convertMutated = async (count: number): Promise<Record<number, number>> => {
  const random = randomFrom(3)
  const good = encode(noise(random, 64), 64, 64, "jpeg")
  const hashGood = async () => hash((await convertUpload(good)).webp)
  const expected = await hashGood()
  const seeds = FORMATS.flatMap((format) =>
    [8, 33, 128].flatMap((side) => {
      const file = encode(noise(random, side), side, side, format)
      return [file, withExif(file, format, 6), withProfile(file, { format, side }, iccProfile())]
    }),
  )
  const counts: Record<number, number> = {}
  for (let i = 0; i < count; i++) {
    const seed = seeds[i % seeds.length] ?? good
    const mutated = MUTATIONS[Math.floor(random() * MUTATIONS.length)]?.(seed.slice(), random) ?? seed
    resetPeak()
    // Half of the PNGs get valid checksums, so that decoders reach the damaged data.
    const status = await statusOf(random() < 0.5 ? withChecksums(mutated) : mutated)
    counts[status] = (counts[status] ?? 0) + 1
    expect(i % 100 === 0 ? await hashGood() : expected, `the good image after ${i}`).toBe(expected)
    expect(peakBytes()).toBeLessThan(MAX_PEAK_BYTES)
  }
  return counts
}
