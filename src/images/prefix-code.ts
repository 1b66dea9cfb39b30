// Canonical prefix codes, as VP8L writes them (RFC 9649 section 3.7.2), and the bits they are written in.

const MAX_CODE_BITS = 15
/** Of the code in which code lengths are written. */
const MAX_LENGTH_CODE_BITS = 7
/** Code lengths 0 to 15; the last one again, 3 to 6 times; zeros, 3 to 10 or 11 to 138 of them. */
const LENGTH_SYMBOLS = 19
const REPEAT = 16
const ZEROS = 17
const MANY_ZEROS = 18
const LENGTH_ORDER = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]

export interface Bits {
  /** Appends the low `count` bits of a value, at most 24, the lowest first. */
  write: (value: number, count: number) => void
  /** All bytes so far, the last filled up with zeros. */
  end: () => Uint8Array
}

/** @param maxBytes that will be written */
export const makeBits = (maxBytes: number): Bits => {
  const bytes = new Uint8Array(maxBytes)
  let at = 0
  let pending = 0
  let used = 0
  return {
    write: (value, count) => {
      pending |= value << used
      used += count
      for (; used >= 8; used -= 8) {
        bytes[at++] = pending
        pending >>>= 8
      }
    },
    end: () => {
      if (used > 0) bytes[at] = pending
      return bytes.subarray(0, used > 0 ? at + 1 : at)
    },
  }
}

export interface PrefixCode {
  /** Bits of each symbol; all 0 for a symbol that is the only one. */
  lengths: Uint8Array
  /** Codes as they are written, the lowest bit first. */
  codes: Uint16Array
  /** The symbol that alone is used, where there is one. */
  only: number | null
}

/** Counts a symbol once more. */
export const tally = (counts: Uint32Array, symbol: number): void => {
  counts[symbol] = (counts[symbol] ?? 0) + 1
}

interface Package {
  count: number
  symbols: number[]
}

/** The lengths of the shortest code within `maxBits`, by package-merge (Larmore and Hirschberg 1990). */
const lengthsOf = (counts: Uint32Array, maxBits: number): Uint8Array => {
  const byCount = (a: Package, b: Package): number => a.count - b.count
  const leaves: Package[] = []
  for (const [symbol, count] of counts.entries()) if (count > 0) leaves.push({ count, symbols: [symbol] })
  leaves.sort(byCount)
  let packages = leaves
  for (let bits = 1; bits < maxBits; bits++) {
    const pairs: Package[] = []
    for (let i = 0; i + 1 < packages.length; i += 2) {
      const [a, b] = [packages[i], packages[i + 1]] as [Package, Package]
      pairs.push({ count: a.count + b.count, symbols: [...a.symbols, ...b.symbols] })
    }
    packages = [...leaves, ...pairs].toSorted(byCount)
  }
  const lengths = new Uint8Array(counts.length)
  for (const { symbols } of packages.slice(0, 2 * leaves.length - 2))
    for (const symbol of symbols) lengths[symbol] = (lengths[symbol] ?? 0) + 1
  return lengths
}

const reverse = (code: number, length: number): number => {
  let reversed = 0
  for (let i = 0; i < length; i++) reversed |= ((code >> i) & 1) << (length - 1 - i)
  return reversed
}

/** Codes in order of length, then symbol. */
const codesOf = (lengths: Uint8Array): Uint16Array => {
  const codes = new Uint16Array(lengths.length)
  let next = 0
  for (let length = 1; length <= MAX_CODE_BITS; length++, next <<= 1)
    for (const [symbol, own] of lengths.entries()) if (own === length) codes[symbol] = reverse(next++, length)
  return codes
}

/** The code for symbols that come so often; those that never come get none. */
export const makePrefixCode = (counts: Uint32Array, maxBits = MAX_CODE_BITS): PrefixCode => {
  const used = [...counts.keys()].filter((symbol) => counts[symbol])
  const lengths = used.length > 1 ? lengthsOf(counts, maxBits) : new Uint8Array(counts.length)
  return { lengths, codes: codesOf(lengths), only: used.length > 1 ? null : (used[0] ?? 0) }
}

/** Code lengths as symbols, each with what is written behind it. */
const runsOf = (lengths: Uint8Array): { symbol: number; extra: number; extraBits: number }[] => {
  const runs = []
  for (let at = 0; at < lengths.length;) {
    const length = lengths[at] ?? 0
    let end = at + 1
    while (lengths[end] === length) end++
    if (length > 0) {
      runs.push({ symbol: length, extra: 0, extraBits: 0 })
      at++
    }
    while (at < end) {
      const run = Math.min(end - at, length > 0 ? 6 : 138)
      if (run < 3) runs.push({ symbol: length, extra: 0, extraBits: 0 })
      else if (length > 0) runs.push({ symbol: REPEAT, extra: run - 3, extraBits: 2 })
      else if (run < 11) runs.push({ symbol: ZEROS, extra: run - 3, extraBits: 3 })
      else runs.push({ symbol: MANY_ZEROS, extra: run - 11, extraBits: 7 })
      at += run < 3 ? 1 : run
    }
  }
  return runs
}

/** Writes how long the codes are, from which a decoder makes them. A symbol that is the only one must be below 256. */
export const writePrefixCode = (bits: Bits, { lengths, only }: PrefixCode): void => {
  if (only !== null) {
    // A simple code, of one symbol, of 8 bits.
    bits.write(0b101, 3)
    bits.write(only, 8)
    return
  }
  const runs = runsOf(lengths)
  const counts = new Uint32Array(LENGTH_SYMBOLS)
  for (const { symbol } of runs) tally(counts, symbol)
  const code = makePrefixCode(counts, MAX_LENGTH_CODE_BITS)
  bits.write(0, 1)
  bits.write(LENGTH_SYMBOLS - 4, 4)
  for (const symbol of LENGTH_ORDER) bits.write(code.lengths[symbol] ?? 0, 3)
  // All symbols are written, not a part of them.
  bits.write(0, 1)
  for (const { symbol, extra, extraBits } of runs) {
    bits.write(code.codes[symbol] ?? 0, code.lengths[symbol] ?? 0)
    bits.write(extra, extraBits)
  }
}
