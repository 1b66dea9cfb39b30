import { expect, it } from "vitest"

import { brokenDocuments, brokenExamples } from "./guarantee.ts"

// A correct engine changes every word and nothing else. One wrong answer keeps one segment's source. No answer changes the
// skeleton.
it("translations of 500 generated documents with HTML, math and placeholders change only words", async () => {
  expect(await brokenDocuments(1, 500)).toEqual([])
})

it("translations of every CommonMark example, and of all in one document, change only words", async () => {
  expect(await brokenExamples()).toEqual([])
})
