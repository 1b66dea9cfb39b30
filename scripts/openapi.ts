// Writes openapi.json from the declarations of all routes; with --check it only compares.
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"

import { build, type Plugin } from "esbuild"

import { ROOT } from "./tools.ts"

const FILE = join(ROOT, "public/openapi.json")

/** Routes import what only workerd has; nothing of it runs here. */
const workerModules: Plugin = {
  name: "worker-modules",
  setup(bundler) {
    bundler.onResolve({ filter: /^cloudflare:/ }, ({ path }) => ({ path, namespace: "worker" }))
    bundler.onLoad({ filter: /.*/, namespace: "worker" }, () => ({ contents: "export class DurableObject {}" }))
  },
}

const { outputFiles } = await build({
  entryPoints: [join(ROOT, "scripts/openapi-document.ts")],
  bundle: true,
  write: false,
  platform: "node",
  format: "esm",
  loader: { ".wasm": "empty" },
  plugins: [workerModules],
  logLevel: "error",
})
const [{ text: bundle } = { text: "" }] = outputFiles
const { default: document } = await import(`data:text/javascript,${encodeURIComponent(bundle)}`)
const text = `${JSON.stringify(document, null, 2)}\n`

if (process.argv.includes("--check")) {
  const committed = await readFile(FILE, "utf8").catch(() => "")
  if (committed !== text) {
    console.error("public/openapi.json is out of date: run `npm run openapi` and commit it.")
    process.exit(1)
  }
} else {
  await writeFile(FILE, text)
}
