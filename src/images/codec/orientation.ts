import { ascii, hasBytes, viewOf } from "./bytes.ts"

/** The Exif orientation. It tells how a stored image must be turned to stand upright. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

/** A decoded image. */
export interface Pixels {
  /** Four bytes RGBA for each pixel, row by row. */
  data: Uint8ClampedArray<ArrayBuffer>
  width: number
  height: number
}

const TAG = 0x0112
const SHORT = 3
const ENTRY_BYTES = 12

const isOrientation = (value: number): value is Orientation => value >= 1 && value <= 8

/** Reads the Exif orientation in a TIFF block (TIFF 6.0 section 2, Exif 2.32 section 4.6.4). Returns 1, upright, if it finds none. */
export const readOrientation = (block: Uint8Array): Orientation => {
  const tiff = viewOf(block)
  const isLittle = hasBytes(tiff, 0, ascii("II*\0"))
  if (!isLittle && !hasBytes(tiff, 0, ascii("MM\0*"))) return 1
  if (tiff.byteLength < 8) return 1
  const directory = tiff.getUint32(4, isLittle)
  if (directory + 2 > tiff.byteLength) return 1
  const count = tiff.getUint16(directory, isLittle)
  for (let i = 0; i < count; i++) {
    const entry = directory + 2 + i * ENTRY_BYTES
    if (entry + ENTRY_BYTES > tiff.byteLength) return 1
    if (tiff.getUint16(entry, isLittle) !== TAG) continue
    const value = tiff.getUint16(entry + 8, isLittle)
    return tiff.getUint16(entry + 2, isLittle) === SHORT && isOrientation(value) ? value : 1
  }
  return 1
}

/** Returns the index of the upright image's first pixel in the stored image of w × h, and the steps to its next column and row. */
const readingOrder = (orientation: Orientation, w: number, h: number): [start: number, column: number, row: number] => {
  const last = w * h - 1
  const lastRow = (h - 1) * w
  const orders: Record<Orientation, [number, number, number]> = {
    1: [0, 1, w],
    2: [w - 1, -1, w],
    3: [last, -1, -w],
    4: [lastRow, 1, -w],
    5: [0, w, 1],
    6: [lastRow, -w, 1],
    7: [last, -w, -1],
    8: [w - 1, w, -1],
  }
  return orders[orientation]
}

/** Returns an image turned upright by its Exif orientation; for 1 the same object. Orientations 5 to 8 swap width and height. */
export const orient = (pixels: Pixels, orientation: Orientation): Pixels => {
  if (orientation === 1) return pixels
  const { width: w, height: h } = pixels
  const [width, height] = orientation >= 5 ? [h, w] : [w, h]
  const source = new Uint32Array(pixels.data.buffer, pixels.data.byteOffset, w * h)
  const target = new Uint32Array(w * h)
  const [start, column, row] = readingOrder(orientation, w, h)
  for (let y = 0, to = 0; y < height; y++)
    for (let x = 0, from = start + y * row; x < width; x++, from += column) target[to++] = source[from] ?? 0
  return { data: new Uint8ClampedArray(target.buffer), width, height }
}
