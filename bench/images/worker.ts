import { PhotonImage } from "@cf-wasm/photon"

import { ApiError, PROBLEMS } from "../../src/http/errors.ts"
import type { ConvertedImage } from "../../src/images/codec/convert.ts"
import { convertUpload } from "../../src/images/upload.ts"
import { peakBytes, resetPeak, watchCodecs } from "../../test/images/codecs.ts"

// POST /edgepost converts the body as an upload, POST /photon by photon alone. Headers state milliseconds and bytes.

watchCodecs()

const byPhoton = async (file: Uint8Array): Promise<ConvertedImage> => {
  const image = PhotonImage.new_from_byteslice(file)
  try {
    return {
      webp: Uint8Array.from(image.get_bytes_webp()),
      width: image.get_width(),
      height: image.get_height(),
      smaller: [],
    }
  } finally {
    image.free()
  }
}

const statusOf = (error: unknown): number => (error instanceof ApiError ? PROBLEMS[error.code].status : 500)

export default {
  fetch: async (request) => {
    const file = new Uint8Array(await request.arrayBuffer())
    const tool = new URL(request.url).pathname === "/photon" ? byPhoton : convertUpload
    resetPeak()
    const start = Date.now()
    const result = await tool(file).catch(statusOf)
    const headers = {
      "X-Ms": String(Date.now() - start),
      "X-Peak": String(peakBytes()),
    }
    if (typeof result === "number") return new Response(null, { status: result, headers })
    // The decoded image is RGBA.
    const pixelBytes = String(result.width * result.height * 4)
    return new Response(result.webp, { status: 201, headers: { ...headers, "X-Pixel-Bytes": pixelBytes } })
  },
} satisfies ExportedHandler
