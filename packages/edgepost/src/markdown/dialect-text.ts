import type { Edit, Lines } from "./edits.ts"
import type { Names } from "./theme.ts"
import type { Span } from "./tree.ts"

// What the parts of a dialect are written from.

/** A text, where its code is, and the names that have a meaning in it. */
export interface DialectText {
  text: string
  lines: Lines
  code: Span[]
  names: Names
}

/** Lists the matches of a global pattern that do not begin in code. */
export function* matchesIn({ text, code }: DialectText, pattern: RegExp): Generator<RegExpExecArray> {
  let next = 0
  for (const match of text.matchAll(pattern)) {
    while ((code[next]?.end ?? Infinity) <= match.index) next++
    if ((code[next]?.start ?? Infinity) > match.index) yield match
  }
}

/** Makes an edit that replaces a match. */
export const replaceMatch = ({ index, 0: whole }: RegExpExecArray, text: string): Edit => ({
  start: index,
  end: index + whole.length,
  text,
})
