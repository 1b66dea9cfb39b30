// Ways to damage a file, for the suite and for bench/images. The numbers come from a seed.

import { be32, type Bytes, bytesOf } from "./chunks.ts"

/** A generator of the same numbers for the same seed (mulberry32). */
export const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
}

/** Each changes the file it is given, or answers another. */
export const MUTATIONS: ((file: Bytes, random: () => number) => Bytes)[] = [
  // One bit.
  (file, random) => {
    const at = Math.floor(random() * file.length)
    file[at] = (file[at] ?? 0) ^ (1 << Math.floor(random() * 8))
    return file
  },
  // Cut off.
  (file, random) => file.slice(0, Math.floor(random() * file.length)),
  // Several bytes of nothing, in the header more often than not.
  (file, random) => {
    const at = Math.floor(random() ** 3 * file.length)
    return file.fill(Math.floor(random() * 256), at, at + 1 + Math.floor(random() * 8))
  },
  // Two parts changed for each other.
  (file, random) => {
    const [a, b] = [Math.floor(random() * file.length), Math.floor(random() * file.length)]
    const part = file.slice(a, a + 16)
    file.copyWithin(a, b, b + 16)
    file.set(part.subarray(0, Math.max(0, file.length - b)), b)
    return file
  },
  // Length fields that lie.
  (file, random) => {
    const at = Math.floor(random() * Math.min(64, file.length - 4))
    file.set(be32(Math.floor(random() * 2 ** 32)), at)
    return file
  },
  // Something behind the end.
  (file, random) => bytesOf(file, new Uint8Array(32).fill(Math.floor(random() * 256))),
]
