import type { Element, ElementContent, Nodes, Parents, Properties } from "hast"

// Searches trees of HTML (hast), and makes elements. Free of Node and of a parser, so that a page can run it.

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

/** Elements that readers do not see, or that Markdown has nothing for. */
const HIDDEN = new Set("style template svg head title meta link base select option datalist textarea".split(" "))

/** Tells whether a page hides an element. Matches `display: none`, `visibility: hidden`. Does not match `display: flex`. */
export const isHidden = (node: Element): boolean =>
  HIDDEN.has(node.tagName) ||
  ("hidden" in node.properties && node.properties["hidden"] !== false) ||
  (node.tagName === "dialog" && !("open" in node.properties)) ||
  attribute(node, "ariaHidden") === "true" ||
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attribute(node, "style"))

/** Elements without text that tell of a loss. */
const TOLD = ["svg", "select", "textarea"]

/** Removes what a page hides from a tree whose formulas are plain: some of these hide what they are made of. */
export const removeHidden = (node: Parents): void => {
  node.children = (node.children as ElementContent[]).filter((child) => {
    if (!isElement(child) || isElement(child, ...TOLD)) return true
    if (isHidden(child)) return false
    removeHidden(child)
    return true
  })
}

/** The largest number with which a list of Markdown can begin. */
export const MAX_START = 999_999_999
