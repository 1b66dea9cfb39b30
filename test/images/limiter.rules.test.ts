import { describe, expect, it } from "vitest"

import { countCall } from "../../src/images/limiter.ts"

const T = Date.UTC(2030, 0, 1)
const at = (...seconds: number[]): number[] => seconds.map((second) => T + second * 1000)

const run = (accepted: number[], second: number, limit = 3) =>
  countCall(accepted, { limit, windowSeconds: 60 }, T + second * 1000)

describe("a sliding window of 3 in 60 seconds", () => {
  it.each<[string, number[], number, { allowed: boolean; remaining: number; resetSeconds: number }]>([
    ["an empty one", [], 0, { allowed: true, remaining: 2, resetSeconds: 60 }],
    ["the last that fits", [0, 10], 20, { allowed: true, remaining: 0, resetSeconds: 40 }],
    ["one too many", [0, 10, 20], 30, { allowed: false, remaining: 0, resetSeconds: 30 }],
    ["one too many in the same moment", [0, 0, 0], 0, { allowed: false, remaining: 0, resetSeconds: 60 }],
    ["a millisecond before the oldest leaves", [0, 10, 20], 59.999, { allowed: false, remaining: 0, resetSeconds: 1 }],
    ["the moment the oldest leaves", [0, 10, 20], 60, { allowed: true, remaining: 0, resetSeconds: 10 }],
    ["no more than has left", [0, 0, 20], 60, { allowed: true, remaining: 1, resetSeconds: 20 }],
    ["long after", [0, 10, 20], 600, { allowed: true, remaining: 2, resetSeconds: 60 }],
    ["parts of a second, rounded up", [0.5, 10, 20], 30, { allowed: false, remaining: 0, resetSeconds: 31 }],
  ])("%s", (_, accepted, second, result) => {
    expect(run(at(...accepted), second).result).toEqual(result)
  })

  it.each([
    ["keeps accepted calls, the newest last", at(0, 10), 20, at(0, 10, 20)],
    ["does not count what it refuses", at(0, 10, 20), 30, at(0, 10, 20)],
    ["forgets what has left", at(0, 10, 20), 70, at(20, 70)],
  ])("%s", (_, accepted, second, after) => {
    expect(run(accepted, second).accepted).toEqual(after)
  })

  it("changes nothing that it was given", () => {
    const accepted = at(0)
    run(accepted, 1)
    expect(accepted).toEqual(at(0))
  })
})

it("honouring resetSeconds succeeds at every moment", () => {
  for (let ms = 0; ms < 60_000; ms += 777) {
    const { result } = run(at(0, 1.234, 5.678), ms / 1000)
    expect(run(at(0, 1.234, 5.678), ms / 1000 + result.resetSeconds).result.allowed, `at ${ms} ms`).toBe(true)
  }
})

it("a limit lowered since is full until all but one less have left", () => {
  const { result } = run(at(0, 10, 20, 30, 40), 45, 2)
  expect(result).toEqual({ allowed: false, remaining: 0, resetSeconds: 45 })
  expect(run(at(0, 10, 20, 30, 40), 89.999, 2).result.allowed).toBe(false)
  expect(run(at(0, 10, 20, 30, 40), 90, 2).result.allowed).toBe(true)
})
