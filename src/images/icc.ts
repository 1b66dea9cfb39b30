import { concatBytes } from "../bytes.ts"
import { ascii, readName, viewOf } from "./bytes.ts"

// ICC profiles of RGB (ICC.1:2022) as far as they are three colours and three curves, which nearly all of pictures are.
// What is carried over is written anew from these numbers: profiles hold names, serial numbers and whatever else.

type Curve = number[]

export interface RgbProfile {
  /** X, Y and Z of red, green and blue, in 65536ths (section 10.31). */
  colours: number[][]
  /** One for each colour: a power, a table or a formula, as the bytes of its tag without its type. */
  curves: { type: "curv" | "para"; values: Curve }[]
}

const HEADER_BYTES = 128
const MAX_TAGS = 100
const MAX_CURVE_POINTS = 4096
/** By function type (section 10.18). */
const PARAMETERS = [1, 3, 4, 5, 7]
const COLOUR_TAGS = ["rXYZ", "gXYZ", "bXYZ"]
const CURVE_TAGS = ["rTRC", "gTRC", "bTRC"]
const D50 = [0xf6d6, 0x10000, 0xd32d]

const readTags = (profile: Uint8Array): Map<string, Uint8Array> => {
  const view = viewOf(profile)
  const count = Math.min(view.getUint32(HEADER_BYTES), MAX_TAGS)
  const tags = new Map<string, Uint8Array>()
  for (let at = HEADER_BYTES + 4, i = 0; i < count && at + 12 <= profile.length; i++, at += 12) {
    const start = view.getUint32(at + 4)
    tags.set(readName(view, at), profile.subarray(start, start + view.getUint32(at + 8)))
  }
  return tags
}

const readColour = (tag: Uint8Array | undefined): number[] | null => {
  if (!tag || tag.length < 20) return null
  const view = viewOf(tag)
  return readName(view, 0) === "XYZ " ? [8, 12, 16].map((at) => view.getInt32(at)) : null
}

const isRising = (values: Curve): boolean => values.every((value, i) => value >= (values[i - 1] ?? 0))

const readCurve = (tag: Uint8Array | undefined): RgbProfile["curves"][number] | null => {
  if (!tag || tag.length < 12) return null
  const view = viewOf(tag)
  const type = readName(view, 0)
  if (type === "curv") {
    const count = view.getUint32(8)
    if (count > MAX_CURVE_POINTS || tag.length < 12 + 2 * count) return null
    const values = Array.from({ length: count }, (_, i) => view.getUint16(12 + 2 * i))
    return isRising(values) ? { type, values } : null
  }
  const kind = view.getUint16(8)
  const count = PARAMETERS[kind]
  if (type !== "para" || count === undefined || tag.length < 12 + 4 * count) return null
  return { type, values: [kind, ...Array.from({ length: count }, (_, i) => view.getInt32(12 + 4 * i))] }
}

/** The colours and curves of a profile; null when it is damaged, is not of RGB, or has none. */
export const readRgbProfile = (profile: Uint8Array): RgbProfile | null => {
  const view = viewOf(profile)
  if (profile.length < HEADER_BYTES + 4 || view.getUint32(0) !== profile.length) return null
  if (readName(view, 16) !== "RGB " || readName(view, 20) !== "XYZ " || readName(view, 36) !== "acsp") return null
  const tags = readTags(profile)
  const colours = COLOUR_TAGS.map((name) => readColour(tags.get(name))).filter((colour) => colour !== null)
  const curves = CURVE_TAGS.map((name) => readCurve(tags.get(name))).filter((curve) => curve !== null)
  return colours.length === 3 && curves.length === 3 ? { colours, curves } : null
}

const uint32 = (value: number): number[] => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]
const uint16 = (value: number): number[] => [value >>> 8, value & 255]

const writeColour = (xyz: number[]): number[] => [...ascii("XYZ "), ...uint32(0), ...xyz.flatMap(uint32)]

