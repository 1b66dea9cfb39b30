import type { Heading, Literal, Nodes, Paragraph, PhrasingContent, Root, RootContent, TableCell, Text } from "mdast"

import { MAX_MATH } from "../limits.ts"
import { withoutMark } from "../posts/characters.ts"
import { parseMarkdown, spanOf } from "../posts/mdast.ts"
import { displayEnd } from "./dollars.ts"
import { frontMatterEnd } from "./front-matter.ts"
import { findMath, type Found, type Place, type Span } from "./math-spans.ts"

// Math as nodes of its own, which a parser has none of. The service shows it as text; no translation changes it.

/** All of it as the document has it, and what a parser finds in it but text. */
interface MathNode extends Literal {
  type: "math"
  inside: Nodes[]
}

declare module "mdast" {
  interface PhrasingContentMap {
    math: MathNode
  }
  interface RootContentMap {
    math: MathNode
  }
}

/** What has inline content. */
export type Container = Heading | Paragraph | TableCell

export const isContainer = (node: Nodes): node is Container =>
  node.type === "paragraph" || node.type === "heading" || node.type === "tableCell"

/** The part of a text from one place to another. */
const cutText = (text: Text, from: Place | null, to: Place | null): Text[] => {
  const value = text.value.slice(from?.at ?? 0, to?.at)
  const { position } = text
  if (value === "" || !position) return []
  const start = { ...position.start, ...(from && { offset: from.offset }) }
  const end = { ...position.end, ...(to && { offset: to.offset }) }
  return [{ ...text, value, position: { start, end } }]
}

const behind = (dollar: Place): Place => ({ ...dollar, at: dollar.at + 1, offset: dollar.offset + 1 })

const pointAt = (offset: number) => ({ line: 1, column: 1, offset })

const mathNode = (start: number, end: number, inside: Nodes[], markdown: string): MathNode => ({
  type: "math",
  value: markdown.slice(start, end),
  inside: inside.filter(({ type }) => type !== "text"),
  position: { start: pointAt(start), end: pointAt(end) },
})

/** Inline content with math in place. What math cuts is gone, its content stays: its marks are part of the math. */
const withMath = (content: PhrasingContent[], { spans, cut }: Found, markdown: string): PhrasingContent[] => {
  const rest = spans.values()
  let next = rest.next().value
  let open: { span: Span; inside: Nodes[] } | null = null
  const splitText = (text: Text): PhrasingContent[] => {
    const parts: PhrasingContent[] = []
    let done: Place | null = null
    for (;;) {
      if (open) {
        const [first, last]: Span = open.span
        if (last.text !== text) return parts
        done = behind(last)
        parts.push(mathNode(first.offset, done.offset, open.inside, markdown))
        open = null
      }
      if (next?.[0].text !== text) return [...parts, ...cutText(text, done, null)]
      parts.push(...cutText(text, done, next[0]))
      open = { span: next, inside: [] }
      next = rest.next().value
    }
  }
  const split = (nodes: PhrasingContent[], into: PhrasingContent[]): PhrasingContent[] => {
    for (const node of nodes) {
      if (node.type === "text") for (const part of splitText(node)) into.push(part)
      else if ("children" in node && cut.has(node)) split(node.children, into)
      else if (open) open.inside.push(node)
      else into.push("children" in node ? Object.assign(node, { children: split(node.children, []) }) : node)
    }
    return into
  }
  return split(content, [])
}

/** Inline content with one math from the first to the last, and with all of an element that either is in. */
const withOneMath = (content: PhrasingContent[], first: Place, last: Place, markdown: string): PhrasingContent[] => {
  const [from, to] = [first, last].map(({ offset }) => content.findIndex((node) => spanOf(node).end > offset))
  const [begin, end] = [content[from ?? 0], content[to ?? 0]]
  if (!begin || !end) return content
  const [start, stop] = [begin.type === "text" ? first : null, end.type === "text" ? behind(last) : null]
  const inside = content.slice(from, (to ?? 0) + 1)
  const math = mathNode(start?.offset ?? spanOf(begin).start, stop?.offset ?? spanOf(end).end, inside, markdown)
  return [
    ...content.slice(0, from),
    ...(begin.type === "text" ? cutText(begin, null, start) : []),
    math,
    ...(end.type === "text" ? cutText(end, stop, null) : []),
    ...content.slice((to ?? 0) + 1),
  ]
}

/** Blocks of a document with displays in place, each of which is some whole blocks. */
const withDisplays = (blocks: RootContent[], start: number, markdown: string): RootContent[] => {
  const found: RootContent[] = []
  for (let i = 0, block = blocks[i]; block; block = blocks[++i]) {
    const place = spanOf(block)
    const end = place.start < start ? null : displayEnd(place.start, markdown)
    let last = i
    while (last < blocks.length - 1 && spanOf(blocks[last] ?? block).end < (end ?? 0)) last++
    const isWhole = end !== null && markdown.slice(end, spanOf(blocks[last] ?? block).end).trim() === ""
    found.push(isWhole ? mathNode(place.start, end, blocks.slice(i, last + 1), markdown) : block)
    if (isWhole) i = last
  }
  return found
}

/** Parses Markdown with math. Lines and columns are those without it: only offsets are right. */
export const parseWithMath = (body: string): Root => {
  const [tree, markdown] = [parseMarkdown(body), withoutMark(body)]
  if (!markdown.includes("$")) return tree
  tree.children = withDisplays(tree.children, frontMatterEnd(markdown), markdown)
  const rest: Nodes[] = [tree]
  let left = MAX_MATH
  for (let node = rest.pop(); node; node = rest.pop()) {
    if (isContainer(node)) {
      const { start, end } = spanOf(node)
      if (!markdown.slice(start, end).includes("$")) continue
      const found = findMath(node.children, markdown)
      const [first, last] = [found.spans[0], found.spans.at(-1)]
      const isTooMuch = first && last && found.spans.length > left
      node.children = isTooMuch
        ? withOneMath(node.children, first[0], last[1], markdown)
        : withMath(node.children, found, markdown)
      left -= isTooMuch ? 1 : found.spans.length
    } else if ("children" in node) for (const child of node.children) rest.push(child)
  }
  return tree
}
