import { expect, test } from "vitest"

import { sendSequences } from "./sequences.ts"

test("400 generated requests by two authors in sequence are answered as a model of the API predicts", async () => {
  expect(await sendSequences({ seed: 7, runs: 12 })).toBeGreaterThan(400)
})
