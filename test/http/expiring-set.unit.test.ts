import { expect, it } from "vitest"

import { ExpiringSet } from "../../src/http/expiring-set.ts"

const at = (seconds: number) => new Date(seconds * 1000)

it("a set that is full forgets the text that was added first, and every text after its seconds", () => {
  const set = new ExpiringSet(2)
  for (const text of ["a", "b", "a", "c"]) set.add(text, at(0), 60)
  expect(["a", "b", "c"].map((text) => set.has(text, at(59)))).toEqual([true, false, true])
  expect(set.has("a", at(60))).toBe(false)
})
