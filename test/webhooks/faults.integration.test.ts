import { expect, it } from "vitest"

import { searchEvents, WRITES } from "./faults.ts"

// All faults at all calls of each write are in test/soak/webhooks.test.ts.

it("each event arrives under one id if any one call fails after its effect, in the first write that makes this call", async () => {
  const known = new Set<string>()
  for (const [name, write] of Object.entries(WRITES)) {
    const { calls, broken } = await searchEvents(write, ["after"], known)
    expect(calls, name).toBeGreaterThan(4)
    expect(broken, name).toEqual([])
  }
})
