import type { Element, Root } from "hast"
import { fromParse5 } from "hast-util-from-parse5"
import { defaultTreeAdapter, parse, parseFragment } from "parse5"

import { findTag, isElement } from "./tree.ts"

// Reads HTML as a browser does, within limits.

/** An HTML text that is not read: its message says why. */
export class HtmlError extends Error {
  override name = "HtmlError"
}

/** Nested elements that a text may have: as many as the service takes. */
const MAX_DEPTH = 250

/** The sum of the depths of all elements: a parser goes through all levels for each. */
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
