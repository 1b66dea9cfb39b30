import { expect, test } from "vitest"

import { brokenDocuments, isKept } from "../translations/guarantee.ts"

test("25,000 more generated documents keep their skeletons, and at most 25 of them a segment's source", async () => {
  const broken = await brokenDocuments(35_001, 25_000)
  expect(broken.filter((document) => !isKept(document))).toEqual([])
  expect(broken.length).toBeLessThanOrEqual(25)
})
