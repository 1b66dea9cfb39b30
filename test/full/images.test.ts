import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { deflateSync } from "node:zlib"

import { afterAll, beforeAll, expect, test } from "vitest"

import { API, call, key, origin } from "../e2e/support.ts"
import { bytesOf, iccProfile, inJpeg, jpegSegment, pngChunk, pngHead } from "../images/chunks.ts"
import { withExif } from "../images/exif.ts"

const run = promisify(execFile)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgepost-full-"))
})
afterAll(() => rm(folder, { recursive: true }))

const example = async (name: string) => Uint8Array.from(await readFile(`examples/tide/${name}`))

const wideGamut = async () =>
  inJpeg(await example("coast.jpg"), jpegSegment(0xe2, "ICC_PROFILE\0", [1, 1], iccProfile()))

/** Makes a large PNG with an alpha gradient. It is too large for libwebp's lossless coder, so its alpha is coded separately. */
const fading = () => {
  const [width, height] = [2048, 1100]
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Array.from({ length: width }, (__, x) => [x / 8, y / 8, (x * y) / 9000, Math.min(255, (x + y) / 9)])
    return [0, ...row.flat().map(Math.floor)]
  })
  const pixels = deflateSync(Uint8Array.from(rows.flat()))
  return bytesOf(pngHead(width, height), pngChunk("IDAT", pixels), pngChunk("IEND"))
}

// Debian's decoders are independent of the libwebp that made the file.
test.each<[string, () => Promise<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>, string[]]>([
  ["a photo", () => example("coast.jpg"), ["VP8"]],
  ["a drawing", () => example("twelfths.png"), ["VP8L"]],
  ["a photo with an Exif orientation", async () => withExif(await example("coast.jpg"), "jpeg", 6), ["VP8"]],
  ["a photo with an ICC profile", wideGamut, ["VP8X", "ICCP", "VP8"]],
  ["a large image with a gradient of alpha", fading, ["VP8X", "ALPH", "VP8"]],
])("the tools dwebp and webpinfo accept the stored WebP file of %s", async (name, read, chunks) => {
  const form = new FormData()
  form.append("file", new Blob([await read()]), name)
  const { json } = await call("POST", `${API}/image-upload/`, { headers: { "X-API-KEY": key }, body: form })
  expect(json).toMatchObject({ image_url: expect.any(String) })
  const file = join(folder, `${name}.webp`)
  const image = await fetch(`${origin}${json.image_url}`)
  await writeFile(file, new Uint8Array(await image.arrayBuffer()))
  const { stdout } = await run("webpinfo", [file])
  expect(stdout).toContain("No error detected.")
  expect([...stdout.matchAll(/^Chunk (\S+)/gm)].map(([, chunk]) => chunk)).toEqual(chunks)
  await run("dwebp", ["-quiet", file, "-o", join(folder, `${name}.png`)])
})
