import type { Effort } from "./effort.ts"
import { AT_MARGIN, mayLeaveOpen } from "./fences.ts"
import type { Line } from "./lines.ts"

// What lies between two places where nothing but code and HTML goes on: a block, unless these hold it together with the next.

/** Adds for the second time what is parsed twice: what leaves code or HTML open, and what comes behind it. */
export const measureParts = (effort: Effort) => {
  /** All that was taken before the part. */
  let before = effort.total()
  /** Whether a line of it may leave these open, and the part before it does. */
  let mayOpen = false
  let wasOpen = false
  let hasFence = false
  return {
    add: ({ text, isCode }: Line, last: Line | undefined): void => {
      mayOpen ||= !(isCode && last?.isCode) && mayLeaveOpen(text)
      hasFence ||= AT_MARGIN.test(text)
    },
    /** Whether what stands in the part may be held together with the next: else all of it is code or HTML, or nothing is open. */
    mayHold: (): boolean => mayOpen || hasFence,
    end: (isOpen: boolean, number: number): void => {
      const isLeftOpen = isOpen && mayOpen
      effort.add("code and HTML", isLeftOpen || wasOpen ? effort.total() - before : 0, number)
      ;[before, mayOpen, hasFence, wasOpen] = [effort.total(), false, false, isLeftOpen]
    },
  }
}
