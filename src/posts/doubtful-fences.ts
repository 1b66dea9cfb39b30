import { ALL_LONG_HTML, endOfFence, MAY_BE_HTML, OPENING_FENCE } from "./fences.ts"
import type { Line } from "./lines.ts"

// Which fences may be open on a line where it is not certain any more what is code: all that follow from what was read.

const NO_FENCE = ""
/** Documents with more are told as if any line might be text. */
const MAX_FENCES = 8

/** What a line may be, whatever of the lines before it was code or HTML. */
interface Doubt {
  mayBeText: boolean
  /** Whether behind it fenced code may be open, or it is not known. */
  mayLeaveFence: boolean
  /** Whether HTML that goes on over blank lines may end with it. */
  mayEndHtml: boolean
}

/** Follows fences from line to line, in all the ways in which these may be read. */
export const followDoubt = (): ((line: Line) => Doubt) => {
  /** What may be open, and what is if the HTML that may have begun is HTML. */
  let fences = new Set([NO_FENCE])
  let ifHtml = new Set<string>()
  /** What HTML may be open that goes on over blank lines. */
  const htmlEnds = new Set<RegExp>()

  const read = ({ rest, depth, mayBeHtml }: Line): Doubt => {
    if (!mayBeHtml) [fences, ifHtml] = [fences.union(ifHtml), new Set()]
    const mayBeText = fences.has(NO_FENCE)
    if (mayBeText && MAY_BE_HTML.test(rest)) {
      ifHtml = ifHtml.union(fences)
      const [, end] = ALL_LONG_HTML.find(([start]) => start.test(rest.trimStart())) ?? []
      if (end) htmlEnds.add(end)
    }
    // A container may end fenced code, or the line may not be in it.
    const next = new Set(depth > 0 ? fences : [])
    const opened = OPENING_FENCE.exec(rest)?.[1] ?? NO_FENCE
    for (const fence of fences)
      if (fence === NO_FENCE) next.add(opened)
      else next.add(endOfFence(fence)(rest) ? NO_FENCE : fence)
    const ended = [...htmlEnds].filter((end) => end.test(rest))
    for (const end of ended) htmlEnds.delete(end)
    if (ended.length > 0) next.add(NO_FENCE)
    fences = next
    return { mayBeText, mayLeaveFence: next.size > 1 || !next.has(NO_FENCE), mayEndHtml: ended.length > 0 }
  }

  return (line) => {
    if (line.isLost && fences.size + ifHtml.size <= MAX_FENCES) return read(line)
    if (line.isLost) return { mayBeText: true, mayLeaveFence: true, mayEndHtml: true }
    if (line.mayBeHtml) ifHtml.add(NO_FENCE)
    else ifHtml.clear()
    return { mayBeText: !line.isCode, mayLeaveFence: line.isCode, mayEndHtml: false }
  }
}
