// Builds the extension into dist/, from which Chrome and Firefox load it.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

import { build, type BuildOptions, type Metafile } from "esbuild"

const ROOT = import.meta.dirname
/** The variable to which esbuild assigns what the extractor exports. */
const EXTRACT = "edgepostExtract"

/** Matches the folder of a package in a path of esbuild: `../../node_modules/@a/b`. Does not match `src/a.ts`. */
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/

/** Returns the licences of the packages whose code is in the bundles, which ask to be given along. */
const licencesOf = (metafiles: Metafile[]): string => {
  const inputs = metafiles.flatMap(({ inputs: files }) => Object.keys(files))
  const folders = new Set(inputs.flatMap((file) => PACKAGE.exec(file) ?? []))
  return [...folders]
    .toSorted()
    .map((folder) => {
      const path = join(ROOT, folder)
      const { name, version, license } = JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as Record<
        string,
        string
      >
      const file = readdirSync(path).find((one) => /^licen[cs]e/i.test(one))
      return `${name} ${version} (${license})\n\n${file ? readFileSync(join(path, file), "utf8").trim() : "It has no file of its licence."}`
    })
    .join("\n\n----\n\n")
}

/** Builds the extension into a folder, which is emptied first. */
export const buildExtension = async (folder: string): Promise<void> => {
  const common = {
    absWorkingDir: ROOT,
    outdir: folder,
    bundle: true,
    platform: "browser",
    target: ["chrome121", "firefox142"],
    logLevel: "warning",
    metafile: true as const,
  } satisfies BuildOptions
  rmSync(folder, { recursive: true, force: true })
  const ofPages = await build({
    ...common,
    entryPoints: ["src/background.ts", "src/options.ts", "src/popup.ts"],
    format: "esm",
  })
  // The last expression of an injected script is its result.
  const footer = { js: `${EXTRACT}.page` }
  const ofScript = await build({
    ...common,
    entryPoints: ["src/extract.ts"],
    format: "iife",
    globalName: EXTRACT,
    footer,
    minify: true,
  })
  cpSync(join(ROOT, "static"), folder, { recursive: true })
  cpSync(join(ROOT, "../../LICENSE"), join(folder, "LICENSE"))
  writeFileSync(join(folder, "LICENSES-OF-OTHERS.txt"), `${licencesOf([ofPages.metafile, ofScript.metafile])}\n`)
  const manifest = join(folder, "manifest.json")
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string }
  const written = JSON.parse(readFileSync(manifest, "utf8")) as object
  writeFileSync(manifest, `${JSON.stringify({ ...written, version }, null, 2)}\n`)
}

if (import.meta.main) await buildExtension(join(ROOT, "dist"))
