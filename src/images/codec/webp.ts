import { concatBytes } from "../../bytes.ts"
import { ascii, type Chunk, MAX_PARTS, readName, viewOf } from "./bytes.ts"

// The WebP container (RFC 9649 section 2.7) of a still image.

const VP8X_BYTES = 10
const ICC = 0x20
const ALPHA = 0x10

/** Yields the chunks between two offsets. The last may be cut off. */
function* readChunks(file: Uint8Array, start: number, end: number): Generator<Chunk> {
  const view = viewOf(file)
  let at = start
  for (let i = 0; i < MAX_PARTS && at + 8 <= end; i++) {
    const length = view.getUint32(at + 4, true)
    yield { name: readName(view, at), data: file.subarray(at + 8, Math.min(end, at + 8 + length)) }
    at += 8 + length + (length % 2)
  }
}

/** Returns the offset (bytes) at which a WebP ends by its header; the file may be shorter. @throws RangeError for under 8 bytes */
export const statedEnd = (file: Uint8Array): number => 8 + viewOf(file).getUint32(4, true)

/** Yields the chunks of a WebP file up to the end that its header states. The last may be cut off. */
export const readWebpChunks = (file: Uint8Array): Generator<Chunk> =>
  readChunks(file, 12, Math.min(file.length, statedEnd(file)))

const writeFile = (chunks: Chunk[]): Uint8Array<ArrayBuffer> => {
  const size = chunks.reduce((sum, { data }) => sum + 8 + data.length + (data.length % 2), 4)
  const file = new Uint8Array(8 + size)
  const view = viewOf(file)
  file.set(ascii("RIFF"))
  view.setUint32(4, size, true)
  file.set(ascii("WEBP"), 8)
  let at = 12
  for (const { name, data } of chunks) {
    file.set(ascii(name), at)
    view.setUint32(at + 4, data.length, true)
    file.set(data, at + 8)
    at += 8 + data.length + (data.length % 2)
  }
  return file
}

/** The flag of an animation in the canvas chunk (VP8X). */
export const ANIMATION = 0x02
/** The position, size, duration and flags at the start of a frame (ANMF). */
const FRAME_HEADER_BYTES = 16

/** Tells whether a frame lies at the origin of a canvas and has its size. */
const fills = (frame: Chunk, { data }: Chunk): boolean => {
  const size = data.subarray(4, VP8X_BYTES)
  return frame.data.subarray(0, 12).every((byte, i) => byte === (i < 6 ? 0 : size[i - 6]))
}

/** Converts a WebP animation of exactly one frame, which fills its canvas, to a still WebP file. Returns other files as they are. */
export const toStill = (file: Uint8Array): Uint8Array => {
  const chunks = statedEnd(file) <= file.length ? [...readWebpChunks(file)] : []
  const [frame, second] = chunks.filter(({ name }) => name === "ANMF")
  const [head] = chunks
  if (!frame || second || head?.name !== "VP8X" || head.data.length < VP8X_BYTES || !fills(frame, head)) return file
  const stillHead = { name: "VP8X", data: head.data.map((byte, i) => (i === 0 ? byte & ~ANIMATION : byte)) }
  const image = [...readChunks(frame.data, FRAME_HEADER_BYTES, frame.data.length)]
  const others = chunks.slice(1).filter(({ name }) => name !== "ANIM")
  return writeFile([stillHead, ...others.flatMap((chunk) => (chunk === frame ? image : [chunk]))])
}

const canvas = (flags: number, width: number, height: number): Chunk => {
  const data = new Uint8Array(VP8X_BYTES)
  const view = viewOf(data)
  view.setUint32(0, flags, true)
  view.setUint16(4, (width - 1) & 0xffff, true)
  view.setUint16(7, (height - 1) & 0xffff, true)
  return { name: "VP8X", data }
}

/** An encoded image without its container. */
export interface EncodedImage {
  /** `VP8 ` or `VP8L`. */
  image: Chunk
  /** The ALPH chunk of a lossy image; null if it is opaque. */
  alpha: Chunk | null
}

const sizeOf = ({ image, alpha }: EncodedImage): number => image.data.length + (alpha?.data.length ?? 0)

/** Returns the image with fewer bytes of image and alpha data; the first if both are equal. */
export const smaller = (first: EncodedImage, second: EncodedImage): EncodedImage =>
  sizeOf(second) < sizeOf(first) ? second : first

export interface StillImage extends EncodedImage {
  width: number
  height: number
  /** The ICC profile; null for sRGB. */
  profile: Uint8Array | null
}

const isTransparentLossless = ({ name, data }: Chunk): boolean =>
  name === "VP8L" && data.length > 4 && (data[4] ?? 0) >>> 4 === 1

/** Writes a WebP file of an encoded image of `width` × `height` pixels: simple, or extended if it has an alpha chunk or a profile. */
export const writeStill = ({ width, height, image, alpha, profile }: StillImage): Uint8Array<ArrayBuffer> => {
  if (!alpha && !profile) return writeFile([image])
  const flags = (profile ? ICC : 0) | (alpha || isTransparentLossless(image) ? ALPHA : 0)
  return writeFile([
    canvas(flags, width, height),
    ...(profile ? [{ name: "ICCP", data: profile }] : []),
    ...(alpha ? [alpha] : []),
    image,
  ])
}

/** Reads the encoded image and alpha of a WebP file without decoding them. Ignores all else. @throws Error if it has no image */
export const readStill = (file: Uint8Array): EncodedImage => {
  const chunks = [...readWebpChunks(file)]
  const image = chunks.find(({ name }) => name === "VP8 " || name === "VP8L")
  if (!image) throw new Error("There is no image in the file.")
  return { image, alpha: chunks.find(({ name }) => name === "ALPH") ?? null }
}

/** The signature (1 byte) and size (4 bytes) of a lossless stream. An ALPH chunk omits them. */
const LOSSLESS_HEADER_BYTES = 5
const LOSSLESS_WITHOUT_FILTER = 1

/** Makes the alpha chunk (ALPH) of a lossy WebP (RFC 9649 section 2.7.1.2). @param file a lossless WebP whose green channel is the alpha */
export const makeAlphaChunk = (file: Uint8Array): Chunk => {
  const { data } = readStill(file).image
  return { name: "ALPH", data: concatBytes([[LOSSLESS_WITHOUT_FILTER], data.subarray(LOSSLESS_HEADER_BYTES)]) }
}
