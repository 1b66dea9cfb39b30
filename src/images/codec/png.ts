import { concatBytes } from "../../bytes.ts"
import { ascii, type Chunk, MAX_PARTS, readName, viewOf } from "./bytes.ts"

export const PNG_SIGNATURE = [0x89, ...ascii("PNG\r\n"), 0x1a, 0x0a]
const CHECKSUM_BYTES = 4

interface PngChunk extends Chunk {
  /** The chunk with length, name and checksum. */
  whole: Uint8Array
}

/** Yields the chunks of a PNG file up to and including IEND (PNG third edition, section 5). The last may be cut off. */
export function* readPngChunks(file: Uint8Array): Generator<PngChunk> {
  const view = viewOf(file)
  let at = PNG_SIGNATURE.length
  for (let i = 0; i < MAX_PARTS && at + 12 <= file.length; i++) {
    const name = readName(view, at + 4)
    const end = at + 8 + view.getUint32(at)
    yield { name, data: file.subarray(at + 8, end), whole: file.subarray(at, end + CHECKSUM_BYTES) }
    if (name === "IEND") return
    at = end + CHECKSUM_BYTES
  }
}

const PIXEL_CHUNKS = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"])

/** Returns a PNG file with only the chunks of its pixels. Decoders would inflate texts and profiles without a limit. */
export const stripPng = (file: Uint8Array): Uint8Array => {
  const kept = [...readPngChunks(file)].filter(({ name }) => PIXEL_CHUNKS.has(name))
  return concatBytes([PNG_SIGNATURE, ...kept.map(({ whole }) => whole)])
}
