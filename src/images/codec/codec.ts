import jpegFactory from "@jsquash/jpeg/codec/dec/mozjpeg_dec.js"
import jpegWasm from "@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm"
import webpDecoderFactory from "@jsquash/webp/codec/dec/webp_dec.js"
import webpDecoderWasm from "@jsquash/webp/codec/dec/webp_dec.wasm"
import webpEncoderFactory from "@jsquash/webp/codec/enc/webp_enc_simd.js"
import webpEncoderWasm from "@jsquash/webp/codec/enc/webp_enc_simd.wasm"
import { defaultOptions } from "@jsquash/webp/meta.js"

import { MAX_DECODER_BYTES, MAX_ENCODER_BYTES, MAX_THOROUGH_PX } from "../../limits.ts"
import { holdCodec, type Instance } from "./holder.ts"
import type { Pixels } from "./orientation.ts"
import { allocate, passBytes, type Photon, startPhoton, takeBytes } from "./photon.ts"
import { readStill } from "./webp.ts"

type Factory<T> = (module: Partial<EmscriptenModule>) => Promise<T>

interface EmscriptenModule {
  noInitialRun: boolean
  print: () => void
  printErr: (line: string) => void
  instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => WebAssembly.Exports
}

const PAGE_BYTES = 64 * 1024

/**
 * Starts a codec built by emscripten, from a module that is compiled already.
 * @param bytes of memory that it has from the start; emscripten grows in steps of a fifth, mostly more than is needed
 */
const startEmscripten = async <T>(
  factory: Factory<T>,
  wasm: WebAssembly.Module,
  bytes: number,
  printErr: (line: string) => void = () => {},
): Promise<Instance<T>> => {
  let memory: WebAssembly.Memory | undefined
  const api = await factory({
    noInitialRun: true,
    print: () => {},
    printErr,
    instantiateWasm: (imports, done) => {
      const instance = new WebAssembly.Instance(wasm, imports)
      memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory)
      memory?.grow(Math.max(0, Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES)))
      done(instance)
      return instance.exports
    },
  })
  if (!memory) throw new Error("The codec exports no memory.")
  return { api, memory }
}

interface Decoder {
  decode: (file: Uint8Array, keepOrientation?: boolean) => Pixels | null
}

interface Encoder {
  encode: (data: Uint8ClampedArray, width: number, height: number, options: object) => Uint8Array | null
}

/** What mozjpeg says, and goes on in grey. */
const DAMAGE = /premature end|bad Huffman code/i
let isDamaged = false

const jpeg = holdCodec(
  (bytes) =>
    startEmscripten(jpegFactory as Factory<Decoder>, jpegWasm, bytes, (line) => {
      isDamaged ||= DAMAGE.test(line)
    }),
  MAX_DECODER_BYTES,
)
const webpDecoder = holdCodec(
  (bytes) => startEmscripten(webpDecoderFactory as Factory<Decoder>, webpDecoderWasm, bytes),
  MAX_DECODER_BYTES,
)
const webpEncoder = holdCodec(
  (bytes) => startEmscripten(webpEncoderFactory as Factory<Encoder>, webpEncoderWasm, bytes),
  MAX_ENCODER_BYTES,
)
const photon = holdCodec(startPhoton, MAX_DECODER_BYTES)

const DECODERS = [jpeg, webpDecoder, photon]

/** At most one decoder is kept beside the encoder: all of them at once would not fit into an isolate. */
const keepOnly = (decoder: { drop: () => void } | null): void => {
  for (const other of DECODERS) if (other !== decoder) other.drop()
}

/** Lets go of the decoders, where what follows needs their room. */
export const dropDecoders = (): void => keepOnly(null)

/** Bytes of WebAssembly memory that are alive. */
export const codecBytes = (): number => [...DECODERS, webpEncoder].reduce((sum, codec) => sum + codec.size(), 0)

/** Lets go of what grew too large, once a conversion is over. */
export const trimCodecs = (): void => {
  for (const codec of [...DECODERS, webpEncoder]) codec.trim()
}

const required = <T>(result: T | null): T => {
  if (result === null) throw new Error("The codec answered nothing.")
  return result
}

/** mozjpeg: grey and colour JPEG. */
export const decodeJpeg = async (file: Uint8Array): Promise<Pixels> => {
  keepOnly(jpeg)
  isDamaged = false
  const pixels = await jpeg.use(({ decode }) => required(decode(file, false)))
  if (isDamaged) throw new Error("The JPEG is damaged.")
  return pixels
}

/** libwebp: still WebP. */
export const decodeWebp = (file: Uint8Array): Promise<Pixels> => {
  keepOnly(webpDecoder)
  // A lossless picture is decoded in twice the memory.
  if (readStill(file).image.name === "VP8L") webpEncoder.drop()
  return webpDecoder.use(({ decode }) => required(decode(file)))
}

/** Lets photon work on an image of so many pixels, and frees it. */
const withPhoton = <R>(
  px: number,
  open: (api: Photon) => number,
  work: (api: Photon, image: number) => R,
): Promise<R> => {
  keepOnly(photon)
  // A large picture in photon leaves no room for the encoder, even at rest.
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

/** photon: PNG, and JPEG of four components. */
export const decodeByPhoton = (file: Uint8Array, px: number): Promise<Pixels> =>
  withPhoton(
    px,
    (api) => api.photonimage_new_from_byteslice(passBytes(api, file), file.length),
    (api, image) => {
      const width = api.photonimage_get_width(image) >>> 0
      const height = api.photonimage_get_height(image) >>> 0
      const data = new Uint8ClampedArray(takeBytes(api, api.photonimage_get_raw_pixels(image)).buffer)
      return { data, width, height }
    },
  )

/**
 * photon's lossless coder: larger files than libwebp's, in a fraction of the memory.
 * @param paint writes the picture, RGBA, straight into photon's memory
 */
export const encodeByPhoton = (width: number, height: number, paint: (rgba: Uint8ClampedArray) => void) =>
  withPhoton(
    width * height,
    (api) => {
      const pointer = allocate(api, width * height * 4)
      paint(new Uint8ClampedArray(api.memory.buffer, pointer, width * height * 4))
      return api.photonimage_new(pointer, width * height * 4, width, height)
    },
    (api, image) => takeBytes(api, api.photonimage_get_bytes_webp(image)),
  )

/** The encoder copies the pixels twice and converts them to YUV 4:2:0. */
const ENCODER_BYTES_PER_PX = 9.5
const ENCODER_BYTES = 2_000_000

const encode = ({ data, width, height }: Pixels, options: object): Promise<Uint8Array> => {
  for (const decoder of DECODERS) decoder.trim()
  const work = (api: Encoder) => required(api.encode(data, width, height, { ...defaultOptions, ...options }))
  return webpEncoder.use(work, width * height * ENCODER_BYTES_PER_PX + ENCODER_BYTES)
}

/** Settings of libwebp. */
export interface LossySettings {
  quality: number
  /** Effort: 4 is what cwebp takes by default, 2 needs half of its time. */
  method: number
}

/** libwebp, lossy, with alpha if there is any. */
export const encodeLossy = (pixels: Pixels, settings: LossySettings): Promise<Uint8Array> => encode(pixels, settings)

/** libwebp, lossless, as thorough as cwebp: from method 2 on it takes a fifth more memory, for less than a hundredth of the bytes. */
export const encodeLossless = (pixels: Pixels): Promise<Uint8Array> =>
  encode(pixels, { lossless: 1, quality: 75, method: 1 })
