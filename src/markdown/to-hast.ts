import type { Element, Nodes as HastNodes, Root as HastRoot } from "hast"
import { fromParse5 } from "hast-util-from-parse5"
import { toHtml } from "hast-util-to-html"
import type { List, ListItem, Nodes, Root } from "mdast"
import { defaultHandlers, type State, toHast as convert } from "mdast-util-to-hast"
import { defaultTreeAdapter, type DefaultTreeAdapterMap, parseFragment, type TreeAdapter } from "parse5"

import { MAX_ELEMENT_DEPTH, MAX_HTML_BYTES, MAX_HTML_ELEMENTS } from "../limits.ts"
import { TooComplex } from "./budget.ts"
import { nodesOf } from "./parse.ts"

// mdast to hast. Raw HTML is parsed as a browser without scripts would, and is not to be trusted yet.

const isLoose = ({ spread, children }: ListItem): boolean => spread ?? children.length > 1

/** mdast-util-to-hast 13.2.2 asks for each item whether any item of its list is loose: here once for a list. To be offered upstream. */
const handlers = {
  list(state: State, list: List): Element {
    const spread = list.spread === true || list.children.some(isLoose)
    for (const item of list.children) item.spread = spread
    return defaultHandlers.list(state, list)
  },
  listItem: (state: State, item: ListItem): Element => defaultHandlers.listItem(state, item, undefined),
}

const asRoot = (nodes: HastNodes): HastRoot => (nodes.type === "root" ? nodes : { type: "root", children: [] })

const CLOSE_TAGS = "Close the tags in it."

type Adapter = TreeAdapter<DefaultTreeAdapterMap>

/** Builds the tree, and stops where that is too much of one. */
const countingAdapter = (): Adapter => {
  let elements = 0
  let depth = 0
  let attributeChars = 0
  return {
    ...defaultTreeAdapter,
    createElement(...args) {
      if (++elements > MAX_HTML_ELEMENTS)
        throw new TooComplex(`Its HTML makes more than ${MAX_HTML_ELEMENTS} elements.`, CLOSE_TAGS)
      for (const { name, value } of args[2]) attributeChars += name.length + value.length
      if (attributeChars > MAX_HTML_BYTES)
        throw new TooComplex(`Its HTML repeats attributes of more than ${MAX_HTML_BYTES} characters.`, CLOSE_TAGS)
      return defaultTreeAdapter.createElement(...args)
    },
    onItemPush() {
      if (++depth > MAX_ELEMENT_DEPTH)
        throw new TooComplex(`Its HTML has more than ${MAX_ELEMENT_DEPTH} nested elements.`, CLOSE_TAGS)
    },
    onItemPop() {
      depth--
    },
  }
}

/** Classes of an element. */
export const classesOf = ({ properties: { className } }: Element): string[] =>
  Array.isArray(className) ? className.map(String) : []

/** The text of an element that has nothing else in it; null for all others. */
export const onlyTextOf = ({ children }: Element): string | null => {
  const [only] = children
  return children.length === 1 && only?.type === "text" ? only.value : null
}

/** Every element, before those inside it. */
export const elementsOf = (tree: HastRoot | Element, found: Element[] = []): Element[] => {
  for (const child of tree.children) {
    if (child.type !== "element") continue
    found.push(child)
    elementsOf(child, found)
  }
  return found
}

const FOOTNOTES = ["dataFootnoteRef", "dataFootnoteBackref", "dataFootnotes"]

/** Says of an element, while HTML is parsed, that Markdown made it. */
const MARK = "dataMade"

/** Whether an element is part of a footnote or a task. */
const isMade = ({ tagName, properties }: Element): boolean =>
  tagName === "input" || (tagName === "li" && "id" in properties) || FOOTNOTES.some((name) => name in properties)

/** Takes from an author's element what makes it look like one that Markdown made. */
const disown = (element: Element): void => {
  for (const name of [...FOOTNOTES, element.tagName === "li" ? "id" : ""]) delete element.properties[name]
  if (element.tagName === "input") element.tagName = "template"
}

const parseRaw = (tree: HastRoot): HastRoot => {
  // No author can write it.
  const mark = crypto.randomUUID()
  for (const element of elementsOf(tree)) if (isMade(element)) element.properties[MARK] = mark
  const html = toHtml(tree, { allowDangerousHtml: true })
  const parsed = asRoot(fromParse5(parseFragment(html, { scriptingEnabled: false, treeAdapter: countingAdapter() })))
  for (const element of elementsOf(parsed)) {
    if (element.properties[MARK] !== mark) disown(element)
    delete element.properties[MARK]
  }
  return parsed
}

/** Whether any HTML of the author is in a tree. */
export const hasHtml = (tree: Nodes): boolean => nodesOf(tree).some(({ node }) => node.type === "html")

/** The elements of a document, those of its raw HTML too. @throws TooComplex */
export const toHast = (tree: Root): HastRoot => {
  // Without a prefix: ids of footnotes are told apart from those of headings.
  const hast = convert(tree, { clobberPrefix: "", allowDangerousHtml: true, handlers })
  return hasHtml(tree) ? parseRaw(asRoot(hast)) : asRoot(hast)
}
