import type { Nodes, PhrasingContent } from "mdast"

import { alertMarker } from "../../markdown/alerts.ts"
import { parse, withoutMark } from "../../markdown/parse.ts"

// What a translation may not change: all of a document but its words.

type Of<T> = Extract<Nodes, { type: T }>

const valueOf = (node: PhrasingContent | undefined): string => (node?.type === "text" ? node.value : "")

/** `The end {#fin}`; not `{#fin} The end`. */
const WRITTEN_ID = /\{[ \t]*#([^\s{}#]+)[ \t]*\}\s*$/

/** What a node is, without its words and its children; of all others their type, and what they hold. */
const OWN: { [T in Nodes["type"]]?: (node: Of<T>) => unknown[] } = {
  heading: ({ depth, children }) => [depth, WRITTEN_ID.exec(valueOf(children.at(-1)))?.[1]],
  blockquote: ({ children: [first] }) => [
    first?.type === "paragraph" ? alertMarker(valueOf(first.children[0]))?.kind : null,
  ],
  list: ({ ordered, start, spread }) => [ordered, start, spread],
  listItem: ({ checked, spread }) => [checked, spread],
  table: ({ align }) => [align],
  code: ({ lang, meta, value }) => [lang, meta, value],
  math: ({ meta, value }) => [meta, value],
  link: ({ url, title }) => [url, title !== null],
  image: ({ url, title }) => [url, title !== null],
  definition: ({ identifier, url, title }) => [identifier, url, title],
  linkReference: ({ identifier }) => [identifier],
  imageReference: ({ identifier }) => [identifier],
  footnoteReference: ({ identifier }) => [identifier],
  footnoteDefinition: ({ identifier }) => [identifier],
}

const ownOf = (node: Nodes): unknown[] =>
  (OWN[node.type] as ((node: Nodes) => unknown[]) | undefined)?.(node) ?? ("value" in node ? [node.value] : [])

const INLINE_PARENTS = new Set([
  "paragraph",
  "heading",
  "tableCell",
  "emphasis",
  "strong",
  "delete",
  "link",
  "linkReference",
])

const isHtml = (key: string): boolean => key.startsWith("html")

/** Words may move, and what is marked up with them; raw HTML keeps its order, for tags open and close. */
const inOrder = (children: string[]): string[] => [
  ...children.filter((key) => !isHtml(key)).toSorted(),
  ...children.filter(isHtml),
]

/** As `skeletonOf`, of what is parsed already. */
export const keyOf = (node: Nodes): string => {
  const children = "children" in node ? node.children.filter(({ type }) => type !== "text").map(keyOf) : []
  return `${node.type}${JSON.stringify(ownOf(node))}(${(INLINE_PARENTS.has(node.type) ? inOrder(children) : children).join()})`
}

/** Types and nesting of all nodes, code, math, addresses, raw HTML, footnotes and the shape of tables: equal for equal documents. */
export const skeletonOf = (body: string): string => keyOf(parse(withoutMark(body)))
