import type { Nodes, Root } from "mdast"

import { isComponent } from "./html.ts"

// Takes the words of a tree, without markup and images: for titles and descriptions.

/** Elements that need no end tag. */
const UNCLOSED = new Set(["br", "hr", "img", "li", "p", "wbr"])
/** Matches the start of `<b>`, `</b>` and `<T>`, with `/` and the name. Does not match `<!--`. */
const TAG = /^<(\/?)([a-z][\w.-]*)/i
/** Matches a bare address, and tags of other tools: `https://a.example/b`, `{% a %}`. Does not match `https`. */
const NO_WORDS = /https?:\/\/\S+|\{[{%][^}]*\}/g
/** Matches a letter or a digit. Does not match `…`. */
const WORD = /[\p{L}\p{N}]/u
/** Matches the mark of an alert, `[!NOTE]`, at the start of a text. Does not match `a [!NOTE]`. */
const ALERT = /^\[![A-Z]+\]/

const tagsOf = (node: Nodes): string[] =>
  node.type === "html" ? [node.value] : "children" in node ? node.children.flatMap(tagsOf) : []

/** Returns the words of a node in one line. Components and tags without an end are words: `<T>`, `<details>`. */
export const wordsOf = (root: Nodes): string => {
  const tags = tagsOf(root)
  const isMarkup = (tag: string): boolean => {
    const [, slash, name = ""] = TAG.exec(tag) ?? []
    if (isComponent(name)) return false
    return slash !== "" || UNCLOSED.has(name) || tags.includes(`</${name}>`)
  }
  const read = (node: Nodes): string => {
    if (node.type === "text" || node.type === "inlineCode") return node.value
    // Matches `<br>` and `<br/>`. Does not match `<b>`.
    if (node.type === "break" || (node.type === "html" && /^<br\b/i.test(node.value))) return " "
    if (node.type === "html") return isMarkup(node.value) ? "" : node.value
    return "children" in node ? node.children.map(read).join("") : ""
  }
  return read(root).replace(ALERT, "").replaceAll(/\s+/g, " ").trim()
}

/** Tells whether a caption in Markdown begins after a node. Matches `<figcaption>`. Does not match `<figcaption>A</figcaption>`. */
const opensCaption = (node: Nodes | undefined): boolean => node?.type === "html" && /<figcaption>\s*$/.test(node.value)

/** Lists the nodes of a type, those outside of lists and quotes first. The caption of a figure is no text. */
function* nodesOf(tree: Root, type: "paragraph" | "heading"): Generator<Nodes> {
  for (let level: Nodes[] = tree.children; level.length > 0;) {
    yield* level.filter((node, i) => node.type === type && !opensCaption(level[i - 1]))
    const holders = level.filter(({ type: one }) => one === "blockquote" || one === "list" || one === "listItem")
    level = holders.flatMap((node): Nodes[] => ("children" in node ? node.children : []))
  }
}

/** Returns the words of the first paragraph that has some beside addresses, else of the first such heading; "" if there is none. */
export const firstWords = (tree: Root): string => {
  for (const type of ["paragraph", "heading"] as const)
    for (const node of nodesOf(tree, type)) {
      const words = wordsOf(node)
      if (WORD.test(words.replaceAll(NO_WORDS, ""))) return words
    }
  return ""
}
