import type { Element, ElementContent, Parents } from "hast"

import { attribute, element, findTag, isElement, textOf } from "./tree.ts"

// Reads what styles and classes mean: bold that is not bold, spans that are, and the signs beside headings that lead to them.

/** Formats by styles. Each pattern matches its style, such as `font-weight: 700`, and no other, such as `font-weight: 400`. */
const FORMATS: [RegExp, string][] = [
  [/(?:^|;)\s*font-weight\s*:\s*(?:bold|bolder|[6-9]00)/i, "strong"],
  [/(?:^|;)\s*font-style\s*:\s*(?:italic|oblique)/i, "em"],
  [/(?:^|;)\s*text-decoration(?:-line)?\s*:[^;]*line-through/i, "del"],
]
/** Formats that a style takes back: Google Docs puts `<b style="font-weight:normal">` around all that is copied. */
const PLAIN: [RegExp, string[]][] = [
  [/(?:^|;)\s*font-weight\s*:\s*(?:normal|[1-5]00)/i, ["b", "strong"]],
  [/(?:^|;)\s*font-style\s*:\s*normal/i, ["i", "em"]],
]

const format = (node: Element): Element => {
  const style = attribute(node, "style")
  if (style === "") return node
  const isPlain = PLAIN.some(([pattern, names]) => names.includes(node.tagName) && pattern.test(style))
  const plain = isPlain ? { ...node, tagName: "span" } : node
  if (plain.tagName !== "span" && plain.tagName !== "font") return plain
  const names = FORMATS.filter(([pattern]) => pattern.test(style)).map(([, name]) => name)
  return names.reduce((inner, name) => element(name, {}, [inner]), plain)
}

const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"]
/** Matches signs of a link to its own heading: `#`, `¶`, a zero-width space, `Permalink`. Does not match `Install`. */
const SIGN = /^(?:[#¶§🔗\s\u200B\uFEFF]|permalink|anchor|(?:direct )?link(?: to this (?:heading|section))?)*$/iu

/** Tells whether a node of a heading is the sign by which its address can be copied. */
const isAnchor = (node: ElementContent): boolean =>
  isElement(node, "button") ||
  // The address may be absolute: pages are read by a browser.
  (isElement(node, "a") &&
    attribute(node, "href").includes("#") &&
    findTag(node, "img").length === 0 &&
    SIGN.test(textOf(node)))

const withoutAnchors = (nodes: ElementContent[]): ElementContent[] =>
  nodes.flatMap((node): ElementContent[] => {
    if (isAnchor(node)) return []
    return [isElement(node) ? { ...node, children: withoutAnchors(node.children) } : node]
  })

/** Gives a cell the attribute `dataAlign`, since Readability removes `align` as it does styles. */
const markAlign = (cell: Element): void => {
  // Matches `text-align: right`. Does not match `vertical-align: top`.
  const [, align] = /text-align:\s*(left|center|right)/i.exec(attribute(cell, "style")) ?? []
  const found = (align ?? attribute(cell, "align")).toLowerCase()
  if (found !== "") cell.properties["dataAlign"] = found
}

/** Gives all elements of a tree the names that their styles mean, and removes the signs beside headings. */
export const plainStyles = (node: Parents): void => {
  node.children = (node.children as ElementContent[]).map((child) => {
    if (!isElement(child)) return child
    plainStyles(child)
    if (isElement(child, "td", "th")) markAlign(child)
    const styled = format(child)
    if (!isElement(styled, ...HEADINGS)) return styled
    const kept = { ...styled, children: withoutAnchors(styled.children) }
    // A heading may be a button that opens its section.
    return /\p{L}/u.test(textOf(styled)) && textOf(kept).trim() === "" ? styled : kept
  })
}
