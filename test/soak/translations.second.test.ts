import { expect, test } from "vitest"

import { brokenDocuments, isKept } from "../translations/guarantee.ts"

test("25,000 more translated documents keep their structure, and at most 25 keep a segment untranslated", async () => {
  const broken = await brokenDocuments(35_001, 25_000)
  expect(broken.filter((document) => !isKept(document))).toEqual([])
  expect(broken.length).toBeLessThanOrEqual(25)
})
