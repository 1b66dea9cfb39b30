import type { Nodes } from "mdast"

import { parseWithMath } from "./math.ts"

// What a translation may not change: all of a document but its words.

type Of<T> = Extract<Nodes, { type: T }>

/** What a node is, without its words and its children; of all others their type. */
const OWN: { [T in Nodes["type"]]?: (node: Of<T>) => unknown[] } = {
  heading: ({ depth }) => [depth],
  list: ({ ordered, start, spread }) => [ordered, start, spread],
  listItem: ({ checked, spread }) => [checked, spread],
  table: ({ align }) => [align],
  code: ({ lang, meta, value }) => [lang, meta, value],
  inlineCode: ({ value }) => [value],
  math: ({ value, inside }) => [value, inside.map(keyOf)],
  html: ({ value }) => [value],
  link: ({ url, title }) => [url, title !== null],
  image: ({ url, title }) => [url, title !== null],
  definition: ({ identifier, url, title }) => [identifier, url, title],
  linkReference: ({ identifier }) => [identifier],
  imageReference: ({ identifier }) => [identifier],
  footnoteReference: ({ identifier }) => [identifier],
  footnoteDefinition: ({ identifier }) => [identifier],
}

const ownOf = (node: Nodes): unknown[] => (OWN[node.type] as ((node: Nodes) => unknown[]) | undefined)?.(node) ?? []

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
export const skeletonOf = (markdown: string): string => keyOf(parseWithMath(markdown))
