// Makes the images: photographs of Debian's mate-backgrounds, cut to size by ImageMagick, drawings, and bombs.
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { deflateSync } from "node:zlib"

import { type Bytes, bytesOf, pngChunk, pngHead } from "../../test/images/chunks.ts"
import { withExif } from "../../test/images/exif.ts"

export interface Input {
  file: string
  kind: string
  /** The file of the upright image, if `file` has an Exif orientation. */
  upright?: string
}

const NATURE = "/usr/share/backgrounds/mate/nature"
const CAMERA = "/usr/share/backgrounds/mate/abstract/Elephants_5640x3172.jpg"
/** A file of the package libgs-common, which imagemagick needs. */
const ADOBE_RGB = "/usr/share/color/icc/ghostscript/a98.icc"
const JPEG = ["-quality", "90", "-sampling-factor", "4:2:0"]
const PROGRESSIVE = ["-quality", "90", "-sampling-factor", "4:4:4", "-interlace", "JPEG"]

/** Returns options for noise like a sensor's. The seed makes it the same each time. */
const noise = (amount: string): string[] => ["-seed", "7", "-attenuate", amount, "+noise", "Gaussian"]
const fill = (size: string): string[] => ["-resize", `${size}^`, "-gravity", "center", "-extent", size]

const magick = (...args: string[]): Buffer => execFileSync("convert", args)

/** Writes the inputs into a folder and returns their names and kinds. */
export const makeInputs = (folder: string): Input[] => {
  const photo = (name: string, source: string, size: string, amount: string | null, ...how: string[]): string => {
    const grain = amount === null ? [] : noise(amount)
    magick(resolve(NATURE, source), ...fill(size), ...grain, "-strip", ...how, join(folder, name))
    return name
  }
  /** Adds an Exif orientation, and writes the upright image to another file. */
  const turn = (name: string): Pick<Input, "file" | "upright"> => {
    const path = join(folder, name)
    writeFileSync(path, withExif(readFileSync(path), "jpeg", 6))
    magick(path, "-auto-orient", "-strip", `${path}.upright.png`)
    return { file: name, upright: `${name}.upright.png` }
  }
  /** Cuts out an ellipse. The width of its soft edge grows with `blur`. */
  const cutOut = (name: string, blur: number): string => {
    const ellipse = ["-fill", "white", "-draw", "ellipse 1024,1024 700,850 0,360", "-blur", `0x${blur}`]
    const mask = ["(", "-size", "2048x2048", "xc:black", ...ellipse, ")"]
    magick(join(folder, name), ...mask, "-alpha", "off", "-compose", "CopyOpacity", "-composite", join(folder, name))
    return name
  }
  const drawing = (name: string, size: string, ground: string, ...draw: string[]): string => {
    magick("-size", size, `xc:${ground}`, ...draw, "-strip", join(folder, name))
    return name
  }
  const webp = (name: string, source: string, ...how: string[]): string => {
    execFileSync("cwebp", ["-quiet", ...how, join(folder, source), "-o", join(folder, name)])
    return name
  }
  const circle = ["-fill", "#c33", "-draw", "circle 500,500 500,200"]
  const rectangle = ["-fill", "#269", "-draw", "roundrectangle 700,300 1500,900 60,60"]
  const text = ["-fill", "#222", "-pointsize", "48", "-annotate", "+80+1100", "Nothing lost, nothing broken, quick."]
  const shapes = [...circle, ...rectangle, ...text]
  const license = readFileSync(join(import.meta.dirname, "../../LICENSE"), "utf8").split("\n")
  const columns = [license.slice(0, 55), license.slice(55, 110)].flatMap((lines, i) => [
    "-annotate",
    `+${60 + 780 * i}+80`,
    lines.join("\n"),
  ])
  const page = ["-fill", "#222", "-pointsize", "18", ...columns]
  const turned = photo("turned.jpg", "Dune.jpg", "2048x1365", "0.35", "-quality", "90", "-profile", ADOBE_RGB)
  return [
    { kind: "photo", file: photo("square.jpg", "Storm.jpg", "2048x2048", "0.35", ...JPEG) },
    { kind: "clean photo", file: photo("clean.jpg", "LadyBird.jpg", "2048x2048", "0.12", ...JPEG) },
    { kind: "photo", file: photo("wide.jpg", "Garden.jpg", "2048x1365", "0.6", ...JPEG) },
    { kind: "photo", file: photo("progressive.jpg", "LadyBird.jpg", "2048x2048", "0.35", ...PROGRESSIVE) },
    { kind: "camera photo", file: photo("camera.jpg", CAMERA, "2048x1365", null, ...JPEG) },
    { kind: "turned photo of a wide gamut", ...turn(turned) },
    { kind: "photo", file: photo("photo.png", "Wood.jpg", "1280x853", "0.35") },
    { kind: "graphic", file: drawing("drawing.png", "1600x1200", "white", ...shapes) },
    { kind: "page of text", file: drawing("text.png", "1600x1200", "white", ...page) },
    { kind: "large graphic", file: drawing("large.png", "2048x2048", "white", ...shapes) },
    { kind: "large alpha", file: drawing("alpha.png", "2048x2048", "none", ...shapes) },
    { kind: "cut-out", file: cutOut(photo("soft.png", "FreshFlower.jpg", "2048x2048", null), 2) },
    { kind: "cut-out with a shadow", file: cutOut(photo("shadow.png", "FreshFlower.jpg", "2048x2048", null), 30) },
    { kind: "WebP photo", file: webp("source.webp", "square.jpg", "-q", "90") },
    { kind: "WebP with alpha", file: webp("alpha.webp", "alpha.png", "-lossless") },
  ]
}

const png = (width: number, height: number, data: Uint8Array, ...chunks: Bytes[]): Bytes =>
  bytesOf(pngHead(width, height), ...chunks, pngChunk("IDAT", data), pngChunk("IEND"))

/** Makes small files that would decode to large data: by their pixels, header, profile or text. */
export const makeBombs = (): Bytes[] => {
  const zeros = deflateSync(Buffer.alloc(100_000_000))
  const flat = deflateSync(Buffer.alloc((2048 * 4 + 1) * 2048))
  const frame = [0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0x08, 0, 0x08, 0, 3, 1, 0x44, 0, 2, 0x11, 1, 3, 0x11, 1]
  return [
    png(2048, 2048, flat),
    png(2048, 2048, zeros),
    png(8000, 8000, zeros),
    png(2048, 2048, flat, pngChunk("iCCP", "p\0\0", zeros)),
    png(2048, 2048, flat, pngChunk("zTXt", "p\0\0", zeros)),
    bytesOf(frame, [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0, 0xff, 0xd9]),
  ]
}
