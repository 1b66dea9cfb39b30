import { type Bytes, bytesOf, imageChunk, inJpeg, inPng, jpegSegment, pngChunk, riffChunk, webpOf } from "./chunks.ts"

/** Makes a TIFF block with an orientation: big-endian if the orientation is odd, otherwise little-endian. */
const tiff = (orientation: number): Bytes =>
  orientation % 2
    ? bytesOf("MM", [0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0])
    : bytesOf("II", [42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0])

/** Adds an Exif orientation to a file, where its format keeps one. */
export const withExif = (file: Uint8Array, format: "png" | "jpeg" | "webp", orientation: number): Bytes => {
  const exif = tiff(orientation)
  if (format === "png") return inPng(file, pngChunk("eXIf", exif))
  if (format === "jpeg") return inJpeg(file, jpegSegment(0xe1, "Exif\0\0", exif))
  return webpOf(imageChunk(file), riffChunk("EXIF", exif))
}
