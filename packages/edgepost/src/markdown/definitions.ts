import { ITEM, type Line, linesOf } from "../tools/lines.ts"
import type { DialectText } from "./dialect-text.ts"
import type { Edit } from "./edits.ts"

// Writes terms, and the lines below them that begin with `: `, as a list of descriptions, which the service has as HTML.

/** Matches the start of a description: `: a`, `:   a`. Does not match `:a` and `::`. */
const SIGN = /^:[ \t]+(?=\S)/
/** Matches the start of a line that is no term: of a heading, a quote, a table, a tag, a list of attributes, a rule. Does not match `a`. */
const NO_TERM = /^(?:[#>|<:]|\{:|[*_-](?:\s*[*_-]){2,}$)/

/** A term or a description, from the first of its lines to the last. */
interface Part {
  name: "dt" | "dd"
  first: Line
  last: Line
  within: Line[]
}

const isTerm = ({ text, isCode, indent }: Line): boolean =>
  text !== "" && !isCode && indent < 4 && !NO_TERM.test(text) && !ITEM.test(text)

/** Reads the list of descriptions that begins at a line. @returns its parts, none if there is no list, and the line after it */
const partsFrom = (lines: Line[], from: number): { parts: Part[]; end: number } => {
  const skipBlank = (i: number): number => (lines[i]?.text === "" ? i + 1 : i)
  const isSign = (i: number): boolean => {
    const line = lines[i]
    return line !== undefined && !line.isCode && line.indent < 4 && SIGN.test(line.text)
  }
  const parts: Part[] = []
  let end = from
  for (;;) {
    const start = skipBlank(end)
    let at = start
    while (at < lines.length && isTerm(lines[at] as Line)) at++
    if (at === start || !isSign(skipBlank(at))) return { parts, end: Math.max(end, at) }
    for (const line of lines.slice(start, at)) parts.push({ name: "dt", first: line, last: line, within: [] })
    while (isSign(skipBlank(at))) {
      const first = skipBlank(at)
      let last = first
      // Lines of the same paragraph, and parts that are indented.
      for (at = first + 1; at < lines.length && !isSign(at); at++) {
        const { text, indent } = lines[at] as Line
        if (text !== "" && indent < 2 && lines[at - 1]?.text === "") break
        if (text !== "") last = at
      }
      at = last + 1
      const [opening, closing] = [lines[first] as Line, lines[last] as Line]
      parts.push({ name: "dd", first: opening, last: closing, within: lines.slice(first + 1, at) })
    }
    end = at
  }
}

/** Writes lists of descriptions as HTML around Markdown. */
export const writeDefinitions = ({ text, names }: DialectText): Edit[] => {
  // Matches a line that may be a description. Does not match `a: b`.
  if (names.markup.hasDefinitions !== true || !/^ {0,3}:[ \t]/m.test(text)) return []
  const lines = linesOf(text)
  const edits: Edit[] = []
  for (let at = 0; at < lines.length;) {
    const { parts, end } = partsFrom(lines, at)
    at = Math.max(end, at + 1)
    for (const [i, { name, first, last, within }] of parts.entries()) {
      const sign = name === "dd" ? (SIGN.exec(first.text)?.[0].length ?? 0) : 0
      const width = first.at + sign - first.start
      const opening = `${i === 0 ? "<dl>\n" : ""}<${name}>\n\n`
      edits.push({ start: first.start, end: first.at + sign, text: opening })
      for (const line of within)
        edits.push({ start: line.start, end: line.start + Math.min(line.at - line.start, width), text: "" })
      const closing = `\n\n</${name}>${i === parts.length - 1 ? "\n</dl>\n" : ""}`
      edits.push({ start: last.end, end: last.end, text: closing })
    }
  }
  return edits
}
