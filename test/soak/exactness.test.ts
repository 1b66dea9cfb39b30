import { expect, inject, test } from "vitest"

import {
  compileAutolinks,
  compileMetered,
  differences,
  makeOrders,
  withoutDifferences,
  writeOurs,
  writePlain,
} from "../markdown/exact.ts"
import { makeDocument, makeInline, makeLines, makeRuns } from "../markdown/generate.ts"
import { compilePlain } from "../markdown/plain.ts"
import { randomFrom } from "../random.ts"

// Runs the checks of test/full/exactness.test.ts with more documents.
const SEARCHES: [count: number, name: string, make: (random: () => number) => string][] = [
  [20_000, "generated documents", makeDocument],
  [3000, "generated documents of lines that continue over blank lines", makeLines],
  [200_000, "random short texts of addresses and delimiters", makeInline],
  [100_000, "random delimiter runs", makeRuns],
]

/** The documents that are in memory at the same time. */
const PART = 1000
const search = (count: number, make: (random: () => number) => string, check: (documents: string[]) => string[]) => {
  const random = randomFrom(inject("seed"))
  for (let made = 0; made < count; made += PART) {
    const found = check(Array.from({ length: PART }, () => make(random)))
    if (found.length > 0) return found
  }
  return []
}

const differencesOfTrees = (documents: string[]) =>
  differences(documents.map(withoutDifferences), writeOurs, writePlain)

test.each(SEARCHES)(
  "%i %s give the same HTML in edgepost's Markdown parser as in micromark with GFM",
  (count, _, make) => {
    expect(search(count, make, (documents) => differences(documents, compileMetered, compilePlain))).toEqual([])
  },
)

test.each(SEARCHES)(
  "%i %s give the same HTML in micromark with edgepost's autolinks as with GFM's",
  (count, _, make) => {
    expect(search(count, make, (documents) => differences(documents, compileAutolinks, compilePlain))).toEqual([])
  },
)

test.each(SEARCHES)("%i %s give the same elements, attributes and text as in micromark with GFM", (count, _, make) => {
  expect(search(count, make, differencesOfTrees)).toEqual([])
})

test("the CommonMark examples in 600 random orders give the same HTML as in micromark with GFM", () => {
  expect(differences(makeOrders(600, randomFrom(inject("seed"))), compileMetered, compilePlain)).toEqual([])
})
