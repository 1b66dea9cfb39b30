import type { Nodes, Root } from "mdast"

import { isComponent } from "./html.ts"

// Takes the words of a tree, without markup and images: for titles and descriptions.

/** Elements that need no end tag. */
const UNCLOSED = new Set(["br", "hr", "img", "li", "p", "wbr"])
/** Matches the start of `<b>`, `</b>` and `<T>`, with `/` and the name. Does not match `<!--`. */
const TAG = /^<(\/?)([a-z][\w.-]*)/i
/** Matches a bare address, and tags of other tools up to their end or that of the text: `https://a.example/b`, `{% a %}`. Does not match `https`. */
const NO_WORDS = /https?:\/\/\S+|\{[{%][^}]*(?:\}|$)/g
/** Matches a letter or a digit. Does not match `…`. */
const WORD = /[\p{L}\p{N}]/u
/** Matches the mark of an alert, `[!NOTE]`, at the start of a text. Does not match `a [!NOTE]`. */
const ALERT = /^\[![A-Z]+\]/

/** Lists a node and all nodes within it, in the order of the text. */
export function* nodesOf(tree: Nodes): Generator<Nodes> {
  const rest: Nodes[] = [tree]
  for (let node = rest.pop(); node; node = rest.pop()) {
    yield node
    if ("children" in node) for (const child of node.children.toReversed()) rest.push(child)
  }
}

/** Returns the words of a node in one line. Components and tags without an end are words: `<T>`, `<details>`. */
export const wordsOf = (root: Nodes): string => {
  const nodes = [...nodesOf(root)]
  const tags = new Set(nodes.map((node) => (node.type === "html" ? node.value : "")))
  const isMarkup = (tag: string): boolean => {
    const [, slash, name = ""] = TAG.exec(tag) ?? []
    if (isComponent(name)) return false
    return slash !== "" || UNCLOSED.has(name) || tags.has(`</${name}>`)
  }
  const read = (node: Nodes): string => {
    if (node.type === "text" || node.type === "inlineCode") return node.value
    // Matches `<br>` and `<br/>`. Does not match `<b>`.
    if (node.type === "break" || (node.type === "html" && /^<br\b/i.test(node.value))) return " "
    return node.type === "html" && !isMarkup(node.value) ? node.value : ""
  }
  return nodes.map(read).join("").replace(ALERT, "").replaceAll(/\s+/g, " ").trim()
}

/** Tells whether a caption in Markdown begins after a node. Matches `<figcaption>`. Does not match `<figcaption>A</figcaption>`. */
const opensCaption = (node: Nodes | undefined): boolean => node?.type === "html" && /<figcaption>\s*$/.test(node.value)

/** Returns the words of the first paragraph that has some beside addresses, else of the first such heading; "" if there is none. The caption of a figure is no text. */
export const firstWords = (tree: Root): string => {
  // Those outside of lists and quotes come first.
  const nodes = [...tree.children, ...nodesOf(tree)]
  for (const type of ["paragraph", "heading"])
    for (const [i, node] of nodes.entries()) {
      const words = node.type === type && !opensCaption(nodes[i - 1]) ? wordsOf(node) : ""
      if (WORD.test(words.replaceAll(NO_WORDS, ""))) return words
    }
  return ""
}
