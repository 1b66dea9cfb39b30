import type { Element, Nodes as HastNodes, Root as HastRoot } from "hast"
import { fromParse5 } from "hast-util-from-parse5"
import { toHtml } from "hast-util-to-html"
import type { List, ListItem, Nodes, Parents, Root } from "mdast"
import { defaultHandlers, type State, toHast as convert } from "mdast-util-to-hast"
import { defaultTreeAdapter, type DefaultTreeAdapterMap, parseFragment, type TreeAdapter } from "parse5"

import { MAX_ELEMENT_DEPTH, MAX_HTML_BYTES, MAX_HTML_ELEMENTS } from "../limits.ts"
import { TooComplex } from "./budget.ts"
import { nodesOf } from "./parse.ts"

// mdast to hast. Raw HTML is parsed as a browser without scripts would, and is not to be trusted yet.

const isLoose = ({ spread, children }: ListItem): boolean => spread ?? children.length > 1

const looseness = new WeakMap<List, boolean>()

const isLooseList = (list: List): boolean => {
  const known = looseness.get(list) ?? (list.spread === true || list.children.some(isLoose))
  looseness.set(list, known)
  return known
}

/** mdast-util-to-hast 13.2.2 asks for each item whether any item of its list is loose: here once for a list. To be offered upstream. */
const listItem = (state: State, node: ListItem, parent: Parents | undefined): Element => {
  const spread = parent?.type === "list" ? isLooseList(parent) : isLoose(node)
  return defaultHandlers.listItem(state, { ...node, spread }, undefined)
}

const asRoot = (nodes: HastNodes): HastRoot => (nodes.type === "root" ? nodes : { type: "root", children: [] })

type Adapter = TreeAdapter<DefaultTreeAdapterMap>

/** Builds the tree, and stops where that is too much of one. */
const countingAdapter = (): Adapter => {
  let elements = 0
  let chars = 0
  let depth = 0
  return {
    ...defaultTreeAdapter,
    createElement(...args) {
      // A browser opens what is not closed again in the next paragraph, with its attributes.
      for (const { name, value } of args[2]) chars += name.length + value.length
      if (chars > MAX_HTML_BYTES)
        throw new TooComplex(`The attributes of its HTML are longer than ${MAX_HTML_BYTES} characters.`)
      if (++elements > MAX_HTML_ELEMENTS)
        throw new TooComplex(`Its HTML makes more than ${MAX_HTML_ELEMENTS} elements: tags in it are not closed.`)
      return defaultTreeAdapter.createElement(...args)
    },
    onItemPush() {
      if (++depth > MAX_ELEMENT_DEPTH)
        throw new TooComplex(`Its HTML has more than ${MAX_ELEMENT_DEPTH} elements in one another.`)
    },
    onItemPop() {
      depth--
    },
  }
}

const parseRaw = (tree: HastRoot): HastRoot => {
  const html = toHtml(tree, { allowDangerousHtml: true })
  return asRoot(fromParse5(parseFragment(html, { scriptingEnabled: false, treeAdapter: countingAdapter() })))
}

/** Finds the footnotes that Markdown made, by a mark that no author knows, and takes from authors' HTML what reads as such. */
const claimFootnotes = (parent: HastRoot | Element, mark: string): void => {
  for (const child of parent.children) {
    if (child.type !== "element") continue
    const { properties, tagName, children } = child
    const [first] = children
    const isLabelled = first?.type === "element" && first.properties["dataMark"] === mark
    const isOurs = isLabelled || [properties["id"], properties["href"]].some((value) => String(value).includes(mark))
    for (const name of ["id", "href"] as const)
      if (isOurs && typeof properties[name] === "string") properties[name] = properties[name].replace(mark, "")
    if (!isOurs) for (const name of ["dataFootnotes", "dataFootnoteRef", "dataFootnoteBackref"]) delete properties[name]
    if (isLabelled) delete first.properties["dataMark"]
    if (!isOurs && tagName === "li") delete properties["id"]
    claimFootnotes(child, mark)
  }
}

/** Whether any HTML of the author is in a tree. */
export const hasHtml = (tree: Nodes): boolean => nodesOf(tree).some(({ node }) => node.type === "html")

/** The elements of a document, those of its raw HTML too. @throws TooComplex */
export const toHast = (tree: Root): HastRoot => {
  const mark = `${crypto.randomUUID()}-`
  const hast = convert(tree, {
    clobberPrefix: mark,
    footnoteLabelProperties: { className: ["sr-only"], dataMark: mark },
    allowDangerousHtml: true,
    handlers: { listItem },
  })
  const root = hasHtml(tree) ? parseRaw(asRoot(hast)) : asRoot(hast)
  claimFootnotes(root, mark)
  return root
}
