import type { Lines } from "./edits.ts"
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
