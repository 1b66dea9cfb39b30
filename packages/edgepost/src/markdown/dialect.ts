import { Budget } from "../parser/budget.ts"
import { writeDefinitions } from "./definitions.ts"
import type { DialectText } from "./dialect-text.ts"
import { type Document, type ParsedText, readEdited } from "./document.ts"
import { applyEdits, type Edited, Lines } from "./edits.ts"
import { writeEmoji } from "./emoji-names.ts"
import { writeFormulas } from "./formulas.ts"
import { separateHtml } from "./html-blocks.ts"
import { writeNotices } from "./kramdown-notices.ts"
import { writeKramdown } from "./kramdown.ts"
import { writeLinkDefinitions } from "./link-definitions.ts"
import { rawSpans } from "./raw-spans.ts"
import { writeSizes } from "./sizes.ts"
import type { Names } from "./theme.ts"

// Writes what the blog's tool draws beside Markdown as what the service has, before tags are read.

/** One after the other, since what one writes another may read. */
const STAGES = [
  separateHtml,
  writeKramdown,
  writeDefinitions,
  writeNotices,
  writeFormulas,
  writeLinkDefinitions,
  writeSizes,
  writeEmoji,
]

/** How often all that is parsed again of a text may take what parsing it once may take. */
export const MAX_TIMES_AGAIN = 3

/** Returns the parts of a text that stages read: nothing is drawn in code and in comments. */
const sourceOf = (text: string, { code }: Document, names: Names): DialectText => ({
  text,
  lines: new Lines(text),
  code: [...code, ...rawSpans(text)].toSorted((a, b) => a.start - b.start),
  names,
})

/** Writes a text as the tool draws it. @returns the text, its parts, and a function that finds a place of it in the text before */
export const writeDialect = (
  body: string,
  parsed: ParsedText,
  names: Names,
): Pick<Edited, "oldOffset"> & { body: string; parsed: ParsedText } => {
  const budget = new Budget(MAX_TIMES_AGAIN)
  let found = { body, parsed, oldOffset: (at: number): number => at }
  let source = sourceOf(body, parsed.document, names)
  for (const write of STAGES) {
    const before = found
    if (before.parsed.document.problem !== null) break
    const sorted = write(source).toSorted((a, b) => a.start - b.start || a.end - b.end)
    // Of two that overlap, the first counts.
    let end = 0
    const edits = sorted.filter((edit) => edit.start >= end && (end = edit.end) >= 0)
    if (edits.length === 0) continue
    const { text, oldOffset } = applyEdits(before.body, edits)
    found = {
      body: text,
      parsed: readEdited(before.parsed, before.body, edits, text, budget),
      oldOffset: (at) => before.oldOffset(oldOffset(at)),
    }
    source = sourceOf(text, found.parsed.document, names)
  }
  return found
}
