import { expect, it } from "vitest"

import { search } from "../search.ts"
import { EXAMPLE_COUNT, faultsOfAll, faultsOfExample, faultsOfSeed, isKept } from "./guarantee.ts"

// A correct engine changes every word and nothing else. One wrong answer keeps one segment's source. No answer changes the
// skeleton.
it("translations of generated documents with HTML, math and placeholders change only words; one in 1,000 keeps a segment", async () => {
  let untranslated = 0
  const count = await search(5000, async (seed) => {
    const faults = await faultsOfSeed(seed)
    expect(isKept(faults) ? [] : faults).toEqual([])
    if (faults.length > 0) untranslated += 1
  })
  // Where a template string such as `${a}` and a formula stood in two lines, one line of both may read as another formula.
  expect(untranslated).toBeLessThanOrEqual(count / 1000)
})

it("translations of an example of CommonMark change only words", async () => {
  await search(EXAMPLE_COUNT, async (seed) => expect(await faultsOfExample(seed)).toEqual([]))
})

it("a translation of all examples of CommonMark in one document changes only words", async () => {
  expect(await faultsOfAll()).toEqual([])
})
