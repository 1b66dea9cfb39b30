// Writes the types of the npm package's client from openapi.json; with --check it only compares.
import { spawnSync } from "node:child_process"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"

import { typesOf } from "../packages/openapi-types/index.ts"
import { ROOT } from "./tools.ts"

const FILE = "packages/edgepost/src/client/openapi.ts"
const HEAD = `// Written by \`npm run client\` from public/openapi.json: the calls that take an API key. Do not edit.
/* oxlint-disable */
`

interface Operation {
  security?: Record<string, string[]>[]
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown> }
}

const takesKey = ({ security = [] }: Operation): boolean => security.some((scheme) => "xApiKey" in scheme)

/** Returns the names of the schemas that a part of the document refers to, and those that these refer to. */
const schemasIn = (part: unknown, { schemas }: Document["components"], found = new Set<string>()): Set<string> => {
  // Matches `"$ref":"#/components/schemas/Post"`. Does not match `"$ref":"other.json"`.
  for (const [, name = ""] of JSON.stringify(part).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(name)) continue
    found.add(name)
    schemasIn(schemas[name], { schemas }, found)
  }
  return found
}

/** Keeps the calls that take an API key, and the schemas that they use. */
const keepCallsWithKey = <T extends Document>(document: T): T => {
  const paths: Document["paths"] = {}
  for (const [path, operations] of Object.entries(document.paths)) {
    const kept = Object.entries(operations).filter(([, operation]) => takesKey(operation))
    if (kept.length > 0) paths[path] = Object.fromEntries(kept)
  }
  const used = schemasIn(paths, document.components)
  const schemas = Object.fromEntries(Object.entries(document.components.schemas).filter(([name]) => used.has(name)))
  return { ...document, paths, components: { schemas } }
}

/** Formats a file's text as the whole repository is formatted. */
const format = (input: string): string => {
  const command = join(ROOT, "node_modules/.bin/oxfmt")
  const { error, status, stdout, stderr } = spawnSync(command, [`--stdin-filepath=${FILE}`], {
    cwd: ROOT,
    input,
    encoding: "utf8",
  })
  if (error || status !== 0) throw error ?? new Error(stderr)
  return stdout
}

const document = JSON.parse(await readFile(join(ROOT, "public/openapi.json"), "utf8"))
const text = format(HEAD + (await typesOf(keepCallsWithKey(document))))

if (process.argv.includes("--check")) {
  const committed = await readFile(join(ROOT, FILE), "utf8").catch(() => "")
  if (committed !== text) {
    console.error(`${FILE} is out of date: run \`npm run client\` and commit it.`)
    process.exit(1)
  }
} else {
  await writeFile(join(ROOT, FILE), text)
}
