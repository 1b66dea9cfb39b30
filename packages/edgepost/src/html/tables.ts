import type { Element, ElementContent, Parents } from "hast"

import { attribute, element, findTag, isElement } from "./tree.ts"

// Tells tables of data from tables for layout, whose cells become blocks, and reads what cells say of themselves.

/** Columns or rows that a cell may span, so that a page cannot ask for millions. */
const MAX_SPAN = 100

/** Elements that no cell of Markdown can hold. */
const BLOCKS = ["table", "pre", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6"]

const isCell = (node: ElementContent): node is Element => isElement(node, "td", "th")
const cellsOf = (row: Element): Element[] => row.children.filter(isCell)

/** Tells whether a table only places blocks: a cell holds a block, or there is one column without a head. */
export const isLayout = (table: Element): boolean => {
  const rows = findTag(table, "tr")
  const isNarrow = rows.every((row) => cellsOf(row).length < 2) && findTag(table, "th").length === 0
  return isNarrow || findTag(table, ...BLOCKS).length > 0
}

const span = (node: Element, name: "colSpan" | "rowSpan"): number =>
  Math.min(Math.max(1, Math.floor(Number(attribute(node, name)) || 1)), MAX_SPAN)

const plainCell = (cell: Element): Element => {
  const align = attribute(cell, "dataAlign")
  const properties = { ...cell.properties, colSpan: span(cell, "colSpan"), rowSpan: span(cell, "rowSpan") }
  return { ...cell, properties: align === "" ? properties : { ...properties, align } }
}

/** Makes all tables of a tree plain: those for layout become blocks, and rows without cells go. */
export const plainTables = (node: Parents): void => {
  node.children = (node.children as ElementContent[]).flatMap((child): ElementContent[] => {
    if (!isElement(child)) return [child]
    if (child.tagName === "table" && isLayout(child)) {
      // Rows of a table within a cell are read with that cell.
      const inner = new Set(findTag(child, "td", "th").flatMap((cell) => findTag(cell, "tr")))
      const captions = child.children.filter((each) => isElement(each, "caption"))
      const blocks = [
        ...captions,
        ...findTag(child, "tr")
          .filter((row) => !inner.has(row))
          .flatMap(cellsOf),
      ].map(({ children }) => element("div", {}, children))
      for (const block of blocks) plainTables(block)
      return blocks
    }
    plainTables(child)
    if (isElement(child, "tr") && cellsOf(child).length === 0) return []
    return [isCell(child) ? plainCell(child) : child]
  })
}