const writeCurve = ({ type, values }: RgbProfile["curves"][number]): number[] => {
  const [kind = 0, ...parameters] = values
  return type === "curv"
    ? [...ascii(type), ...uint32(0), ...uint32(values.length), ...values.flatMap(uint16)]
    : [...ascii(type), ...uint32(0), ...uint16(kind), 0, 0, ...parameters.flatMap(uint32)]
}

/** Text in one language (section 10.15). */
const writeText = (text: string): number[] => {
  const language = [...uint32(1), ...uint32(12), ...ascii("enUS"), ...uint32(2 * text.length), ...uint32(28)]
  return [...ascii("mluc"), ...uint32(0), ...language, ...ascii(text).flatMap(uint16)]
}

const padded = (data: number[]): number[] => [...data, ...Array<number>((4 - (data.length % 4)) % 4).fill(0)]

/** A profile (version 4.3) of these colours and curves, and nothing else. */
export const writeRgbProfile = ({ colours, curves }: RgbProfile): Uint8Array<ArrayBuffer> => {
  const tags: [string, number[]][] = [
    ["desc", writeText("RGB")],
    ["cprt", writeText("CC0")],
    ["wtpt", writeColour(D50)],
    ...COLOUR_TAGS.map((name, i): [string, number[]] => [name, writeColour(colours[i] ?? D50)]),
    ...CURVE_TAGS.map((name, i): [string, number[]] => [name, writeCurve(curves[i] ?? { type: "curv", values: [] })]),
  ]
  let at = HEADER_BYTES + 4 + 12 * tags.length
  const table = tags.flatMap(([name, data]) => {
    const entry = [...ascii(name), ...uint32(at), ...uint32(data.length)]
    at += padded(data).length
    return entry
  })
  const header = new Uint8Array(HEADER_BYTES)
  header.set([
    ...uint32(at),
    0,
    0,
    0,
    0,
    4,
    0x30,
    0,
    0,
    ...ascii("mntrRGB XYZ "),
    ...[2000, 1, 1, 0, 0, 0].flatMap(uint16),
  ])
  header.set(ascii("acsp"), 36)
  header.set(D50.flatMap(uint32), 68)
  return concatBytes([header, uint32(tags.length), table, ...tags.map(([, data]) => padded(data))])
}

const SRGB = [
  [0.4361, 0.2225, 0.0139],
  [0.3851, 0.7169, 0.0971],
  [0.1431, 0.0606, 0.7141],
]

/** What a curve makes of a value from 0 to 1. */
const evaluate = ({ type, values }: RgbProfile["curves"][number], x: number): number => {
  if (type === "curv") {
    if (values.length < 2) return x ** ((values[0] ?? 256) / 256)
    const place = x * (values.length - 1)
    const [low, high] = [values[Math.floor(place)] ?? 0, values[Math.ceil(place)] ?? 0]
    return (low + (high - low) * (place % 1)) / 65535
  }
  const [kind = 0, ...raw] = values
  const [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = raw.map((value) => value / 65536)
  if (kind === 0) return x ** g
  if (kind < 3) return x >= -b / a ? (a * x + b) ** g + c * (kind - 1) : c * (kind - 1)
  return x >= d ? (a * x + b) ** g + e : c * x + f
}

const isNear = (a: number, b: number, tolerance: number): boolean => Math.abs(a - b) <= tolerance

/** Whether the colours and curves are those of sRGB, whatever the profile is called. */
export const isSrgb = ({ colours, curves }: RgbProfile): boolean =>
  SRGB.every((xyz, i) => xyz.every((value, j) => isNear((colours[i]?.[j] ?? 0) / 65536, value, 0.003))) &&
  curves.every((curve) => isNear(evaluate(curve, 0.5), 0.214, 0.01) && isNear(evaluate(curve, 0.1), 0.01, 0.004))
