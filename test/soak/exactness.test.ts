import { expect, test } from "vitest"

import { compiled, differences, makeOrders } from "../posts/exact.ts"
import { makeDocument, makeLines, randomFrom } from "../posts/generate.ts"
import { compileWhole } from "../posts/plain.ts"

// Of test/posts/exactness.rules.test.ts, with more documents than there is time for in each run.
test.each([
  [20_000, "generated documents", makeDocument],
  [5000, "documents of lines that go on over blank ones, in many pieces", makeLines],
])("%i %s give byte for byte what micromark makes of the whole", (length, _, make) => {
  const random = randomFrom(4)
  const documents = Array.from({ length }, () => make(random))
  expect(differences(documents, compiled, compileWhole)).toEqual([])
})

test("so do the examples of CommonMark in 600 orders", () => {
  expect(differences(makeOrders(600, randomFrom(5)), compiled, compileWhole)).toEqual([])
})
