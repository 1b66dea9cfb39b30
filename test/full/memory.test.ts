import { expect, it } from "vitest"

import { renderFamilies } from "../soak/memory.ts"

// test:soak renders all families.
it("every 24th hostile family at 256 KB is rendered or refused in 96 MB", () => {
  const { count, failed } = renderFamilies(0, 24, [256 * 1024])
  expect(count).toBeGreaterThan(10)
  expect(failed).toEqual([])
})
