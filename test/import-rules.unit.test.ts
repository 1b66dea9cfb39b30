import { globSync, readFileSync } from "node:fs"
import { matchesGlob } from "node:path"

import { expect, it } from "vitest"

import config, { SLICES } from "../oxlint.config.ts"

it("each file of src/ has an import rule in oxlint.config.ts", () => {
  const rules = config.overrides?.filter((override) => "no-restricted-imports" in (override.rules ?? {})) ?? []
  const covered = rules.flatMap(({ files }) => files)
  const files = globSync("src/**/*.{js,ts,tsx}")
  expect(files).toContain("src/webhooks/outbox.ts")
  expect(files.filter((file) => !covered.some((glob) => matchesGlob(file, glob)))).toEqual([])
})

it("docs/architecture.md lists what each slice may import as oxlint.config.ts does", () => {
  const [, listed] = /^slice +may import\n([^`]*)```$/m.exec(readFileSync("docs/architecture.md", "utf8")) ?? []
  const lines = Object.entries(SLICES).map(([slice, allowed]) => `${slice.padEnd(14)}${allowed.join(", ") || "none"}\n`)
  expect(listed).toBe(lines.join(""))
})
