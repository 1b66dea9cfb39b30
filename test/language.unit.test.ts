import { expect, it } from "vitest"

import { byLanguage, directionOf } from "../src/language.ts"
import { MAX_REMEMBERED_LANGUAGES } from "../src/limits.ts"

it("byLanguage computes a value once per language and clears its cache when the cache is full", () => {
  const made: string[] = []
  const lengthOf = byLanguage((code) => made.push(code) && code.length)
  const codes = Array.from({ length: MAX_REMEMBERED_LANGUAGES }, (_, i) => `l-${i}`)
  for (const code of [...codes, ...codes]) expect(lengthOf(code)).toBe(code.length)
  expect(made).toEqual(codes)
  expect([lengthOf("one-more"), lengthOf("l-0"), lengthOf("l-0")]).toEqual([8, 3, 3])
  expect(made.slice(codes.length)).toEqual(["one-more", "l-0"])
})

it.each([
  ["en", "ltr"],
  ["ar", "rtl"],
  ["az-Arab", "rtl"],
  ["az", "ltr"],
])("directionOf returns for the language %s the direction %s, also from its cache", (code, direction) => {
  expect([directionOf(code), directionOf(code)]).toEqual([direction, direction])
})
