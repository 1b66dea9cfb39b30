import type { Edit } from "../markdown/edits.ts"
import { rawSpans } from "../markdown/raw-spans.ts"

// Reads texts line by line, for blocks that the parser of Markdown does not know.

/** A line of a text. */
export interface Line {
  /** Where its blanks begin and end, and its text. */
  start: number
  at: number
  end: number
  /** Without the blanks around it. */
  text: string
  /** Width of the blanks before it. */
  indent: number
  /** It is in a fence, or begins or ends one, or goes on with a comment or code by tags. */
  isCode: boolean
}

/** Lists the lines of a text, with the fences among them. Tabs go to each fourth place. */
export const linesOf = (body: string): Line[] => {
  let [fence, start] = ["", 0]
  const raw = rawSpans(body)
  let next = 0
  return body.split("\n").map((source) => {
    const text = source.trim()
    const blanks = source.slice(0, source.length - source.trimStart().length)
    // Matches the start of a fence. Does not match "``` a `b`".
    const [, sign = ""] = /^(`{3,}|~{3,})[^`]*$/.exec(text) ?? []
    while ((raw[next]?.end ?? Infinity) <= start) next++
    const isCode = fence !== "" || sign !== "" || (raw[next]?.start ?? Infinity) < start
    // Matches the end of a fence. Does not match "```js".
    if (fence === "") fence = sign
    else if (text.startsWith(fence) && /^[`~]+$/.test(text)) fence = ""
    const at = start + blanks.length
    const width = Array.from(blanks).reduce((sum, one) => sum + (one === "\t" ? 4 - (sum % 4) : 1), 0)
    const line = { start, at, end: at + text.length, text, indent: text === "" ? 0 : width, isCode }
    start += source.length + 1
    return line
  })
}

/** Matches a list item. Does not match `-a`. */
export const ITEM = /^(?:[*+-]|\d+[.)])(?:\s|$)/

/** Makes edits that remove the indent of what stands between the tags of components, where blanks make no code. @param opens matches a line that begins a component @param closes matches one that ends it */
export const dedentComponents = (lines: Line[], opens: RegExp, closes: RegExp): Edit[] => {
  const edits: Edit[] = []
  let [depth, base, cut, list] = [0, 0, 0, -1]
  let wasCode = false
  for (const { start, text, indent, isCode } of lines) {
    const isOpen = !isCode && opens.test(text)
    const isClose = !isCode && closes.test(text)
    if (isOpen || isClose) [cut, list] = [indent, -1]
    else if (text !== "" && !(isCode && wasCode) && (list < 0 || indent <= list)) {
      const isItem = ITEM.test(text)
      if (!isItem || list < 0 || indent < cut) cut = indent
      list = isItem ? indent : -1
    }
    wasCode = isCode
    // The outermost tag may stand in a list.
    if (isOpen && depth === 0) base = indent
    const more = Math.min(cut, indent) - base
    if (depth > 0 && more > 0) edits.push({ start, end: start + more, text: "" })
    if (isOpen) depth++
    if (isClose && depth > 0) depth--
  }
  return edits
}

/** Removes the indent of what stands between tags of MDX. */
export const mdxBlocks = (body: string, file: string): Edit[] =>
  // Matches a line that begins with `<Tabs`. Does not match `<div`.
  file.endsWith(".mdx") && /^[ \t]*<[A-Z]/m.test(body)
    ? // Matches `<Tabs>` and `<div`. Does not match `<Tabs />` and `<p>a</p>`.
      dedentComponents(linesOf(body), /^<[a-z](?!.*(?:\/>|<\/))/i, /^<\//)
    : []
