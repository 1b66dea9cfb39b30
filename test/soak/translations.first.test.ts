import { expect, test } from "vitest"

import { brokenDocuments } from "../translations/guarantee.ts"

// Of test/translations/guarantee.rules.test.ts, with more documents than there is time for in each run; in two files, for
// two cores.
test("25 000 generated documents keep their skeletons, whatever an engine says", async () => {
  expect(await brokenDocuments(10_001, 25_000)).toEqual([])
})
