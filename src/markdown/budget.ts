// What one document may cost. Its work is counted while it is done, and stops where the budget ends.

import { MAX_PARSER_EVENTS, MAX_PARSER_STEPS } from "../limits.ts"

/** A document takes more work than one may. Its message says to the author what is wrong, and what to do. */
export class TooComplex extends Error {
  constructor(problem: string, advice = "Split it into two posts.") {
    super(`${problem} ${advice}`)
  }
}

/** Advice. */
export const NEST_LESS = "Nest fewer of them."

/** What is left of a document's work. One document has one budget, from its text to its tree. */
export class Budget {
  #steps = MAX_PARSER_STEPS
  #events = MAX_PARSER_EVENTS

  /** @throws TooComplex once the steps are used up @param what the construct that takes them, as an author calls it */
  spend(steps: number, what = "characters that markup could begin or end at"): void {
    this.#steps -= steps
    if (this.#steps < 0) throw new TooComplex(`It has too many ${what}.`)
  }

  /** Events are compiled and written afterwards. @throws TooComplex once there are too many */
  keep(events: number): void {
    this.hold(events)
    this.#events -= events
  }

  /** Events that a text has until now, before it is known which stay. @throws TooComplex where memory has no room for them */
  hold(events: number): void {
    if (events > this.#events) throw new TooComplex(`It has more than ${MAX_PARSER_EVENTS} pieces of markup.`)
  }

  /** Steps used until now, for tests and benches. */
  get used(): number {
    return MAX_PARSER_STEPS - this.#steps
  }
}
