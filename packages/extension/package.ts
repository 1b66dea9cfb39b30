// Builds the extension, and packs it for the stores of Chrome and Firefox, which take the same file.
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

import { downloadZip } from "client-zip"

import { buildExtension } from "./build.ts"

const DIST = join(import.meta.dirname, "dist")

await buildExtension(DIST)
const { version } = JSON.parse(readFileSync(join(DIST, "manifest.json"), "utf8")) as { version: string }
const files = readdirSync(DIST, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name))
  .toSorted()
  // The same build makes the same bytes.
  .map((path) => ({
    name: path.slice(DIST.length + 1),
    input: readFileSync(path),
    lastModified: new Date(2020, 0, 1),
  }))
const file = join(import.meta.dirname, "../..", `edgepost-extension-${version}.zip`)
writeFileSync(file, Buffer.from(await downloadZip(files).arrayBuffer()))
console.log(`edgepost-extension-${version}.zip`)
