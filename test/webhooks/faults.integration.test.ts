import { expect, it } from "vitest"

import { searchEvents, WRITES } from "./faults.ts"

// All faults are in test/soak/webhooks.test.ts.

it.each(Object.entries(WRITES))(
  "the event of %s arrives under one id if any one call of write, queue, job and delivery fails after its effect",
  async (_, write) => {
    const { calls, broken } = await searchEvents(write, ["after"])
    expect(calls).toBeGreaterThan(4)
    expect(broken).toEqual([])
  },
)
