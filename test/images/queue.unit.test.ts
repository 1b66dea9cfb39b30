import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"

import { runExclusive, withPlace } from "../../src/images/queue.ts"
import { MAX_WAITING_CONVERSIONS } from "../../src/limits.ts"

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal("scheduler", { wait: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)) })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const BUSY = { code: "busy", extra: { headers: { "Retry-After": "5" } } }

describe("withPlace", () => {
  it("withPlace runs one upload of an account at a time, and refuses a second one at once", async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const first = withPlace("ann", () => promise)
    await expect(withPlace("ann", async () => "second")).rejects.toMatchObject(BUSY)
    resolve("first")
    await expect(first).resolves.toBe("first")
    await expect(withPlace("ann", async () => "third")).resolves.toBe("third")
  })

  it("withPlace runs uploads of three accounts at once, and refuses a fourth one", async () => {
    const { promise, resolve } = Promise.withResolvers<null>()
    const held = Array.from({ length: MAX_WAITING_CONVERSIONS + 1 }, (_, i) => withPlace(`author-${i}`, () => promise))
    await expect(withPlace("ann", async () => {})).rejects.toMatchObject(BUSY)
    resolve(null)
    await Promise.all(held)
    await expect(withPlace("ann", async () => "next")).resolves.toBe("next")
  })

  it("withPlace gives back the place of an upload that fails", async () => {
    await expect(withPlace("ann", () => Promise.reject(new Error("damaged")))).rejects.toThrow("damaged")
    await expect(withPlace("ann", async () => "next")).resolves.toBe("next")
  })

  it("withPlace gives back the place of an upload that never ends, after 110 seconds", async () => {
    void withPlace("bea", () => new Promise(() => {}))
    vi.advanceTimersByTime(109_999)
    await expect(withPlace("bea", async () => {})).rejects.toMatchObject(BUSY)
    vi.advanceTimersByTime(1)
    await expect(withPlace("bea", async () => "next")).resolves.toBe("next")
  })
})

describe("runExclusive", () => {
  it("runExclusive runs one conversion at a time, with the given pause before each", async () => {
    const began: number[] = []
    const start = Date.now()
    const convert = async () => {
      began.push(Date.now() - start)
      await scheduler.wait(1000)
    }
    const both = [runExclusive(50, convert), runExclusive(50, convert)]
    await vi.advanceTimersByTimeAsync(3000)
    await Promise.all(both)
    expect(began).toEqual([50, 1110])
  })

  it("runExclusive runs the next conversion after one that failed", async () => {
    const failed = runExclusive(0, () => Promise.reject(new Error("damaged"))).catch((error: Error) => error.message)
    await vi.advanceTimersByTimeAsync(100)
    expect(await failed).toBe("damaged")
    const next = runExclusive(0, async () => "next")
    await vi.advanceTimersByTimeAsync(100)
    await expect(next).resolves.toBe("next")
  })

  it("runExclusive runs the next conversion 30 seconds after one that never ends", async () => {
    void runExclusive(0, () => new Promise(() => {}))
    const next = runExclusive(0, async () => "next")
    await vi.advanceTimersByTimeAsync(30_200)
    await expect(next).resolves.toBe("next")
  })
})
