import { PhotonImage } from "@cf-wasm/photon"

import { codecBytes } from "../../src/images/codec.ts"
import { convert } from "../../src/images/convert.ts"
import { readHeader, sniffFormat } from "../../src/images/header.ts"

// Linear memories of the instances that this conversion started: they never shrink, so a size is a peak.
// Nothing may hold them longer, or they would never be freed.
let started: WebAssembly.Memory[] = []
const NativeInstance = WebAssembly.Instance
const ListedInstance = function (module: WebAssembly.Module, imports?: WebAssembly.Imports) {
  const instance = new NativeInstance(module, imports)
  for (const value of Object.values(instance.exports)) if (value instanceof WebAssembly.Memory) started.push(value)
  return instance
}
Object.assign(WebAssembly, { Instance: ListedInstance })

const byEdgepost = async (file: Uint8Array): Promise<Uint8Array | null> => {
  const format = sniffFormat(file)
  const header = format && readHeader(file, format)
  const made = header && (await convert(file, header))
  return made ? made.webp : null
}

const byPhoton = async (file: Uint8Array): Promise<Uint8Array | null> => {
  const image = PhotonImage.new_from_byteslice(file)
  try {
    return image.get_bytes_webp()
  } finally {
    image.free()
  }
}

export default {
  fetch: async (request) => {
    const file = new Uint8Array(await request.arrayBuffer())
    const tool = new URL(request.url).pathname === "/photon" ? byPhoton : byEdgepost
    const held = codecBytes()
    const start = Date.now()
    const webp = await tool(file)
    const ms = Date.now() - start
    const sizes = started.map((memory) => memory.buffer.byteLength)
    started = []
    return new Response(webp ? Uint8Array.from(webp) : null, {
      status: webp ? 200 : 422,
      headers: {
        "X-Ms": String(ms),
        "X-Held-Before": String(held),
        "X-Held-After": String(codecBytes()),
        "X-Started": JSON.stringify(sizes),
      },
    })
  },
} satisfies ExportedHandler
