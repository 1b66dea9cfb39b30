import { codecBytes } from "../../src/images/codec/pool.ts"

let peak = 0

/** Linear memory that edgepost's codecs held at most since the last reset, in bytes. */
export const peakBytes = (): number => peak

export const resetPeak = (): void => {
  peak = codecBytes()
}

const watched = (value: unknown): unknown =>
  typeof value === "function"
    ? (...args: unknown[]): unknown => {
        try {
          return value(...args)
        } finally {
          peak = Math.max(peak, codecBytes())
        }
      }
    : value

/** From now on every function of a new WebAssembly instance is wrapped, to look at the memory after each call. */
export const watchCodecs = (): void => {
  const { Instance } = WebAssembly
  const Watched = function (module: WebAssembly.Module, imports?: WebAssembly.Imports) {
    const { exports } = new Instance(module, imports)
    return { exports: Object.fromEntries(Object.entries(exports).map(([name, value]) => [name, watched(value)])) }
  }
  Object.assign(WebAssembly, { Instance: Watched })
}
