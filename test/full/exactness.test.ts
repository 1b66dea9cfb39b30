import { expect, test } from "vitest"

import { compiled, differences, makeOrders } from "../posts/exact.ts"
import { makeDocument, randomFrom } from "../posts/generate.ts"
import { compileWhole } from "../posts/plain.ts"

// Of test/posts/exactness.rules.test.ts, with more documents than there is time for in each run.
test("20 000 generated documents give byte for byte what micromark makes of the whole", () => {
  const random = randomFrom(4)
  const documents = Array.from({ length: 20_000 }, () => makeDocument(random))
  expect(differences(documents, compiled, compileWhole)).toEqual([])
}, 600_000)

test("so do the examples of CommonMark in 600 orders", () => {
  expect(differences(makeOrders(600, randomFrom(5)), compiled, compileWhole)).toEqual([])
}, 600_000)
