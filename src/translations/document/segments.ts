import type { Heading, Html, Nodes, Paragraph, PhrasingContent, Root, TableCell } from "mdast"

import { alertMarker } from "../../markdown/alerts.ts"
import { isAutolink, parse, spanOf, withoutMark } from "../../markdown/parse.ts"
import { withPlaceholders } from "./placeholders.ts"
import { type Inline, splitBlanks, type Tag, textOf, writeTags } from "./tags.ts"

// Cuts a document into segments: one for each paragraph, heading and cell, for each image's alternative text and each title
// of a link or image. Front matter, code, math, addresses, raw HTML, definitions and placeholders are in none of them.

type Container = Heading | Paragraph | TableCell

const isContainer = (node: Nodes): node is Container =>
  node.type === "paragraph" || node.type === "heading" || node.type === "tableCell"

/** A tag of the source, with the node that it stands for. */
export interface SourceTag extends Tag {
  children: Inline<SourceTag>[]
  node: PhrasingContent
  /** Of a hard break: all up to what follows it, with the quote markers and indentation of the next line. */
  written: string
}

export type Source = Inline<SourceTag>[]

/** Inline content that is translated as one, and the same as text for an engine. */
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

/** The inline content of a block, or a part of it, and where it stands in UTF-16 units. */
export interface Block {
  container: Container
  start: number
  end: number
  /** null: nothing in it to translate. */
  segment: Segment | null
  inlines: Source
  attributes: Attribute[]
}

/** `one`, `É`; not `123`: without letters there is nothing to translate. */
export const WORD = /\p{L}/u

const segmentOf = (inlines: Source): Segment => ({ inlines, text: splitBlanks(writeTags(inlines)).inside })

// It has its own stack: a document may be nested deeper than calls can be.
const findContent = (tree: Nodes): { found: Container[]; firstOfQuotes: Set<Nodes>; html: Html[] } => {
  const found: Container[] = []
  const html: Html[] = []
  const firstOfQuotes = new Set<Nodes>()
  const rest: Nodes[] = [tree]
  for (let node = rest.pop(); node; node = rest.pop()) {
    if (isContainer(node)) found.push(node)
    else if ("children" in node) rest.push(...node.children.toReversed())
    else if (node.type === "html") html.push(node)
    if (node.type === "blockquote" && node.children[0]) firstOfQuotes.add(node.children[0])
  }
  return { found, firstOfQuotes, html }
}

/** Makes one line: a soft line break is a blank. */
const inOneLine = (text: string): string => {
  const lines = text.split(/[\r\n]+/)
  if (lines.length === 1) return text
  const edges = lines.map(splitBlanks)
  const inner = edges.map(({ inside }) => inside).join(" ")
  return (edges[0]?.before ?? "") + inner + (edges.at(-1)?.after ?? "")
}

const hasText = (inlines: Source): boolean =>
  inlines.some((inline) => (typeof inline === "string" ? inline.trim() !== "" : hasText(inline.children)))

/** Reads a segment without markup as text, with its placeholders. */
export const plainText = (inlines: Source): string =>
  inlines
    .map((inline) => (typeof inline === "string" ? inline : "value" in inline.node ? inline.node.value : ""))
    .join("")

/** Numbers the tags that an engine sees, in the order in which they begin. */
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

/** Leaves texts with placeholders out: Markdown may have to write these otherwise in an attribute. */
const readAttributes = (node: PhrasingContent): Attribute[] => {
  const { alt, title }: { alt?: string | null; title?: string | null } = { alt: null, title: null, ...node }
  const found = (["alt", "title"] as const).flatMap((name): Attribute[] => {
    const value = (name === "alt" ? alt : title) ?? ""
    return value === "" ? [] : [{ node, name, segment: plainSegment(value) }]
  })
  return found.every(({ segment: { inlines } }) => inlines.every((inline) => typeof inline === "string"))
    ? found.filter(({ segment }) => WORD.test(segment.text))
    : []
}

const breakAt = (node: PhrasingContent, next: PhrasingContent | undefined, markdown: string): string => {
  if (node.type !== "break") return ""
  const { start, end } = spanOf(node)
  // The last one in anything is in a link.
  return markdown.slice(start, next ? spanOf(next).start : markdown.indexOf("]", end))
}

const readInlines = (nodes: PhrasingContent[], markdown: string, attributes: Attribute[]): Source =>
  nodes.map((node, i) => {
    if (node.type === "text") return inOneLine(node.value)
    attributes.push(...readAttributes(node))
    const inside = "children" in node && !isAutolink(node, markdown) ? withPlaceholders(node.children, markdown) : []
    const children = readInlines(inside, markdown, attributes)
    return { id: 0, isGroup: hasText(children), children, node, written: breakAt(node, nodes[i + 1], markdown) }
  })

/** Makes a segment of a text without markup. */
export const plainSegment = (text: string): Segment => {
  const position = { start: { line: 1, column: 1, offset: 0 }, end: { line: 1, column: 1, offset: text.length } }
  const inlines = readInlines(withPlaceholders([{ type: "text", value: text, position }], text), text, [])
  number(inlines)
  return segmentOf(inlines)
}

const readBlock = (container: Container, content: PhrasingContent[], markdown: string): Block => {
  const attributes: Attribute[] = []
  const inlines = readInlines(content, markdown, attributes)
  number(inlines)
  const [first = container, last = container] = [content[0], content.at(-1)]
  const segment = WORD.test(textOf(inlines)) ? segmentOf(inlines) : null
  return { container, start: spanOf(first).start, end: spanOf(last).end, segment, inlines, attributes }
}

export interface Document {
  body: string
  /** The body without a byte order mark, which positions do not count. */
  markdown: string
  tree: Root
  blocks: Block[]
  /** Blocks of raw HTML. */
  html: Html[]
}

/** Splits the content of a container at what keeps its place. */
const partsOf = (container: Container, isFirstOfQuote: boolean, markdown: string): PhrasingContent[][] => {
  const [first] = container.children
  const marker = isFirstOfQuote && first?.type === "text" ? alertMarker(first.value) : null
  const parts: PhrasingContent[][] = [[]]
  for (const node of withPlaceholders(container.children, markdown, marker?.length))
    if (node.type === "placeholder" && node.isFixed) parts.push([])
    else parts.at(-1)?.push(node)
  return parts.filter((part) => part.length > 0)
}

/** Cuts a Markdown document. @throws TooComplex */
export const readDocument = (body: string): Document => {
  const markdown = withoutMark(body)
  const tree = parse(markdown)
  const { found, firstOfQuotes, html } = findContent(tree)
  const blocks = found.flatMap((container) =>
    partsOf(container, firstOfQuotes.has(container), markdown).map((part) => readBlock(container, part, markdown)),
  )
  return { body, markdown, tree, blocks, html }
}

/** Lists the segments of a document, in the order of what they stand in. */
export const segmentsOf = ({ blocks }: Document): Segment[] =>
  blocks.flatMap(({ segment, attributes }) => [
    ...(segment ? [segment] : []),
    ...attributes.map((attribute) => attribute.segment),
  ])
