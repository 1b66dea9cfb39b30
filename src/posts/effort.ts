import { MAX_PARSER_STEPS } from "../limits.ts"

/** What a document may cost to parse, by what causes it, in steps of 0.1 to 0.2 µs, or 10 bytes held together. */
export interface Effort {
  /** @param line where what causes it begins */
  add: (cause: string, steps: number, line: number) => void
  total: () => number
  /** What to refuse the document with, if it is more than it may cost. */
  refusal: (most?: number) => string | null
}

export const measureEffort = (): Effort => {
  const causes = new Map<string, { steps: number; most: number; line: number }>()
  let total = 0
  return {
    add(cause, steps, line) {
      if (steps === 0) return
      total += steps
      const known = causes.get(cause)
      if (!known) causes.set(cause, { steps, most: steps, line })
      else {
        known.steps += steps
        if (steps > known.most) Object.assign(known, { most: steps, line })
      }
    },
    total: () => total,
    refusal(most = MAX_PARSER_STEPS) {
      if (total <= most) return null
      const [worst] = [...causes].toSorted(([, a], [, b]) => b.steps - a.steps)
      return worst
        ? `It takes too long to parse, most of all its ${worst[0]}, the most of them from line ${worst[1].line} on.`
        : null
    },
  }
}
