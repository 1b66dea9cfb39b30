import type { Element, ElementContent, Properties, Root } from "hast"

// Reads nodes of a page as hast, and makes nodes of hast, in a browser.

/** Nested elements that are read; of what is deeper, only the text is. */
const MAX_DEPTH = 250
/** The sum of the depths of all elements that are read: each level of quotes is written once more on each line. */
const MAX_DEPTHS = 1_000_000

const PROPERTIES: Record<string, string> = {
  class: "className",
  colspan: "colSpan",
  rowspan: "rowSpan",
  srcset: "srcSet",
}
const ATTRIBUTES = Object.fromEntries(Object.entries(PROPERTIES).map(([attribute, name]) => [name, attribute]))

/** Returns hast's name of an attribute: `dataLazySrc` of `data-lazy-src`. Matches `-l`. */
const toProperty = (name: string): string =>
  PROPERTIES[name] ?? name.replaceAll(/-([a-z\d])/g, (_, letter: string) => letter.toUpperCase())

/** Matches capitals of `dataLazySrc`. */
const toAttribute = (name: string): string =>
  ATTRIBUTES[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const propertiesOf = (element: globalThis.Element): Properties =>
  Object.fromEntries(
    [...element.attributes].map(({ name, value }) => [
      toProperty(name),
      name === "class" ? value.split(/\s+/).filter(Boolean) : name === "hidden" || name === "checked" ? true : value,
    ]),
  )

/** Returns the text of an element, however deep it is. */
const shownText = (element: globalThis.Element): string => {
  const texts = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  let text = ""
  while (texts.nextNode())
    if (!texts.currentNode.parentElement?.closest("script, style, template, noscript"))
      text += texts.currentNode.nodeValue ?? ""
  return text
}

/** How much of a page is still read. */
interface Budget {
  /** Characters of text, and elements. */
  chars: number
  /** The sum of the depths of all elements. */
  depths: number
}

const read = (node: Node, depth: number, left: Budget): ElementContent[] => {
  if (left.chars < 0 || left.depths < 0) return []
  if (node.nodeType === 3) {
    const value = node.nodeValue ?? ""
    left.chars -= value.trim().length
    return [{ type: "text", value }]
  }
  if (node.nodeType !== 1) return []
  const element = node as globalThis.Element
  if (depth > MAX_DEPTH) return [{ type: "text", value: shownText(element) }]
  left.chars -= 1
  left.depths -= depth
  // A page with scripts holds the content of this element as text.
  const isText = element.localName === "noscript" && element.children.length === 0
  const holder = isText ? new DOMParser().parseFromString(element.textContent ?? "", "text/html").body : element
  const children = [...holder.childNodes].flatMap((child) => read(child, depth + 1, left))
  return [{ type: "element", tagName: element.localName, properties: propertiesOf(element), children }]
}

/** Returns what a node of a page holds, itself left out, and whether that is all. @param maxChars of text, and elements, that are read */
export const fromDom = (node: Node, maxChars = Infinity): { tree: Root; isWhole: boolean } => {
  const left = { chars: maxChars, depths: maxChars === Infinity ? Infinity : MAX_DEPTHS }
  const children = [...node.childNodes].flatMap((child) => read(child, 1, left))
  return { tree: { type: "root", children }, isWhole: left.chars >= 0 && left.depths >= 0 }
}

/** Matches names that a script may give: `data-a`. Does not match `@click` and `"`. */
const NAME = /^[a-z_][\w.-]*$/i

const setAttributes = (element: globalThis.Element, properties: Properties): void => {
  for (const [name, value] of Object.entries(properties)) {
    const attribute = toAttribute(name)
    if (NAME.test(attribute))
      element.setAttribute(attribute, Array.isArray(value) ? value.join(" ") : value === true ? "" : String(value))
  }
}

/** Makes nodes of hast for a document. */
export const toDom = (children: Root["children"] | Element["children"], document: Document): Node[] =>
  children.flatMap((child): Node[] => {
    if (child.type === "text") return [document.createTextNode(child.value)]
    if (child.type !== "element") return []
    const element = document.createElement(NAME.test(child.tagName) ? child.tagName : "span")
    setAttributes(element, child.properties)
    for (const inner of toDom(child.children, document)) element.append(inner)
    return [element]
  })
