import { expect, it } from "vitest"

import { runSequence } from "./staleness.ts"

it("no reader sees a text or an image of a blog later than the edge's promise after it is gone, or before its time", async () => {
  let hits = 0
  for (let seed = 0; seed < 25; seed += 1) hits += await runSequence(seed)
  // Otherwise nothing was searched.
  expect(hits).toBeGreaterThan(80)
})
