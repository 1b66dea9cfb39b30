// Makes image files of any format and size for the tests of prepareImage.
import sharp, { type Sharp } from "sharp"

import { be32, inPng, pngChunk } from "../../../../test/images/chunks.ts"

/** Opens an image whose left half is red and whose right half is blue; with `alpha`, its right half is transparent. */
export const halves = (width: number, height: number, { alpha = false } = {}): Sharp => {
  const channels = alpha ? 4 : 3
  const data = Buffer.alloc(width * height * channels)
  for (let i = 0; i < width * height; i++) {
    const isLeft = i % width < width / 2
    data.set((isLeft ? [255, 0, 0, 255] : [0, 0, 255, 0]).slice(0, channels), i * channels)
  }
  return sharp(data, { raw: { width, height, channels } })
}

/** Opens noise, which no format makes small. The same size has the same noise. */
export const noise = (width: number, height: number): Sharp => {
  const data = Buffer.alloc(width * height * 3)
  // Xorshift.
  let seed = 1
  for (let i = 0; i < data.length; i++) {
    seed ^= seed << 13
    seed ^= seed >>> 17
    seed ^= seed << 5
    data[i] = seed
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
}

/** Makes an animation of a red and a blue frame. */
export const animation = async (format: "gif" | "webp" | "tiff"): Promise<Buffer> => {
  const frames = ["red", "blue"].map((background) => ({
    create: { width: 8, height: 8, channels: 3, background } as const,
  }))
  const images = await Promise.all(frames.map((frame) => sharp(frame).png().toBuffer()))
  return sharp(images, { join: { animated: true } })
    .toFormat(format)
    .toBuffer()
}

/** Makes a PNG that states a number of frames. It has one. */
export const animatedPng = async (frames: number): Promise<Buffer> =>
  Buffer.from(inPng(await halves(8, 8).png().toBuffer(), pngChunk("acTL", be32(frames), be32(0))))

/** Makes a PNG of exactly `size` bytes. */
export const pngOfBytes = async (size: number): Promise<Buffer> => {
  const png = await halves(8, 8).png().toBuffer()
  return Buffer.from(inPng(png, pngChunk("teXt", new Uint8Array(size - png.length - 12))))
}

interface Bmp {
  bits: number
  width: number
  /** Negative if the first row comes first. */
  height: number
  /** Bytes BGR0 of each colour. */
  palette?: number[]
  compression?: number
  /** Bytes between header and palette or pixels. */
  masks?: number[]
  rows: number[]
}

/** Makes a BMP with the header of 40 bytes. */
export const bmpOf = ({ bits, width, height, palette = [], compression = 0, masks = [], rows }: Bmp): Buffer => {
  const header = Buffer.alloc(54)
  const start = header.length + masks.length + palette.length
  header.write("BM", "latin1")
  header.writeUInt32LE(start + rows.length, 2)
  header.writeUInt32LE(start, 10)
  header.writeUInt32LE(40, 14)
  header.writeInt32LE(width, 18)
  header.writeInt32LE(height, 22)
  header.writeUInt16LE(1, 26)
  header.writeUInt16LE(bits, 28)
  header.writeUInt32LE(compression, 30)
  return Buffer.concat([header, Buffer.from([...masks, ...palette, ...rows])])
}

export const svgOf = (inner: string, { size = 'width="50" height="40"', before = "" } = {}): Buffer =>
  Buffer.from(
    `${before}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xi="http://www.w3.org/2001/XInclude" ${size}>${inner}</svg>`,
  )
