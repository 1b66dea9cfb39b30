import { describe, expect, it } from "vitest"

import { countCall } from "../../src/images/limiter.ts"

const T = Date.UTC(2030, 0, 1)
const at = (...seconds: number[]): number[] => seconds.map((second) => T + second * 1000)

const run = (accepted: number[], second: number, limit = 3) =>
  countCall(accepted, { limit, windowSeconds: 60 }, T + second * 1000)

describe("a sliding window of 3 in 60 seconds", () => {
  it.each<[string, number[], number, { allowed: boolean; remaining: number; resetSeconds: number }]>([
    ["a call in an empty window", [], 0, { allowed: true, remaining: 2, resetSeconds: 60 }],
    ["the last call that fits", [0, 10], 20, { allowed: true, remaining: 0, resetSeconds: 40 }],
    ["a call too many", [0, 10, 20], 30, { allowed: false, remaining: 0, resetSeconds: 30 }],
    ["a call too many at the same time", [0, 0, 0], 0, { allowed: false, remaining: 0, resetSeconds: 60 }],
    [
      "a call 1 ms before the oldest leaves the window",
      [0, 10, 20],
      59.999,
      { allowed: false, remaining: 0, resetSeconds: 1 },
    ],
    ["a call when the oldest leaves the window", [0, 10, 20], 60, { allowed: true, remaining: 0, resetSeconds: 10 }],
    ["a call after two have left the window", [0, 0, 20], 60, { allowed: true, remaining: 1, resetSeconds: 20 }],
    ["a call long after the window", [0, 10, 20], 600, { allowed: true, remaining: 2, resetSeconds: 60 }],
    ["a call too many after half a second", [0.5, 10, 20], 30, { allowed: false, remaining: 0, resetSeconds: 31 }],
  ])(
    "the upload limiter's countCall, %s: after calls at %j s, a call at %f s returns %j",
    (_, accepted, second, result) => {
      expect(run(at(...accepted), second).result).toEqual(result)
    },
  )

  it.each([
    ["adds an accepted call at the end", at(0, 10), 20, at(0, 10, 20)],
    ["does not add a refused call", at(0, 10, 20), 30, at(0, 10, 20)],
    ["drops calls that have left the window", at(0, 10, 20), 70, at(20, 70)],
  ])("countCall of the upload limiter returns a list of calls that %s", (_, accepted, second, after) => {
    expect(run(accepted, second).accepted).toEqual(after)
  })

  it("the upload limiter's countCall does not change the array of calls that it is given", () => {
    const accepted = at(0)
    run(accepted, 1)
    expect(accepted).toEqual(at(0))
  })
})

it("the upload limiter's countCall accepts a call once the returned resetSeconds have passed", () => {
  for (let ms = 0; ms < 60_000; ms += 777) {
    const { result } = run(at(0, 1.234, 5.678), ms / 1000)
    expect(run(at(0, 1.234, 5.678), ms / 1000 + result.resetSeconds).result.allowed, `at ${ms} ms`).toBe(true)
  }
})

it("the upload limiter's countCall with a limit lowered to 2 refuses until 4 of 5 calls have expired", () => {
  const { result } = run(at(0, 10, 20, 30, 40), 45, 2)
  expect(result).toEqual({ allowed: false, remaining: 0, resetSeconds: 45 })
  expect(run(at(0, 10, 20, 30, 40), 89.999, 2).result.allowed).toBe(false)
  expect(run(at(0, 10, 20, 30, 40), 90, 2).result.allowed).toBe(true)
})
