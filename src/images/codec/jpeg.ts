import { MAX_PARTS, viewOf } from "./bytes.ts"

export interface JpegSegment {
  marker: number
  /** The bytes after the length field. */
  data: Uint8Array
}

export const START_OF_SCAN = 0xda
export const END_OF_IMAGE = 0xd9
export const APP1 = 0xe1
export const APP2 = 0xe2

/** Says whether a marker is SOF, DHT, DAC, EOI, SOS, DQT, DNL, DRI, APP or COM. Decoders disagree on where others end. */
const isKnown = (marker: number): boolean =>
  (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8) ||
  (marker >= END_OF_IMAGE && marker <= 0xdd) ||
  (marker >= 0xe0 && marker <= 0xef) ||
  marker === 0xfe

/** Says whether a byte after 0xff begins no segment: a zero, a filler, TEM or RST0 to RST7 (ITU T.81 section B.1.1). */
const beginsNoSegment = (code: number): boolean => code <= 0x01 || code === 0xff || (code >= 0xd0 && code <= 0xd7)

/** Returns the offset of the next marker. Skips all other bytes, as decoders do. Without a marker, returns the file's length. */
const nextMarker = (file: Uint8Array, from: number): number => {
  for (let at = from; at + 1 < file.length; at++)
    if (file[at] === 0xff && !beginsNoSegment(file[at + 1] ?? 0)) return at
  return file.length
}

/** Yields the marker segments of a JPEG (ITU T.81 section B.1), including the end of the image. Stops at an unknown or cut one. */
export function* readSegments(file: Uint8Array): Generator<JpegSegment> {
  const view = viewOf(file)
  let at = nextMarker(file, 2)
  for (let i = 0; i < MAX_PARTS && at + 4 <= file.length; i++) {
    const marker = view.getUint8(at + 1)
    if (marker === END_OF_IMAGE) break
    if (!isKnown(marker)) return
    const end = at + 2 + view.getUint16(at + 2)
    if (end > file.length) return
    yield { marker, data: file.subarray(at + 4, end) }
    at = nextMarker(file, end)
  }
  if (file[at + 1] === END_OF_IMAGE) yield { marker: END_OF_IMAGE, data: file.subarray(at + 2, at + 2) }
}
