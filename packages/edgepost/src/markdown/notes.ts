import { applyEdits, type Edit } from "./edits.ts"
import type { Reader } from "./reader.ts"
import type { Span } from "./tree.ts"

// Turns inline notes into footnotes.

/** The limit of notes that become footnotes. */
const MAX_NOTES = 500

/** Adds the edits that turn notes, `^[a]`, into footnotes, with their converted text at the end. A note that an edit crosses stays. */
export const moveNotes = ({ text }: Reader, edits: Edit[], notes: Span[]): Edit[] => {
  let label = "note"
  while (text.includes(`[^${label}-`)) label += "-x"
  const definitions: string[] = []
  let rest = edits
  for (const { start, end } of notes.slice(0, MAX_NOTES)) {
    const [from, to] = [start + 2, end - 1]
    const others = rest.filter((edit) => edit.end <= start || edit.start >= end)
    const inner = rest.filter((edit) => edit.start >= from && edit.end <= to)
    if (others.length + inner.length < rest.length) continue
    const moved = inner.map((edit) => ({ ...edit, start: edit.start - from, end: edit.end - from }))
    const name = `[^${label}-${definitions.length + 1}]`
    // Matches the end of a line with the quote markers of the next. Does not match ` > `.
    definitions.push(
      `${name}: ${applyEdits(text.slice(from, to), moved)
        .text.replaceAll(/\s*\n[ \t>]*/g, " ")
        .trim()}`,
    )
    rest = [...others, { start, end, text: name }]
  }
  if (definitions.length === 0) return edits
  const gap = text.endsWith("\n") ? "\n" : "\n\n"
  return [...rest, { start: text.length, end: text.length, text: gap + definitions.join("\n") }]
}
