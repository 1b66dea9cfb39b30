import photonWasm from "@cf-wasm/photon/photon.wasm"
import jpegFactory from "@jsquash/jpeg/codec/dec/mozjpeg_dec.js"
import jpegWasm from "@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm"
import webpDecoderFactory from "@jsquash/webp/codec/dec/webp_dec.js"
import webpDecoderWasm from "@jsquash/webp/codec/dec/webp_dec.wasm"
import webpEncoderFactory from "@jsquash/webp/codec/enc/webp_enc_simd.js"
import webpEncoderWasm from "@jsquash/webp/codec/enc/webp_enc_simd.wasm"

import { MAX_DECODER_BYTES, MAX_ENCODER_BYTES, MAX_THOROUGH_PX } from "../../limits.ts"
import type { Pixels } from "./orientation.ts"

/** The exports of photon 0.4.0 that are used here. Its JavaScript would start a single instance, which a trap would end. */
export interface Photon {
  memory: WebAssembly.Memory
  __wbindgen_start: () => void
  __wbindgen_externrefs: WebAssembly.Table
  __wbindgen_malloc: (size: number, align: number) => number
  __wbindgen_free: (pointer: number, size: number, align: number) => void
  __wbg_photonimage_free: (image: number, unused: number) => void
  photonimage_new: (pointer: number, length: number, width: number, height: number) => number
  photonimage_new_from_byteslice: (pointer: number, length: number) => number
  photonimage_get_width: (image: number) => number
  photonimage_get_height: (image: number) => number
  photonimage_get_raw_pixels: (image: number) => [pointer: number, length: number]
  photonimage_get_bytes_webp: (image: number) => [pointer: number, length: number]
}

/** Starts an instance of photon, as wasm-bindgen's JavaScript does once. */
const startPhoton = async (): Promise<{ api: Photon; memory: WebAssembly.Memory }> => {
  const imports: Record<string, Record<string, () => void>> = {}
  for (const { module, name } of WebAssembly.Module.imports(photonWasm)) {
    imports[module] ??= {}
    imports[module][name] = name.startsWith("__wbindgen_init_externref_table")
      ? () => fillTable(api.__wbindgen_externrefs)
      : () => {
          throw new Error(`photon called ${name}`)
        }
  }
  const api = new WebAssembly.Instance(photonWasm, imports).exports as unknown as Photon
  api.__wbindgen_start()
  return { api, memory: api.memory }
}

/** Writes wasm-bindgen's constants: undefined twice, null, true, false. */
const fillTable = (table: WebAssembly.Table): void => {
  const offset = table.grow(4)
  table.set(0, undefined)
  for (const [i, value] of [undefined, null, true, false].entries()) table.set(offset + i, value)
}

/** Allocates bytes in the memory of photon, an image codec, and returns their address. photon frees them when it takes them over. */
export const allocate = (photon: Photon, length: number): number => photon.__wbindgen_malloc(length, 1) >>> 0

/** Copies bytes into photon's memory and returns their address. photon frees them when it takes them over. */
export const passBytes = (photon: Photon, bytes: Uint8Array): number => {
  const pointer = allocate(photon, bytes.length)
  new Uint8Array(photon.memory.buffer).set(bytes, pointer)
  return pointer
}

/** Copies bytes, which photon returned as address and length, out of photon's memory and frees them there. */
export const takeBytes = (photon: Photon, [pointer, length]: [number, number]): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(photon.memory.buffer, pointer >>> 0, length).slice()
  photon.__wbindgen_free(pointer, length, 1)
  return bytes
}

// The instances of the codecs. An isolate has too little memory for all of them at once.

/** A started codec and its linear memory. */
interface Instance<T> {
  api: T
  memory: WebAssembly.Memory
}

/**
 * Holds an instance of a codec while it is healthy. After an exception its memory may be damaged, and memory that grew
 * beyond `keepBytes` never shrinks. Starting another takes a few milliseconds, but the old memory stays until it is
 * collected. So an instance serves a whole conversion, and is trimmed after it.
 */
