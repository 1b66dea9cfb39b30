import { describe, expect, it } from "vitest"

import { runExclusive } from "../../src/images/upload.ts"
import { MAX_WAITING_CONVERSIONS } from "../../src/limits.ts"

describe("conversions", () => {
  it("run one at a time; beyond those that may wait, callers are asked to come back", async () => {
    let most = 0
    let now = 0
    const works = Array.from({ length: MAX_WAITING_CONVERSIONS + 1 }, () => Promise.withResolvers<null>())
    const turns = works.map(({ promise }) =>
      runExclusive(async () => {
        most = Math.max(most, ++now)
        await promise
        now -= 1
      }),
    )
    await expect(runExclusive(async () => {})).rejects.toMatchObject({ code: "unavailable" })
    for (const { resolve } of works) resolve(null)
    await Promise.all(turns)
    expect([most, now]).toEqual([1, 0])
    await expect(runExclusive(async () => "next")).resolves.toBe("next")
  })

  it("go on after one that failed", async () => {
    await expect(runExclusive(() => Promise.reject(new Error("damaged")))).rejects.toThrow("damaged")
    await expect(runExclusive(async () => "next")).resolves.toBe("next")
  })
})
