import { concatBytes } from "../../src/bytes.ts"
import { ascii } from "../../src/images/bytes.ts"

/** A TIFF block that says this orientation, big-endian or little-endian by turns. */
const tiff = (orientation: number): number[] =>
  orientation % 2
    ? [...ascii("MM"), 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
    : [...ascii("II"), 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]

export const uint32 = (n: number): number[] => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255]
export const join = (...parts: (Uint8Array | number[])[]): Uint8Array<ArrayBuffer> => concatBytes(parts)

const CRC_TABLE = Array.from({ length: 256 }, (_, n) => {
  let c = n
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
  return c >>> 0
})
export const crc = (bytes: number[]): number =>
  (bytes.reduce((c, byte) => (CRC_TABLE[(c ^ byte) & 255] ?? 0) ^ (c >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0

export const pngChunk = (name: string, data: number[]): number[] => {
  const named = [...ascii(name), ...data]
  return [...uint32(data.length), ...named, ...uint32(crc(named))]
}

export const deflate = async (data: Uint8Array): Promise<number[]> => {
  const stream = new Blob([Uint8Array.from(data)]).stream().pipeThrough(new CompressionStream("deflate"))
  return [...new Uint8Array(await new Response(stream).arrayBuffer())]
}

const PNG_HEAD_BYTES = 33

/** The file with an EXIF orientation where its format keeps one. */
export const withExif = (
  file: Uint8Array,
  format: "png" | "jpeg" | "webp",
  orientation: number,
): Uint8Array<ArrayBuffer> => {
  const exif = tiff(orientation)
  if (format === "png")
    return join(file.subarray(0, PNG_HEAD_BYTES), pngChunk("eXIf", exif), file.subarray(PNG_HEAD_BYTES))
  if (format === "jpeg") {
    const segment = [...ascii("Exif"), 0, 0, ...exif]
    return join(file.subarray(0, 2), [0xff, 0xe1, 0, segment.length + 2], segment, file.subarray(2))
  }
  const view = new DataView(file.buffer, file.byteOffset)
  const whole = join(file, ascii("EXIF"), [exif.length, 0, 0, 0], exif)
  new DataView(whole.buffer).setUint32(4, view.getUint32(4, true) + 8 + exif.length, true)
  return whole
}
