import photonWasm from "@cf-wasm/photon/photon.wasm"

/** The exports of photon 0.4.0 that are used here. Its own JavaScript starts a single instance, which a trap would end. */
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

/** Starts an instance of photon, as wasm-bindgen's own JavaScript does once. */
export const startPhoton = async (): Promise<{ api: Photon; memory: WebAssembly.Memory }> => {
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

/** Fills in wasm-bindgen's constants: undefined first and again, null, true, false. */
const fillTable = (table: WebAssembly.Table): void => {
  const offset = table.grow(4)
  table.set(0, undefined)
  for (const [i, value] of [undefined, null, true, false].entries()) table.set(offset + i, value)
}

/** Allocates memory inside photon, which frees it. */
export const allocate = (photon: Photon, length: number): number => photon.__wbindgen_malloc(length, 1) >>> 0

/** Copies bytes into photon, which frees them. */
export const passBytes = (photon: Photon, bytes: Uint8Array): number => {
  const pointer = allocate(photon, bytes.length)
  new Uint8Array(photon.memory.buffer).set(bytes, pointer)
  return pointer
}

/** Copies bytes out of photon and frees them there. */
export const takeBytes = (photon: Photon, [pointer, length]: [number, number]): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(photon.memory.buffer, pointer >>> 0, length).slice()
  photon.__wbindgen_free(pointer, length, 1)
  return bytes
}
