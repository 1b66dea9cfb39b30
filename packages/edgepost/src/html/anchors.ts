import type { Element, ElementContent, Parents, Root } from "hast"

import { decode } from "../site.ts"
import { idsOf } from "./footnotes.ts"
import { attribute, element, findAll, findTag, isElement, textOf } from "./tree.ts"

// Keeps the places to which links of a page lead: as the id of the heading there, else as an anchor.

/** Matches ids that can stand after a heading: `the-end`. Does not match `a b` and `_a_`, which is emphasis. */
export const HEADING_ID = /^(?!_|.*-_|.*_(?:-|$))[\w-]+$/

/** Returns the ids to which links lead. */
export const targetsIn = (tree: Root): Set<string> => {
  const hrefs = findTag(tree, "a").map((link) => attribute(link, "href"))
  return new Set(hrefs.filter((href) => href.startsWith("#")).map((href) => decode(href.slice(1))))
}

/** Puts an element `anchor` where links of the page lead, or gives the id to the heading there. @param isBlock see BLOCKS */
export const markAnchors = (tree: Root, isBlock: (node: Element) => boolean): void => {
  const targets = targetsIn(tree)
  const waiting: string[] = []
  // Matches `_Toc1` and `é`. Does not match `a b` and `a"`.
  const isTarget = (id: string): boolean => /^[\p{L}\p{N}_.:-]+$/u.test(id) && targets.delete(id)
  const anchors = (): Element[] => waiting.splice(0).map((id) => element("anchor", { id }, []))
  const place = (child: ElementContent): ElementContent[] => {
    if (!isElement(child)) return textOf(child).trim() === "" ? [child] : [...anchors(), child]
    const isHeading = /^h[1-6]$/.test(child.tagName)
    const isWhole = isHeading || isElement(child, "pre", "figure")
    const isOpen = !isWhole && (isBlock(child) || findAll(child, isBlock).length > 0)
    const own = isHeading ? attribute(child, "id") : ""
    if (HEADING_ID.test(own)) targets.delete(own)
    const all = isOpen ? [child] : [child, ...findAll(child, () => true)]
    waiting.push(...all.flatMap(idsOf).filter(isTarget))
    if (isOpen) visit(child)
    const isShown = textOf(child).trim() !== "" || all.some((each) => isElement(each, "img", "math"))
    if (isOpen || !isShown || waiting.length === 0) return [child]
    if (!isHeading) return [...(isWhole ? [element("p", {}, anchors())] : anchors()), child]
    const id = HEADING_ID.test(own) ? own : waiting.find((each) => HEADING_ID.test(each))
    if (id !== undefined) child.properties["id"] = id
    child.children.unshift(...anchors().filter((anchor) => anchor.properties["id"] !== id))
    return [child]
  }
  const visit = (node: Parents): void => {
    node.children = (node.children as ElementContent[]).flatMap(place)
  }
  visit(tree)
  if (waiting.length > 0) tree.children.push(element("p", {}, anchors()))
}
