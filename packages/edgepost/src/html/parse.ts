import type { Element, Root } from "hast"
import { fromParse5 } from "hast-util-from-parse5"
import { defaultTreeAdapter, type DefaultTreeAdapterMap, parse, parseFragment, type TreeAdapter } from "parse5"

import { Budget, NEST_LESS, TooComplex } from "../parser/budget.ts"
import { findTag, isElement } from "./tree.ts"

// Reads HTML as a browser does, within limits.

/** Nested elements that a text may have: as many as the service takes. */
const MAX_DEPTH = 250

/** How often the steps of a body a text of a page or an export may take: it is longer than the Markdown that is made of it. */
const TIMES = 4

/** The cost of an element, until it is Markdown, in steps. Measured with bench/neighbours. */
const ELEMENT = 300
/** The cost of each element around an element: parsers and writers go through all levels. */
const LEVEL = 15

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

/** Makes the budget of a text of a page or an export. */
export const htmlBudget = (): Budget => new Budget(TIMES)

/** Parses HTML without running any of it. @throws TooComplex if it is too long or too deep, or takes too much work */
export const parseHtml = (html: string, { isPage = false, budget = htmlBudget() } = {}): Root => {
  if (html.length > MAX_CHARS) throw new TooComplex(`Its text has over ${MAX_CHARS} characters.`)
  budget.spend(html.length)
  let depth = 0
  const treeAdapter: TreeAdapter<DefaultTreeAdapterMap> = {
    ...defaultTreeAdapter,
    // Also elements without content, such as line breaks, and those that are made again.
    createElement: (...args) => {
      budget.spend(ELEMENT + LEVEL * depth, "elements of HTML")
      return defaultTreeAdapter.createElement(...args)
    },
    onItemPush: () => {
      depth += 1
      if (depth > MAX_DEPTH)
        throw new TooComplex(`Its text has over ${MAX_DEPTH} elements within each other.`, NEST_LESS)
    },
    onItemPop: () => void (depth -= 1),
  }
  const options = { treeAdapter, scriptingEnabled: false }
  const tree = fromParse5(isPage ? parse(html, options) : parseFragment(html, options)) as Root
  const cells = findTag(tree, "table").reduce((sum, table) => sum + countCells(table), 0)
  if (cells > MAX_CELLS) throw new TooComplex(`Its text has tables of over ${MAX_CELLS} cells.`)
  return tree
}
