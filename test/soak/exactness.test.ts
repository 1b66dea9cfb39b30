import { expect, test } from "vitest"

import {
  compileAutolinks,
  compileMetered,
  differences,
  makeOrders,
  withoutDifferences,
  writeOurs,
  writePlain,
} from "../markdown/exact.ts"
import { makeDocument, makeInline, makeLines, makeRuns, randomFrom } from "../markdown/generate.ts"
import { compilePlain } from "../markdown/plain.ts"

// Of test/markdown/exactness.rules.test.ts, with more documents than there is time for in each run.
const SEARCHES: [count: number, name: string, make: (random: () => number) => string][] = [
  [20_000, "generated documents", makeDocument],
  [3000, "generated documents of lines that go on over blank ones", makeLines],
  [200_000, "random short texts of addresses and delimiters", makeInline],
  [100_000, "random delimiter runs", makeRuns],
]

/** In parts, which memory has room for. */
const PART = 1000
const search = (count: number, make: (random: () => number) => string, check: (documents: string[]) => string[]) => {
  const random = randomFrom(4)
  for (let made = 0; made < count; made += PART) {
    const found = check(Array.from({ length: PART }, () => make(random)))
    if (found.length > 0) return found
  }
  return []
}

const differencesOfTrees = (documents: string[]) =>
  differences(documents.map(withoutDifferences), writeOurs, writePlain)

test.each(SEARCHES)("%i %s give byte for byte the HTML of micromark with GFM", (count, _, make) => {
  expect(search(count, make, (documents) => differences(documents, compileMetered, compilePlain))).toEqual([])
})

test.each(SEARCHES)("%i %s give it with our literal autolinks", (count, _, make) => {
  expect(search(count, make, (documents) => differences(documents, compileAutolinks, compilePlain))).toEqual([])
})

test.each(SEARCHES)("%i %s have a tree with the elements, attributes and text of it", (count, _, make) => {
  expect(search(count, make, differencesOfTrees)).toEqual([])
})

test("the examples of CommonMark in 600 orders give byte for byte the HTML of micromark with GFM", () => {
  expect(differences(makeOrders(600, randomFrom(5)), compileMetered, compilePlain)).toEqual([])
})
