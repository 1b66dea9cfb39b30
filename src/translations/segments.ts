import type { Nodes } from "mdast"

import { parseMarkdown } from "../posts/mdast.ts"

const BYTE_ORDER_MARK = "\uFEFF"

/** A stretch of a document, in UTF-16 units: plain text to translate, or a label that has to be spelled out. */
interface Stretch {
  start: number
  end: number
  /** undefined: text for the engine. */
  replacement?: string
}

const span = ({ position }: Nodes): { start: number; end: number } => ({
  start: position?.start.offset ?? 0,
  end: position?.end.offset ?? 0,
})

/** `[text]` finds its definition by its text: once that is translated, the label must stand beside it. */
const spellOutLabel = (node: Nodes, markdown: string): Stretch[] => {
  if (node.type !== "linkReference" || node.referenceType === "full") return []
  const { start, end } = span(node)
  const textEnd = node.referenceType === "collapsed" ? end - "[]".length : end
  return [{ start: textEnd, end, replacement: markdown.slice(start, textEnd) }]
}

const isAutolink = (node: Nodes, markdown: string): boolean =>
  node.type === "link" && markdown.charAt(span(node).start) !== "["

const isText = ({ replacement }: Stretch): boolean => replacement === undefined

const isBlank = (node: Nodes, markdown: string): boolean => {
  const { start, end } = span(node)
  return markdown.slice(start, end).trim() === ""
}

/** What a node consists of, in document order: stretches, or nodes still to be looked into. */
const partsOf = (node: Nodes, markdown: string): (Nodes | Stretch)[] => {
  if (node.type === "text") return isBlank(node, markdown) ? [] : [span(node)]
  if (!("children" in node) || isAutolink(node, markdown)) return []
  return [...node.children, ...spellOutLabel(node, markdown)]
}

// With a stack of its own: a document may be nested deeper than calls can be.
const stretchesOf = (tree: Nodes, markdown: string): Stretch[] => {
  const found: Stretch[] = []
  const rest: (Nodes | Stretch)[] = [tree]
  for (let part = rest.pop(); part; part = rest.pop()) {
    if ("type" in part) rest.push(...partsOf(part, markdown).toReversed())
    else found.push(part)
  }
  return found
}

/**
 * Cuts a Markdown document into the plain texts between its markup.
 * Code, URLs, pictures, raw HTML and definitions are in none of them.
 */
export const readSegments = (markdown: string): { segments: string[]; rebuild: (translated: string[]) => string } => {
  // The parser drops a byte order mark before it counts.
  const mark = markdown.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ""
  const text = markdown.slice(mark.length)
  const found = stretchesOf(parseMarkdown(text), text)
  return {
    segments: found.filter(isText).map(({ start, end }) => text.slice(start, end)),
    rebuild: (translated) => {
      const rest = [...translated]
      let done = 0
      const parts = found.map(({ start, end, replacement = rest.shift() ?? "" }) => {
        const before = text.slice(done, start)
        done = end
        return before + replacement
      })
      return mark + parts.join("") + text.slice(done)
    },
  }
}
