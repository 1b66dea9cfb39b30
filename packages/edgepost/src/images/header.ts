/** Formats that are known by their first bytes. `heif` is AVIF and HEIC. */
export type ImageFormat = "png" | "jpeg" | "webp" | "gif" | "bmp" | "tiff" | "heif" | "svg"

/** Patterns of the first bytes of each format, read as Latin-1. */
const BEGINNINGS: Record<ImageFormat, RegExp> = {
  // Matches the signature of PNG. Does not match a text "PNG".
  png: /^\x89PNG\r\n[^]\n/,
  // Matches SOI and a further marker. Does not match SOI alone.
  jpeg: /^\xff\xd8\xff/,
  // Matches "RIFF", a length, "WEBP". Does not match a WAVE sound.
  webp: /^RIFF[^]{4}WEBP/,
  // Matches "GIF87a" and "GIF89a". Does not match "GIF".
  gif: /^GIF8[79]a/,
  // Matches "BM", a length, four zeros. Does not match a text "BMW drivers".
  bmp: /^BM[^]{4}\0{4}/,
  // Matches both byte orders. Does not match a BigTIFF.
  tiff: /^(?:II\*\0|MM\0\*)/,
  // Matches a box "ftyp" of brand "avif". Does not match one of brand "isom", a video.
  heif: /^[^]{4}ftyp(?:avi[fs]|hei[cfsx]|hev[cx]|mif1|msf1)/,
  // Matches "<svg" and `<?xml version="1.0"?><svg`. Does not match "<html><svg".
  svg: /^(?:\xef\xbb\xbf)?\s*(?:<svg|<\?xml[^]*<svg|<!(?:--|DOCTYPE svg)[^]*<svg)/,
}
/** Bytes that are searched; programs write comments and entities before `<svg`. */
const BEGINNING_BYTES = 16 * 1024

/** Detects the format of a file. Returns null if it is none of the known ones. */
export const sniffFormat = (bytes: Buffer): ImageFormat | null => {
  const beginning = bytes.toString("latin1", 0, BEGINNING_BYTES)
  const formats = Object.keys(BEGINNINGS) as ImageFormat[]
  return formats.find((format) => BEGINNINGS[format].test(beginning)) ?? null
}

/** The properties that decide whether the service takes a PNG, JPEG or WebP as it is. */
export interface ImageHeader {
  width: number
  height: number
  isAnimated: boolean
  /** False if the end of the file is missing. */
  isComplete: boolean
}

/** Length, name and checksum of a chunk. */
const PNG_CHUNK_BYTES = 12

const readPng = (bytes: Buffer): ImageHeader | null => {
  if (bytes.toString("latin1", 12, 16) !== "IHDR") return null
  const header = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), isAnimated: false, isComplete: false }
  for (let at = 8; at + PNG_CHUNK_BYTES <= bytes.length; at += PNG_CHUNK_BYTES + bytes.readUInt32BE(at)) {
    const name = bytes.toString("latin1", at + 4, at + 8)
    if (name === "acTL") header.isAnimated = bytes.readUInt32BE(at + 8) !== 1
    if (name === "IEND") return { ...header, isComplete: true }
  }
  return header
}

const START_OF_SCAN = 0xda
const END_OF_IMAGE = Buffer.from([0xff, 0xd9])

/** Reads the segments before the pixels. Returns null for CMYK, for which the service ignores the profile, and for rare kinds. */
const readJpeg = (bytes: Buffer): ImageHeader | null => {
  let size: { width: number; height: number } | null = null
  for (let at = 2; at + 10 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) {
      const [bits, components] = [bytes.readUInt8(at + 4), bytes.readUInt8(at + 9)]
      // Baseline, extended and progressive.
      if (marker > 0xc2 || bits !== 8 || ![1, 3].includes(components)) return null
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    }
    if (marker === START_OF_SCAN)
      return size && { ...size, isAnimated: false, isComplete: bytes.includes(END_OF_IMAGE, at) }
  }
  return null
}

const WEBP_ANIMATION = 0x02

const readWebp = (bytes: Buffer): ImageHeader | null => {
  const isComplete = bytes.readUInt32LE(4) + 8 <= bytes.length
  const name = bytes.toString("latin1", 12, 16)
  const still = (width: number, height: number) => ({ width, height, isAnimated: false, isComplete })
  if (name === "VP8 ") return still(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff)
  if (name === "VP8L") {
    const bits = bytes.readUInt32LE(21)
    return still((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
  }
  if (name !== "VP8X") return null
  const isAnimated = (bytes.readUInt8(20) & WEBP_ANIMATION) !== 0
  return { ...still(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1), isAnimated }
}

/** Returns the bytes of a GIF's colour table. */
const tableBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** Reads the blocks of a GIF (GIF89a, section 17 on) up to its second frame. */
const isAnimatedGif = (bytes: Buffer): boolean => {
  const at = (place: number): number => bytes[place] ?? 0
  let frames = 0
  for (let place = 13 + tableBytes(at(10)); at(place) === 0x21 || at(place) === 0x2c; place++) {
    const isFrame = at(place) === 0x2c
    if (isFrame) frames++
    if (frames > 1) return true
    place += isFrame ? 11 + tableBytes(at(place + 9)) : 2
    // Each sub-block begins with its length; one of length 0 ends the block.
    while (at(place) !== 0) place += 1 + at(place)
  }
  return false
}

/** Tells whether a TIFF has a second page: the offset after its first directory names one. */
const hasPages = (bytes: Buffer): boolean => {
  const isLittle = bytes[0] === 0x49
  const read = (place: number, size: number): number => {
    if (place + size > bytes.length) return 0
    return isLittle ? bytes.readUIntLE(place, size) : bytes.readUIntBE(place, size)
  }
  const directory = read(4, 4)
  return directory > 0 && read(directory + 2 + 12 * read(directory, 2), 4) !== 0
}

/** Tells whether a file has several frames or pages, as far as its blocks say. */
export const hasFrames = (bytes: Buffer, format: ImageFormat, header: ImageHeader | null): boolean => {
  if (header) return header.isAnimated
  if (format === "gif") return isAnimatedGif(bytes)
  if (format === "tiff") return hasPages(bytes)
  return format === "heif" && bytes.toString("latin1", 8, 12) === "avis"
}

/** Tells whether a file is HEVC, as phones write it: sharp reads AVIF alone. */
export const isHevc = (bytes: Buffer, format: ImageFormat): boolean =>
  format === "heif" && /^he[iv]/.test(bytes.toString("latin1", 8, 12))

const READERS = new Map([["png", readPng] as const, ["jpeg", readJpeg] as const, ["webp", readWebp] as const])
/** Bytes up to the end of the size in a PNG and a WebP. */
const MIN_BYTES = 30

/** Reads the header of a PNG, JPEG or WebP without decoding it. Returns null for other formats, and if it states no size. */
export const readHeader = (bytes: Buffer, format: ImageFormat): ImageHeader | null =>
  (bytes.length >= MIN_BYTES && READERS.get(format as "png")?.(bytes)) || null
