import { concatBytes } from "../bytes.ts"
import { MAX_PROFILE_BYTES } from "../limits.ts"
import { ascii, hasBytes, viewOf } from "./bytes.ts"
import type { ImageFormat } from "./header.ts"
import { isSrgb, readRgbProfile, writeRgbProfile } from "./icc.ts"
import { APP2, readSegments, START_OF_SCAN } from "./jpeg.ts"
import { readPngChunks } from "./png.ts"
import { readWebpChunks } from "./webp.ts"

// Colour profiles are carried over, so that a wide-gamut picture keeps its colours. sRGB is what WebP means anyway.

/** PNG third edition, section 11.3.2.3: name, a zero, a zero, a zlib stream. */
const readPngProfile = async (file: Uint8Array): Promise<Uint8Array | null> => {
  for (const { name, data } of readPngChunks(file)) {
    if (name === "iCCP") return inflate(data.subarray(data.indexOf(0) + 2))
    if (name === "IDAT") return null
  }
  return null
}

/** Inflates as much as a profile may have; null when it is damaged or more. */
const inflate = async (data: Uint8Array): Promise<Uint8Array | null> => {
  try {
    const stream = new Blob([Uint8Array.from(data)]).stream().pipeThrough(new DecompressionStream("deflate"))
    const profile = new Uint8Array(MAX_PROFILE_BYTES)
    let length = 0
    for await (const chunk of stream) {
      if (length + chunk.length > MAX_PROFILE_BYTES) return null
      profile.set(chunk, length)
      length += chunk.length
    }
    return profile.slice(0, length)
  } catch {
    return null
  }
}

const ICC_SEGMENT = ascii("ICC_PROFILE\0")

/** ICC.1:2022 annex B.4: APP2 segments, each with its number. */
const readJpegProfile = (file: Uint8Array): Uint8Array | null => {
  const parts: Uint8Array[] = []
  for (const { marker, data } of readSegments(file)) {
    if (marker === START_OF_SCAN) break
    if (marker === APP2 && data.length > 14 && hasBytes(viewOf(data), 0, ICC_SEGMENT))
      parts[(data[12] ?? 0) - 1] = data.subarray(14)
  }
  const all = parts.filter((part) => part !== undefined)
  return all.length > 0 && all.length === parts.length ? concatBytes(all) : null
}

const readWebpProfile = (file: Uint8Array): Uint8Array | null => {
  for (const { name, data } of readWebpChunks(file)) if (name === "ICCP") return data
  return null
}

const READERS = { png: readPngProfile, jpeg: readJpegProfile, webp: readWebpProfile }

/** The profile that a picture needs to look right, written anew; null for sRGB, none, or one that is not three colours and curves. */
export const readProfile = async (file: Uint8Array, format: ImageFormat): Promise<Uint8Array | null> => {
  const bytes = await READERS[format](file)
  const profile = bytes && bytes.length <= MAX_PROFILE_BYTES ? readRgbProfile(bytes) : null
  return profile && !isSrgb(profile) ? writeRgbProfile(profile) : null
}
