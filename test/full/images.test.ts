import { writeFile } from "node:fs/promises"
import { join } from "node:path"

import { expect, test } from "vitest"

import { newFolder } from "../after-file.ts"
import { key, origin } from "../e2e/support.ts"
import { iccProfile, inJpeg, jpegSegment } from "../images/chunks.ts"
import { withExif } from "../images/exif.ts"
import { clientOf, drawPng, readExample, run, upload } from "./blog.ts"

const folder = await newFolder()

const wideGamut = async () =>
  inJpeg(await readExample("coast.jpg"), jpegSegment(0xe2, "ICC_PROFILE\0", [1, 1], iccProfile()))

/** Makes a large PNG with an alpha gradient. It is too large for libwebp's lossless coder, so its alpha is coded separately. */
const fading = () => drawPng(2048, 1100, (x, y) => [x / 8, y / 8, (x * y) / 9000, Math.min(255, (x + y) / 9)])

// Debian's decoders are independent of the libwebp that made the file.
test.each<[string, () => Promise<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>, string[]]>([
  ["a photo", () => readExample("coast.jpg"), ["VP8"]],
  ["a drawing", () => readExample("twelfths.png"), ["VP8L"]],
  ["a photo with an Exif orientation", async () => withExif(await readExample("coast.jpg"), "jpeg", 6), ["VP8"]],
  ["a photo with an ICC profile", wideGamut, ["VP8X", "ICCP", "VP8"]],
  ["a large image with a gradient of alpha", fading, ["VP8X", "ALPH", "VP8"]],
])("the tools dwebp and webpinfo accept the stored WebP file of %s", async (name, read, chunks) => {
  const { image_url } = await upload(clientOf({ origin, key }), await read())
  const file = join(folder, `${name}.webp`)
  await writeFile(file, await (await fetch(`${origin}${image_url}`)).bytes())
  const output = await run("webpinfo", file)
  expect(output).toContain("No error detected.")
  expect([...output.matchAll(/^Chunk (\S+)/gm)].map(([, chunk]) => chunk)).toEqual(chunks)
  await run("dwebp", "-quiet", file, "-o", join(folder, `${name}.png`))
})
