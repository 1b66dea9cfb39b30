import type { Nodes } from "mdast"

import { HTML_POST } from "../folder/paths.ts"
import type { ParsedText } from "./document.ts"
import { applyEdits, type Edit, Lines } from "./edits.ts"
import { between } from "./formulas.ts"
import { rawSpans } from "./raw-spans.ts"
import type { Theme } from "./theme.ts"
import { spanOf } from "./tree.ts"

// Writes single line ends, which some tools show as line breaks, as such: with a backslash.

/** Matches the first and the last line of a formula: `$$`, `> $$`. Does not match `$$ a`. */
const FENCE = /^[ \t>*+-]*\${2,}[ \t]*$/
/** Matches a formula between two such lines. Does not match `$$ a $$`. */
const BLOCK = /^[ \t>*+-]*\${2,}[ \t]*$[^]*?^[ \t>*+-]*\${2,}[ \t]*$/gm
/** Matches the line that makes an alert of a quote: `> [!NOTE]`. Does not match `> [!NOTE] a`. */
const ALERT = /^[ \t>*+\d.)-]*>[ \t]*\[![a-z]+\][ \t]*$/i
/** Matches the end of a word to which a backslash would give another meaning: `a*`, `https://e.x`, `a\`. Does not match `a.`. */
const OPEN = /[*_~\\]$|www\.|:\/\/|@/

/** Lists the nodes of text in which a line may end: not those of headings, and of links whose text is their label. */
function* textsIn(tree: Nodes): Generator<Nodes> {
  const rest = [tree]
  for (let node = rest.pop(); node; node = rest.pop()) {
    if (node.type === "text") yield node
    const isLabel = node.type === "linkReference" && node.referenceType !== "full"
    if ("children" in node && node.type !== "heading" && !isLabel) for (const child of node.children) rest.push(child)
  }
}

/** Returns the edits that make line breaks of the single line ends of a text in Markdown; none where neither the configuration nor the tool knows such. */
export const findLineEnds = (
  text: string,
  { document, tree }: ParsedText,
  file: string,
  { line_breaks, settings }: Theme,
): Edit[] => {
  const hasBreaks = (line_breaks ?? settings.lineBreaks !== null) && !HTML_POST.test(file)
  const found =
    tree && hasBreaks
      ? [...textsIn(tree)].map(spanOf).flatMap(({ start, end }) => {
          const part = text.slice(start, end)
          return Array.from(part.matchAll(/\r\n?|\n/g), ({ index }) => ({ from: start, end: start + index }))
        })
      : []
  if (found.length === 0) return []
  const lines = new Lines(text)
  const code = document.code.map(({ start, end }) => ({ start, end, text: " ".repeat(end - start) }))
  const { text: masked } = applyEdits(text, code)
  const blocks = Array.from(masked.matchAll(BLOCK), ({ index, 0: all }) => ({ start: index, end: index + all.length }))
  const formulas = [...between(masked, "$$", "$$"), ...blocks]
  const skipped = [...formulas, ...rawSpans(text)].toSorted((a, b) => a.start - b.start)
  const lineAt = (at: number | null): string => (at === null ? "" : text.slice(lines.start(at), lines.end(at)))
  const edits: Edit[] = []
  let last = 0
  let covered = 0
  for (const { from, end } of found.toSorted((a, b) => a.end - b.end)) {
    for (let span = skipped[last]; span && span.start <= end; span = skipped[++last])
      covered = Math.max(covered, span.end)
    const line = lineAt(end)
    if (end < covered || FENCE.test(line) || ALERT.test(line) || FENCE.test(lineAt(lines.next(end)))) continue
    let start = end
    // A blank at the end of a line belongs to no word.
    while (start > from && /[ \t]/.test(text[start - 1] ?? "")) start--
    const before = text.slice(lines.start(end), start)
    const word = before.slice(Math.max(before.lastIndexOf(" "), before.lastIndexOf("\t")) + 1)
    edits.push({ start, end, text: OPEN.test(word) ? " \\" : "\\" })
  }
  return edits
}
