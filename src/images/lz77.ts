// LZ77 over a plane of bytes, as VP8L has it (RFC 9649 section 3.6.2): a stretch that stood before is named, not repeated.

const MAX_LENGTH = 4096
/** VP8L's distance codes end at 2^20, and the first 120 are kept for pixels nearby. */
const MAX_DISTANCE = 2 ** 20 - 120
/** What is shorter takes fewer bits as literals. */
const MIN_LENGTH = 4
/** From here on no longer match is looked for, so that bytes that match nearly everywhere take no more time than others. */
const ENOUGH_LENGTH = 64

/** Stretches are remembered by their first bytes: fewer would stand everywhere in soft edges. */
const KEY_BYTES = 8
const BUCKET_BITS = 15
/** Stretches that a bucket holds; the oldest gives way. */
const WAYS = 16
const POSITION_BITS = 20
const POSITIONS = 2 ** POSITION_BITS - 1
/** After so many literals every second place is tried, then every third: noise must not take long for nothing. */
const PATIENCE_BYTES = 64
const MAX_STRIDE = 8
/** Of a long match about so many places are remembered. */
const PLACES_OF_MATCH = 64

/** Odd factors that carry each bit far up, of xxHash and MurmurHash3. */
const SPREAD = 0x9e3779b1
const SPREAD_AGAIN = 0x85ebca6b

const LENGTH_BITS = 12

/** Bytes that a token stands for: 1 to 4096. */
export const lengthOf = (token: number): number => (token & (MAX_LENGTH - 1)) + 1
/** How far back a match stood before, 1 to 2^20 - 120 bytes; 0 for literals. */
export const distanceOf = (token: number): number => token >>> LENGTH_BITS

const tokenOf = (length: number, distance: number): number => ((distance << LENGTH_BITS) | (length - 1)) >>> 0

/** Two tokens in turn stand for more bytes than the shortest match. */
const maxTokens = (bytes: number): number => 2 * Math.ceil(bytes / (MIN_LENGTH + 1)) + 1

const word = (plane: Uint8Array, at: number): number =>
  (plane[at] ?? 0) | ((plane[at + 1] ?? 0) << 8) | ((plane[at + 2] ?? 0) << 16) | ((plane[at + 3] ?? 0) << 24)

const hashAt = (plane: Uint8Array, at: number): number => {
  const hash = Math.imul(Math.imul(word(plane, at), SPREAD) ^ word(plane, at + 4), SPREAD_AGAIN)
  return hash ^ (hash >>> 15)
}

/**
 * Cuts a plane into literals and matches.
 * @param near distances that are tried everywhere, because they take few bits
 * @returns tokens in their order, until the next call; `lengthOf` and `distanceOf` read them
 */
export type Parse = (plane: Uint8Array, near: number[]) => Uint32Array

/**
 * Takes memory to parse planes of up to `maxBytes`, one after another: 2 MB, and 1.6 bytes for each of the plane, of
 * which no more is touched than there are tokens. The time is linear in the bytes, whatever they are.
 */
export const makeParser = (maxBytes: number): Parse => {
  /** Of each stretch 12 bits of its hash and 20 of its position; nothing is cleared, because what is found is compared. */
  const buckets = new Int32Array(WAYS << BUCKET_BITS)
  const turns = new Uint8Array(1 << BUCKET_BITS)
  const tokens = new Uint32Array(maxTokens(maxBytes))

  const remember = (hash: number, at: number): void => {
    const bucket = hash >>> (32 - BUCKET_BITS)
    const turn = turns[bucket] ?? 0
    buckets[bucket * WAYS + (turn % WAYS)] = (hash << POSITION_BITS) | (at & POSITIONS)
    turns[bucket] = turn + 1
  }

  return (plane, near) => {
    const end = plane.length
    const keysEnd = end - KEY_BYTES + 1
    // The longest match at the place searched last; no distance for none.
    let length = 0
    let distance = 0

    const compare = (at: number, candidate: number): void => {
      // Most fail where they would have to be longer.
      if (candidate > at || at + length >= end || plane[at + length] !== plane[at + length - candidate]) return
      const stop = Math.min(at + MAX_LENGTH, end)
      let i = at
      while (i < stop && plane[i] === plane[i - candidate]) i++
      if (i - at <= length) return
      length = i - at
      distance = candidate
    }

    const searchBucket = (hash: number, at: number): void => {
      const bucket = hash >>> (32 - BUCKET_BITS)
      const turn = turns[bucket] ?? 0
      for (let age = 1; age <= WAYS; age++) {
        if (length >= ENOUGH_LENGTH) return
        const stretch = buckets[bucket * WAYS + ((turn - age) & (WAYS - 1))] ?? 0
        if ((stretch ^ (hash << POSITION_BITS)) >>> POSITION_BITS !== 0) continue
        const candidate = (at - stretch) & POSITIONS
        if (candidate > 0 && candidate <= MAX_DISTANCE) compare(at, candidate)
      }
    }

    const search = (at: number): void => {
      length = MIN_LENGTH - 1
      distance = 0
      for (let i = 0; i < near.length; i++) compare(at, near[i] ?? 0)
      if (at >= keysEnd) return
      const hash = hashAt(plane, at)
      searchBucket(hash, at)
      remember(hash, at)
    }

    let count = 0
    let written = 0
    const writeLiterals = (to: number): void => {
      while (written < to) {
        const literals = Math.min(MAX_LENGTH, to - written)
        tokens[count++] = tokenOf(literals, 0)
        written += literals
      }
    }

    for (let at = 0; at < end;) {
      search(at)
      if (distance === 0) {
        at += Math.min(MAX_STRIDE, 1 + Math.floor((at - written) / PATIENCE_BYTES))
        continue
      }
      let best = tokenOf(length, distance)
      // One byte later there may be a longer match.
      while (lengthOf(best) < ENOUGH_LENGTH) {
        search(at + 1)
        if (length <= lengthOf(best)) break
        best = tokenOf(length, distance)
        at++
      }
      writeLiterals(at)
      tokens[count++] = best
      written += lengthOf(best)
      // The first two places were searched, and so remembered.
      const step = 1 + Math.floor(lengthOf(best) / PLACES_OF_MATCH)
      for (let i = at + 2; i < Math.min(written, keysEnd); i += step) remember(hashAt(plane, i), i)
      at = written
    }
    writeLiterals(end)
    return tokens.subarray(0, count)
  }
}
