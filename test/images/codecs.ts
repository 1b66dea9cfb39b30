import { codecBytes, dropDecoders, webpEncoder } from "../../src/images/codec/pool.ts"

let peak = 0

/** Returns the most WebAssembly memory that the codecs held since `resetPeak`, in bytes. */
export const peakBytes = (): number => peak

/** Starts a new measurement for `peakBytes`. */
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

/** Drops all codecs: the next conversion starts those that it needs. */
export const dropCodecs = (): void => {
  dropDecoders()
  webpEncoder.drop()
}

/** Drops all codecs, and measures memory for `peakBytes` after each call into one. @returns a function that ends this */
export const watchCodecs = (): (() => void) => {
  dropCodecs()
  const { Instance } = WebAssembly
  const Watched = function (module: WebAssembly.Module, imports?: WebAssembly.Imports) {
    const { exports } = new Instance(module, imports)
    return { exports: Object.fromEntries(Object.entries(exports).map(([name, value]) => [name, watched(value)])) }
  }
  Object.assign(WebAssembly, { Instance: Watched })
  return () => {
    dropCodecs()
    Object.assign(WebAssembly, { Instance })
  }
}
