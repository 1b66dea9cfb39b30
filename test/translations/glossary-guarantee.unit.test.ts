import { expect, it } from "vitest"

import { brokenGlossaries } from "./glossary-guarantee.ts"

// The engines drop, inflect, move, double and misspell terms, or answer with anything. 2,000 documents, in four parts for the
// time limit of a test.
it.each([1, 501, 1001, 1501])(
  "500 translated documents from seed %i keep every kept term, and mark each segment that lacks a translated one",
  async (first) => {
    expect(await brokenGlossaries(first, 500)).toEqual([])
  },
)
