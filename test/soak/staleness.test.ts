import { expect, it } from "vitest"

import { runSequence } from "../edge/staleness.ts"

it("no reader sees a text or an image later than the edge's promise, in 5,000 sequences of reads and writes", async () => {
  let hits = 0
  for (let seed = 1000; seed < 6000; seed += 1) hits += await runSequence(seed)
  expect(hits).toBeGreaterThan(10_000)
})
