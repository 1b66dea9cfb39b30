import { expect, it } from "vitest"

import type { Fault } from "../faults/inject.ts"
import { searchEvents, WRITES } from "../webhooks/faults.ts"

const FAULTS: Fault[] = ["before", "after", "unanswered", "overloaded", "dies before", "dies after"]

it.each(Object.entries(WRITES))(
  "the event of %s arrives under one id, however any one call of write, queue, job and delivery fails",
  async (_, write) => {
    const { calls, broken } = await searchEvents(write, FAULTS)
    expect(calls).toBeGreaterThan(4)
    expect(broken).toEqual([])
  },
)
