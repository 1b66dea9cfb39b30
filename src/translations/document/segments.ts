import type { Heading, Html, Nodes, Paragraph, PhrasingContent, Root, TableCell } from "mdast"

import { alertMarker } from "../../markdown/alerts.ts"
import { isAutolink, parse, spanOf, withoutMark } from "../../markdown/parse.ts"
import { type Glossary, NO_GLOSSARY } from "../glossary.ts"
import { PLAIN_PLACEHOLDER, withPlaceholders } from "./placeholders.ts"
import { type Inline, splitBlanks, type Tag, textOf, writeTags } from "./tags.ts"

// Splits a document into segments: each paragraph, heading, table cell, alternative text of an image, and title of a link or
// image. Front matter, code, math, addresses, raw HTML, definitions and placeholders are in no segment.

type Container = Heading | Paragraph | TableCell

const isContainer = (node: Nodes): node is Container =>
  node.type === "paragraph" || node.type === "heading" || node.type === "tableCell"

/** A tag with the node of the source that it represents. */
export interface SourceTag extends Tag {
  children: Inline<SourceTag>[]
  node: PhrasingContent
  /** The source of a hard break, up to the next content: with the quote markers and indentation of the next line. */
  written: string
}

/** Inline content whose tags refer to nodes of the source. */
export type Inlines = Inline<SourceTag>[]

/** Inline content that is translated as a unit. `text` is what an engine gets. */
export interface Segment {
  inlines: Inlines
  text: string
}

/** A translatable attribute of a node. */
interface Attribute {
  node: PhrasingContent
  name: "alt" | "title"
  segment: Segment
}

/** The inline content of a block, or the part between fixed placeholders. `start` and `end` are UTF-16 offsets. */
export interface Block {
  container: Container
  start: number
  end: number
  /** null where there are no words to translate. */
  segment: Segment | null
  inlines: Inlines
  attributes: Attribute[]
}

/** Matches text with something to translate: `one`, `É`; not `123`. */
export const WORD = /\p{L}/u

const segmentOf = (inlines: Inlines): Segment => ({ inlines, text: splitBlanks(writeTags(inlines)).inside })

// Uses an explicit stack: recursion could overflow on deeply nested documents.
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

/** Joins the lines of a text with spaces. */
const inOneLine = (text: string): string => {
  // `a\r\nb` is split, `a b` is not.
  const lines = text.split(/[\r\n]+/)
  if (lines.length === 1) return text
  const edges = lines.map(splitBlanks)
  const inner = edges.map(({ inside }) => inside).join(" ")
  return (edges[0]?.before ?? "") + inner + (edges.at(-1)?.after ?? "")
}

/** Lists the tags in inline content, such as emphasis, links and images, at any depth, in document order. */
export const tagsIn = (inlines: Inlines): SourceTag[] =>
  inlines.flatMap((inline) => (typeof inline === "string" ? [] : [inline, ...tagsIn(inline.children)]))

const hasText = (inlines: Inlines): boolean =>
  inlines.some((inline) => (typeof inline === "string" ? inline.trim() !== "" : hasText(inline.children)))

/** Returns the text of a kept term; null for another tag. */
const keptTerm = ({ node }: SourceTag): string | null =>
  node.type === "placeholder" && node.isTerm ? inOneLine(node.value) : null

/** Returns inline content with its kept terms as text. */
export const withTerms = (inlines: Inlines): Inlines => {
  const joined: Inlines = []
  for (const inline of inlines) {
    const read =
      typeof inline === "string" ? inline : (keptTerm(inline) ?? { ...inline, children: withTerms(inline.children) })
    const before = joined.at(-1)
    if (typeof read === "string" && typeof before === "string") joined.splice(-1, 1, before + read)
    else joined.push(read)
  }
  return joined
}

/** Returns the text of a segment made by `plainSegment`, with the source that its placeholders stand for; without inline elements. */
export const plainText = (inlines: Inlines): string =>
  withTerms(inlines)
    .map((inline) => (typeof inline === "string" ? inline : "value" in inline.node ? inline.node.value : ""))
    .join("")

/** Assigns ids to the tags that an engine sees, in document order from 1. */
const numberTags = (inlines: Inlines): void => {
  let id = 0
  const visit = (some: Inlines): void => {
    for (const inline of some) {
      if (typeof inline === "string") continue
      inline.id = ++id
      if (inline.isGroup) visit(inline.children)
    }
  }
  visit(inlines)
}

