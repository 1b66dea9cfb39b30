import { expect, test } from "vitest"

import { brokenDocuments } from "../translations/guarantee.ts"

test("25 000 more generated documents keep their skeletons", async () => {
  expect(await brokenDocuments(35_001, 25_000)).toEqual([])
})
