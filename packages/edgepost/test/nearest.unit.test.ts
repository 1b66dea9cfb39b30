import { expect, it } from "vitest"

import { nearest } from "../src/nearest.ts"
import { parseCommandLine } from "../src/options.ts"

const KNOWN = ["limit", "cursor", "status", "tag", "category", "source", "updated_since", "dry_run", "lang_code"]

it.each([
  ["dryRun", "dry_run"],
  ["dry-run", "dry_run"],
  ["DRYRUN", "dry_run"],
  ["dry_rnu", "dry_run"],
  ["tags", "tag"],
  ["categories", "category"],
  ["lang", "lang_code"],
  ["updatedSince", "updated_since"],
  ["since", "updated_since"],
  ["limits", "limit"],
  ["page", undefined],
  ["slug", undefined],
  ["q", undefined],
  ["", undefined],
  ["_", undefined],
  ["日本", undefined],
  ["x".repeat(64), undefined],
])("the known name that was meant by %j is %j", (name, expected) => {
  expect(nearest(name, KNOWN)).toBe(expected)
  expect(nearest(name, [])).toBe(undefined)
})

it.each([
  [["publsh"], "There is no command `publsh`: did you mean publish?"],
  [["remove-all"], "There is no command `remove-all`."],
  [["plan", "--prun"], "Unknown option '--prun': did you mean --prune?"],
  [["plan", "--allowForeign"], "Unknown option '--allowForeign': did you mean --allow-foreign?"],
  [["plan", "--dryrun"], "Unknown option '--dryrun'."],
])("the command line refuses %j: %s", (args, message) => {
  expect(() => parseCommandLine(args)).toThrow(message)
})
