import type { Element, Nodes as HastNodes, Root as HastRoot } from "hast"
import { fromParse5 } from "hast-util-from-parse5"
import { toHtml } from "hast-util-to-html"
import type { List, ListItem, Nodes, Root } from "mdast"
import { defaultHandlers, type State, toHast as convert } from "mdast-util-to-hast"
import { defaultTreeAdapter, type DefaultTreeAdapterMap, parseFragment, type TreeAdapter } from "parse5"

import { TooComplex } from "../../packages/edgepost/src/parser/budget.ts"
import { MAX_ELEMENT_DEPTH, MAX_HTML_BYTES, MAX_HTML_ELEMENTS } from "../limits.ts"
import { nodesOf } from "./parse.ts"

// Converts mdast to hast. Raw HTML is parsed like in a browser without scripts. The result is not sanitized.

const isLoose = ({ spread, children }: ListItem): boolean => spread ?? children.length > 1

/** Decides once per list whether it is loose. mdast-util-to-hast 13.2.2 checks all items of a list for each of them. To be offered upstream. */
const handlers = {
  list(state: State, list: List): Element {
    const spread = list.spread === true || list.children.some(isLoose)
    for (const item of list.children) item.spread = spread
    return defaultHandlers.list(state, list)
  },
  listItem: (state: State, item: ListItem): Element => defaultHandlers.listItem(state, item, undefined),
}

const asRoot = (nodes: HastNodes): HastRoot => (nodes.type === "root" ? nodes : { type: "root", children: [] })

const CLOSE_TAGS = "Close all tags."

type Adapter = TreeAdapter<DefaultTreeAdapterMap>

/** Makes an adapter of parse5 that throws TooComplex if a tree gets too large. */
const limitingAdapter = (): Adapter => {
  let elements = 0
  let depth = 0
  let attributeChars = 0
  return {
    ...defaultTreeAdapter,
    createElement(...args) {
      if (++elements > MAX_HTML_ELEMENTS)
        throw new TooComplex(`The HTML has more than ${MAX_HTML_ELEMENTS} elements.`, CLOSE_TAGS)
      for (const { name, value } of args[2]) attributeChars += name.length + value.length
      if (attributeChars > MAX_HTML_BYTES)
        throw new TooComplex(`The HTML has attributes of more than ${MAX_HTML_BYTES} characters.`, CLOSE_TAGS)
      return defaultTreeAdapter.createElement(...args)
    },
    onItemPush() {
      if (++depth > MAX_ELEMENT_DEPTH)
        throw new TooComplex(`The HTML has more than ${MAX_ELEMENT_DEPTH} nested elements.`, CLOSE_TAGS)
    },
    onItemPop() {
      depth--
    },
  }
}

/** Returns the class names of an element; an empty array if it has none. */
export const classesOf = ({ properties: { className } }: Element): string[] =>
  Array.isArray(className) ? className.map(String) : []

/** Returns the text of an element that contains one text node and nothing else; null for other elements. */
export const onlyTextOf = ({ children }: Element): string | null => {
  const [only] = children
  return children.length === 1 && only?.type === "text" ? only.value : null
}

/** Lists all elements below the root of a tree, parents first. @param found the list to add them to, which is returned */
export const elementsOf = (tree: HastRoot | Element, found: Element[] = []): Element[] => {
  for (const child of tree.children) {
    if (child.type !== "element") continue
    found.push(child)
    elementsOf(child, found)
  }
  return found
}

const FOOTNOTE_PROPERTIES = ["dataFootnoteRef", "dataFootnoteBackref", "dataFootnotes"]

/** The property that marks elements made from Markdown while raw HTML is parsed. */
const MARK = "dataMade"

/** Tells whether an element looks like a part of a footnote or a task list. */
const isFootnoteOrTask = ({ tagName, properties }: Element): boolean =>
  tagName === "input" ||
  (tagName === "li" && "id" in properties) ||
  FOOTNOTE_PROPERTIES.some((name) => name in properties)

/** Changes an element of raw HTML so that it cannot pass for a part of a footnote or a task list. */
const neutralize = (element: Element): void => {
  for (const name of [...FOOTNOTE_PROPERTIES, element.tagName === "li" ? "id" : ""]) delete element.properties[name]
  if (element.tagName === "input") element.tagName = "template"
}

const parseRaw = (tree: HastRoot): HastRoot => {
  // An author cannot know this value.
  const mark = crypto.randomUUID()
  for (const element of elementsOf(tree)) if (isFootnoteOrTask(element)) element.properties[MARK] = mark
  const html = toHtml(tree, { allowDangerousHtml: true })
  const parsed = asRoot(fromParse5(parseFragment(html, { scriptingEnabled: false, treeAdapter: limitingAdapter() })))
  for (const element of elementsOf(parsed)) {
    if (element.properties[MARK] !== mark) neutralize(element)
    delete element.properties[MARK]
  }
  return parsed
}

/** Tells whether a Markdown tree (mdast) contains raw HTML. */
export const hasHtml = (tree: Nodes): boolean => nodesOf(tree).some(({ node }) => node.type === "html")

/** Converts a Markdown tree to an HTML tree, with its raw HTML parsed, not sanitized. @throws TooComplex if that HTML is too large */
export const toHast = (tree: Root): HastRoot => {
  // Ids need no prefix: IdRegistry makes them unique.
  const hast = convert(tree, { clobberPrefix: "", allowDangerousHtml: true, handlers })
  return hasHtml(tree) ? parseRaw(asRoot(hast)) : asRoot(hast)
}
