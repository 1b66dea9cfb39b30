import type { Element, ElementContent, Parents, Root } from "hast"

import { attribute, element, findAll, findTag, hasClass, isElement, lineOf, textOf } from "./tree.ts"

// Finds the footnotes of a text: blocks after a link that lead back to it, or to which a raised link leads.

/** Matches ids and classes of one footnote: `ftn1`, `edn1`, `sdfootnote1`, `footnote`. Does not match `footnotes`. */
const ONE_NOTE = /^(?:[ef][td]?n|(?:sd)?(?:foot|end)note)[-_:]?\d*$/
/** Elements around a number, whose ids lead to it. */
const AROUND = ["sup", "span", "em", "strong", "b", "i", "small"]
/** Matches numbers of footnotes: `10`, `iv`, `a`, `*`. Does not match `One`. */
const MARK = /^(?:\d{1,4}|[ivxl]{1,5}|[a-z]|[^\p{L}\p{N}]{1,3})$/iu

/** Returns the id that a link within the page leads to; "" for other links. */
const targetOf = (link: Element): string => {
  const href = attribute(link, "href")
  return href.startsWith("#") ? href.slice(1) : ""
}

/** Lists the ids that lead to an element. */
export const idsOf = (node: Element): string[] =>
  [attribute(node, "id"), node.tagName === "a" ? attribute(node, "name") : ""].filter(Boolean)

/** Returns the text of an element, `1` of `[1]`. Matches the brackets. */
const bare = (node: Element): string => lineOf(node).replaceAll(/^[[(]|[\])]$/g, "")

/** A block that may be a footnote, with its text and its links. */
const readNote = (block: Element) => ({ block, text: textOf(block), links: findTag(block, "a") })

/** Returns the length of the number with which a footnote begins, and of what stands around it; 0 without it. */
const markLength = ({ block, text, links: [link] }: ReturnType<typeof readNote>, mark: string): number => {
  const start = text.search(/[^\s[(]/)
  const isLinked = link !== undefined && bare(link) === mark
  if (start < 0 || !text.startsWith(mark, start) || (block.tagName === "li" && !isLinked)) return 0
  // Matches what stands after a number: `] `, `. `. The second does not match `0 years`.
  const after = isLinked ? /^[\])]?[.:)]?\s*/ : /^[\])]?[.:)]?(?![\p{L}\p{N}])\s*/u
  const [end] = after.exec(text.slice(start + mark.length)) ?? []
  return end === undefined ? 0 : start + mark.length + end.length
}

/** Removes characters from the start of a text. @returns how many are still to remove */
const cutStart = (node: Parents, count: number): number =>
  (node.children as ElementContent[]).reduce((left, child) => {
    if (isElement(child)) return left === 0 ? 0 : cutStart(child, left)
    if (child.type !== "text") return left
    const { length } = child.value
    child.value = child.value.slice(left)
    return left - length + child.value.length
  }, count)

/** Tells whether a node is a footnote, or has footnotes alone. */
const isNotes = (node: ElementContent | undefined): boolean => {
  if (!isElement(node)) return false
  const shown = node.children.filter((each) => each.type !== "text" || each.value.trim() !== "")
  return attribute(node, "dataFootnote") !== "" || (shown.length > 0 && shown.every(isNotes))
}

/** Returns the block of a target of links, which may be the number at its start; undefined without one. */
const noteOf = (target: Element | undefined, parents: Map<ElementContent, Element>): Element | undefined => {
  let note = target
  while (note && isElement(note, "a", ...AROUND)) note = parents.get(note)
  if (!note || !isElement(note, "li", "p", "div", "aside")) return undefined
  const parent = parents.get(note)
  if (!parent || !isElement(parent, "div", "aside")) return note
  // A note of several paragraphs is in a block. Longer ones have several notes.
  const names = `${attribute(parent, "id")} ${String(parent.properties["className"])}`.split(/[\s,]/)
  const isOne = names.some((name) => ONE_NOTE.test(name)) && parent.children.length < 20
  return isOne && !findAll(parent, (each) => each !== target && idsOf(each).length > 0)[0] ? parent : note
}

/** Gives each footnote and each reference to it the attribute `dataFootnote`, with its number. Links back to the text are removed. */
export const markFootnotes = (tree: Root): void => {
  const all = findAll(tree, () => true)
  const parents = new Map(all.flatMap((node) => node.children.map((child) => [child, node] as const)))
  const inCode = new Set(all.filter((node) => isElement(node, "pre", "code")).flatMap((code) => findTag(code, "a")))
  /** The next element with an id: several parts of a page may use the same. */
  const next = new Map<string, Element>()
  const notes = new Map<Element, ReturnType<typeof readNote>>()
  const found: { raised: Element; block: Element; cut: number }[] = []
  const back = new Set<string>()
  for (const link of all.toReversed()) {
    const block = link.tagName === "a" && !inCode.has(link) ? noteOf(next.get(targetOf(link)), parents) : undefined
    for (const id of idsOf(link)) next.set(id, link)
    const mark = bare(link)
    if (!block || mark === "") continue
    const note = notes.get(block) ?? readNote(block)
    notes.set(block, note)
    if (note.links.includes(link)) continue
    const around: Element[] = []
    for (let each = parents.get(link); each && isElement(each, ...AROUND); each = parents.get(each)) around.push(each)
    const sup = around.find(({ tagName }) => tagName === "sup")
    const ids = [link, ...around, ...findTag(link, ...AROUND)].flatMap(idsOf)
    const isBack = note.links.some((each) => ids.includes(targetOf(each)))
    const cut = markLength(note, mark)
    const isMarked = block.tagName === "li" || cut > 0
    // Matches what stands beside the number in raised text: `[`, `, 2`. Does not match `see`.
    const isRaised = sup
      ? /^[\s\d,[\]()]*$/.test(lineOf(sup).replace(mark, ""))
      : findTag(link, "sup").some((each) => bare(each) === mark)
    const isReference = isRaised || attribute(link, "role") === "doc-noteref"
    const isNote = isMarked || isBack || /^doc-(?:end|foot)note$/.test(attribute(block, "role"))
    if (!(isReference && isNote) && !(isBack && isMarked && MARK.test(mark))) continue
    for (const id of ids) back.add(id)
    found.push({ raised: sup && bare(sup) === mark ? sup : link, block, cut })
  }
  const numbers = new Map<Element, number>()
  for (const { raised, block, cut } of found.toReversed()) {
    const number = numbers.get(block) ?? numbers.size + 1
    if (!numbers.has(block)) cutStart(block, cut)
    numbers.set(block, number)
    const parent = parents.get(raised)
    // The numbers of several notes are in one raised text.
    if (parent?.tagName === "sup") parent.tagName = "span"
    Object.assign(raised, element("sup", { dataFootnote: number }, [{ type: "text", value: `${number}` }]))
  }
  for (const [block, number] of numbers) {
    for (const link of findTag(block, "a")) if (back.has(targetOf(link))) Object.assign(link, element("a", {}, []))
    block.properties = { dataFootnote: number }
  }
  for (const node of [tree, ...all]) {
    const isSection = isElement(node, "section") && ("dataFootnotes" in node.properties || hasClass(node, "footnotes"))
    // The line before the notes only separates them, and their heading may be for those alone who hear the page.
    node.children = (node.children as ElementContent[]).filter((child, i, siblings) => {
      const [first, second] = siblings.slice(i + 1, i + 3)
      const isLine = isElement(child, "hr") && isNotes(isElement(first) ? first : second)
      return !isLine && !(isSection && isElement(child) && hasClass(child, "sr-only"))
    })
  }
}
