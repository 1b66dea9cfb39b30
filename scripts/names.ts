// Checks that no two files of src/ export the same name: an import by name then has one meaning.
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

import { Failure, main } from "./cli.ts"
import { ROOT } from "./tools.ts"

/** Matches `export const a`, `export async function a`, `export type A`. Does not match `export { a } from "./a.ts"`. */
const EXPORT =
  /^export (?:default )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|type|interface|enum) (\w+)/gm

await main(() => {
  const filesByName = new Map<string, Set<string>>()
  for (const file of globSync("src/**/*.{ts,tsx}", { cwd: ROOT }))
    for (const [, name = ""] of readFileSync(join(ROOT, file), "utf8").matchAll(EXPORT))
      filesByName.set(name, (filesByName.get(name) ?? new Set()).add(file))
  const repeated = [...filesByName].filter(([, files]) => files.size > 1)
  if (repeated.length > 0)
    throw new Failure(
      repeated.map(([name, files]) => `${name} is exported by ${[...files].join(" and ")}. Rename one.`).join("\n"),
    )
})
