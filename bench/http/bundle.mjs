// Workers as they would be deployed: bundled by wrangler from the service's own wrangler.toml.
import { readdirSync } from "node:fs"
import { basename, join } from "node:path"

import { runTool } from "../../scripts/tools.ts"

/** Bundles a Worker into a folder. @returns the modules for miniflare, the entry first */
export const bundle = (entry, folder) => {
  const outdir = join(folder, basename(entry, ".ts"))
  const { status, output } = runTool("wrangler", ["deploy", entry, "--dry-run", "--outdir", outdir])
  if (status !== 0) throw new Error(output)
  const main = `${basename(entry, ".ts")}.js`
  const wasm = readdirSync(outdir).filter((name) => name.endsWith(".wasm"))
  return {
    modulesRoot: outdir,
    modules: [
      { type: "ESModule", path: join(outdir, main) },
      ...wasm.map((name) => ({ type: "CompiledWasm", path: join(outdir, name) })),
    ],
  }
}
