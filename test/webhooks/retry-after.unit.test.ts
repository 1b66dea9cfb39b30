import { expect, it } from "vitest"

import { readRetryAfter } from "../../src/webhooks/deliver.ts"

const NOW = new Date("2026-12-01T12:00:00Z")

it.each<[text: string, seconds: number | null]>([
  ["", null],
  ["120", 120],
  ["1", 10],
  ["0", null],
  ["000600", 600],
  ["21600", 21_600],
  ["21601", 21_600],
  ["99999999999999999999999", 21_600],
  ["-5", null],
  ["+60", null],
  ["1.5", null],
  ["1e3", null],
  ["60 seconds", null],
  ["60, 120", null],
  ["٦٠", null],
  // The three forms of a date.
  ["Tue, 01 Dec 2026 13:00:00 GMT", 3600],
  ["Tuesday, 01-Dec-26 13:00:00 GMT", 3600],
  ["Tue Dec  1 13:00:00 2026", 3600],
  ["Thu, 31 Dec 2099 00:00:00 GMT", 21_600],
  ["Tue, 01 Dec 2026 12:00:00 GMT", null],
  ["Tue, 01 Dec 2026 11:59:59 GMT", null],
  ["Sunday, 06-Nov-94 08:49:37 GMT", null],
  ["Sun Nov  6 08:49:37 1994", null],
  // Not of these forms, or no dates.
  ["2026-12-01T13:00:00Z", null],
  ["Tue, 01 Dec 2026 13:00:00 +0000", null],
  ["in 2050", null],
  ["Tue, 41 Dec 2026 13:00:00 GMT", null],
  ["Tue, 01 Dez 2026 13:00:00 GMT", null],
  ["Tue, 01 Dec 2026 25:00:00 GMT", null],
  ["13:00:00 GMT", null],
])("Retry-After %j asks to wait %s seconds", (text, seconds) => {
  expect(readRetryAfter(text, NOW)).toBe(seconds)
})
