import type TurndownService from "turndown"

// Tables as GFM. A table with blocks in its cells, or of one column, is taken as layout: its cells become blocks.

/** Separate cells and rows until the whole table is known. Text never has them: `escapeText` removes them. */
const CELL = "\uE001"
const ROW = "\uE002"

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

const toTable = (content: string, table: HTMLElement): string => {
  const [before = "", ...lines] = content.split(ROW)
  const rows = lines.map((line) => line.split(CELL).slice(1))
  const columns = Math.max(0, ...rows.map((cells) => cells.length))
  const hasBlocks = Boolean(table.querySelector("table, pre, h1, h2, h3, h4, h5, h6, blockquote"))
  if (columns < 2 || hasBlocks)
    return `\n\n${[before, ...rows.flat()]
      .map((block) => block.trim())
      .filter(Boolean)
      .join("\n\n")}\n\n`
  const first = table.querySelector("tr")
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
    replacement: (content, node) => {
      const span = Number(node.getAttribute("colspan")) || 1
      return CELL + content + CELL.repeat(Math.min(span, 100) - 1)
    },
  })
  service.addRule("row", { filter: "tr", replacement: (content) => ROW + content })
  service.addRule("rows", { filter: ["thead", "tbody", "tfoot"], replacement: (content) => content })
  service.addRule("caption", { filter: "caption", replacement: (content) => content })
  service.addRule("table", { filter: "table", replacement: toTable })
}
