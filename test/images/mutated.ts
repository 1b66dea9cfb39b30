import { expect } from "vitest"

import { ApiError, PROBLEMS } from "../../src/http/errors.ts"
import { sniffFormat } from "../../src/images/codec/header.ts"
import { readPngChunks } from "../../src/images/codec/png.ts"
import { convertUpload } from "../../src/images/upload.ts"
import { randomFrom } from "../random.ts"
import { note, search } from "../search.ts"
import { encode } from "../support.ts"
import { type Bytes, iccProfile, pngChecksum, withProfile } from "./chunks.ts"
import { peakBytes, resetPeak } from "./codecs.ts"
import { withExif } from "./exif.ts"
import { MUTATIONS } from "./mutations.ts"

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

/** Returns "converted", or the code of the error that answers the upload with 400. */
const convert = async (file: Bytes): Promise<string> => {
  try {
    await convertUpload(file)
    return "converted"
  } catch (error) {
    if (error instanceof ApiError && PROBLEMS[error.code].status === 400) return error.code
    throw error
  }
}

/**
 * Converts mutated files. Checks that memory stays small, and that a valid image between them always gives the same
 * result. Call `watchCodecs` before.
 * @returns what became of the files
 */
export const convertMutated = async (): Promise<Set<string>> => {
  const paint = randomFrom(3)
  const good = encode(noise(paint, 64), 64, 64, "jpeg")
  const hashGood = async () => hash((await convertUpload(good)).webp)
  const expected = await hashGood()
  const seeds = FORMATS.flatMap((format) =>
    [8, 33, 128].flatMap((side) => {
      const file = encode(noise(paint, side), side, side, format)
      return [file, withExif(file, format, 6), withProfile(file, { format, side }, iccProfile())]
    }),
  )
  const found = new Set<string>()
  await search(500, async (seed) => {
    const random = randomFrom(seed)
    const [from, by] = [seed % seeds.length, Math.floor(random() * MUTATIONS.length)]
    const whole = seeds[from] ?? good
    const mutated = MUTATIONS[by]?.(whole.slice(), random) ?? whole
    resetPeak()
    // Half of the PNGs get valid checksums, so that decoders reach the damaged data.
    const result = await convert(random() < 0.5 ? withChecksums(mutated) : mutated)
    found.add(result)
    note(`${sniffFormat(whole)} ${by}: ${result}`)
    if (seed % 10 === 0) expect(await hashGood(), "the good image").toBe(expected)
    expect(peakBytes()).toBeLessThan(MAX_PEAK_BYTES)
  })
  return found
}
