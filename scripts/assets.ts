// Copies files that pages need from npm packages to the folder that the Worker serves. wrangler runs this before it bundles.
import { copyFileSync, mkdirSync } from "node:fs"
import { dirname, join } from "node:path"

import { ROOT } from "./tools.ts"

/** Paths in node_modules and in public. */
const COPIES: [from: string, to: string][] = [
  ["@simplewebauthn/browser/dist/bundle/index.umd.min.js", "assets/vendor/simplewebauthn-browser.js"],
]

for (const [from, to] of COPIES) {
  const target = join(ROOT, "public", to)
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(join(ROOT, "node_modules", from), target)
}
