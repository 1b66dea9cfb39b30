import { describe, expect, it } from "vitest"

import { FAMILIES } from "../../bench/markdown/families.ts"
import { excesses, inParagraphs, lateRefusals } from "../posts/steps.ts"

// Of test/posts/linear.rules.test.ts, with more text than there is time for in each run.
describe.each(Object.entries(FAMILIES))("%s", (_, make) => {
  it("is refused, or takes steps in proportion", () => {
    expect(excesses(make, [16, 32, 64])).toEqual([])
  })

  it("so is as much of it in small paragraphs", () => {
    expect(excesses(inParagraphs(make), [8, 16, 32])).toEqual([])
  })

  it("is refused before its blocks are told, also near the length at which it is too much", () => {
    expect(lateRefusals(make)).toEqual([])
  })
})
