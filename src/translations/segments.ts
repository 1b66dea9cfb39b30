import type { Nodes, PhrasingContent, Root } from "mdast"

import { withoutMark } from "../posts/characters.ts"
import { isAutolink, spanOf } from "../posts/mdast.ts"
import { alertEnd } from "./alerts.ts"
import { contentBehind, frontMatterEnd } from "./front-matter.ts"
import { type Container, isContainer, parseWithMath } from "./math.ts"
import { type Inline, splitBlanks, type Tag, textOf, writeTags } from "./tags.ts"

// A document as an engine sees it: one segment for each paragraph, heading and cell, for each picture's alternative text and
// each title of a link or picture. Front matter, code, math, addresses, raw HTML and definitions are in none of them.

/** A tag of the source, with the node that it stands for. */
export interface SourceTag extends Tag {
  children: Inline<SourceTag>[]
  node: PhrasingContent
  /** Of a hard break: all up to what follows it, the marks of quotes and lists on the next line too. */
  written: string
}

export type Source = Inline<SourceTag>[]

/** What is translated as one: inline content, and the same as text for an engine. */
export interface Segment {
  inlines: Source
  text: string
}

/** Text of a node that readers may see. */
interface Attribute {
  node: PhrasingContent
  name: "alt" | "title"
  segment: Segment
}

/** The inline content of a block and where it stands, in UTF-16 units. */
export interface Block {
  container: Container
  start: number
  end: number
  /** null: nothing in it to translate. */
  segment: Segment | null
  inlines: Source
  attributes: Attribute[]
}

/** Without letters there is nothing to translate. */
export const WORD = /\p{L}/u

export const segmentOf = (inlines: Source): Segment => ({ inlines, text: splitBlanks(writeTags(inlines)).inside })

// With a stack of its own: a document may be nested deeper than calls can be.
const containersIn = (tree: Nodes): { found: Container[]; firstOfQuotes: Set<Nodes> } => {
  const found: Container[] = []
  const firstOfQuotes = new Set<Nodes>()
  const rest: Nodes[] = [tree]
  for (let node = rest.pop(); node; node = rest.pop()) {
    if (isContainer(node)) found.push(node)
    else if ("children" in node) rest.push(...node.children.toReversed())
    if (node.type === "blockquote" && node.children[0]) firstOfQuotes.add(node.children[0])
  }
  return { found, firstOfQuotes }
}

/** One line: a soft line break is a blank. */
const inOneLine = (text: string): string => {
  const lines = text.split(/[\r\n]+/)
  if (lines.length === 1) return text
  const edges = lines.map(splitBlanks)
  const inner = edges.map(({ inside }) => inside).join(" ")
  return (edges[0]?.before ?? "") + inner + (edges.at(-1)?.behind ?? "")
}

const hasText = (inlines: Source): boolean =>
  inlines.some((inline) => (typeof inline === "string" ? inline.trim() !== "" : hasText(inline.children)))

const readAttributes = (node: PhrasingContent): Attribute[] => {
  const { alt, title }: { alt?: string | null; title?: string | null } = { alt: null, title: null, ...node }
  return [["alt", alt] as const, ["title", title] as const].flatMap(([name, value]) =>
    value && WORD.test(value) ? [{ node, name, segment: segmentOf([inOneLine(value)]) }] : [],
  )
}

/** Numbers what an engine sees, in the order in which it begins. */
const number = (inlines: Source): void => {
  let id = 0
  const visit = (some: Source): void => {
    for (const inline of some) {
      if (typeof inline === "string") continue
      inline.id = ++id
      if (inline.isGroup) visit(inline.children)
    }
  }
  visit(inlines)
}

const breakAt = (node: PhrasingContent, next: PhrasingContent | undefined, markdown: string): string => {
  if (node.type !== "break") return ""
  const { start, end } = spanOf(node)
  // The last one in anything is in a link.
  return markdown.slice(start, next ? spanOf(next).start : markdown.indexOf("]", end))
}

const readBlock = (container: Container, content: PhrasingContent[], markdown: string): Block => {
  const attributes: Attribute[] = []
  const read = (nodes: PhrasingContent[]): Source =>
    nodes.map((node, i) => {
      if (node.type === "text") return inOneLine(node.value)
      attributes.push(...readAttributes(node))
      const children = "children" in node && !isAutolink(node, markdown) ? read(node.children) : []
      return {
        id: 0,
        isGroup: hasText(children),
        children,
        node,
        written: breakAt(node, nodes[i + 1], markdown),
      }
    })
  const inlines = read(content)
  number(inlines)
  const [first = container, last = container] = [content[0], content.at(-1)]
  const segment = WORD.test(textOf(inlines)) ? segmentOf(inlines) : null
  return { container, start: spanOf(first).start, end: spanOf(last).end, segment, inlines, attributes }
}

export interface Document {
  /** The whole, and without a byte order mark: places do not count it. */
  body: string
  markdown: string
  tree: Root
  blocks: Block[]
}

/** Cuts a Markdown document. */
export const readDocument = (body: string): Document => {
  const markdown = withoutMark(body)
  const tree = parseWithMath(body)
  const start = frontMatterEnd(markdown)
  const { found, firstOfQuotes } = containersIn(tree)
  const blocks = found.flatMap((container) => {
    const isFirst = container.type === "paragraph" && firstOfQuotes.has(container)
    const begin = isFirst ? Math.max(start, alertEnd(container, markdown)) : start
    if (spanOf(container).start >= begin) return [readBlock(container, container.children, markdown)]
    const content = contentBehind(begin, container.children, markdown)
    return content.length > 0 ? [readBlock(container, content, markdown)] : []
  })
  return { body, markdown, tree, blocks }
}

/** All segments of a document, in the order of what they stand in. */
export const segmentsOf = ({ blocks }: Document): Segment[] =>
  blocks.flatMap(({ segment, attributes }) => [
    ...(segment ? [segment] : []),
    ...attributes.map((attribute) => attribute.segment),
  ])
