// Fails unless every version is that of package.json: those of the packages, and those that the documents name.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

import { Failure, main } from "./cli.ts"
import { ROOT } from "./tools.ts"

interface Manifest {
  version: string
}

const versionOf = (folder: string): string =>
  (JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8")) as Manifest).version

/** Matches `edgepost/edgepost@v0.3.0` and `edgepost-0.3.0.tgz`. Does not match `actions/checkout@v6`. */
const NAMED = /(?:edgepost\/edgepost@v|\bedgepost-)(\d+\.\d+\.\d+)/g

await main(() => {
  const version = versionOf(".")
  // openapi-types is the tool of a script, and has no version of ours.
  const found = ["packages/edgepost", "packages/extension"].map((name) => [name, versionOf(name)] as const)
  const documents = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"))
  const named = ["README.md", ...documents.map((name) => `docs/${name}`)].flatMap((name) =>
    [...readFileSync(join(ROOT, name), "utf8").matchAll(NAMED)].map(([, one = ""]) => [name, one] as const),
  )
  const wrong = [...found, ...named].filter(([, one]) => one !== version)
  if (wrong.length > 0)
    throw new Failure(wrong.map(([name, one]) => `${name} has ${one}, and package.json ${version}.`).join("\n"))
})
