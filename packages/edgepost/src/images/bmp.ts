/** Pixels of three bytes RGB, row by row. */
export interface Pixels {
  data: Buffer
  width: number
  height: number
}

const FILE_HEADER_BYTES = 14
const INFO_HEADER_BYTES = 40
const BIT_FIELDS = 3
/** The masks of red, green and blue in pixels of the order BGR, little-endian. */
const BGR_MASKS = Buffer.from([0, 0, 0xff, 0, 0, 0xff, 0, 0, 0xff, 0, 0, 0])

const hasBgrMasks = (bytes: Buffer): boolean => {
  const start = FILE_HEADER_BYTES + INFO_HEADER_BYTES
  return bytes.subarray(start, start + BGR_MASKS.length).equals(BGR_MASKS)
}

/** Decodes a BMP of 1, 4, 8, 24 or 32 bits a pixel without compression; its alpha is ignored. sharp reads no BMP. Returns null for other kinds. */
export const decodeBmp = (bytes: Buffer, maxPx: number): Pixels | null => {
  if (bytes.length < FILE_HEADER_BYTES + INFO_HEADER_BYTES) return null
  const headerBytes = bytes.readUInt32LE(14)
  if (headerBytes < INFO_HEADER_BYTES) return null
  const start = bytes.readUInt32LE(10)
  const width = bytes.readInt32LE(18)
  const signedHeight = bytes.readInt32LE(22)
  const height = Math.abs(signedHeight)
  const bits = bytes.readUInt16LE(28)
  const compression = bytes.readUInt32LE(30)
  const isBgr = compression === 0 || (compression === BIT_FIELDS && bits === 32 && hasBgrMasks(bytes))
  if (!isBgr || ![1, 4, 8, 24, 32].includes(bits)) return null
  // Rows end at a multiple of four bytes.
  const rowBytes = Math.ceil((width * bits) / 32) * 4
  if (width < 1 || height < 1 || width * height > maxPx || start + rowBytes * height > bytes.length) return null
  const palette = FILE_HEADER_BYTES + headerBytes
  const data = Buffer.alloc(width * height * 3)
  /** Returns the offset of a pixel's colour. */
  const colourAt = (row: number, x: number): number => {
    if (bits > 8) return row + x * (bits / 8)
    const place = x * bits
    const index = ((bytes[row + (place >> 3)] ?? 0) >> (8 - bits - (place & 7))) & (2 ** bits - 1)
    return palette + index * 4
  }
  for (let y = 0, to = 0; y < height; y++) {
    // A positive height means that the last row comes first.
    const row = start + rowBytes * (signedHeight > 0 ? height - 1 - y : y)
    for (let x = 0; x < width; x++) {
      const from = colourAt(row, x)
      for (const channel of [2, 1, 0]) data[to++] = bytes[from + channel] ?? 0
    }
  }
  return { data, width, height }
}
