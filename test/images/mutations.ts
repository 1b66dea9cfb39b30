// Damages files for the tests and for bench/images. Random numbers come from a seed.

import { be32, type Bytes, bytesOf } from "./chunks.ts"

/** Functions that damage a file. Each changes the given file or returns another. */
export const MUTATIONS: ((file: Bytes, random: () => number) => Bytes)[] = [
  // Flips one bit.
  (file, random) => {
    const at = Math.floor(random() * file.length)
    file[at] = (file[at] ?? 0) ^ (1 << Math.floor(random() * 8))
    return file
  },
  // Cuts off the end.
  (file, random) => file.slice(0, Math.floor(random() * file.length)),
  // Overwrites up to eight bytes, mostly in the header.
  (file, random) => {
    const at = Math.floor(random() ** 3 * file.length)
    return file.fill(Math.floor(random() * 256), at, at + 1 + Math.floor(random() * 8))
  },
  // Swaps two parts.
  (file, random) => {
    const [a, b] = [Math.floor(random() * file.length), Math.floor(random() * file.length)]
    const part = file.slice(a, a + 16)
    file.copyWithin(a, b, b + 16)
    file.set(part.subarray(0, Math.max(0, file.length - b)), b)
    return file
  },
  // Overwrites a length field near the start.
  (file, random) => {
    const at = Math.floor(random() * Math.min(64, file.length - 4))
    file.set(be32(Math.floor(random() * 2 ** 32)), at)
    return file
  },
  // Appends bytes.
  (file, random) => bytesOf(file, new Uint8Array(32).fill(Math.floor(random() * 256))),
]
