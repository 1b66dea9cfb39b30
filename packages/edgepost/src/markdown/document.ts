import type { Heading, Link, LinkReference, Nodes, Root } from "mdast"

import { type Budget, NEST_LESS, TooComplex } from "../parser/budget.ts"
import type { Edit } from "./edits.ts"
import { isComponent, readHtml } from "./html.ts"
import { destinationOf, parse, parseEdited, type Span, spanOf } from "./tree.ts"
import { firstWords, nodesOf, wordsOf } from "./words.ts"

// Keeps of a parsed text what the other files need: code, links, images, headings.

/** A destination of a link or an image. */
export interface Reference extends Span {
  kind: "link" | "image"
  /** The address without escapes and entities. */
  url: string
  /** The syntax from `start` to `end`: a Markdown destination, an attribute with its name, or an autolink. */
  form: "markdown" | "href" | "src" | "autolink"
  /** Position at which a link without text gets its text, else null. */
  emptyText: number | null
  /** The parts of the syntax to remove so that only the link's text stays. */
  around: Span[]
}

/** A heading, or an `<a id>`. */
export interface Target {
  isHeading: boolean
  /** The id that the author wrote. */
  id: string | null
  text: string
}

export interface Document {
  /** Why the service would refuse the text, else null; then all lists are empty. */
  problem: TooComplex | null
  code: Span[]
  /** HTML, in blocks and in lines. */
  html: Span[]
  references: Reference[]
  targets: Target[]
  /** The first heading that stands in no list or quote. */
  firstHeading: (Span & { depth: number; text: string }) | null
  /** Words of the first heading of level 1 that stands in no list or quote. */
  title: string | null
  /** Words of the first paragraph or heading that has some; else "". */
  words: string
  /** Labels of link definitions, as mdast writes identifiers. */
  definitions: Set<string>
  /** Places at which the address of a link, an image or a definition begins. */
  destinations: Set<number>
  /** Comments of HTML, and definitions of links and footnotes that nothing refers to. */
  unseen: Span[]
}

const emptyDocument = (problem: TooComplex | null = null): Document => ({
  problem,
  code: [],
  html: [],
  references: [],
  targets: [],
  firstHeading: null,
  title: null,
  words: "",
  definitions: new Set(),
  destinations: new Set(),
  unseen: [],
})

/** Returns the text of a heading as the service makes ids of it. */
const textOf = (heading: Heading): string =>
  [...nodesOf(heading)]
    .map((node) => {
      if (node.type === "text" || node.type === "inlineCode") return node.value
      if (node.type === "image" || node.type === "imageReference") return node.alt ?? ""
      if (node.type === "break") return "\n"
      // Readers see components as text. Matches `<Tabs` and `</Tabs`. Does not match `<!--`.
      const [, name = ""] = node.type === "html" ? (/^<\/?([\w.]+)/.exec(node.value) ?? []) : []
      return node.type === "html" && isComponent(name) ? node.value : ""
    })
    .join("")

