import { expect, test } from "vitest"

import { sendSequences } from "./sequences.ts"

test("400 requests that two authors send one after the other are answered as the contract says", async () => {
  expect(await sendSequences({ seed: 7, runs: 12 })).toBeGreaterThan(400)
})
