import { expect, it } from "vitest"

import { PAIRS, tryTurns } from "./pairs.ts"

// test/full/pairs.integration.test.ts has all orders of all pairs.

it.each(PAIRS.slice(0, 6))(
  "two writes of one post whose calls take turns are as one after the other: %s, %s",
  async (...pair) => {
    const orders: (0 | 1)[][] = [
      [0, 1, 0],
      [1, 0, 1],
    ]
    expect(await tryTurns(pair, orders)).toEqual([])
  },
)
