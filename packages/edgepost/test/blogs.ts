import { globSync } from "node:fs"
import { cp, mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"

import sharp from "sharp"

import { newFolder } from "../../../test/after-file.ts"

// Small blogs in the forms of nine tools. Their images are drawn, since files of images say nothing to a reader of code.

/** The images of each blog: path and pixels. */
const IMAGES: Record<string, Record<string, [width: number, height: number]>> = {
  hugo: {
    "content/posts/mending-nets/needle.png": [64, 48],
    "content/posts/mending-nets/knot.png": [2600, 40],
    "static/images/boats.jpg": [80, 60],
  },
  jekyll: { "assets/lamp.gif": [32, 32] },
  astro: { "src/assets/apple.webp": [40, 30], "src/assets/basket.avif": [48, 32] },
  hexo: { "source/_posts/烏龍茶的沖泡/壺.png": [30, 30], "source/images/綠.jpg": [60, 40] },
  eleventy: {},
  docusaurus: { "blog/2022-02-02-first-firing/kiln.png": [50, 50] },
  devto: { "posts/chart.bmp": [4, 2] },
  hashnode: { "sleeper.tiff": [64, 32] },
  obsidian: { "Anhänge/Laib 1.png": [36, 24] },
}

/** Other files, whose formats no library here writes. */
const FILES: Record<string, Record<string, string>> = {
  jekyll: {
    "assets/flag.svg":
      '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect width="60" height="40" fill="#c00"/></svg>',
  },
  vuepress: {
    "docs/.vuepress/public/img/frog.svg":
      '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect width="60" height="40" fill="#0a0"/></svg>',
  },
  hugo: { "content/posts/chart.pdf": "%PDF-1.4" },
}

export const DIALECTS = Object.keys(IMAGES)

/** Returns an uncompressed BMP of 24 bits. */
const bmp = (width: number, height: number): Uint8Array => {
  const row = Math.ceil((width * 3) / 4) * 4
  const file = Buffer.alloc(54 + row * height, 0x7f)
  file.fill(0, 0, 54)
  file.write("BM")
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(54, 10)
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(width, 18)
  file.writeInt32LE(height, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(24, 28)
  return file
}

/** Draws an image in the format of its name. @param hue 0 to 255, so that images can differ */
export const draw = async (path: string, width: number, height: number, hue = 100): Promise<Uint8Array> => {
  if (path.endsWith(".bmp")) return bmp(width, height)
  const background = { r: hue, g: (path.length * 7) % 256, b: (width * 3) % 256 }
  const format = path.slice(path.lastIndexOf(".") + 1) as "png"
  return sharp({ create: { width, height, channels: 3, background } })
    .toFormat(format)
    .toBuffer()
}

/** Draws a photo of about 230 KB: noise that a seed turns. @param width over 2048 for one that must be converted */
export const drawPhoto = (seed: number, width: number): Promise<Buffer> => {
  const height = 88
  const data = Buffer.alloc(width * height * 3)
  for (let i = 0, at = seed; i < data.length; i++) {
    at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0
    data[i] = at >>> 24
  }
  const photo = sharp(data, { raw: { width, height, channels: 3 } })
  return photo.jpeg({ quality: 80, chromaSubsampling: "4:4:4" }).toBuffer()
}

/** Writes a file, with its folders. */
export const write = async (path: string, content: string | Uint8Array): Promise<void> => {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}

/** Copies a blog of `tools/` with its images into a new folder. @returns the folder */
export const copyBlog = async (name: string): Promise<string> => {
  const folder = join(await newFolder(), name)
  const [found] = globSync(`tools/*/blogs/${name}`, { cwd: import.meta.dirname })
  if (found === undefined) throw new Error(`There is no blog ${name}.`)
  await cp(join(import.meta.dirname, found), folder, { recursive: true })
  for (const [path, [width, height]] of Object.entries(IMAGES[name] ?? {}))
    await write(join(folder, path), await draw(path, width, height))
  for (const [path, text] of Object.entries(FILES[name] ?? {})) await write(join(folder, path), text)
  return folder
}
