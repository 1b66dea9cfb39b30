import { AUTOLINK } from "./ordinary.ts"

// What closing brackets read back to, counted before a parser does it.

/** Of one character between a closing bracket and the opening one: all of it may be a label. */
const LABEL = 0.4
/** Of one character that a closing bracket reads back in search of a picture's, up to any other opening one that is sure. */
const PICTURED = 1.4
/** Inside of these a bracket is none: code, HTML, escapes, and addresses of links that are not plain. */
const MAY_HIDE_BRACKETS = /[`<\\]|\]\((?![^\s()[\]]*(?:[ \t]"[^"()[\]\r\n]*")?\))/

/**
 * Steps of closing brackets. Where one may be hidden, each could belong to the first opening one.
 * @param isPictured whether they look for calls of footnotes that begin like a picture
 */
export const closingSteps = (text: string, isPictured: boolean): number => {
  if (!text.includes("]")) return 0
  const isHiding = MAY_HIDE_BRACKETS.test(text)
  const isSure = !isHiding && !AUTOLINK.test(text)
  const open: number[] = []
  let [steps, last] = [0, 0]
  for (const { 0: bracket, index } of text.matchAll(/[[\]]/g)) {
    if (bracket === "[") {
      open.push(index)
      if (isSure) last = index
    } else {
      const opening = isHiding ? open[0] : open.pop()
      if (opening !== undefined) steps += LABEL * (index - opening)
      if (isPictured) steps += PICTURED * (index - last)
    }
  }
  return steps
}
