import { expect, inject, test } from "vitest"

import { sendSequences } from "../requests/sequences.ts"
import { sendOddRequests } from "../requests/single.ts"

// Of test/requests/*.integration.test.ts, with more requests than there is time for in each run: over 20 000.
test("12 000 generated requests, odd at every place of every operation, are answered as documented", async () => {
  expect(await sendOddRequests({ seed: inject("seed"), runs: 70 })).toBeGreaterThan(12_000)
})

test("8 000 requests by two authors in sequence are answered as a model of the API predicts", async () => {
  expect(await sendSequences({ seed: inject("seed"), runs: 270 })).toBeGreaterThan(8000)
})
