import { PhotonImage } from "@cf-wasm/photon"

/**
 * Converts a PNG, JPEG or WebP file to WebP.
 * @returns null when the bytes cannot be decoded
 */
export const convertToWebp = (bytes: Uint8Array): { webp: Uint8Array; width: number; height: number } | null => {
  let image: PhotonImage | undefined
  try {
    image = PhotonImage.new_from_byteslice(bytes)
    return { webp: image.get_bytes_webp(), width: image.get_width(), height: image.get_height() }
  } catch {
    // Photon traps on every undecodable input, without a reason.
    return null
  } finally {
    image?.free()
  }
}
