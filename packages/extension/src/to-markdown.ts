import type { ElementContent, Root, RootContent } from "hast"

import { fromDom, toDom } from "../../edgepost/src/html/dom.ts"
import { markFootnotes } from "../../edgepost/src/html/footnotes.ts"
import type { Loss } from "../../edgepost/src/html/losses.ts"
import { plainHtml, simplifyHtml } from "../../edgepost/src/html/simplify.ts"
import { writeMarkdown } from "../../edgepost/src/html/to-markdown.ts"
import { element, findTag, isElement } from "../../edgepost/src/html/tree.ts"

// The conversion of HTML is that of the command line. What it reads from styles, scripts and tables of code is read before
// Readability, which removes these.

/** Makes images, code, formulas, formats and footnotes of a page's copy plain. */
export const plainPage = (root: HTMLElement): void => {
  const { tree } = fromDom(root)
  plainHtml(tree, (media) => media === "" || matchMedia(media).matches)
  markFootnotes(tree)
  root.replaceChildren()
  for (const node of toDom(tree.children, root.ownerDocument)) root.append(node)
}

/** Makes blocks of lines that a page divides by several breaks in a row. */
const divideLines = (nodes: ElementContent[]): ElementContent[] => {
  const blocks: ElementContent[][] = [[]]
  let breaks: ElementContent[] = []
  for (const node of nodes) {
    const isBlank = breaks.length > 0 && node.type === "text" && node.value.trim() === ""
    if (isElement(node, "br")) breaks.push(node)
    if (isBlank || isElement(node, "br")) continue
    if (breaks.length > 1) blocks.push([])
    blocks.at(-1)?.push(...(breaks.length === 1 ? breaks : []), node)
    breaks = []
  }
  return blocks.length === 1 ? nodes : blocks.map((block) => element("div", {}, block))
}

/**
 * Writes figures as their parts, and images without their links, because an image that is not uploaded becomes a link.
 */
const plain = (nodes: RootContent[]): RootContent[] =>
  nodes.flatMap((node): RootContent[] => {
    if (node.type !== "element") return [node]
    if (node.tagName === "a" && findTag(node, "img").length > 0) return plain(node.children)
    // The title of a post is its only heading of the first level.
    const tagName = { figure: "div", figcaption: "p", h1: "h2" }[node.tagName] ?? node.tagName
    const children = plain(node.children) as ElementContent[]
    return [{ ...node, tagName, children: isElement(node, "pre", "details") ? children : divideLines(children) }]
  })

/** Returns the Markdown of HTML whose addresses are absolute, and what it cannot keep. The text of the HTML never becomes markup. */
export const toMarkdown = (content: Root): { markdown: string; losses: Loss[] } => {
  const { tree, losses } = simplifyHtml({ ...content, children: plain(content.children) })
  return { markdown: writeMarkdown(tree).trim(), losses }
}