/** Matches `Text {#id}` and `{ #id }`. Does not match `{id}`. */
const WRITTEN_ID = /\{[ \t]*#([^\s{}#]+)[ \t]*\}\s*$/
/** Matches a heading's source that ends with `{#id}` or `\\\\{#id}`. Does not match `\\{#id}`. */
const ENDS_IN_BRACES = /(?<!\\)(?:\\\\)*\{[^{}]*(?<!\\)\}\s*$/

const readHeading = (heading: Heading, markdown: string): Target => {
  const last = heading.children.at(-1)
  const text = textOf(heading)
  if (last?.type !== "text" || !ENDS_IN_BRACES.test(markdown.slice(spanOf(last).start, spanOf(last).end)))
    return { isHeading: true, id: null, text }
  const [found, id = null] = WRITTEN_ID.exec(last.value) ?? []
  return { isHeading: true, id, text: found === undefined ? text : text.slice(0, -found.length).trimEnd() }
}

/** Matches `h1`. Does not match `h7` or `header`. */
const HEADING_TAG = /^h[1-6]$/
/** Matches what no browser shows at the start of HTML: `<?php a ?>`, `<!ENTITY a>`. Does not match `<!-- a -->`. */
const DECLARATION = /^<(?:\?[^]*?(?:\?>|$)|!(?!--)[^>]*>?)/

/** Adds the links, images, headings and comments of raw HTML. */
const collectHtml = ({ references, targets, unseen }: Document, markdown: string, { start, end }: Span): void => {
  const source = markdown.slice(start, end)
  let heading: Target | null = null
  for (const { name, text, attributes, location } of readHtml(source)) {
    const id = attributes.get("id") ?? null
    if (name === "" && heading) heading.text += text
    else if (HEADING_TAG.test(name)) targets.push((heading = { isHeading: true, id, text: "" }))
    else if (HEADING_TAG.test(name.slice(1))) heading = null
    else if (name === "a" && id !== null) targets.push({ isHeading: false, id, text: "" })
    else if (name === "!--" && text.trim() !== "")
      unseen.push({ start: start + (location?.startOffset ?? 0), end: start + (location?.endOffset ?? 0) })
    const form = name === "a" ? "href" : "src"
    const span = name === "a" || name === "img" ? location?.attrs?.[form] : undefined
    if (!span) continue
    const place = { start: start + span.startOffset, end: start + span.endOffset }
    const url = (attributes.get(form) ?? "").trim()
    references.push({ kind: name === "a" ? "link" : "image", url, form, ...place, emptyText: null, around: [place] })
  }
  const [declaration] = DECLARATION.exec(source) ?? []
  if (declaration !== undefined) unseen.push({ start, end: start + declaration.length })
}

/** Returns what stands before and after the text of a link; the whole link if it has none. */
const aroundText = (node: Link | LinkReference): Span[] => {
  const { start, end } = spanOf(node)
  const [first, last] = [node.children[0], node.children.at(-1)]
  if (!first || !last) return [{ start, end }]
  return [
    { start, end: spanOf(first).start },
    { start: spanOf(last).end, end },
  ]
}

/** Returns the destination of a link or an image that has its own, or is an autolink. */
const referenceOf = (node: Nodes, markdown: string): Reference | null => {
  if (node.type !== "link" && node.type !== "image") return null
  const span = destinationOf(node)
  const whole = spanOf(node)
  const form = span ? "markdown" : "autolink"
  // `[a]()` has no destination.
  if (!span && (node.type === "image" || markdown[whole.start] === "[")) return null
  const isEmpty = node.type === "link" && node.children.length === 0
  return {
    kind: node.type,
    url: node.url,
    form,
    ...(span ?? whole),
    emptyText: isEmpty ? whole.start + 1 : null,
    around: node.type === "link" && span ? aroundText(node) : [],
  }
}

type Label = Extract<Nodes, { identifier: string }>

/** Returns what a reference and its definition have in common. */
const labelOf = ({ type, identifier }: Label): string => `${type.startsWith("footnote") ? "^" : ""}${identifier}`

const isDefinition = ({ type }: Label): boolean => type === "definition" || type === "footnoteDefinition"

const collect = (tree: Root, markdown: string): Document => {
  const nodes = [...nodesOf(tree)]
  const document = emptyDocument()
  const { code, references, targets, unseen } = document
  const labels = nodes.filter((node) => "identifier" in node)
  const uses = Map.groupBy(labels, labelOf)
  for (const node of labels.filter(isDefinition)) {
    const used = (uses.get(labelOf(node)) ?? []).filter((use) => !isDefinition(use))
    if (used.length === 0) unseen.push(spanOf(node))
    if (node.type !== "definition") continue
    document.definitions.add(node.identifier)
    // Of two definitions the first counts.
    uses.delete(labelOf(node))
    const span = destinationOf(node)
    if (used.length === 0 || !span) continue
    const kind = used.some(({ type }) => type === "imageReference") ? "image" : "link"
    const around = used.flatMap((use) => (use.type === "linkReference" ? aroundText(use) : []))
    references.push({ kind, url: node.url, form: "markdown", ...span, emptyText: null, around })
  }
  for (const node of nodes) {
    const destination = destinationOf(node)
    if (destination) document.destinations.add(destination.start)
    if (node.type === "code" || node.type === "inlineCode") code.push(spanOf(node))
    else if (node.type === "heading") targets.push(readHeading(node, markdown))
    else if (node.type === "html") {
      // Matches `<div>`. Does not match `<Tabs>`, which is no HTML.
      if (/^<[a-z]/.test(node.value)) document.html.push(spanOf(node))
      collectHtml(document, markdown, spanOf(node))
    }
    const reference = referenceOf(node, markdown)
    if (reference) references.push(reference)
  }
  references.sort((a, b) => a.start - b.start)
  const first = tree.children.find((node) => node.type === "heading")
  if (first) document.firstHeading = { ...spanOf(first), depth: first.depth, text: readHeading(first, markdown).text }
  const title = tree.children.find((node) => node.type === "heading" && node.depth === 1)
  document.title = (title && wordsOf(title).replace(WRITTEN_ID, "").trim()) || null
  document.words = firstWords(tree)
  return document
}

/** A text with its tree: null if the service would refuse the text. */
export interface ParsedText {
  document: Document
  tree: Root | null
}

const read = (markdown: string, toTree: () => Root): ParsedText => {
  try {
    const tree = toTree()
    return { document: collect(tree, markdown), tree }
  } catch (error) {
    const problem =
      error instanceof RangeError ? new TooComplex("The text is nested too deeply.", NEST_LESS) : (error as Error)
    if (!(problem instanceof TooComplex)) throw error
    return { document: emptyDocument(problem), tree: null }
  }
}

/** Parses a text as the service does. Never throws for a text: see `problem`. */
export const readText = (markdown: string, budget?: Budget): ParsedText => read(markdown, () => parse(markdown, budget))

/** Parses a text that became another one by edits. */
export const readEdited = (
  parsed: ParsedText,
  before: string,
  edits: Edit[],
  after: string,
  budget: Budget,
): ParsedText => {
  const { tree } = parsed
  if (after === before) return parsed
  return read(after, () => (tree && parseEdited(tree, before, edits, after, budget)) ?? parse(after, budget))
}

/** Parses a text as the service does, and returns its parts. */
export const readDocument = (markdown: string, budget?: Budget): Document => readText(markdown, budget).document

/** Returns the words of a short text, such as a title; as it is if it takes too much work. */
export const readWords = (markdown: string): string => {
  const { tree } = readText(markdown)
  return tree ? wordsOf(tree) : markdown
}
