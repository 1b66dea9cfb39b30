import { decodeTime, isValid } from "ulid"

import { MAX_IMAGE_SIDE_PX } from "../limits.ts"
import type { Image } from "../tables.ts"

export type ImageFormat = "png" | "jpeg" | "webp"
export interface ImageHeader {
  format: ImageFormat
  width: number
  height: number
  animated: boolean
}

const startsWith = (view: DataView, offset: number, bytes: number[]): boolean =>
  view.byteLength >= offset + bytes.length && bytes.every((byte, i) => view.getUint8(offset + i) === byte)

const ascii = (text: string): number[] => [...text].map((char) => char.charCodeAt(0))

const PNG_SIGNATURE = [0x89, ...ascii("PNG\r\n"), 0x1a, 0x0a]

/** PNG third edition, sections 5.2 and 11.2.1; `acTL` before `IDAT` makes it an APNG. */
const readPng = (view: DataView): ImageHeader | null => {
  if (!startsWith(view, 12, ascii("IHDR")) || view.byteLength < 33) return null
  const header = { format: "png", width: view.getUint32(16), height: view.getUint32(20) } as const
  for (let at = 33; at + 8 <= view.byteLength; at += 12 + view.getUint32(at)) {
    if (startsWith(view, at + 4, ascii("acTL"))) return { ...header, animated: true }
    if (startsWith(view, at + 4, ascii("IDAT"))) break
  }
  return { ...header, animated: false }
}

/** ITU T.81 section B.2.2: SOF0 to SOF15 but DHT, JPG and DAC hold the size. */
const isStartOfFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const readJpeg = (view: DataView): ImageHeader | null => {
  for (let at = 2; at + 9 <= view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    if (isStartOfFrame(marker))
      return { format: "jpeg", width: view.getUint16(at + 7), height: view.getUint16(at + 5), animated: false }
    // 0xff may be repeated as a filler before a marker.
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2)
  }
  return null
}

const uint24 = (view: DataView, at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)

type Size = Pick<ImageHeader, "width" | "height">

/** The size that a chunk claims: canvas, lossy frame (RFC 6386 section 9.1) or lossless frame (RFC 9649 section 3.4). */
const readWebpSize = (view: DataView, type: string, at: number): Size | null => {
  if (type === "VP8X") return { width: uint24(view, at + 4) + 1, height: uint24(view, at + 7) + 1 }
  if (type === "VP8 ")
    return { width: view.getUint16(at + 6, true) & 0x3fff, height: view.getUint16(at + 8, true) & 0x3fff }
  if (type !== "VP8L") return null
  const bits = view.getUint32(at + 1, true)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

const WEBP_CHUNK_HEADER = 8
/** Every chunk that claims a size holds it in its first ten bytes. */
const WEBP_SIZE_BYTES = 10

/** RFC 9649. A canvas may lie about its frame, and a frame about its canvas: the largest claim counts. */
const readWebp = (view: DataView): ImageHeader | null => {
  const header = { format: "webp" as const, width: 0, height: 0, animated: false }
  for (let at = 12; at + WEBP_CHUNK_HEADER + WEBP_SIZE_BYTES <= view.byteLength;) {
    const type = String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, 4))
    const data = at + WEBP_CHUNK_HEADER
    const size = readWebpSize(view, type, data)
    header.width = Math.max(header.width, size?.width ?? 0)
    header.height = Math.max(header.height, size?.height ?? 0)
    if (type === "ANIM" || type === "ANMF") header.animated = true
    if (type === "VP8X" && (view.getUint8(data) & 0x02) !== 0) header.animated = true
    const length = view.getUint32(at + 4, true)
    at = data + length + (length % 2)
  }
  return header.width > 0 && header.height > 0 ? header : null
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Format by magic bytes; null when this is no PNG, JPEG or WebP. */
export const sniffFormat = (bytes: Uint8Array): ImageFormat | null => {
  const view = viewOf(bytes)
  if (startsWith(view, 0, PNG_SIGNATURE)) return "png"
  if (startsWith(view, 0, [0xff, 0xd8, 0xff])) return "jpeg"
  return startsWith(view, 0, ascii("RIFF")) && startsWith(view, 8, ascii("WEBP")) ? "webp" : null
}

const READERS = { png: readPng, jpeg: readJpeg, webp: readWebp }

/** Pixel size by header, before anything is decoded; null when the header is damaged or cut off. */
export const readHeader = (bytes: Uint8Array, format: ImageFormat): ImageHeader | null => READERS[format](viewOf(bytes))

/** Whether a side is longer than the limit. */
export const isTooLarge = ({ width, height }: ImageHeader): boolean =>
  width > MAX_IMAGE_SIDE_PX || height > MAX_IMAGE_SIDE_PX

export const mediaPath = (username: string, imageId: string): string => `/media/${username}/blog_img/${imageId}.webp`

/** What the uploader is told. */
export const viewUpload = ({ id, expires_at, width, height }: Image, username: string) => ({
  image_url: mediaPath(username, id),
  image_id: id,
  expires_at: expires_at.toISOString(),
  width,
  height,
})

/** Where the file lies in R2. By account id: a username may be given again after an erasure. */
export const fileKey = (accountId: string, imageId: string): string => `${accountId}/${imageId}.webp`

const MEDIA_PATH = /^\/media\/([a-z0-9-]{1,39})\/blog_img\/([0-7][0-9A-HJKMNP-TV-Z]{25})\.webp$/

/** The account and picture that a media path names. */
export const parseMediaPath = (path: string): { username: string; imageId: string } | null => {
  const [, username, imageId] = MEDIA_PATH.exec(path) ?? []
  return username && imageId ? { username, imageId } : null
}

/** A ULID: 48 bits of time, 80 random ones, in upper-case Crockford base 32. */
export const isImageId = (id: string): boolean => isValid(id) && id === id.toUpperCase() && id.charAt(0) <= "7"

/** Whether an id that no row knows is older than a picture may wait. */
export const isPastLifetime = (imageId: string, ttlSeconds: number, now: Date): boolean =>
  decodeTime(imageId) + ttlSeconds * 1000 <= now.getTime()

/** A picture as far as using it goes. */
export interface Usable {
  id: string
  width: number
  height: number
  expires_at: Date
  /** Some own post shows it: its 30 minutes have ended. */
  attached: boolean
}

export type Usability = "usable" | "expired" | "unknown"

/** Whether the account may use this id now. `found`: its row, null when this account has none. */
export const judge = (id: string, found: Usable | null, ttlSeconds: number, now: Date): Usability => {
  if (found) return found.attached || found.expires_at > now ? "usable" : "expired"
  return isPastLifetime(id, ttlSeconds, now) ? "expired" : "unknown"
}
