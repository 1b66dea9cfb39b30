import { expect, test } from "vitest"

import { compiled, differences, makeOrders } from "../posts/exact.ts"
import { makeDocument, makeLines, randomFrom } from "../posts/generate.ts"
import { compileWhole } from "../posts/plain.ts"

// Of test/posts/exactness.rules.test.ts, with more documents than there is time for in each run.
test.each([
  ["generated documents", makeDocument],
  ["documents of lines that go on over blank ones, many of them in pieces", makeLines],
])(
  "20 000 %s give byte for byte what micromark makes of the whole",
  (_, make) => {
    const random = randomFrom(4)
    const documents = Array.from({ length: 20_000 }, () => make(random))
    expect(differences(documents, compiled, compileWhole)).toEqual([])
  },
  600_000,
)

test("so do the examples of CommonMark in 600 orders", () => {
  expect(differences(makeOrders(600, randomFrom(5)), compiled, compileWhole)).toEqual([])
}, 600_000)
