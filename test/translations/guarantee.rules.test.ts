import { expect, it } from "vitest"

import { brokenDocuments, brokenExamples } from "./guarantee.ts"

// An honest engine's translation has every word and nothing else changed; one fault keeps one segment's source; whatever an
// engine says, the skeleton stays.
it("2,000 generated documents with HTML, math and markup of other tools are translated without a fault", async () => {
  expect(await brokenDocuments(1, 2000)).toEqual([])
})

it("every example of CommonMark, and all of them in one document, are translated without a fault", async () => {
  expect(await brokenExamples()).toEqual([])
})
