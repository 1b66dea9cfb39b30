import { vi } from "vitest"

import type { Answer } from "../../src/translations/engines/engine.ts"
import { pseudo } from "../../src/translations/engines/pseudo.ts"

export interface EngineCall {
  segments: string[]
  from: string
  to: string
}

const original = pseudo.translate
/** Translates as the pseudo engine does. */
export const mark = (segments: string[], from: string, to: string) => original({ segments, from, to })

type Texts = (string | null)[]

/** Records every call of the pseudo engine. `answer` replaces its answers. Restore mocks after the test. */
export const watchEngine = (
  answer: (segments: string[], from: string, to: string) => Promise<Answer | Texts> = mark,
): EngineCall[] => {
  const calls: EngineCall[] = []
  vi.spyOn(pseudo, "translate").mockImplementation(async ({ segments, from, to }) => {
    calls.push({ segments, from, to })
    const answered = await answer(segments, from, to)
    return Array.isArray(answered) ? { texts: answered } : answered
  })
  return calls
}

export interface HeldCall extends EngineCall {
  /** Makes the engine answer. */
  finish: () => void
  fail: () => void
}

/** Holds the engine's answers back. `next` waits for the next call; `most` returns the largest number of concurrent calls. */
export const holdEngine = (keyOf: (segments: string[]) => string = () => "") => {
  const calls: HeldCall[] = []
  const unseen: HeldCall[] = []
  const takers: ((call: HeldCall) => void)[] = []
  const underWay = new Map<string, number>()
  const most = new Map<string, number>()
  const count = (key: string, change: number): void => {
    const now = (underWay.get(key) ?? 0) + change
    underWay.set(key, now)
    most.set(key, Math.max(now, most.get(key) ?? 0))
  }
  vi.spyOn(pseudo, "translate").mockImplementation(async ({ segments, from, to }) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const call = { segments, from, to, finish: resolve, fail: () => reject(new Error("The engine is out.")) }
    calls.push(call)
    const taker = takers.shift()
    if (taker) taker(call)
    else unseen.push(call)
    const key = keyOf(segments)
    for (const name of new Set([key, "all"])) count(name, 1)
    try {
      await promise
      return await mark(segments, from, to)
    } finally {
      for (const name of new Set([key, "all"])) count(name, -1)
    }
  })
  const next = async (): Promise<HeldCall> => unseen.shift() ?? new Promise((resolve) => takers.push(resolve))
  return { calls, next, most: (key = "all") => most.get(key) ?? 0 }
}
