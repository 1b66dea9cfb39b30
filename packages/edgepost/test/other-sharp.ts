import sharp, { type JpegOptions, type PngOptions, type Sharp } from "sharp"

// Loaded before the command line, it makes another version of the converter: the same images get other bytes.

const prototype = sharp.prototype as Sharp
const { png, jpeg } = prototype
prototype.png = function (this: Sharp, options?: PngOptions) {
  return png.call(this, { ...options, compressionLevel: 1 })
}
prototype.jpeg = function (this: Sharp, options?: JpegOptions) {
  return jpeg.call(this, { ...options, quality: 70 })
}
