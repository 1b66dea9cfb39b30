// Checks that no two files of src/, or of a package, export the same name: an import by name then has one meaning.
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

import { Failure, main } from "./cli.ts"
import { ROOT } from "./tools.ts"

/** Matches `export const a`, `export async function a`, `export type A`. Does not match `export { a } from "./a.ts"`. */
const EXPORT =
  /^export (?:default )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|type|interface|enum) (\w+)/gm

/** Returns a message for each name that two files of a folder export. */
const repeatedIn = (folder: string): string[] => {
  const filesByName = new Map<string, Set<string>>()
  for (const file of globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT }))
    for (const [, name = ""] of readFileSync(join(ROOT, file), "utf8").matchAll(EXPORT))
      filesByName.set(name, (filesByName.get(name) ?? new Set()).add(file))
  return [...filesByName].flatMap(([name, files]) =>
    files.size > 1 ? [`${name} is exported by ${[...files].join(" and ")}. Rename one.`] : [],
  )
}

await main(() => {
  const repeated = globSync(["src", "packages/*/src"], { cwd: ROOT }).flatMap(repeatedIn)
  if (repeated.length > 0) throw new Failure(repeated.join("\n"))
})
