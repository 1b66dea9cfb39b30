import { expect, it } from "vitest"

import { renderFamilies } from "../soak/memory.ts"

// test:soak renders all families.
it("a sample of the hostile families renders in 64 MB: each at the most that is accepted", () => {
  const { status, rendered, families } = renderFamilies(0, 24)
  expect(status).toBe(0)
  expect(rendered).toEqual(families)
})
