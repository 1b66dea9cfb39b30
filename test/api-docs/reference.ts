import type { Element, Nodes } from "hast"
import { fromHtml } from "hast-util-from-html"

const childrenOf = (node: Nodes): Nodes[] => ("children" in node ? node.children : [])
const elementsIn = (node: Nodes): Element[] =>
  childrenOf(node).flatMap((child) => [...(child.type === "element" ? [child] : []), ...elementsIn(child)])

/** Returns the visible text of an element on one line. */
export const textOf = (node: Nodes): string => {
  const raw = (one: Nodes): string => (one.type === "text" ? one.value : childrenOf(one).map(raw).join(""))
  return raw(node).replaceAll(/\s+/g, " ")
}

export const elements = (html: string): Element[] => elementsIn(fromHtml(html))
export const named = (all: Element[], ...tags: string[]): Element[] =>
  all.filter(({ tagName }) => tags.includes(tagName))
export const within = (element: Element, ...tags: string[]): Element[] => named(elementsIn(element), ...tags)

/** Returns the terms and descriptions of every list inside an element. */
export const entriesOf = (element: Element): { term: string; text: string }[] =>
  within(element, "div").flatMap((entry) => {
    const term = entry.children.find((child) => child.type === "element" && child.tagName === "dt")
    return term ? [{ term: textOf(term), text: textOf(entry) }] : []
  })
