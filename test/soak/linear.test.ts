import { describe, expect, it } from "vitest"

import { FAMILIES } from "../../bench/markdown/families.ts"
import { excesses, GROWING, growthOf, inParagraphs, KB, measure, REFUSED_AT } from "../markdown/steps.ts"

// Of test/markdown/linear.rules.test.ts, with more text than there is time for in each run.
const families = Object.entries(FAMILIES)

describe("hostile text is refused, or takes steps in proportion to its length", () => {
  it.each(families.filter(([name]) => !GROWING.has(name)))("%s", (name, make) => {
    expect(excesses(make, [16 * KB, 32 * KB, 64 * KB], growthOf(name))).toEqual([])
  })

  it.each(families.filter(([name]) => GROWING.has(name)))("%s, which is refused at 64 KB", (_, make) => {
    expect(measure(make(REFUSED_AT)).isRefused).toBe(true)
  })

  it.each(families)("%s, in small paragraphs", (name, make) => {
    expect(excesses(inParagraphs(make), [8 * KB, 16 * KB, 32 * KB], growthOf(name))).toEqual([])
  })
})
