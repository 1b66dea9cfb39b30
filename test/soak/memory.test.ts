import { expect, it } from "vitest"

import { renderFamilies } from "./memory.ts"

/** What all families of a process share in memory is no single document's, so several processes share the families. */
const PARTS = 8
const parts = Array.from({ length: PARTS }, (_, part) => part)

it.each(parts)("hostile families of part %i render in 64 MB: each at the most that is accepted", (part) => {
  const { status, rendered, families } = renderFamilies(part, PARTS)
  expect(status).toBe(0)
  expect(rendered).toEqual(families)
})
