import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

import { expect, test } from "vitest"

import { ROOMS } from "../../src/tools/index.ts"

const SRC = join(import.meta.dirname, "../../src")

const { folder: _, ...tools } = ROOMS
/** Matches the name of a tool, in code and in comments. Does not match `eleventyExcludeFromCollections` and `nodejs.org`. */
const NAMED = new RegExp(String.raw`(?<!\.)\b(?:11ty|${Object.keys(tools).join("|")})\b`, "gi")

test("no file outside of tools/ names a tool: each has its rules in its own file", () => {
  const files = globSync("**/*.ts", { cwd: SRC }).filter((file) => !file.startsWith("tools/"))
  expect(files.length).toBeGreaterThan(100)
  const named = files.flatMap((file) =>
    Array.from(readFileSync(join(SRC, file), "utf8").matchAll(NAMED), ([name]) => `${file}: ${name}`),
  )
  expect(named).toEqual([])
})
