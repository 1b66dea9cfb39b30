// Makes images small. The editor of the settings and the browser extension share it.

const QUALITIES = [0.9, 0.7, 0.5]

/** A reason why an image cannot be taken, as the end of a sentence. */
export class ImageProblem extends Error {}

/**
 * Returns an image as WebP, or as JPEG where the browser makes no WebP, upright and within the limits. An animation becomes its
 * first frame.
 * @param {Blob} file
 * @param {{ maxSide: number, maxBytes: number }} limits pixels of a side, and bytes of the result
 * @returns {Promise<Blob>}
 * @throws {ImageProblem}
 */
export const shrink = async (file, { maxSide, maxBytes }) => {
  if (file.size === 0) throw new ImageProblem("its file is empty")
  const bitmap = await createImageBitmap(file).catch(() => null)
  if (!bitmap)
    throw new ImageProblem("it has a format that this browser cannot read, or it is damaged. Save it as JPEG or PNG")
  const { width, height } = bitmap
  const scale = Math.min(1, maxSide / Math.max(width, height))
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)))
  const context = canvas.getContext("2d")
  if (!context) throw new ImageProblem(`the browser cannot scale its ${width} × ${height} pixels`)
  context.imageSmoothingQuality = "high"
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  for (const quality of QUALITIES) {
    const webp = await canvas.convertToBlob({ type: "image/webp", quality })
    const blob = webp.type === "image/webp" ? webp : await canvas.convertToBlob({ type: "image/jpeg", quality })
    if (blob.size <= maxBytes) return blob
  }
  throw new ImageProblem(`it has more than ${maxBytes / 2 ** 20} MB, even when it is made small`)
}