/** Reads the translatable attributes. Returns none if one has a placeholder, which Markdown may have to escape there. */
const readAttributes = (node: PhrasingContent, glossary: Glossary): Attribute[] => {
  const values: { alt?: string | null; title?: string | null } = { alt: null, title: null, ...node }
  const found = (["alt", "title"] as const)
    .filter((name) => values[name])
    .map((name): Attribute => ({ node, name, segment: plainSegment(values[name] ?? "", glossary) }))
  return found.every(({ segment: { inlines } }) => withTerms(inlines).every((inline) => typeof inline === "string"))
    ? found.filter(({ segment }) => WORD.test(textOf(segment.inlines)))
    : []
}

/** Returns the source of a hard break up to the next node; an empty string for other nodes. */
const breakAt = (node: PhrasingContent, next: PhrasingContent | undefined, markdown: string): string => {
  if (node.type !== "break") return ""
  const { start, end } = spanOf(node)
  // A hard break without a next node is the last one in a link.
  return markdown.slice(start, next ? spanOf(next).start : markdown.indexOf("]", end))
}

const readInlines = (
  nodes: PhrasingContent[],
  markdown: string,
  attributes: Attribute[],
  glossary: Glossary,
): Inlines =>
  nodes.map((node, i) => {
    if (node.type === "text") return inOneLine(node.value)
    attributes.push(...readAttributes(node, glossary))
    const isSplit = "children" in node && !isAutolink(node, markdown)
    const inside = isSplit ? withPlaceholders(node.children, markdown, glossary) : []
    const children = readInlines(inside, markdown, attributes, glossary)
    return { id: 0, isGroup: hasText(children), children, node, written: breakAt(node, nodes[i + 1], markdown) }
  })

/** Makes a segment of plain text, such as a title. Only its code, placeholders such as `{{ name }}` and kept terms become tags. */
export const plainSegment = (text: string, glossary: Glossary = NO_GLOSSARY): Segment => {
  const position = { start: { line: 1, column: 1, offset: 0 }, end: { line: 1, column: 1, offset: text.length } }
  const content = withPlaceholders([{ type: "text", value: text, position }], text, glossary, 0, PLAIN_PLACEHOLDER)
  const inlines = readInlines(content, text, [], glossary)
  numberTags(inlines)
  return segmentOf(inlines)
}

const readBlock = (container: Container, content: PhrasingContent[], markdown: string, glossary: Glossary): Block => {
  const attributes: Attribute[] = []
  const inlines = readInlines(content, markdown, attributes, glossary)
  numberTags(inlines)
  const [first = container, last = container] = [content[0], content.at(-1)]
  const segment = WORD.test(textOf(inlines)) ? segmentOf(inlines) : null
  return { container, start: spanOf(first).start, end: spanOf(last).end, segment, inlines, attributes }
}

/** A parsed Markdown document. */
export interface Document {
  body: string
  /** The body without a byte order mark. Positions refer to it. */
  markdown: string
  tree: Root
  blocks: Block[]
  /** Blocks of raw HTML. */
  html: Html[]
}

/** Splits the content of a container at fixed placeholders. */
const partsOf = (
  container: Container,
  isFirstOfQuote: boolean,
  markdown: string,
  glossary: Glossary,
): PhrasingContent[][] => {
  const [first] = container.children
  const marker = isFirstOfQuote && first?.type === "text" ? alertMarker(first.value) : null
  const parts: PhrasingContent[][] = [[]]
  for (const node of withPlaceholders(container.children, markdown, glossary, marker?.length))
    if (node.type === "placeholder" && node.isFixed) parts.push([])
    else parts.at(-1)?.push(node)
  return parts.filter((part) => part.length > 0)
}

/** Parses a Markdown body and splits it into segments, such as paragraphs and headings. @throws TooComplex if a limit is exceeded */
export const readDocument = (body: string, glossary: Glossary = NO_GLOSSARY): Document => {
  const markdown = withoutMark(body)
  const tree = parse(markdown)
  const { found, firstOfQuotes, html } = findContent(tree)
  const blocks = found.flatMap((container) =>
    partsOf(container, firstOfQuotes.has(container), markdown, glossary).map((part) =>
      readBlock(container, part, markdown, glossary),
    ),
  )
  return { body, markdown, tree, blocks, html }
}

/** Lists the segments of a document, which are to be translated, in the order of their blocks. */
export const segmentsOf = ({ blocks }: Pick<Document, "blocks">): Segment[] =>
  blocks.flatMap(({ segment, attributes }) => [
    ...(segment ? [segment] : []),
    ...attributes.map((attribute) => attribute.segment),
  ])
