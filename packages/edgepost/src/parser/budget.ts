// Limits the work on one document. Work is counted while it is done, and stops at the limit.

import { MAX_PARSER_EVENTS, MAX_PARSER_STEPS } from "../limits.ts"

/** The error of a document that exceeds a limit. Its message tells the author what is wrong and what to do. */
export class TooComplex extends Error {
  /** The line near which the parser stopped, from 1; null if no line is known. */
  line: number | null = null

  constructor(problem: string, advice = "Split it into two posts.") {
    super(`${problem} ${advice}`)
  }

  /** Returns the message with the line, if that is known. @param before the lines of a file that stand before the text */
  messageAt(before = 0): string {
    const { line, message } = this
    if (line === null) return message
    return `Too complex near line ${before + line}: ${message.charAt(0).toLowerCase()}${message.slice(1)}`
  }
}

/** Advice for `TooComplex`. */
export const NEST_LESS = "Nest fewer of them."

/** Counts the work on one document. A step takes about as long as the parser takes for one character: 0.1 µs. */
export class Budget {
  readonly #times: number
  #steps: number
  #events: number

  /** @param times how often the document may be parsed */
  constructor(times = 1) {
    this.#times = times
    this.#steps = times * MAX_PARSER_STEPS
    this.#events = times * MAX_PARSER_EVENTS
  }

  /**
   * Takes steps from the budget.
   * @param construct the plural name of what costs them, for the author
   * @throws TooComplex if the document has used all of its steps
   */
  spend(steps: number, construct = "characters that could start or end markup"): void {
    this.#steps -= steps
    if (this.#steps < 0) throw new TooComplex(`The text has too many ${construct}.`)
  }

  /** Takes events of a finished text from the budget. @throws TooComplex if they exceed it */
  spendEvents(count: number): void {
    this.checkEvents(count)
    this.#events -= count
  }

  /** Checks the events of an unfinished text, of which some may be dropped later. @throws TooComplex if they exceed the budget */
  checkEvents(count: number): void {
    if (count > this.#events) throw new TooComplex(`The text has more than ${MAX_PARSER_EVENTS} elements of markup.`)
  }

  /** The steps that were spent. */
  get usedSteps(): number {
    return this.#times * MAX_PARSER_STEPS - this.#steps
  }
}
