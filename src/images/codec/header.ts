import { ascii, type Chunk, hasBytes, viewOf } from "./bytes.ts"
import { APP1, END_OF_IMAGE, readSegments, START_OF_SCAN } from "./jpeg.ts"
import { type Orientation, readOrientation } from "./orientation.ts"
import { PNG_SIGNATURE, readPngChunks } from "./png.ts"
import { ANIMATION, readWebpChunks, statedEnd } from "./webp.ts"

export type ImageFormat = "png" | "jpeg" | "webp"

/** The properties that the file of an image states. They are read before anything is decoded. */
export interface ImageHeader {
  format: ImageFormat
  /** In pixels. If the file states several sizes, the largest counts. */
  width: number
  height: number
  /** The number of colour components of a JPEG: 1 is grey, 3 is colour, 4 is CMYK or YCCK. */
  components: number
  /** The number of scans of a JPEG. */
  scans: number
  isAnimated: boolean
  /** False if the end of the file is missing. */
  isComplete: boolean
  orientation: Orientation
}

const newHeader = (format: ImageFormat): ImageHeader => ({
  format,
  width: 0,
  height: 0,
  components: 0,
  scans: 0,
  isAnimated: false,
  isComplete: false,
  orientation: 1,
})

const PNG_HEADER_BYTES = 13

/** Tells whether an animation control chunk states exactly one frame: such a PNG is a still image. */
const hasOneFrame = (control: Uint8Array): boolean => control.length >= 4 && viewOf(control).getUint32(0) === 1

const readPng = (file: Uint8Array): ImageHeader => {
  const header = newHeader("png")
  let hasPixels = false
  for (const { name, data } of readPngChunks(file)) {
    if (header.width === 0) {
      if (name !== "IHDR" || data.length < PNG_HEADER_BYTES) return header
      const view = viewOf(data)
      header.width = view.getUint32(0)
      header.height = view.getUint32(4)
    }
    hasPixels ||= name === "IDAT"
    if (name === "acTL" && !hasPixels) header.isAnimated = !hasOneFrame(data)
    if (name === "eXIf") header.orientation = readOrientation(data)
    if (name === "IEND") header.isComplete = true
  }
  return header
}

/** Says whether a segment holds the size: SOF0 to SOF15, except DHT, JPG and DAC (ITU T.81 table B.1). */
const isStartOfFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const EXIF = ascii("Exif\0\0")
const hasExif = (data: Uint8Array): boolean => hasBytes(viewOf(data), 0, EXIF)

const readJpeg = (file: Uint8Array): ImageHeader => {
  const header = newHeader("jpeg")
  let exif: Uint8Array | null = null
  for (const { marker, data } of readSegments(file)) {
    if (isStartOfFrame(marker) && data.length >= 6) {
      const view = viewOf(data)
      header.height = Math.max(header.height, view.getUint16(1))
      header.width = Math.max(header.width, view.getUint16(3))
      header.components = view.getUint8(5)
    }
    if (marker === START_OF_SCAN) header.scans += 1
    if (marker === APP1 && header.scans === 0 && hasExif(data)) exif ??= data.subarray(EXIF.length)
    if (marker === END_OF_IMAGE) header.isComplete = header.scans > 0
  }
  if (exif) header.orientation = readOrientation(exif)
  return header
}

const uint24 = (view: DataView, at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)

/** Adds a chunk to the header: the size of a canvas, a lossy frame (RFC 6386 section 9.1) or a lossless frame (RFC 9649 section 3.4). */
const readWebpChunk = (header: ImageHeader, { name, data }: Chunk): void => {
  const grow = (width: number, height: number) => {
    header.width = Math.max(header.width, width)
    header.height = Math.max(header.height, height)
  }
  if (name === "ANIM" || name === "ANMF") header.isAnimated = true
  if (name === "EXIF") header.orientation = readOrientation(hasExif(data) ? data.subarray(EXIF.length) : data)
  const view = viewOf(data)
  if (name === "VP8X" && data.length >= 10) {
    header.isAnimated ||= (view.getUint8(0) & ANIMATION) !== 0
    grow(uint24(view, 4) + 1, uint24(view, 7) + 1)
  }
  if (name === "VP8 " && data.length >= 10) grow(view.getUint16(6, true) & 0x3fff, view.getUint16(8, true) & 0x3fff)
  if (name === "VP8L" && data.length >= 5) {
    const bits = view.getUint32(1, true)
    grow((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
  }
}

/** Reads a WebP (RFC 9649). Its canvas and frame may differ in size; the larger one counts. */
const readWebp = (file: Uint8Array): ImageHeader => {
  const header = newHeader("webp")
  header.isComplete = statedEnd(file) <= file.length
  for (const chunk of readWebpChunks(file)) readWebpChunk(header, chunk)
  return header
}

const READERS = { png: readPng, jpeg: readJpeg, webp: readWebp }

/** Detects the format of a file by its first bytes. Returns null if it is not PNG, JPEG or WebP. */
export const sniffFormat = (bytes: Uint8Array): ImageFormat | null => {
  const view = viewOf(bytes)
  if (hasBytes(view, 0, PNG_SIGNATURE)) return "png"
  if (hasBytes(view, 0, [0xff, 0xd8, 0xff])) return "jpeg"
  return hasBytes(view, 0, ascii("RIFF")) && hasBytes(view, 8, ascii("WEBP")) ? "webp" : null
}

/** Reads the size, orientation, animation and completeness of an image file without decoding it. Returns null if it states no size. */
export const readHeader = (bytes: Uint8Array, format: ImageFormat): ImageHeader | null => {
  const header = READERS[format](bytes)
  return header.width > 0 && header.height > 0 ? header : null
}
