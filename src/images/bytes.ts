// Reading bytes of unknown origin: nothing here throws or reads beyond the end.

/** The view of a file, or of a part of it. */
export const viewOf = (bytes: Uint8Array, start = 0, end = bytes.length): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset + start, Math.max(0, Math.min(end, bytes.length) - start))

export const ascii = (text: string): number[] => [...text].map((char) => char.charCodeAt(0))

/** Whether these bytes stand at `offset`. */
export const hasBytes = (view: DataView, offset: number, bytes: number[]): boolean =>
  offset >= 0 &&
  view.byteLength >= offset + bytes.length &&
  bytes.every((byte, i) => view.getUint8(offset + i) === byte)

/** Four characters that name a chunk. */
export const readName = (view: DataView, offset: number): string =>
  String.fromCharCode(...Array.from({ length: 4 }, (_, i) => view.getUint8(offset + i)))
