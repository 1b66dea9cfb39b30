import { expect, it } from "vitest"

import { brokenDocuments, brokenExamples } from "./guarantee.ts"

// An honest engine's translation has every word and nothing else changed; one fault keeps one segment's source; whatever an
// engine says, the skeleton stays.
it("2000 generated documents; test:soak has more", async () => {
  expect(await brokenDocuments(1, 2000)).toEqual([])
})

it("every example of CommonMark, and all of them in one document", async () => {
  expect(await brokenExamples()).toEqual([])
})
