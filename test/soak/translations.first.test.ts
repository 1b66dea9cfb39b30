import { expect, test } from "vitest"

import { brokenDocuments, isKept } from "../translations/guarantee.ts"

// Of test/translations/guarantee.unit.test.ts, with more documents than there is time for in each run; in two files, for
// two cores.
// Where a template string such as `${a}` and a formula stood in two lines, one line of both may read as another formula.
test("25,000 translated documents keep their Markdown structure, and at most 25 keep a segment untranslated", async () => {
  const broken = await brokenDocuments(10_001, 25_000)
  expect(broken.filter((document) => !isKept(document))).toEqual([])
  expect(broken.length).toBeLessThanOrEqual(25)
})
