import type { Element, ElementContent, Nodes, Parents, Properties, Root } from "hast"
import { fromParse5 } from "hast-util-from-parse5"
import { defaultTreeAdapter, parse, parseFragment } from "parse5"

// Reads HTML as a browser does, and searches it.

/** An HTML text that is not read: its message says why. */
export class HtmlError extends Error {
  override name = "HtmlError"
}

/** Nested elements that a text may have: as many as the service takes. */
const MAX_DEPTH = 250
/** The sum of the depths of all elements: each level of quotes is written once more on each line. */
const MAX_DEPTHS = 1_000_000
/** Places of all tables of a text, for which Markdown has a cell even if they are empty. */
const MAX_CELLS = 20_000
/** Characters that a text may have. The service takes Markdown of 256 KiB. */
const MAX_CHARS = 2 ** 20

const spanOf = (cell: Element, name: "colSpan" | "rowSpan"): number => Math.max(1, Number(cell.properties[name]) || 1)

/** Counts the places of a table: its rows times the width of the widest, and what cells span. */
const countCells = (table: Element): number => {
  const rows = findTag(table, "tr").map(({ children }) => children.filter((child) => isElement(child, "td", "th")))
  const widths = rows.map((cells) => cells.reduce((sum, cell) => sum + spanOf(cell, "colSpan"), 0))
  const spanned = rows.flat().reduce((sum, cell) => sum + spanOf(cell, "rowSpan") * spanOf(cell, "colSpan"), 0)
  return Math.max(spanned, rows.length * widths.reduce((widest, width) => Math.max(widest, width), 0))
}

/** Parses HTML without running any of it. @throws HtmlError if it is too long or too deep */
export const parseHtml = (html: string, { isPage = false } = {}): Root => {
  if (html.length > MAX_CHARS) throw new HtmlError(`Its text has over ${MAX_CHARS} characters.`)
  let [depth, depths] = [0, 0]
  const treeAdapter = {
    ...defaultTreeAdapter,
    onItemPush: () => {
      depth += 1
      depths += depth
      if (depth > MAX_DEPTH) throw new HtmlError(`Its text has over ${MAX_DEPTH} elements within each other.`)
      if (depths > MAX_DEPTHS) throw new HtmlError("Its text has too many elements within each other.")
    },
    onItemPop: () => void (depth -= 1),
  }
  const options = { treeAdapter, scriptingEnabled: false }
  const tree = fromParse5(isPage ? parse(html, options) : parseFragment(html, options)) as Root
  const cells = findTag(tree, "table").reduce((sum, table) => sum + countCells(table), 0)
  if (cells > MAX_CELLS) throw new HtmlError(`Its text has tables of over ${MAX_CELLS} cells.`)
  return tree
}

/** Makes an element. */
export const element = (tagName: string, properties: Properties, children: ElementContent[]): Element => ({
  type: "element",
  tagName,
  properties,
  children,
})

export const isElement = (node: Nodes | undefined, ...tagNames: string[]): node is Element =>
  node?.type === "element" && (tagNames.length === 0 || tagNames.includes(node.tagName))

export const hasClass = ({ properties }: Element, name: string): boolean => {
  const names = properties["className"]
  return Array.isArray(names) && names.includes(name)
}

/** Returns an attribute that is a text; "" without it. */
export const attribute = ({ properties }: Element, name: string): string => {
  const value = properties[name]
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : ""
}

/** Lists the elements below a node for which a test is true, in the order of the text. */
export const findAll = (node: Parents, test: (each: Element) => boolean): Element[] =>
  node.children.flatMap((child) => (isElement(child) ? [...(test(child) ? [child] : []), ...findAll(child, test)] : []))

export const findTag = (node: Parents, ...tagNames: string[]): Element[] =>
  findAll(node, (each) => isElement(each, ...tagNames))

export const findClass = (node: Parents, name: string): Element | undefined =>
  findAll(node, (each) => hasClass(each, name))[0]

/** Returns the text that a node shows, with its whitespace as it is. */
export const textOf = (node: Nodes): string => {
  if (node.type === "text") return node.value
  if (isElement(node, "br")) return "\n"
  return "children" in node && !isElement(node, "script", "style") ? node.children.map(textOf).join("") : ""
}

/** Returns the text of a node in one line. Matches runs of whitespace. */
export const lineOf = (node: Nodes): string => textOf(node).replaceAll(/\s+/g, " ").trim()
