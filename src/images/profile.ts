import { concatBytes } from "../bytes.ts"
import { MAX_PROFILE_BYTES } from "../limits.ts"
import { ascii, hasBytes, readName, viewOf } from "./bytes.ts"
import type { ImageFormat } from "./header.ts"
import { readChunks } from "./webp.ts"

// ICC profiles (ICC.1:2022): carried over, so that a wide-gamut picture keeps its colours. sRGB is what WebP means anyway.

const HEADER_BYTES = 128

/** ISO 15948 section 11.3.2.3: name, a zero, a zero, a zlib stream. */
const readPngProfile = async (file: Uint8Array): Promise<Uint8Array | null> => {
  const view = viewOf(file)
  for (let at = 8, length = 0; at + 12 <= file.length; at += 12 + length) {
    length = view.getUint32(at)
    if (readName(view, at + 4) === "IDAT") return null
    if (readName(view, at + 4) !== "iCCP") continue
    const data = file.subarray(at + 8, at + 8 + length)
    return inflate(data.subarray(data.indexOf(0) + 2))
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
  const view = viewOf(file)
  const parts: Uint8Array[] = []
  for (let at = 2; at + 4 <= file.length && view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1)
    const end = at + 2 + (marker === 0xff ? -1 : view.getUint16(at + 2))
    if (marker === 0xda || end > file.length) break
    if (marker === 0xe2 && hasBytes(view, at + 4, ICC_SEGMENT) && end > at + 18)
      parts[view.getUint8(at + 16) - 1] = file.subarray(at + 18, end)
    at = end
  }
  const all = parts.filter((part) => part !== undefined)
  return all.length > 0 && all.length === parts.length ? concatBytes(all) : null
}

const readWebpProfile = (file: Uint8Array): Uint8Array | null =>
  readChunks(file).find(({ name }) => name === "ICCP")?.data ?? null

const READERS = { png: readPngProfile, jpeg: readJpegProfile, webp: readWebpProfile }

/** Sound: its own size, signature and colour space of RGB (sections 7.2.2, 7.2.6 and 7.2.9). */
const isRgbProfile = (profile: Uint8Array): boolean => {
  const view = viewOf(profile)
  if (profile.length < HEADER_BYTES || profile.length > MAX_PROFILE_BYTES) return false
  return view.getUint32(0) === profile.length && readName(view, 16) === "RGB " && readName(view, 36) === "acsp"
}

/** Every profile of sRGB names it, in one of two encodings. */
const isSrgb = (profile: Uint8Array): boolean =>
  new TextDecoder("latin1").decode(profile).replaceAll("\0", "").includes("sRGB")

/** The profile that a picture needs to look right; null for sRGB, none, or a damaged one. */
export const readProfile = async (file: Uint8Array, format: ImageFormat): Promise<Uint8Array | null> => {
  const profile = await READERS[format](file)
  return profile && isRgbProfile(profile) && !isSrgb(profile) ? Uint8Array.from(profile) : null
}
