import { expect, it } from "vitest"

import { PAIRS, tryAllTurns } from "../requests/pairs.ts"

const counts: string[] = []

it.each(PAIRS)(
  "two writes of one post, in every order of their calls, are as one after the other: %s, %s",
  async (...pair) => {
    const { count, misfits } = await tryAllTurns(pair)
    counts.push(`${pair.join(", ")}: ${count}\n`)
    expect(misfits).toEqual([])
  },
)

it("the orders of two writes that were tried are those of pairs.txt", async () => {
  await expect(counts.join("")).toMatchFileSnapshot("pairs.txt")
})
