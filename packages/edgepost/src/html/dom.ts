import type { Element, ElementContent, Properties, Root } from "hast"

// Reads nodes of a page as hast, and makes nodes of hast, in a browser.

/** Nested elements that are read; of what is deeper, only the text is. */
const MAX_DEPTH = 250

const PROPERTIES: Record<string, string> = { class: "className", colspan: "colSpan", rowspan: "rowSpan" }
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

const read = (node: Node, depth: number): ElementContent[] => {
  if (node.nodeType === 3) return [{ type: "text", value: node.nodeValue ?? "" }]
  if (node.nodeType !== 1) return []
  const element = node as globalThis.Element
  if (depth > MAX_DEPTH) return [{ type: "text", value: element.textContent ?? "" }]
  const children = [...element.childNodes].flatMap((child) => read(child, depth + 1))
  return [{ type: "element", tagName: element.localName, properties: propertiesOf(element), children }]
}

/** Returns what a node of a page holds, itself left out. */
export const fromDom = (node: Node): Root => ({
  type: "root",
  children: [...node.childNodes].flatMap((child) => read(child, 1)),
})

const setAttributes = (element: globalThis.Element, properties: Properties): void => {
  for (const [name, value] of Object.entries(properties)) {
    const attribute = toAttribute(name)
    // Matches names that a script may give: `data-a`. Does not match `@click` and `"`.
    if (/^[a-z_][\w.-]*$/i.test(attribute))
      element.setAttribute(attribute, Array.isArray(value) ? value.join(" ") : value === true ? "" : String(value))
  }
}

/** Makes nodes of hast for a document. */
export const toDom = (children: Root["children"] | Element["children"], document: Document): Node[] =>
  children.flatMap((child): Node[] => {
    if (child.type === "text") return [document.createTextNode(child.value)]
    if (child.type !== "element") return []
    const element = document.createElement(child.tagName)
    setAttributes(element, child.properties)
    element.append(...toDom(child.children, document))
    return [element]
  })
