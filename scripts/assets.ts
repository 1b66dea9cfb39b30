// Prepares the files that the Worker serves, before wrangler bundles it: those that pages need from npm packages, and those that
// browsers keep for good, under names with a hash of their content.
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join, parse } from "node:path"

import { ROOT } from "./tools.ts"

/** Paths in node_modules and in public. */
const COPIES: [from: string, to: string][] = [
  ["@simplewebauthn/browser/dist/bundle/index.umd.min.js", "assets/vendor/simplewebauthn-browser.js"],
]

const HASHED = ["docs.css", "icon.svg", "settings.css", "site.css"]
/** The module by which the Worker knows the names with hashes. */
const MODULE = join(ROOT, "src/ui/assets.ts")

/** Copies a file unless it is there already. A service that runs in this folder loads each written file again. */
const copy = (from: string, to: string): void => {
  const [bytes, target] = [readFileSync(from), join(ROOT, "public", to)]
  if (existsSync(target) && readFileSync(target).equals(bytes)) return
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, bytes)
}

/** Returns the path at which a file of `public/assets/` is served for good. */
const hashedPath = (file: string): string => {
  const { name, ext } = parse(file)
  const hash = createHash("sha256")
    .update(readFileSync(join(ROOT, "public/assets", file)))
    .digest("hex")
  return `/assets/hashed/${name}-${hash.slice(0, 10)}${ext}`
}

for (const [from, to] of COPIES) copy(join(ROOT, "node_modules", from), to)
const hashed = HASHED.map((file) => [file, hashedPath(file)] as const)
for (const [file, path] of hashed) copy(join(ROOT, "public/assets", file), path)
const names = new Set(hashed.map(([, path]) => basename(path)))
const outdated = readdirSync(join(ROOT, "public/assets/hashed")).filter((name) => !names.has(name))
for (const name of outdated) rmSync(join(ROOT, "public/assets/hashed", name), { force: true })
const lines = hashed.map(([file, path]) => `  ${JSON.stringify(file)}: ${JSON.stringify(path)},\n`)
const written = `/** Paths of files with a hash of their content. \`scripts/assets.ts\` writes them when the Worker is built. */
export const ASSETS = {\n${lines.join("")}} as const\n`
// A written file makes wrangler build again.
if (readFileSync(MODULE, "utf8") !== written) writeFileSync(MODULE, written)
