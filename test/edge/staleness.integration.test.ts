import { expect, it } from "vitest"

import { search } from "../search.ts"
import { runSequence } from "./staleness.ts"

it("no reader sees a text or an image of a blog later than the edge's promise after it is gone, or before its time", async () => {
  let hits = 0
  const count = await search(500, async (seed) => (hits += await runSequence(seed)))
  // Otherwise nothing was searched.
  expect(hits).toBeGreaterThan(2 * count)
})
