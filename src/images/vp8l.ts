import { distanceOf, lengthOf, type Parse } from "./lz77.ts"
import { makeBits, makePrefixCode, type PrefixCode, tally, writePrefixCode } from "./prefix-code.ts"

// WebP's lossless image stream (RFC 9649 section 3) of a picture that is all green: no transforms, no colour cache, one
// group of prefix codes, of which those of red, blue and alpha have one symbol.

const LITERALS = 256
const LENGTH_PREFIXES = 24
const DISTANCE_PREFIXES = 40
/** Numbers of distances that stand for pixels nearby; behind them come all distances in turn. */
const NEAR_NUMBERS = 120
/** Columns to the left, rows up, and their number (section 3.6.2.2): of 120 those that soft edges need. */
const NEAR = [
  [0, 1, 1],
  [1, 0, 2],
  [1, 1, 3],
  [-1, 1, 4],
  [2, 1, 9],
  [-2, 1, 10],
  [3, 1, 17],
  [-3, 1, 18],
  [4, 1, 27],
  [-4, 1, 28],
] as const
/** Flags and prefix codes: at most 7 bits for each of 320 lengths. */
const MAX_HEADER_BYTES = 512
/** A bit each. */
const NO_TRANSFORM_NO_CACHE_NO_GROUPS = 0b000
/** The code of red, blue and alpha: 0 in no bits. */
const UNUSED = makePrefixCode(new Uint32Array(LITERALS))

/** By their distances, which differ by the width and are fewer in a narrow picture. */
const nearNumbers = (width: number): Map<number, number> => {
  const numbers = new Map<number, number>()
  for (const [left, up, number] of NEAR) {
    const distance = left + up * width
    if (distance > 0 && !numbers.has(distance)) numbers.set(distance, number)
  }
  return numbers
}

/** A number from 1 as prefix symbol and extra bits (section 3.6.2.1): few symbols for many numbers. */
const extraBitsOf = (value: number): number => Math.max(0, 30 - Math.clz32(value - 1))
const prefixOf = (value: number): number => {
  const extraBits = extraBitsOf(value)
  return 2 * extraBits + ((value - 1) >> extraBits)
}

interface Counts {
  greens: Uint32Array
  distances: Uint32Array
  extraBits: number
}

/** How often each symbol will be written. @param numberOf see NEAR */
const countSymbols = (plane: Uint8Array, tokens: Uint32Array, numberOf: (distance: number) => number): Counts => {
  const greens = new Uint32Array(LITERALS + LENGTH_PREFIXES)
  const distances = new Uint32Array(DISTANCE_PREFIXES)
  let extraBits = 0
  let at = 0
  for (const token of tokens) {
    const length = lengthOf(token)
    const distance = distanceOf(token)
    if (distance === 0) for (let i = at; i < at + length; i++) tally(greens, plane[i] ?? 0)
    else {
      const number = numberOf(distance)
      tally(greens, LITERALS + prefixOf(length))
      tally(distances, prefixOf(number))
      extraBits += extraBitsOf(length) + extraBitsOf(number)
    }
    at += length
  }
  return { greens, distances, extraBits }
}

const bitsOf = (counts: Uint32Array, { lengths }: PrefixCode): number =>
  counts.reduce((sum, count, symbol) => sum + count * (lengths[symbol] ?? 0), 0)

/** A stream that may be written. */
export interface Stream {
  /** All but flags and prefix codes, which take some hundred bytes. */
  bits: number
  /** The bytes, as long as neither the plane has changed nor another was parsed. */
  write: () => Uint8Array
}

/** Codes a plane of green, row by row. @param parse of `makeParser` */
export const codeGreen = (plane: Uint8Array, width: number, parse: Parse): Stream => {
  const near = nearNumbers(width)
  const numberOf = (distance: number): number => near.get(distance) ?? distance + NEAR_NUMBERS
  const tokens = parse(plane, [...near.keys()])
  const { greens, distances, extraBits } = countSymbols(plane, tokens, numberOf)
  const green = makePrefixCode(greens)
  const back = makePrefixCode(distances)
  const dataBits = extraBits + bitsOf(greens, green) + bitsOf(distances, back)

  const write = (): Uint8Array => {
    const bits = makeBits(MAX_HEADER_BYTES + Math.ceil(dataBits / 8))
    const writeSymbol = ({ codes, lengths }: PrefixCode, symbol: number): void =>
      bits.write(codes[symbol] ?? 0, lengths[symbol] ?? 0)
    const writeExtra = (value: number): void => {
      const count = extraBitsOf(value)
      bits.write((value - 1) & ((1 << count) - 1), count)
    }
    bits.write(NO_TRANSFORM_NO_CACHE_NO_GROUPS, 3)
    for (const code of [green, UNUSED, UNUSED, UNUSED, back]) writePrefixCode(bits, code)
    let at = 0
    for (const token of tokens) {
      const length = lengthOf(token)
      const distance = distanceOf(token)
      if (distance === 0) for (let i = at; i < at + length; i++) writeSymbol(green, plane[i] ?? 0)
      else {
        const number = numberOf(distance)
        writeSymbol(green, LITERALS + prefixOf(length))
        writeExtra(length)
        writeSymbol(back, prefixOf(number))
        writeExtra(number)
      }
      at += length
    }
    return bits.end()
  }
  return { bits: dataBits, write }
}