const holdCodec = <T>(start: (bytes: number) => Promise<Instance<T>>, keepBytes: number) => {
  let held: Instance<T> | null = null
  const drop = (): void => {
    held = null
  }
  const size = (): number => held?.memory.buffer.byteLength ?? 0
  const trim = (): void => {
    if (size() > keepBytes) drop()
  }
  /** @param bytes the least memory that the work needs */
  const use = async <R>(work: (api: T) => R, bytes = 0): Promise<R> => {
    if (size() < bytes) drop()
    held ??= await start(bytes)
    try {
      return work(held.api)
    } catch (error) {
      drop()
      throw error
    }
  }
  return { use, drop, trim, size }
}

interface EmscriptenModule {
  noInitialRun: boolean
  print: () => void
  printErr: (line: string) => void
  instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => WebAssembly.Exports
}

const PAGE_BYTES = 64 * 1024

/**
 * Starts a codec that emscripten built, from a compiled module. Its warnings are added to `warnings`.
 * @param bytes the memory to start with; emscripten would grow it in steps of a fifth, mostly more than is needed
 */
const startEmscripten = async <T>(
  factory: unknown,
  wasm: WebAssembly.Module,
  bytes: number,
): Promise<Instance<T & { warnings: string[] }>> => {
  let memory: WebAssembly.Memory | undefined
  const warnings: string[] = []
  const start = factory as (module: EmscriptenModule) => Promise<T>
  const api = await start({
    noInitialRun: true,
    print: () => {},
    printErr: (line) => warnings.push(line),
    instantiateWasm: (imports, done) => {
      const instance = new WebAssembly.Instance(wasm, imports)
      memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory)
      memory?.grow(Math.max(0, Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES)))
      done(instance)
      return instance.exports
    },
  })
  if (!memory) throw new Error("The codec exports no memory.")
  return { api: { ...api, warnings }, memory }
}

interface Decoder {
  decode: (file: Uint8Array, keepOrientation?: boolean) => Pixels | null
}

interface Encoder {
  encode: (data: Uint8ClampedArray, width: number, height: number, options: object) => Uint8Array | null
}

export const jpegDecoder = holdCodec(
  (bytes) => startEmscripten<Decoder>(jpegFactory, jpegWasm, bytes),
  MAX_DECODER_BYTES,
)
export const webpDecoder = holdCodec(
  (bytes) => startEmscripten<Decoder>(webpDecoderFactory, webpDecoderWasm, bytes),
  MAX_DECODER_BYTES,
)
export const webpEncoder = holdCodec(
  (bytes) => startEmscripten<Encoder>(webpEncoderFactory, webpEncoderWasm, bytes),
  MAX_ENCODER_BYTES,
)
const photon = holdCodec(startPhoton, MAX_DECODER_BYTES)

const DECODERS = [jpegDecoder, webpDecoder, photon]

/** Releases all image decoders to free their memory. @param except the decoder that is used next, which stays; null: none stays */
export const dropDecoders = (except: { drop: () => void } | null = null): void => {
  for (const decoder of DECODERS) if (decoder !== except) decoder.drop()
}

/** Releases the decoders that hold over `MAX_DECODER_BYTES` of memory, too much beside the encoder's. */
export const trimDecoders = (): void => {
  for (const decoder of DECODERS) decoder.trim()
}

/** Releases decoders that hold over `MAX_DECODER_BYTES` of memory, and the encoder over `MAX_ENCODER_BYTES`, after a conversion. */
export const trimCodecs = (): void => {
  trimDecoders()
  webpEncoder.trim()
}

/** Returns how many bytes of WebAssembly memory the codecs hold. */
export const codecBytes = (): number => [...DECODERS, webpEncoder].reduce((sum, codec) => sum + codec.size(), 0)

/**
 * Opens an image of `px` pixels in photon, an image codec, calls `work` with it, frees it, and returns the result. Releases
 * other decoders first, and for many pixels the encoder as well, to save memory.
 */
export const withPhoton = <R>(
  px: number,
  open: (api: Photon) => number,
  work: (api: Photon, image: number) => R,
): Promise<R> => {
  dropDecoders(photon)
  // A large image in photon leaves no room for the encoder's memory.
  if (px > MAX_THOROUGH_PX) webpEncoder.drop()
  return photon.use((api) => {
    const image = open(api)
    try {
      return work(api, image)
    } finally {
      api.__wbg_photonimage_free(image, 0)
    }
  })
}
