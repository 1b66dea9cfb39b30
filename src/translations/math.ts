import type { Literal, Nodes, PhrasingContent, Root, Text } from "mdast"

import { MAX_MATH } from "../limits.ts"
import { count, withoutMark } from "../posts/characters.ts"
import { isAutolink, parseMarkdown, spanOf } from "../posts/mdast.ts"

// Math as pandoc reads it, as nodes of its own. The service shows it as text; no translation changes it.

/** All of it as the document has it, and what a parser finds in it but text. */
interface MathNode extends Literal {
  type: "math"
  inside: PhrasingContent[]
}

declare module "mdast" {
  interface PhrasingContentMap {
    math: MathNode
  }
  interface RootContentMap {
    math: MathNode
  }
}

/** `$$…$$`, or `$…$` without blanks at its inner edges and a digit behind it. Looks from one dollar to the next. */
const MATH = /\$\$[^]*?\$\$|\$(?!\s)[^$]+?(?<!\s)\$(?!\d)/g

/**
 * What stays text for what stands beside the math, and might not as soon as that changes: an address behind a bracket, a
 * backtick that no other one closes.
 */
const UNCERTAIN = /`|[\w.+-]@[\w-]+\.|www\.|https?:/i

/** A node among texts, or a dollar that is escaped: neither begins or ends math. */
const OTHER = "\uFFFC"

/** A dollar as it may be written; other escapes, so that what they escape escapes nothing. */
const WRITTEN = /\\[!-/:-@[-`{-~]|&(?:#0{0,5}36|#[xX]0{0,4}24|dollar);|\$/g

/** Whether words beside other nodes, which are null, read as math. */
export const readsAsMath = (words: (string | null)[]): boolean =>
  words
    .map((word) => word ?? OTHER)
    .join("")
    .search(MATH) >= 0

/** Where a character stands: in the text that one of some siblings is, and in the document. */
interface Place {
  sibling: number
  at: number
  offset: number
}

/** Where the dollars of a text stand in the document, in order; null where one is escaped. */
const offsetsIn = (text: Text, markdown: string): (number | null)[] => {
  const { start, end } = spanOf(text)
  const offsets: (number | null)[] = []
  for (const { 0: written, index } of markdown.slice(start, end).matchAll(WRITTEN)) {
    if (written === "$") offsets.push(start + index)
    else if (written === "\\$" || written.startsWith("&")) offsets.push(null)
  }
  // What is read otherwise than here is left alone.
  return offsets.length === count(text.value, /\$/g) ? offsets : []
}

/** Siblings as one line of text, and the dollars in it that are not escaped, by their places in it. */
const readLine = (siblings: PhrasingContent[], markdown: string): { line: string; dollars: Map<number, Place> } => {
  const dollars = new Map<number, Place>()
  let line = ""
  for (const [sibling, node] of siblings.entries()) {
    const offsets = node.type === "text" ? offsetsIn(node, markdown).values() : null
    const read = (_: string, at: number): string => {
      const offset = offsets?.next().value ?? null
      if (offset === null) return OTHER
      dollars.set(line.length + at, { sibling, at, offset })
      return "$"
    }
    line += node.type === "text" ? node.value.replaceAll("$", read) : node.type === "break" ? " " : OTHER
  }
  return { line, dollars }
}

/** The part of a text from one place to another, either of which may be in another sibling. */
const cutText = (text: Text, from: Place | null, to: Place | null): Text[] => {
  const value = text.value.slice(from?.at ?? 0, to?.at)
  const { position } = text
  if (value === "" || !position) return []
  const start = { ...position.start, ...(from && { offset: from.offset }) }
  const end = { ...position.end, ...(to && { offset: to.offset }) }
  return [{ ...text, value, position: { start, end } }]
}

/** Siblings from one place to another; null is an end. */
const cut = (siblings: PhrasingContent[], from: Place | null, to: Place | null): PhrasingContent[] => {
  const first = from?.sibling ?? 0
  return siblings.slice(first, to ? to.sibling + 1 : siblings.length).flatMap((node, i): PhrasingContent[] => {
    if (node.type !== "text") return [node]
    return cutText(node, i === 0 ? from : null, first + i === to?.sibling ? to : null)
  })
}

const pointAt = (offset: number) => ({ line: 1, column: 1, offset })

const mathNode = (start: number, end: number, inside: PhrasingContent[], markdown: string): MathNode => ({
  type: "math",
  value: markdown.slice(start, end),
  inside: inside.filter(({ type }) => type !== "text"),
  position: { start: pointAt(start), end: pointAt(end) },
})

/** Its bracket would end the link, were it not for one before it in words that may change. */
const ENDS_LINK = /^[^[]*\]/
const mayStay = (parent: Nodes, math: string): boolean =>
  !UNCERTAIN.test(math) && !(parent.type.startsWith("link") && ENDS_LINK.test(math))

type Span = [first: Place, last: Place]

const findMath = (parent: Nodes, siblings: PhrasingContent[], markdown: string): Span[] => {
  const { line, dollars } = readLine(siblings, markdown)
  const spans: Span[] = []
  for (const { 0: math, index } of line.matchAll(MATH)) {
    const [first, last] = [dollars.get(index), dollars.get(index + math.length - 1)]
    if (first && last && mayStay(parent, math)) spans.push([first, last])
  }
  return spans
}

/** Siblings with math in place, as one with all between where it is more than memory is for. */
const splitMath = (parent: Nodes, most: number, markdown: string): PhrasingContent[] => {
  // Only inline content has text among it.
  const siblings = "children" in parent ? (parent.children as PhrasingContent[]) : []
  const spans = findMath(parent, siblings, markdown)
  const [begin, end] = [spans[0], spans.at(-1)]
  const parts: PhrasingContent[][] = []
  let done: Place | null = null
  for (const [first, last] of begin && end && spans.length > most ? [[begin[0], end[1]] as const] : spans) {
    const inside = cut(siblings, first, last)
    parts.push(cut(siblings, done, first), [mathNode(first.offset, last.offset + 1, inside, markdown)])
    done = { ...last, at: last.at + 1, offset: last.offset + 1 }
  }
  return [...parts, cut(siblings, done, null)].flat()
}

const hasDollar = (node: Nodes): boolean => node.type === "text" && node.value.includes("$")

/** Parses Markdown with math. Lines and columns are those without it: only offsets are right. */
export const parseWithMath = (body: string): Root => {
  const [tree, markdown] = [parseMarkdown(body), withoutMark(body)]
  const rest: Nodes[] = markdown.includes("$") ? [tree] : []
  let left = MAX_MATH
  for (let node = rest.pop(); node; node = rest.pop()) {
    if (!("children" in node) || isAutolink(node, markdown)) continue
    if (node.children.some(hasDollar)) {
      node.children = splitMath(node, left, markdown)
      left -= node.children.filter(({ type }) => type === "math").length
    }
    for (const child of node.children) rest.push(child)
  }
  return tree
}
