// Builds the extension into dist/, from which Chrome and Firefox load it.
import { cpSync, rmSync } from "node:fs"
import { join } from "node:path"

import { build, type BuildOptions } from "esbuild"

const ROOT = import.meta.dirname
const OUT = join(ROOT, "dist")

const COMMON: BuildOptions = {
  absWorkingDir: ROOT,
  outdir: OUT,
  bundle: true,
  platform: "browser",
  target: ["chrome120", "firefox142"],
  legalComments: "linked",
  logLevel: "warning",
}

rmSync(OUT, { recursive: true, force: true })
await build({ ...COMMON, entryPoints: ["src/background.ts", "src/options.ts", "src/popup.ts"], format: "esm" })
// The last expression of an injected script is its result.
const name = "edgepostExtract"
await build({
  ...COMMON,
  entryPoints: ["src/extract.ts"],
  format: "iife",
  globalName: name,
  footer: { js: `${name}.page` },
})
cpSync(join(ROOT, "static"), OUT, { recursive: true })
