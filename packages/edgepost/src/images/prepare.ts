import type { Metadata, OutputInfo, Sharp } from "sharp"

import { sha256 } from "../hash.ts"
import { MAX_IMAGE_SIDE_PX, MAX_UPLOAD_BYTES } from "../limits.ts"
import { decodeBmp } from "./bmp.ts"
import { type ImageFormat, type ImageHeader, hasFrames, isHevc, readHeader, sniffFormat } from "./header.ts"

/** Bytes of an image file of the folder; larger ones are not read. */
export const MAX_IMAGE_FILE_BYTES = 64 * 1024 * 1024
/** Pixels of an image that is decoded: four bytes of memory each. */
const MAX_DECODED_PX = 100_000_000
const MAX_SVG_BYTES = 1024 * 1024
/** The dots per inch at which librsvg draws an SVG in its own size. */
const SVG_DPI = 72
/** Times its own size that an SVG is drawn, for sharp lines on dense screens. */
const SVG_SCALE = 2
/** Filters of an SVG can take minutes. */
const MAX_DECODING_SECONDS = 60
/** Qualities of JPEG and WebP to try; at the last, opaque noise of 2048 × 2048 pixels has under 5 MB. */
const QUALITIES = [90, 80, 60]

/** The bytes that go to the service: PNG, JPEG or WebP within its limits. The same file always makes the same bytes. */
export interface PreparedImage {
  bytes: Buffer
  /** SHA-256 of `bytes`, in hex. */
  sha256: string
  warnings: string[]
}

export type ImageErrorCode = "unsupported_image" | "damaged_image" | "image_too_large"

/** An image file that cannot be made an upload. The message says why and what to do, without the file's name. */
export class ImageError extends Error {
  override readonly name = "ImageError"
  readonly code: ImageErrorCode

  constructor(code: ImageErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

const unsupported = (bytes: Buffer): ImageError => {
  if (bytes.length === 0) return new ImageError("damaged_image", "The file is empty. Save the image again.")
  return new ImageError(
    "unsupported_image",
    "The file is no PNG, JPEG, WebP, GIF, AVIF, TIFF, BMP or SVG, whatever its name says. Save the image as PNG or JPEG.",
  )
}

const undecodable = (format: ImageFormat, cause: unknown): ImageError => {
  if (format === "heif" || format === "bmp")
    return new ImageError(
      "unsupported_image",
      `This kind of ${format === "bmp" ? "BMP" : "HEIF, such as HEIC of a phone,"} cannot be read, or it is damaged. Save the image as JPEG or PNG.`,
      cause,
    )
  if (cause instanceof Error && cause.message.startsWith("timeout"))
    return new ImageError("image_too_large", "Decoding takes over a minute. Save the image as PNG.", cause)
  return new ImageError("damaged_image", "The image is damaged: it cannot be decoded. Save it again.", cause)
}

/** Loads sharp when the first image must be converted: most need no conversion. */
const loadSharp = async () => {
  const { default: sharp } = await import("sharp")
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}
type Converter = Awaited<ReturnType<typeof loadSharp>>

const checkSize = ({ width, height }: Pick<Metadata, "width" | "height">): void => {
  if (width * height <= MAX_DECODED_PX) return
  throw new ImageError(
    "image_too_large",
    `The image has ${width} × ${height} pixels; at most ${MAX_DECODED_PX / 1e6} million can be decoded. Send a smaller image.`,
  )
}

/** Opens an image without decoding it. @throws Error if it is damaged */
const open = async (
  sharp: Converter,
  bytes: Buffer,
  format: ImageFormat,
): Promise<{ image: Sharp; metadata: Metadata }> => {
  if (format === "bmp") {
    const pixels = decodeBmp(bytes, MAX_DECODED_PX)
    if (!pixels) throw new Error("The BMP cannot be read.")
    const image = sharp(pixels.data, { raw: { width: pixels.width, height: pixels.height, channels: 3 } })
    return { image, metadata: await image.metadata() }
  }
  const options = { failOn: "error", sequentialRead: true, limitInputPixels: MAX_DECODED_PX } as const
  const metadata = await sharp(bytes, { ...options, limitInputPixels: false }).metadata()
  if (format !== "svg") {
    checkSize(metadata)
    return { image: sharp(bytes, options), metadata }
  }
  const scale = Math.min(SVG_SCALE, MAX_IMAGE_SIDE_PX / Math.max(metadata.width, metadata.height))
  return { image: sharp(bytes, { ...options, density: Math.max(1, SVG_DPI * scale) }), metadata }
}

/** Decodes an image to upright sRGB pixels of at most 2048 a side. */
const decode = (image: Sharp): Promise<{ data: Buffer; info: OutputInfo }> =>
  image
    .autoOrient()
    .resize({ width: MAX_IMAGE_SIDE_PX, height: MAX_IMAGE_SIDE_PX, fit: "inside", withoutEnlargement: true })
    .timeout({ seconds: MAX_DECODING_SECONDS })
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true })

