import { ITEM, type Line, linesOf } from "../tools/lines.ts"
import type { DialectText } from "./dialect-text.ts"
import { type Edit, matchesIn } from "./edits.ts"
import { between } from "./formulas.ts"

// Writes terms, and the lines below them that begin with `: `, as a list of descriptions, which the service has as HTML.

/** Matches the start of a description: `: a`, `  :   a`. Does not match `:a` and `::`. */
const SIGN = /^[ \t]*:[ \t]+(?=\S)/gm
/** Matches the start of a line that is no term: of a heading, a quote, a table, a tag of any syntax, a list of attributes, a formula, a rule. Does not match `a`. */
const NO_TERM = /^(?:[#>|<:]|\{[{%:]|\$\$|[*_-](?:\s*[*_-]){2,}$)/

/** A term or a description, from the first of its lines to the last. */
interface Part {
  name: "dt" | "dd"
  first: Line
  last: Line
  within: Line[]
}

const isTerm = ({ text, isCode }: Line): boolean => text !== "" && !isCode && !NO_TERM.test(text) && !ITEM.test(text)

/**
 * Reads the list of descriptions that begins at a line.
 * @param signs the widths of the starts of descriptions, by the places of their lines
 * @returns its parts, none if there is no list, and the line after it
 */
const partsFrom = (lines: Line[], signs: Map<number, number>, from: number): { parts: Part[]; end: number } => {
  const skipBlank = (i: number): number => (lines[i]?.text === "" ? i + 1 : i)
  const isSign = (i: number): boolean => signs.has(lines[i]?.start ?? -1)
  const parts: Part[] = []
  let end = from
  for (;;) {
    const start = skipBlank(end)
    let at = start
    while (at < lines.length && isTerm(lines[at] as Line)) at++
    const { indent } = lines[skipBlank(at)] ?? { indent: 0 }
    const terms = lines.slice(start, at)
    // What is indented by four more is code.
    if (!isSign(skipBlank(at)) || terms.length === 0 || terms.some((line) => Math.abs(line.indent - indent) > 3))
      return { parts, end: Math.max(end, at) }
    for (const line of terms) parts.push({ name: "dt", first: line, last: line, within: [] })
    while (isSign(skipBlank(at))) {
      const first = skipBlank(at)
      let last = first
      // Lines of the same paragraph, and parts that are indented.
      for (at = first + 1; at < lines.length && !isSign(at); at++) {
        const line = lines[at] as Line
        const isApart = line.isCode || NO_TERM.test(line.text) || ITEM.test(line.text) || lines[at - 1]?.text === ""
        if (line.text !== "" && line.indent < indent + 2 && isApart) break
        if (line.text !== "") last = at
      }
      at = last + 1
      const [opening, closing] = [lines[first] as Line, lines[last] as Line]
      parts.push({ name: "dd", first: opening, last: closing, within: lines.slice(first + 1, at) })
    }
    end = at
  }
}

/** Writes lists of descriptions as HTML around Markdown. */
export const writeDefinitions = (source: DialectText): Edit[] => {
  if (source.names.markup.hasDefinitions !== true) return []
  const formulas = [...between(source.text, "$$", "$$")]
  const found = [...matchesIn(source, SIGN)].filter(
    ({ index }) => !formulas.some((one) => one.start < index && index < one.end),
  )
  const signs = new Map(found.map(({ index, 0: sign }) => [index, sign.length]))
  if (signs.size === 0) return []
  const lines = linesOf(source.text)
  const edits: Edit[] = []
  for (let at = 0; at < lines.length;) {
    const { parts, end } = partsFrom(lines, signs, at)
    at = Math.max(end, at + 1)
    const blanks = parts[0] ? source.text.slice(parts[0].first.start, parts[0].first.at) : ""
    const next = `\n${blanks}`
    for (const [i, { name, first, last, within }] of parts.entries()) {
      const width = signs.get(first.start) ?? first.at - first.start
      const opening = `${blanks}${i === 0 ? `<dl>${next}` : ""}<${name}>\n${next}`
      edits.push({ start: first.start, end: first.start + width, text: opening })
      for (const line of within)
        edits.push({ start: line.start, end: line.start + Math.min(line.at - line.start, width), text: blanks })
      const closing = `\n${next}</${name}>${i === parts.length - 1 ? `${next}</dl>\n` : ""}`
      edits.push({ start: last.end, end: last.end, text: closing })
    }
  }
  return edits
}
