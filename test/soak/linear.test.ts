import { describe, expect, it } from "vitest"

import { FAMILIES } from "../../bench/markdown/families.ts"
import { excesses, GROWING, growthOf, inParagraphs, KB, measure, REFUSED_AT } from "../markdown/steps.ts"

// Runs the checks of test/full/linear.test.ts with all families and longer texts.
const families = Object.entries(FAMILIES)

describe("parsing hostile text", () => {
  it.each(families.filter(([name]) => !GROWING.has(name)))(
    "parsing hostile Markdown takes steps in proportion to its length: %s",
    (name, make) => {
      expect(excesses(make, [16 * KB, 32 * KB, 64 * KB], growthOf(name))).toEqual([])
    },
  )

  it.each(families.filter(([name]) => GROWING.has(name)))(
    "parsing 64 KB of hostile Markdown is refused: %s",
    (_, make) => {
      expect(measure(make(REFUSED_AT)).isRefused).toBe(true)
    },
  )

  it.each(families)(
    "parsing hostile Markdown in small paragraphs takes steps in proportion to its length: %s",
    (name, make) => {
      expect(excesses(inParagraphs(make), [8 * KB, 16 * KB, 32 * KB], growthOf(name))).toEqual([])
    },
  )
})