/** Encodes pixels under 5 MB: a photo as JPEG, others as PNG if that is small enough, else as WebP. */
const encode = async (
  sharp: Converter,
  data: Buffer,
  { width, height, channels }: OutputInfo,
  isPhoto: boolean,
): Promise<Buffer> => {
  const pixels = () => sharp(data, { raw: { width, height, channels } })
  const png = isPhoto ? null : await pixels().png().toBuffer()
  if (png && png.length <= MAX_UPLOAD_BYTES) return png
  for (const quality of QUALITIES) {
    const image = isPhoto ? pixels().jpeg({ quality, chromaSubsampling: "4:4:4" }) : pixels().webp({ quality })
    const encoded = await image.toBuffer()
    if (encoded.length <= MAX_UPLOAD_BYTES) return encoded
  }
  throw new ImageError("image_too_large", "The image cannot be made smaller than 5 MB. Send a smaller image.")
}

// Matches `<foreignObject`, `<image href="a.png"` and `<use xlink:href='a.svg#b'`. Does not match `<use href="#b"` and `<image href="data:image/png`.
const NOT_DRAWN = /<foreignObject\b|<(?:image|use)\b[^<>]*[\s:]href\s*=\s*["'](?!#|data:)/i

const isSide = (px: number): boolean => px >= 1 && px <= MAX_IMAGE_SIDE_PX

/** Tells whether the service takes a file as it is. */
const isAccepted = ({ width, height, isAnimated, isComplete }: ImageHeader, { length }: Buffer): boolean =>
  isSide(width) && isSide(height) && !isAnimated && isComplete && length <= MAX_UPLOAD_BYTES

const convert = async (bytes: Buffer, format: ImageFormat): Promise<Buffer> => {
  const sharp = await loadSharp()
  try {
    const { image, metadata } = await open(sharp, bytes, format)
    const { data, info } = await decode(image)
    const isPhoto = (format === "jpeg" || format === "heif") && !metadata.hasAlpha
    return await encode(sharp, data, info, isPhoto)
  } catch (error) {
    throw error instanceof ImageError ? error : undecodable(format, error)
  }
}

/** The things that the first bytes of an image file tell. */
interface InspectedImage {
  format: ImageFormat
  /** The service takes the file as it is. */
  isAccepted: boolean
  warnings: string[]
}

/** Looks at an image file without decoding it. @throws ImageError if no upload can be made of it, as far as that shows */
export const inspectImage = (bytes: Buffer): InspectedImage => {
  const format = sniffFormat(bytes)
  if (!format) throw unsupported(bytes)
  if (isHevc(bytes, format)) throw undecodable(format, null)
  const header = readHeader(bytes, format)
  if (header) checkSize(header)
  if (header && isAccepted(header, bytes)) return { format, isAccepted: true, warnings: [] }
  if (format === "svg" && bytes.length > MAX_SVG_BYTES)
    throw new ImageError("image_too_large", "The SVG has over 1 MB. Simplify it, or save the image as PNG.")
  const warnings: string[] = []
  if (hasFrames(bytes, format, header))
    warnings.push("It has several frames or pages; only the first is published. Link to a video for the others.")
  if (format === "svg" && NOT_DRAWN.test(bytes.toString()))
    warnings.push(
      "Other files and HTML (foreignObject) in the SVG are not drawn. Save the image as PNG if they are missing.",
    )
  return { format, isAccepted: false, warnings }
}

/**
 * Makes an upload of an image file. A PNG, JPEG or WebP within the service's limits stays as it is, without being decoded;
 * others are turned upright, scaled and converted.
 * @throws ImageError
 */
export const prepareImage = async (file: Buffer): Promise<PreparedImage> => {
  const { format, isAccepted: isReady, warnings } = inspectImage(file)
  const bytes = isReady ? file : await convert(file, format)
  return { bytes, sha256: sha256(bytes), warnings }
}
