import { describe, expect, it } from "vitest"

import { runExclusive } from "../../src/images/upload.ts"
import { MAX_WAITING_CONVERSIONS } from "../../src/limits.ts"

describe("runExclusive", () => {
  it("runExclusive runs one image conversion at a time and refuses more when its queue is full", async () => {
    let most = 0
    let now = 0
    const conversions = Array.from({ length: MAX_WAITING_CONVERSIONS + 1 }, () => Promise.withResolvers<null>())
    const results = conversions.map(({ promise }) =>
      runExclusive(async () => {
        most = Math.max(most, ++now)
        await promise
        now -= 1
      }),
    )
    await expect(runExclusive(async () => {})).rejects.toMatchObject({ code: "unavailable" })
    for (const { resolve } of conversions) resolve(null)
    await Promise.all(results)
    expect([most, now]).toEqual([1, 0])
    await expect(runExclusive(async () => "next")).resolves.toBe("next")
  })

  it("runExclusive runs the next image conversion after one that failed", async () => {
    await expect(runExclusive(() => Promise.reject(new Error("damaged")))).rejects.toThrow("damaged")
    await expect(runExclusive(async () => "next")).resolves.toBe("next")
  })
})
