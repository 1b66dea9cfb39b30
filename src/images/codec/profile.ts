import { concatBytes } from "../../bytes.ts"
import { MAX_PROFILE_BYTES } from "../../limits.ts"
import { ascii, type Chunk, hasBytes, readName, viewOf } from "./bytes.ts"
import type { ImageFormat } from "./header.ts"
import { APP2, readSegments } from "./jpeg.ts"
import { readPngChunks } from "./png.ts"
import { readWebpChunks } from "./webp.ts"

/** Inflates a zlib stream. Returns null if it exceeds `MAX_PROFILE_BYTES`. @throws TypeError if it is damaged */
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

/** Reads the iCCP chunk of a PNG: a name, two zeros and a zlib stream (PNG third edition, section 11.3.2.3). */
const readPngProfile = async (file: Uint8Array): Promise<Uint8Array | null> => {
  const data = findChunk(readPngChunks(file), "iCCP")
  return data && inflate(data.subarray(data.indexOf(0) + 2)).catch(() => null)
}

/** The start of an APP2 segment of a JPEG with a whole profile: part 1 of 1 (ICC.1:2022 annex B.4). */
const ONLY_PART = [...ascii("ICC_PROFILE\0"), 1, 1]

const readJpegProfile = (file: Uint8Array): Uint8Array | null => {
  for (const { marker, data } of readSegments(file))
    if (marker === APP2 && hasBytes(viewOf(data), 0, ONLY_PART)) return data.subarray(ONLY_PART.length)
  return null
}

const readWebpProfile = (file: Uint8Array): Uint8Array | null => findChunk(readWebpChunks(file), "ICCP")

const HEADER_BYTES = 128

/** Says whether a profile has a valid RGB header and no tag beyond its end (ICC.1:2022 section 7). */
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

/** Reads the ICC color profile of an image file; null if it has none, or one that is damaged, not RGB, or over `MAX_PROFILE_BYTES`. */
export const readProfile = async (file: Uint8Array, format: ImageFormat): Promise<Uint8Array | null> => {
  const readers = { png: readPngProfile, jpeg: readJpegProfile, webp: readWebpProfile }
  const profile = await readers[format](file)
  return profile && profile.length <= MAX_PROFILE_BYTES && isRgbProfile(profile) ? profile : null
}
