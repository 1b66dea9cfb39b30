import { ascii, hasBytes, readName, viewOf } from "./bytes.ts"
import { type Orientation, readOrientation } from "./orientation.ts"

export type ImageFormat = "png" | "jpeg" | "webp"

/** What a file says of itself, before anything is decoded. */
export interface ImageHeader {
  format: ImageFormat
  /** The largest claim, where a file makes several. */
  width: number
  height: number
  /** Colour components of a JPEG: 1 grey, 3 colour, 4 CMYK or YCCK. */
  components: number
  hasAlpha: boolean
  isAnimated: boolean
  /** The file has its end. */
  isComplete: boolean
  orientation: Orientation
}

const newHeader = (format: ImageFormat): ImageHeader => ({
  format,
  width: 0,
  height: 0,
  components: 0,
  hasAlpha: false,
  isAnimated: false,
  isComplete: false,
  orientation: 1,
})

const PNG_SIGNATURE = [0x89, ...ascii("PNG\r\n"), 0x1a, 0x0a]
const PNG_ALPHA_TYPES = new Set([4, 6])

/** PNG third edition, section 5: chunks of length, name, data and checksum, from IHDR to IEND. */
const readPng = (view: DataView): ImageHeader => {
  const header = newHeader("png")
  if (!hasBytes(view, 12, ascii("IHDR")) || view.byteLength < 33) return header
  header.width = view.getUint32(16)
  header.height = view.getUint32(20)
  header.hasAlpha = PNG_ALPHA_TYPES.has(view.getUint8(25))
  let hasPixels = false
  for (let at = 33, length = 0; at + 12 <= view.byteLength; at += 12 + length) {
    length = view.getUint32(at)
    const data = at + 8
    const name = readName(view, at + 4)
    hasPixels ||= name === "IDAT"
    if (name === "acTL" && !hasPixels) header.isAnimated = true
    if (name === "tRNS") header.hasAlpha = true
    if (name === "eXIf") header.orientation = readOrientation(part(view, data, data + length))
    if (name === "IEND") header.isComplete = true
    if (header.isComplete) break
  }
  return header
}

const part = (view: DataView, start: number, end: number): DataView =>
  viewOf(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), start, end)

/** ITU T.81 table B.1: SOF0 to SOF15 but DHT, JPG and DAC hold the size. */
const isStartOfFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const START_OF_SCAN = 0xda
const EXIF = ascii("Exif\0\0")

const hasEndOfImage = (view: DataView, from: number): boolean => {
  for (let at = view.byteLength - 2; at >= from; at--)
    if (view.getUint8(at) === 0xff && view.getUint8(at + 1) === 0xd9) return true
  return false
}

/** ITU T.81 section B.1: marker segments up to the first scan. */
const readJpeg = (view: DataView): ImageHeader => {
  const header = newHeader("jpeg")
  for (let at = 2; at + 4 <= view.byteLength && view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1)
    // 0xff may be repeated as a filler before a marker.
    if (marker === 0xff) {
      at += 1
      continue
    }
    const end = at + 2 + view.getUint16(at + 2)
    if (marker === START_OF_SCAN) header.isComplete = hasEndOfImage(view, end)
    if (marker === START_OF_SCAN || end > view.byteLength) break
    if (isStartOfFrame(marker) && end >= at + 10) {
      header.height = Math.max(header.height, view.getUint16(at + 5))
      header.width = Math.max(header.width, view.getUint16(at + 7))
      header.components = view.getUint8(at + 9)
    }
    if (marker === 0xe1 && hasBytes(view, at + 4, EXIF)) header.orientation = readOrientation(part(view, at + 10, end))
    at = end
  }
  return header
}

const uint24 = (view: DataView, at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)

const VP8X_ANIMATION = 0x02
const VP8X_ALPHA = 0x10

/** Takes what a chunk says: canvas, lossy frame (RFC 6386 section 9.1) or lossless frame (RFC 9649 section 3.4). */
const readWebpChunk = (header: ImageHeader, view: DataView, name: string): void => {
  const grow = (width: number, height: number) => {
    header.width = Math.max(header.width, width)
    header.height = Math.max(header.height, height)
  }
  if (name === "ANIM" || name === "ANMF") header.isAnimated = true
  if (name === "ALPH") header.hasAlpha = true
  if (name === "EXIF") header.orientation = readOrientation(hasBytes(view, 0, EXIF) ? part(view, 6, Infinity) : view)
  if (view.byteLength < 10) return
  if (name === "VP8X") {
    const flags = view.getUint8(0)
    header.isAnimated ||= (flags & VP8X_ANIMATION) !== 0
    header.hasAlpha ||= (flags & VP8X_ALPHA) !== 0
    grow(uint24(view, 4) + 1, uint24(view, 7) + 1)
  }
  if (name === "VP8 ") grow(view.getUint16(6, true) & 0x3fff, view.getUint16(8, true) & 0x3fff)
  if (name === "VP8L") {
    const bits = view.getUint32(1, true)
    header.hasAlpha ||= bits >>> 28 === 1
    grow((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
  }
}

/** RFC 9649. A canvas may lie about its frame, and a frame about its canvas: the largest claim counts. */
const readWebp = (view: DataView): ImageHeader => {
  const header = newHeader("webp")
  const end = 8 + view.getUint32(4, true)
  header.isComplete = end <= view.byteLength
  for (let at = 12; at + 8 <= Math.min(end, view.byteLength);) {
    const length = view.getUint32(at + 4, true)
    readWebpChunk(header, part(view, at + 8, at + 8 + length), readName(view, at))
    at += 8 + length + (length % 2)
  }
  return header
}

const READERS = { png: readPng, jpeg: readJpeg, webp: readWebp }

/** Format by magic bytes; null when this is no PNG, JPEG or WebP. */
export const sniffFormat = (bytes: Uint8Array): ImageFormat | null => {
  const view = viewOf(bytes)
  if (hasBytes(view, 0, PNG_SIGNATURE)) return "png"
  if (hasBytes(view, 0, [0xff, 0xd8, 0xff])) return "jpeg"
  return hasBytes(view, 0, ascii("RIFF")) && hasBytes(view, 8, ascii("WEBP")) ? "webp" : null
}

/** What the header says; null when it names no size. */
export const readHeader = (bytes: Uint8Array, format: ImageFormat): ImageHeader | null => {
  const header = READERS[format](viewOf(bytes))
  return header.width > 0 && header.height > 0 ? header : null
}
