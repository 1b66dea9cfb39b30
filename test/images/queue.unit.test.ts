import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"

import { runExclusive, withPlace } from "../../src/images/queue.ts"
import { MAX_WAITING_OF_ACCOUNT, MAX_WAITING_UPLOADS, UPLOAD_WAIT_SECONDS } from "../../src/limits.ts"

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal("scheduler", { wait: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)) })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Returns the count of an account's uploads, which allows all of them. */
const newCount = () => {
  const counted = { sum: 0 }
  const count = async () => {
    counted.sum += 1
    return 0
  }
  const giveBack = async () => void (counted.sum -= 1)
  return { counted, count, giveBack }
}

/** Sends an upload that takes `ms` once its turn has come. */
const send = (accountId: string, ms: number, began: string[] = [], counter = newCount()) =>
  withPlace(accountId, counter, async () => {
    began.push(accountId)
    await scheduler.wait(ms)
    return "stored"
  }).catch(({ code }: { code: string }) => code)

describe("withPlace", () => {
  it("withPlace runs uploads of one account one after another, in the order of their arrival", async () => {
    const began: number[] = []
    const all = [0, 1, 2].map((i) =>
      withPlace("ann", newCount(), async () => {
        began.push(i)
        await scheduler.wait(1000)
      }),
    )
    await vi.advanceTimersByTimeAsync(500)
    expect(began).toEqual([0])
    await vi.advanceTimersByTimeAsync(2500)
    await Promise.all(all)
    expect(began).toEqual([0, 1, 2])
  })

  it("withPlace lets accounts take turns, three at a time, and one that has just come is next but one", async () => {
    const began: string[] = []
    const all = ["a", "b", "c"].flatMap((name) => Array.from({ length: 3 }, () => send(name, 1000, began)))
    await vi.advanceTimersByTimeAsync(100)
    all.push(send("late", 1000, began))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await Promise.all(all)).toEqual(Array.from({ length: 10 }, () => "stored"))
    expect(began.join(" ")).toBe("a b c a late b c a b c")
  })

  it("withPlace serves ten uploads of an account also beside five accounts that come back after each upload", async () => {
    const began: string[] = []
    const ten = Array.from({ length: 10 }, () => send("ten", 200, began))
    const others = ["a", "b", "c", "d", "e"].map(async (name) => {
      while (began.filter((other) => other === "ten").length < 10) await send(name, 200, began)
    })
    await vi.advanceTimersByTimeAsync(6000)
    expect(await Promise.all(ten)).toEqual(Array.from({ length: 10 }, () => "stored"))
    await Promise.all(others)
  })

  it("withPlace lets no upload that may not be counted take another one's place in a full line", async () => {
    const held = ["a", "b", "c"].map((name) => send(name, 300))
    const waiting = ["a", "b", "c"].flatMap((name) => Array.from({ length: 10 }, () => send(name, 10)))
    await vi.advanceTimersByTimeAsync(100)
    const refusing = { ...newCount(), count: () => Promise.reject(new Error("too many")) }
    await expect(withPlace("late", refusing, async () => {})).rejects.toThrow("too many")
    await vi.advanceTimersByTimeAsync(2000)
    expect(new Set(await Promise.all([...held, ...waiting]))).toEqual(new Set(["stored"]))
  })

  it("withPlace lets ten uploads of an account wait, and refuses and does not count further ones", async () => {
    const counter = newCount()
    const all = Array.from({ length: MAX_WAITING_OF_ACCOUNT + 2 }, () => send("ann", 200, [], counter))
    await vi.advanceTimersByTimeAsync(3000)
    const stored = Array.from({ length: MAX_WAITING_OF_ACCOUNT + 1 }, () => "stored")
    expect(await Promise.all(all)).toEqual([...stored, "busy"])
    expect(counter.counted.sum).toBe(stored.length)
  })

  it("withPlace in a full line lets an account with fewer waiting uploads displace the newest of the one with the most", async () => {
    const counter = newCount()
    const held = ["a", "b", "c"].map((name) => send(name, 500))
    const waiting = ["a", "b", "c"].flatMap((name) => Array.from({ length: 10 }, () => send(name, 10, [], counter)))
    await vi.advanceTimersByTimeAsync(100)
    expect([waiting.length, counter.counted.sum]).toEqual([MAX_WAITING_UPLOADS, MAX_WAITING_UPLOADS])
    const late = send("late", 10, [], counter)
    await vi.advanceTimersByTimeAsync(100)
    expect(await waiting[9]).toBe("busy")
    expect(counter.counted.sum).toBe(MAX_WAITING_UPLOADS)
    await vi.advanceTimersByTimeAsync(2000)
    expect(await late).toBe("stored")
    expect((await Promise.all([...held, ...waiting])).filter((outcome) => outcome === "busy")).toEqual(["busy"])
  })

  it("withPlace refuses an upload that has waited for 25 seconds, and gives its count back", async () => {
    const counter = newCount()
    const first = send("ann", 30_000, [], counter)
    const second = send("ann", 10, [], counter)
    await vi.advanceTimersByTimeAsync((UPLOAD_WAIT_SECONDS - 1) * 1000)
    expect(counter.counted.sum).toBe(2)
    await vi.advanceTimersByTimeAsync(1500)
    expect([await second, counter.counted.sum]).toEqual(["busy", 1])
    await vi.advanceTimersByTimeAsync(5000)
    expect(await first).toBe("stored")
  })

  it("withPlace gives back the place of an upload that fails or may not be counted", async () => {
    await expect(withPlace("ann", newCount(), () => Promise.reject(new Error("damaged")))).rejects.toThrow("damaged")
    const refusing = { ...newCount(), count: () => Promise.reject(new Error("too many")) }
    await expect(withPlace("ann", refusing, async () => {})).rejects.toThrow("too many")
    await expect(withPlace("ann", newCount(), async () => "next")).resolves.toBe("next")
  })

  it("withPlace gives back the place of an upload that never ends, after 120 seconds", async () => {
    void withPlace("bea", newCount(), () => new Promise(() => {}))
    await vi.advanceTimersByTimeAsync(119_000)
    const began: string[] = []
    const next = send("bea", 10, began)
    await vi.advanceTimersByTimeAsync(900)
    expect(began).toEqual([])
    await vi.advanceTimersByTimeAsync(200)
    expect(await next).toBe("stored")
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
