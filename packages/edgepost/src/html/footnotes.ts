import type { Element, Root } from "hast"

import { attribute, element, findTag, hasClass, isElement, lineOf } from "./tree.ts"

// Finds the footnotes of a text: items of a list, to which raised links in the text lead.

/** Returns the id that a link within the page leads to; "" for other links. */
const targetOf = (link: Element): string => {
  const href = attribute(link, "href")
  return href.startsWith("#") ? href.slice(1) : ""
}

/** Returns the text of an element, `1` of `[1]`. Matches the brackets. */
const bare = (node: Element): string => lineOf(node).replaceAll(/^\[|\]$/g, "")

/** Gives each footnote and each reference to it the attribute `dataFootnote`, with its number. Links back to the text are removed. */
export const markFootnotes = (tree: Root): void => {
  const items = new Map(findTag(tree, "li").map((item) => [attribute(item, "id"), item]))
  const numbers = new Map<string, number>()
  const places = new Set<string>()
  const inCode = new Set(findTag(tree, "pre", "code").flatMap((code) => findTag(code, "sup")))
  const order = new Map(findTag(tree, "sup", "li").map((each, i) => [each, i]))
  const isAfter = (item: Element | undefined, raised: Element): boolean =>
    item !== undefined && (order.get(item) ?? 0) > (order.get(raised) ?? 0)
  for (const raised of findTag(tree, "sup")) {
    const link = raised.children.find((child) => isElement(child, "a"))
    const id = link ? targetOf(link) : ""
    const isAlone = link !== undefined && bare(link) === bare(raised)
    if (!isAlone || id === "" || inCode.has(raised) || !isAfter(items.get(id), raised)) continue
    const number = numbers.get(id) ?? numbers.size + 1
    numbers.set(id, number)
    places.add(attribute(raised, "id")).add(attribute(link, "id"))
    Object.assign(raised, element("sup", { dataFootnote: number }, [{ type: "text", value: `${number}` }]))
  }
  for (const [id, number] of numbers) {
    const item = items.get(id)
    if (!item) continue
    for (const link of findTag(item, "a"))
      if (targetOf(link) !== "" && places.has(targetOf(link))) Object.assign(link, element("a", {}, []))
    Object.assign(item, element("li", { dataFootnote: number }, item.children))
  }
  // The heading of the notes is only for those who hear the page.
  for (const section of findTag(tree, "section"))
    if ("dataFootnotes" in section.properties || hasClass(section, "footnotes"))
      section.children = section.children.filter((child) => !(isElement(child) && hasClass(child, "sr-only")))
}
