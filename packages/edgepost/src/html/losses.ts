import type { Element, Parents } from "hast"

import { isLayout } from "./tables.ts"
import { attribute, findTag, isElement, isHidden, MAX_START } from "./tree.ts"

// Finds what Markdown has no markup for, so that its author is told.

/** Something that Markdown cannot keep. */
export interface Loss {
  /** A stable name, such as `list_numbers`. */
  code: string
  message: string
}

const isNumbered = ({ tagName, properties }: Element): boolean => {
  const start = Number(properties["start"] ?? 1)
  return (
    (tagName === "ol" && ("reversed" in properties || start < 0 || start > MAX_START)) ||
    (tagName === "li" && "value" in properties)
  )
}

const isField = (node: Element): boolean =>
  node.tagName === "input"
    ? !["checkbox", "hidden"].includes(attribute(node, "type"))
    : ["textarea", "select"].includes(node.tagName)

const isDrawing = (node: Element, parent: Parents): boolean =>
  node.tagName === "svg" &&
  attribute(node, "ariaHidden") !== "true" &&
  ((parent.type === "element" && parent.tagName === "figure") || findTag(node, "text").length > 0)

/** The kinds of losses, each with a test for its elements. */
const LOSSES: [code: string, message: string, test: (node: Element, parent: Parents) => boolean][] = [
  [
    "formula_without_tex",
    "The text has formulas, which become plain text. Correct them.",
    (node) => node.tagName === "math" && attribute(node, "dataTex") === "",
  ],
  [
    "list_numbers",
    "The text has a list that does not count up by one. Its numbers are lost: write them into the text.",
    isNumbered,
  ],
  [
    "joined_cells",
    "The text has a table with cells over several columns or rows. The words of each are in its first cell. Look at it.",
    (node) =>
      isElement(node, "td", "th") &&
      [node.properties["colSpan"], node.properties["rowSpan"]].some((span) => Number(span) > 1),
  ],
  [
    "table_of_blocks",
    "The text has a table with code, quotes, headings or tables in cells. Its cells stand one after another. Look at it.",
    (node) =>
      node.tagName === "table" && isLayout(node) && findTag(node, "td", "th").length > findTag(node, "tr").length,
  ],
  ["drawing", "The text has a drawing that is no image file (SVG). It is left out: add it as an image.", isDrawing],
  ["form", "The text has fields of a form. They are left out: link to the page of the form.", isField],
]

const codesOf = (node: Parents, codes: Set<string>): Set<string> => {
  for (const child of node.children) {
    if (!isElement(child)) continue
    for (const [code, , test] of LOSSES) if (test(child, node)) codes.add(code)
    if (!isHidden(child)) codesOf(child, codes)
  }
  return codes
}

/** Lists what Markdown cannot keep of a tree whose formulas and code are plain already. */
export const lossesOf = (tree: Parents): Loss[] => {
  const codes = codesOf(tree, new Set())
  return LOSSES.filter(([code]) => codes.has(code)).map(([code, message]) => ({ code, message }))
}
