import sharp, { type Sharp } from "sharp"

// Loaded before the command line, it makes another version of the converter: the same images get other bytes.

const prototype = sharp.prototype as Record<"png" | "jpeg", (this: Sharp, options?: object) => Sharp>
const { png, jpeg } = prototype
prototype.png = function (options) {
  return png.call(this, { ...options, compressionLevel: 1 })
}
prototype.jpeg = function (options) {
  return jpeg.call(this, { ...options, quality: 70 })
}
