import type { FormulaSigns } from "../tools/tool.ts"
import type { DialectText } from "./dialect-text.ts"
import type { Edit } from "./edits.ts"
import type { Span } from "./tree.ts"

// Writes formulas between signs that the blog's tool or its scripts know as those between dollars.

/** Matches what only formulas have: `\frac`, `a_1`, `x`. Does not match `foo` and `a\|b`. */
const TEX = /\\[a-z]{2}|[=^_<>+]|^\s*[a-z]\s*$/i
/** What scripts such as MathJax draw in the pages of any tool: Markdown removes a backslash of these signs, and of those between. */
const ESCAPED: FormulaSigns[] = [
  { open: String.raw`\\(`, close: String.raw`\\)`, isBlock: false, sign: TEX },
  { open: String.raw`\\[`, close: String.raw`\\]`, isBlock: true, sign: TEX },
]
/** Matches an environment that scripts draw on its own. Does not match `\begin{code}`. */
const ENVIRONMENT = /\\begin\{((?:align|alignat|eqnarray|equation|gather|multline)\*?)\}/g
const MAX_FORMULA_CHARS = 5000

/** Tells whether a text may be one formula: without a blank line, also of a quote. */
const isOne = (text: string): boolean => text.length <= MAX_FORMULA_CHARS && !/\n[ \t>]*\n/.test(text)

/** Lists the parts between two signs, from left to right. */
export function* between(text: string, open: string, close: string): Generator<Span & { tex: string }> {
  let to = -1
  for (let start = text.indexOf(open); start >= 0;) {
    const from = start + open.length
    if (to < from) to = text.indexOf(close, from)
    if (to < 0) return
    const tex = text.slice(from, Math.min(to, from + MAX_FORMULA_CHARS + 1))
    if (isOne(tex) && text[start - 1] !== "\\") yield { start, end: to + close.length, tex }
    start = text.indexOf(open, isOne(tex) ? to + close.length : from)
  }
}

/** Removes the backslashes that Markdown would. Matches `\_` and `\\`. Does not match `\,` and `\frac`. */
const unescape = (text: string): string => text.replaceAll(/\\([\\.*_+`<>()[\]{}#!:|"'$=-])/g, "$1")

const isIn = (spans: Span[], at: number): boolean => spans.some(({ start, end }) => start <= at && at < end)

/** Writes all formulas of a text between dollars. Those of which dollars make none stay. */
export const writeFormulas = ({ text, lines, code, names: { markup } }: DialectText): Edit[] => {
  const edits: Edit[] = []
  const dollars = [...between(text, "$$", "$$")]
  const isAlone = ({ start, end }: Span): boolean => lines.markersBefore(start) !== null && lines.isBlankAfter(end)
  const push = (span: Span, given: string, isBlock: boolean): void => {
    const { start, end } = span
    const tex = given.trim()
    const line = tex.replaceAll(/\s*\n[ \t>]*/g, " ")
    // Matches a dollar, and what may not follow one. Does not match `\$`.
    const isBroken = line === "" || /(?<!\\)\$/.test(line) || (!isBlock && /[\d$]/.test(text[end] ?? ""))
    if (isBroken || text[start - 1] === "$") return
    const next = `\n${lines.continuation(start)}`
    const block = isAlone(span) ? `$$${next}${tex.replaceAll(/\n[ \t>]*/g, next)}${next}$$` : `$$${line}$$`
    edits.push({ start, end, text: isBlock ? block : `$${line}$` })
  }
  const write = (span: Span, given: string, isBlock: boolean): void => {
    if (!isIn(code, span.start)) push(span, given, isBlock)
  }
  let from = 0
  for (const { start, end } of code) {
    // Forges have formulas as code between dollars. Comments hold code.
    const isFormula = start >= from && text[start] === "`" && text[start - 1] === "$" && text[end] === "$"
    from = Math.max(from, end)
    // Matches what stands before a price: `US` of ``US$`5`$``. Does not match ` `.
    if (!isFormula || /[\w\\]/.test(text[start - 2] ?? "") || /\w/.test(text[end + 1] ?? "")) continue
    // In a row of a table a bar has a backslash. Matches the backquotes at both ends.
    const isCell = /^[ \t>]*\|/.test(text.slice(lines.start(start), start))
    const tex = text.slice(start, end).replaceAll(/^`+|`+$/g, "")
    push({ start: start - 1, end: end + 1 }, isCell ? tex.replaceAll(String.raw`\|`, String.raw`\vert `) : tex, false)
  }
  for (const signs of [...ESCAPED, ...(markup.formulas ?? [])])
    for (const span of signs.open === "$$" ? [] : between(text, signs.open, signs.close))
      if (!isIn(dollars, span.start) && (signs.sign?.test(span.tex) ?? true))
        write(span, ESCAPED.includes(signs) ? unescape(span.tex) : span.tex, signs.isBlock)
  // Between two dollars on both sides a formula stands in its line, if other text does. Matches a line end at either side.
  for (const span of markup.isKramdown === true ? dollars : [])
    if (!isAlone(span) && !/^[ \t]*\n|\n[ \t>]*$/.test(span.tex)) write(span, span.tex, false)
  for (const { 1: name = "", index: start } of text.matchAll(ENVIRONMENT)) {
    const close = `\\end{${name}}`
    const end = text.slice(start, start + MAX_FORMULA_CHARS).indexOf(close) + start + close.length
    const tex = text.slice(start, end)
    if (!tex.endsWith(close) || !isOne(tex) || !isAlone({ start, end }) || isIn(dollars, start)) continue
    // Matches signs as authors write them for Markdown. Does not match `\\`.
    write({ start, end }, /\\{4}|\\[_*]/.test(tex) ? unescape(tex) : tex, true)
  }
  return edits
}
