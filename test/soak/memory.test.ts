import { expect, it } from "vitest"

import { renderFamilies } from "./memory.ts"

const KB = 1024
const PARTS = 16
const parts = Array.from({ length: PARTS }, (_, part) => part)

it.each(parts)(
  "hostile Markdown of up to 256 KB (every 16th kind of it from %i on) is rendered or refused in 96 MB",
  (part) => {
    const { count, failed } = renderFamilies(part, PARTS, [64 * KB, 128 * KB, 256 * KB])
    expect(count).toBeGreaterThan(50)
    expect(failed).toEqual([])
  },
)
