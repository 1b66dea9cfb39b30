import type TurndownService from "turndown"

// Tables as GFM. A table with blocks in its cells, or of one column, is taken as layout: its cells become blocks.

/** Separate cells and rows until the whole table is known. Text never has them: `escapeText` removes them. */
const CELL = "\uE001"
const ROW = "\uE002"

/** Columns or rows that a cell may span, so that a page cannot ask for millions. */
const MAX_SPAN = 100

const ALIGNMENTS: Record<string, string> = { left: ":--", center: ":-:", right: "--:" }

const alignmentOf = (cell: Element | undefined): string => {
  const [, align = ""] = /text-align:\s*(\w+)/.exec(cell?.getAttribute("style") ?? "") ?? []
  return ALIGNMENTS[align || (cell?.getAttribute("align") ?? "")] ?? "---"
}

/** Returns a cell's text on one line. A `|` would end the cell, even in code. */
const toLine = (content: string): string =>
  content
    .trim()
    .replaceAll(/\s*\n\s*/g, "<br>")
    // Matches `|` in `a|b`, and after `\\\\`, which is a backslash. Does not match it in `a\\|b`.
    .replaceAll(/(?<=(?:^|[^\\])(?:\\\\)*)\|/g, "\\|")

const cellsOf = (row: Element): Element[] => Array.from(row.children).filter(({ nodeName }) => /^T[DH]$/.test(nodeName))

const isHeading = (row: Element): boolean =>
  row.parentElement?.nodeName === "THEAD" || cellsOf(row).every(({ nodeName }) => nodeName === "TH")

const spanOf = (cell: Element, name: "colspan" | "rowspan"): number =>
  Math.min(Number(cell.getAttribute(name)) || 1, MAX_SPAN)

/** Places the texts of cells in a grid. A cell that spans several places has its text in the first one. */
const gridOf = (rows: Element[], texts: string[][]): string[][] => {
  const grid: string[][] = rows.map(() => [])
  for (const [y, row] of rows.entries()) {
    let x = 0
    for (const [index, cell] of cellsOf(row).entries()) {
      while (grid[y]?.[x] !== undefined) x += 1
      for (const places of grid.slice(y, y + spanOf(cell, "rowspan")))
        for (let column = x; column < x + spanOf(cell, "colspan"); column += 1) places[column] ??= ""
      grid[y]?.splice(x, 1, texts[y]?.[index] ?? "")
    }
  }
  return grid
}

const toTable = (content: string, table: HTMLElement): string => {
  const [before = "", ...lines] = content.split(ROW)
  const texts = lines.map((line) => line.split(CELL).slice(1))
  const hasBlocks = Boolean(table.querySelector("table, pre, h1, h2, h3, h4, h5, h6, blockquote"))
  const trs = hasBlocks ? [] : Array.from(table.querySelectorAll("tr")).filter((row) => row.childElementCount > 0)
  const rows = gridOf(trs, texts)
  const columns = Math.max(0, ...rows.map((cells) => cells.length))
  if (columns < 2)
    return `\n\n${[before, ...texts.flat()]
      .map((block) => block.trim())
      .filter(Boolean)
      .join("\n\n")}\n\n`
  const first = trs[0]
  if (!first) return ""
  const write = (cells: string[]): string =>
    `| ${Array.from({ length: columns }, (_, index) => toLine(cells[index] ?? "")).join(" | ")} |`
  const heads = cellsOf(first)
  const rule = `| ${Array.from({ length: columns }, (_, index) => alignmentOf(heads[index])).join(" | ")} |`
  const [head = [], ...others] = isHeading(first) ? rows : [[], ...rows]
  return `\n\n${before.trim()}\n\n${[write(head), rule, ...others.map(write)].join("\n")}\n\n`
}

export const addTables = (service: TurndownService): void => {
  service.addRule("cell", {
    filter: ["td", "th"],
    replacement: (content) => CELL + content,
  })
  service.addRule("row", { filter: "tr", replacement: (content) => ROW + content })
  service.addRule("rows", { filter: ["thead", "tbody", "tfoot"], replacement: (content) => content })
  service.addRule("caption", { filter: "caption", replacement: (content) => content })
  service.addRule("table", { filter: "table", replacement: toTable })
}
