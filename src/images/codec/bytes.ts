// Reads bytes that can have any value.

/** The limit of chunks or segments that are read of a file. Encoders write hundreds; millions of tiny ones would take long. */
export const MAX_PARTS = 20_000

/** A named part of a PNG or WebP file. */
export interface Chunk {
  name: string
  data: Uint8Array
}

/** Returns a DataView of exactly these bytes, without copying them. */
export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length)

/** Returns the character codes of an ASCII text. */
export const ascii = (text: string): number[] => [...text].map((char) => char.charCodeAt(0))

/** Tells whether the view has these bytes at `offset` (in bytes). Returns false if the view ends before. */
export const hasBytes = (view: DataView, offset: number, bytes: number[]): boolean =>
  offset >= 0 &&
  view.byteLength >= offset + bytes.length &&
  bytes.every((byte, i) => view.getUint8(offset + i) === byte)

/** Reads the four characters that name a chunk, such as `IHDR`. @throws RangeError if the view ends before */
export const readName = (view: DataView, offset: number): string =>
  String.fromCharCode(
    view.getUint8(offset),
    view.getUint8(offset + 1),
    view.getUint8(offset + 2),
    view.getUint8(offset + 3),
  )
