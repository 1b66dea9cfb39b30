// Builds the extension into dist/, from which Chrome and Firefox load it.
import { cpSync, rmSync } from "node:fs"
import { join } from "node:path"

import { build, type BuildOptions } from "esbuild"

const ROOT = import.meta.dirname
/** The variable to which esbuild assigns what the extractor exports. */
const EXTRACT = "edgepostExtract"

/** Builds the extension into a folder, which is emptied first. */
export const buildExtension = async (folder: string): Promise<void> => {
  const common: BuildOptions = {
    absWorkingDir: ROOT,
    outdir: folder,
    bundle: true,
    platform: "browser",
    target: ["chrome121", "firefox142"],
    logLevel: "warning",
  }
  rmSync(folder, { recursive: true, force: true })
  await build({ ...common, entryPoints: ["src/background.ts", "src/options.ts", "src/popup.ts"], format: "esm" })
  // The last expression of an injected script is its result.
  const footer = { js: `${EXTRACT}.page` }
  await build({ ...common, entryPoints: ["src/extract.ts"], format: "iife", globalName: EXTRACT, footer, minify: true })
  cpSync(join(ROOT, "static"), folder, { recursive: true })
}

if (import.meta.main) await buildExtension(join(ROOT, "dist"))
