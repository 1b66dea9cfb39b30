import type { Element, Root, RootContent } from "hast"

import { plainCode } from "../../edgepost/src/html/code.ts"
import { fromDom, toDom } from "../../edgepost/src/html/dom.ts"
import { plainFormulas } from "../../edgepost/src/html/formulas.ts"
import { simplifyHtml } from "../../edgepost/src/html/simplify.ts"
import { plainStyles } from "../../edgepost/src/html/styles.ts"
import { writeMarkdown } from "../../edgepost/src/html/to-markdown.ts"
import { findTag } from "../../edgepost/src/html/tree.ts"

// The conversion of HTML is that of the command line. What it reads from styles, scripts and tables of code is read before
// Readability, which removes these.

/** Makes code, formulas and formats of a page's copy plain. @returns how many formulas become plain text */
export const plainPage = (root: HTMLElement): number => {
  const tree = fromDom(root)
  const withoutTex = plainFormulas(tree)
  plainCode(tree)
  plainStyles(tree)
  root.replaceChildren(...toDom(tree.children, root.ownerDocument))
  return withoutTex
}

/**
 * Writes figures as their parts, and images without their links, because an image that is not uploaded becomes a link.
 */
const plain = (nodes: RootContent[]): RootContent[] =>
  nodes.flatMap((node): RootContent[] => {
    if (node.type !== "element") return [node]
    if (node.tagName === "a" && findTag(node, "img").length > 0) return plain(node.children)
    const tagName = { figure: "div", figcaption: "p" }[node.tagName] ?? node.tagName
    const children = plain(node.children) as Element["children"]
    return [{ ...node, tagName, children }]
  })

/** Returns the Markdown of HTML whose addresses are absolute. The text of the HTML never becomes markup. */
export const toMarkdown = (tree: Root): string =>
  writeMarkdown(simplifyHtml({ ...tree, children: plain(tree.children) })).trim()
