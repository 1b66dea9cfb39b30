import { ATTRIBUTES } from "./attributes.ts"
import type { DialectText } from "./dialect-text.ts"
import { type Edit, matchesIn, replaceMatch } from "./edits.ts"
import { sizeOf } from "./sizes.ts"

// Removes attributes after definitions, which CommonMark takes with all below for a paragraph, and writes images of a size in their place.

const GAP = String.raw`(?:[ \t]+|[ \t]*\n[ \t]*)`
const TITLE = String.raw`"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)`
/** Matches a definition with attributes: `[a]: b.png "T" width=9px`, `[a]: b {width=9⏎height=8}`. Does not match `[a]: b "T"` and `[^1]: a b=c`. */
const DEFINITION = new RegExp(
  String.raw`^([ \t>]{0,20}\[(?!\^)((?:\\.|[^[\]\\]){1,500})\]:(?:${GAP})?(<[^<>\n]*>|[^\s<]\S*)(?:${GAP}(${TITLE}))?)` +
    String.raw`(?:${GAP}\{((?:[^{}\n]|\n(?!\s*\n)){1,500})\}|((?:[ \t]+[\w-]+=(?:"[^"\n]*"|'[^'\n]*'|[^\s"']+))+))[ \t]*$`,
  "gm",
)
/** Matches an image with a label, or a label alone: `![a][b]`, `![b][]`, `![b]`. Does not match `![a](b)`. */
const IMAGE = /!\[((?:\\.|[^[\]\\]){1,500})\](?!\()(?:\[([^[\]]{0,500})\])?/g

/** Matches labels in brackets that are no definition, with each label. Does not match `[a]: b`. */
const LABEL = /\[((?:\\.|[^[\]\\]){1,500})\](?!:)/g

const keyOf = (label: string): string => label.trim().replaceAll(/\s+/g, " ").toLowerCase()

export const writeLinkDefinitions = (source: DialectText): Edit[] => {
  const { text, lines } = source
  const edits: Edit[] = []
  const sized = new Map<string, string>()
  let end = -1
  const found = text.includes("]:") ? [...matchesIn(source, DEFINITION)] : []
  if (found.length === 0) return []
  // A line of a dialogue looks alike: `[Ann]: Hello "you" a=b`.
  const used = new Set(Array.from(text.matchAll(LABEL), ([, label = ""]) => keyOf(label)))
  for (const match of found) {
    const [whole, definition = "", label = "", address = "", title = "", list, pairs = ""] = match
    const above = text.slice(lines.start(match.index - 1), Math.max(0, match.index - 1))
    // Matches what a definition may follow: a blank line, another definition. Does not match `a`.
    const isFirst = match.index === 0 || match.index === end + 1 || /^[ \t>]*(?:$|\[[^[\]]+\]:)/.test(above)
    const attributes = (list ?? pairs).replaceAll(/\s+/g, " ").trim()
    if (!isFirst || !used.has(keyOf(label)) || !ATTRIBUTES.test(attributes)) continue
    end = match.index + whole.length
    edits.push(replaceMatch(match, definition))
    if (sizeOf("", attributes) !== "" && !sized.has(keyOf(label)))
      sized.set(keyOf(label), `(${address}${title && ` ${title}`}){${attributes}}`)
  }
  for (const match of sized.size > 0 ? matchesIn(source, IMAGE) : []) {
    const [, alt = "", label = ""] = match
    const written = sized.get(keyOf(label || alt))
    if (written !== undefined) edits.push(replaceMatch(match, `![${alt.replaceAll(/\s+/g, " ")}]${written}`))
  }
  return edits
}
