import type { Nodes, PhrasingContent } from "mdast"

import { MAX_REBUILDS } from "../../limits.ts"
import { alertMarker } from "../../markdown/alerts.ts"
import { readWrittenId } from "../../markdown/headings.ts"
import { parse, withoutMark } from "../../markdown/parse.ts"
import type { Style } from "./phrasing.ts"
import { rebuild, type Translation } from "./rebuild.ts"
import { type Document, type Segment, segmentsOf, type Inlines } from "./segments.ts"

// Ensures that a translation changes only the words of a document.

type NodeOf<T> = Extract<Nodes, { type: T }>

const valueOf = (node: PhrasingContent | undefined): string => (node?.type === "text" ? node.value : "")

/** Lists the properties that a translation must not change, without words and children; for other types, the value. */
const PROPERTIES: { [T in Nodes["type"]]?: (node: NodeOf<T>, markdown: string) => unknown[] } = {
  heading: (node, markdown) => [node.depth, readWrittenId(node, markdown)?.id],
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

const propertiesOf = (node: Nodes, markdown: string): unknown[] =>
  (PROPERTIES[node.type] as ((node: Nodes, markdown: string) => unknown[]) | undefined)?.(node, markdown) ??
  ("value" in node ? [node.value] : [])

const INLINE_PARENTS = new Set("paragraph heading tableCell emphasis strong delete link linkReference".split(" "))

const isHtmlKey = (key: string): boolean => key.startsWith("html")

/** Sorts inline children, which a translation may reorder. Raw HTML keeps its order, because tags open and close. */
const sortInlines = (children: string[]): string[] => [
  ...children.filter((key) => !isHtmlKey(key)).toSorted(),
  ...children.filter(isHtmlKey),
]

const keyOf = (node: Nodes, markdown: string): string => {
  const inside = "children" in node ? node.children.filter(({ type }) => type !== "text") : []
  const children = inside.map((child) => keyOf(child, markdown))
  return `${node.type}${JSON.stringify(propertiesOf(node, markdown))}(${(INLINE_PARENTS.has(node.type) ? sortInlines(children) : children).join()})`
}

/**
 * Returns the skeleton of a Markdown body: a string that is equal for documents that differ only in words. It contains
 * types and nesting of nodes, code, math, addresses, raw HTML, footnotes and the shape of tables.
 * @throws TooComplex if the body exceeds a limit of the parser
 */
export const skeletonOf = (body: string): string => {
  const markdown = withoutMark(body)
  return keyOf(parse(markdown), markdown)
}

type Entry = [segment: Segment, translation: Translation]

const STYLES: Style[] = [false, true].flatMap((keepsBrackets) =>
  (["_", "*"] as const).flatMap((emphasis) =>
    (["*", "_"] as const).map((strong) => ({ emphasis, strong, keepsBrackets })),
  ),
)

/**
 * Writes translations into a document, except those that would change more than words.
 * @param translations null or missing: the segment keeps its source
 * @returns the body, with the same markup as the source, and all segments that keep their source
 * @throws TooComplex if the document exceeds a limit of the parser; a translated segment that would exceed one keeps its source
 */
export const assemble = (
  document: Document,
  translations: ReadonlyMap<Segment, Inlines | null>,
): { body: string; kept: Segment[] } => {
  const skeleton = keyOf(document.tree, document.markdown)
  const build = (entries: Entry[]): string | null => {
    const body = rebuild(document, new Map(entries))
    return skeletonOf(body) === skeleton ? body : null
  }
  // Counts the first build, and leaves one for the last.
  let rebuilds = 1
  const fits = (entries: Entry[]): boolean => ++rebuilds < MAX_REBUILDS && build(entries) !== null
  const findMisfits = (entries: Entry[]): Entry[] => {
    if (entries.length === 0 || fits(entries)) return []
    if (entries.length === 1) return entries
    const half = Math.ceil(entries.length / 2)
    return [...findMisfits(entries.slice(0, half)), ...findMisfits(entries.slice(half))]
  }
  const restyle = ([segment, { inlines }]: Entry): Entry[] => {
    const style = STYLES.find((other) => fits([[segment, { inlines, style: other }]]))
    return style ? [[segment, { inlines, style }]] : []
  }

  const segments = segmentsOf(document)
  const result = (body: string, entries: Entry[]) => {
    const used = new Set(entries.map(([segment]) => segment))
    return { body, kept: segments.filter((segment) => !used.has(segment)) }
  }

  const all = segments.flatMap((segment): Entry[] => {
    const inlines = translations.get(segment)
    return inlines ? [[segment, { inlines }]] : []
  })
  const whole = build(all)
  if (whole !== null) return result(whole, all)
  const misfits = new Set(findMisfits(all))
  const fitting = [...all.filter((entry) => !misfits.has(entry)), ...[...misfits].flatMap(restyle)]
  const body = build(fitting)
  // Each fits alone, but not all together: keep the source of all.
  return body === null ? result(document.body, []) : result(body, fitting)
}
