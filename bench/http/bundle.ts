// Bundles Workers as a deployment does: by wrangler, from the service's own wrangler.toml.
import { readdirSync } from "node:fs"
import { basename, join } from "node:path"

import { runTool } from "../../scripts/tools.ts"

/** Modules for miniflare, the entry first. */
export interface Bundle {
  modulesRoot: string
  modules: { type: "ESModule" | "CompiledWasm"; path: string }[]
}

/** Bundles a Worker into a folder. */
export const bundle = (entry: string, folder: string): Bundle => {
  const outdir = join(folder, basename(entry, ".ts"))
  const { status, output } = runTool("wrangler", ["deploy", entry, "--dry-run", "--outdir", outdir])
  if (status !== 0) throw new Error(output)
  const main = `${basename(entry, ".ts")}.js`
  const wasm = readdirSync(outdir).filter((name) => name.endsWith(".wasm"))
  return {
    modulesRoot: outdir,
    modules: [
      { type: "ESModule", path: join(outdir, main) },
      ...wasm.map((name) => ({ type: "CompiledWasm" as const, path: join(outdir, name) })),
    ],
  }
}
