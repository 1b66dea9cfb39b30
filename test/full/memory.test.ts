import { expect, it } from "vitest"

import { renderFamilies } from "../soak/memory.ts"

// test:soak renders all families.
it("hostile Markdown of 256 KB (every 24th kind of it) is rendered or refused in at most 96 MB of memory", () => {
  const { count, failed } = renderFamilies(0, 24, [256 * 1024])
  expect(count).toBeGreaterThan(10)
  expect(failed).toEqual([])
})
