// Writes openapi.json from the schemas; with --check it only compares.
import { readFile, writeFile } from "node:fs/promises"

import { buildOpenApi } from "../src/docs/openapi.ts"

const FILE = new URL("../public/openapi.json", import.meta.url)
const text = `${JSON.stringify(buildOpenApi(), null, 2)}\n`

if (process.argv.includes("--check")) {
  const committed = await readFile(FILE, "utf8").catch(() => "")
  if (committed !== text) {
    console.error("public/openapi.json is out of date: run `npm run openapi` and commit it.")
    process.exit(1)
  }
} else {
  await writeFile(FILE, text)
}
