import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

import { afterAll, beforeAll, expect, test } from "vitest"

import { API, call, key, origin } from "../e2e/support.ts"

const run = promisify(execFile)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgepost-full-"))
})
afterAll(() => rm(folder, { recursive: true }))

// Debian's libwebp, not the one that made the file.
test.each(["coast.jpg", "twelfths.png"])("what is stored of %s is a still WebP to other decoders", async (name) => {
  const form = new FormData()
  form.append("file", new Blob([await readFile(`examples/tide/${name}`)]), name)
  const { json } = await call("POST", `${API}/image-upload/`, { headers: { "X-API-KEY": key }, body: form })
  const file = join(folder, `${name}.webp`)
  const picture = await fetch(`${origin}${json.image_url}`)
  await writeFile(file, new Uint8Array(await picture.arrayBuffer()))
  const { stdout } = await run("webpinfo", [file])
  expect(stdout).toContain("No error detected.")
  expect(stdout).not.toContain("ANIM")
  await run("dwebp", ["-quiet", file, "-o", join(folder, `${name}.png`)])
})
