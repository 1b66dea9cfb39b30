import { expect, it } from "vitest"

import { searchEvents, WRITES } from "./faults.ts"

// All faults at all calls are in test/soak/webhooks.test.ts.
const known = new Set<string>()

it.each(Object.entries(WRITES))(
  "the event of %s arrives under one id if any one call that no other write makes too fails after its effect",
  async (_, write) => {
    const { calls, broken } = await searchEvents(write, ["after"], known)
    expect(calls).toBeGreaterThan(4)
    expect(broken).toEqual([])
  },
)
