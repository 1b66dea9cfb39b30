import { expect, it } from "vitest"

import { search } from "../search.ts"
import { faultsOfSeed } from "./glossary-guarantee.ts"

// The engines drop, inflect, move, double and misspell terms, or answer with anything.
it("translated documents keep every kept term, and mark each segment that lacks a translated one", async () => {
  await search(2000, async (seed) => expect(await faultsOfSeed(seed)).toEqual([]))
})
