import { expect, it } from "vitest"

import { ExpiringSet } from "../../src/accounts/expiring-set.ts"

const NOW = new Date("2026-11-30T12:00:00Z")
const after = (ms: number): Date => new Date(NOW.getTime() + ms)

it("a text is remembered until its seconds have passed", () => {
  const texts = new ExpiringSet(3)
  texts.add("a", NOW, 60)
  expect([texts.has("a", after(59_999)), texts.has("a", after(60_000)), texts.has("b", NOW)]).toEqual([
    true,
    false,
    false,
  ])
})

it("the text that was added longest ago is forgotten if there are too many", () => {
  const texts = new ExpiringSet(3)
  expect(texts.isEmpty).toBe(true)
  for (const text of ["a", "b", "c", "a", "d"]) texts.add(text, NOW, 60)
  expect(["a", "b", "c", "d"].filter((text) => texts.has(text, NOW))).toEqual(["a", "c", "d"])
  expect(texts.isEmpty).toBe(false)
})
