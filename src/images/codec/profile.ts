import { concatBytes } from "../../bytes.ts"
import { MAX_PROFILE_BYTES } from "../../limits.ts"
import { ascii, type Chunk, hasBytes, readName, viewOf } from "./bytes.ts"
import type { ImageFormat } from "./header.ts"
import { APP2, readSegments } from "./jpeg.ts"
import { readPngChunks } from "./png.ts"
import { readWebpChunks } from "./webp.ts"

/** Inflates a zlib stream, and returns null when it is longer than a profile may be. @throws TypeError when it is damaged */
const inflate = async (data: Uint8Array): Promise<Uint8Array | null> => {
  const chunks: Uint8Array[] = []
  let length = 0
  const stream = new Blob([Uint8Array.from(data)]).stream().pipeThrough(new DecompressionStream("deflate"))
  for await (const chunk of stream) {
    length += chunk.length
    if (length > MAX_PROFILE_BYTES) return null
    chunks.push(chunk)
  }
  return concatBytes(chunks)
}

const findChunk = (chunks: Iterable<Chunk>, name: string): Uint8Array | null =>
  [...chunks].find((chunk) => chunk.name === name)?.data ?? null

/** The iCCP chunk of a PNG (third edition, section 11.3.2.3) is a name, a zero, a zero, a zlib stream. */
const readPngProfile = async (file: Uint8Array): Promise<Uint8Array | null> => {
  const data = findChunk(readPngChunks(file), "iCCP")
  return data && inflate(data.subarray(data.indexOf(0) + 2)).catch(() => null)
}

/** A small profile is the only part, 1 of 1, in an APP2 segment of a JPEG (ICC.1:2022 annex B.4). */
const ONLY_PART = [...ascii("ICC_PROFILE\0"), 1, 1]

const readJpegProfile = (file: Uint8Array): Uint8Array | null => {
  for (const { marker, data } of readSegments(file))
    if (marker === APP2 && hasBytes(viewOf(data), 0, ONLY_PART)) return data.subarray(ONLY_PART.length)
  return null
}

const readWebpProfile = (file: Uint8Array): Uint8Array | null => findChunk(readWebpChunks(file), "ICCP")

const HEADER_BYTES = 128

/** Checks the header of a profile and that all of its tags lie inside of it (ICC.1:2022 section 7). */
const isRgbProfile = (profile: Uint8Array): boolean => {
  const view = viewOf(profile)
  if (profile.length < HEADER_BYTES + 4 || view.getUint32(0) !== profile.length) return false
  if (readName(view, 16) !== "RGB " || readName(view, 36) !== "acsp") return false
  const tags = HEADER_BYTES + 4
  const end = tags + 12 * view.getUint32(HEADER_BYTES)
  if (end > profile.length) return false
  for (let at = tags; at < end; at += 12)
    if (view.getUint32(at + 4) + view.getUint32(at + 8) > profile.length) return false
  return true
}

/** Reads the ICC profile of an image. Returns null when there is none, or when it is large, damaged or not of RGB. */
export const readProfile = async (file: Uint8Array, format: ImageFormat): Promise<Uint8Array | null> => {
  const readers = { png: readPngProfile, jpeg: readJpegProfile, webp: readWebpProfile }
  const profile = await readers[format](file)
  return profile && profile.length <= MAX_PROFILE_BYTES && isRgbProfile(profile) ? profile : null
}
