import { describe, expect, it } from "vitest"

import { inTurn } from "../../src/images/queue.ts"
import { MAX_WAITING_CONVERSIONS } from "../../src/limits.ts"

/** Work that ends when it is told to. */
const newWork = () => {
  let end = (): void => {}
  const done = new Promise<void>((resolve) => (end = resolve))
  return { work: () => done, end }
}

describe("conversions", () => {
  it("run one at a time; beyond those that may wait, callers are asked to come back", async () => {
    let most = 0
    let now = 0
    const blocks = Array.from({ length: MAX_WAITING_CONVERSIONS + 1 }, newWork)
    const turns = blocks.map(({ work }) =>
      inTurn(async () => {
        most = Math.max(most, ++now)
        await work()
        now -= 1
      }),
    )
    await expect(inTurn(async () => {})).rejects.toMatchObject({ code: "unavailable" })
    for (const { end } of blocks) end()
    await Promise.all(turns)
    expect([most, now]).toEqual([1, 0])
    await expect(inTurn(async () => "next")).resolves.toBe("next")
  })

  it("go on after one that failed", async () => {
    await expect(inTurn(() => Promise.reject(new Error("damaged")))).rejects.toThrow("damaged")
    await expect(inTurn(async () => "next")).resolves.toBe("next")
  })
})
