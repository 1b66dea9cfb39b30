import type { Element, ElementContent, Root, RootContent } from "hast"

import { markAnchors } from "./anchors.ts"
import { plainCode, withBreaks } from "./code.ts"
import { markFootnotes } from "./footnotes.ts"
import { plainFormulas } from "./formulas.ts"
import { plainImages } from "./images.ts"
import { type Loss, lossesOf } from "./losses.ts"
import { plainStyles } from "./styles.ts"
import { plainTables } from "./tables.ts"
import { attribute, element, findTag, hasClass, isElement, isHidden, MAX_START, removeHidden, textOf } from "./tree.ts"

// Turns HTML as browsers take it into HTML that Markdown can say: no blocks within a line, no formats at blanks, no hidden text.

/** Elements that begin a line of their own. */
const BLOCKS = new Set(
  "address article aside blockquote center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul".split(
    " ",
  ),
)

/** Elements within a line. */
const FORMATS = new Set(
  "a abbr b big cite code del em font i ins kbd mark q s samp small span strike strong sub sup tt u var".split(" "),
)

/** Schemes that readers of the service can follow. Matches `https:`, `mailto:`. Does not match `javascript:`. */
const SAFE_SCHEME = /^(?:https?|mailto|tel|sms|xmpp|ircs?):/i

/** Matches any scheme: `data:`. Does not match `/a:b`. */
const SCHEME = /^[a-z][a-z0-9+.-]*:/i

/** Encodes what an address may not hold and Markdown tools read as markup: spaces, `{`, `|`. Leaves `é` and `%20`. */
export const cleanAddress = (url: string): string =>
  url
    .trim()
    // Matches the beginning of `//e.x/a`. Does not match `/a`.
    .replace(/^\/\/(?=[^/])/, "https://")
    .replaceAll(/[\s{}<>"\\^`|]/g, (character) => encodeURIComponent(character))

export const text = (value: string): ElementContent => ({ type: "text", value })

export const paragraph = (...children: ElementContent[]): Element => element("p", {}, children)

const isBlock = (node: ElementContent): boolean => isElement(node) && BLOCKS.has(node.tagName)

/** Divides nodes into blocks and the runs of others between them. Runs of whitespace are left out. */
const divide = (nodes: ElementContent[]): (Element | ElementContent[])[] => {
  const parts: (Element | ElementContent[])[] = []
  for (const node of nodes) {
    const last = parts.at(-1)
    if (isElement(node) && isBlock(node)) parts.push(node)
    else if (Array.isArray(last)) last.push(node)
    else parts.push([node])
  }
  return parts.filter((part) => !Array.isArray(part) || !part.every(isBreak))
}

/** Tells whether a node is in an element with that name, with nothing beside it. */
const isWithin = (tagName: string, [node, ...others]: ElementContent[]): boolean =>
  others.length === 0 &&
  isElement(node) &&
  FORMATS.has(node.tagName) &&
  (node.tagName === tagName || isWithin(tagName, node.children))

/** Moves an element of a line into the blocks within it, since Markdown has no bold list. */
const moveInto = (format: Element, nodes: ElementContent[]): ElementContent[] =>
  divide(nodes).flatMap((part) => {
    if (!Array.isArray(part)) return [{ ...part, children: moveInto(format, part.children) }]
    // Many elements around many blocks would be written once for each pair.
    return isWithin(format.tagName, part) ? part : [{ ...format, children: part }]
  })

/** Replaces blocks by their content, with a line break between. */
export const flatten = (nodes: ElementContent[]): ElementContent[] => {
  const flat: ElementContent[] = []
  let isOpen = false
  for (const node of nodes) {
    const inner = isElement(node) ? flatten(node.children) : []
    const content = isBlock(node) ? inner : isElement(node) ? [{ ...node, children: inner }] : [node]
    if (node.type === "text" && node.value.trim() === "" && (isOpen || flat.length === 0)) continue
    if (isElement(node, "hr")) isOpen = true
    if (content.length === 0) continue
    if ((isOpen || isBlock(node)) && flat.length > 0 && !isElement(flat.at(-1), "br")) flat.push(element("br", {}, []))
    for (const each of content) flat.push(each)
    isOpen = isBlock(node)
  }
  return flat
}

/** Elements that become others, by name. */
const ELEMENTS: Record<string, (node: Element, children: ElementContent[]) => ElementContent[]> = {
  script: () => [],
  menu: (node, children) => [{ ...node, tagName: "ul", children }],
  dialog: (node, children) => [{ ...node, tagName: "div", children }],
  // The caption of a table stands before it.
  table: (node, children) => {
    const captions = children.filter((child) => isElement(child, "caption"))
    const rest = { ...node, children: children.filter((child) => !isElement(child, "caption")) }
    return [...captions.map((caption) => ({ ...caption, tagName: "p", children: flatten(caption.children) })), rest]
  },
  img: (node) => {
    const src = cleanAddress(attribute(node, "src"))
    return src === "" ? [] : [{ ...node, properties: { ...node.properties, src } }]
  },
  a: (node, children) => {
    const href = cleanAddress(attribute(node, "href"))
    if (href === "" || (SCHEME.test(href) && !SAFE_SCHEME.test(href))) return children
    const linked = { ...node, properties: { ...node.properties, href }, children }
    if (findTag(linked, "figure").length === 0) return children.some(isBlock) ? moveInto(linked, children) : [linked]
    // A link around a figure is one around its image.
    const around = (each: ElementContent): ElementContent => {
      if (each.type !== "element") return each
      return each.tagName === "img" ? element("a", { href }, [each]) : { ...each, children: each.children.map(around) }
    }
    return children.map(around)
  },
  input: (node) => (attribute(node, "type") === "checkbox" ? [node] : []),
  // The source of a quote becomes a paragraph.
  blockquote: (node, children) => {
    const apart = children.flatMap((child) => {
      const last = isElement(child, "p") && child.children.length > 1 ? child.children.at(-1) : undefined
      return isElement(child) && isElement(last, "cite")
        ? [{ ...child, children: child.children.slice(0, -1) }, last]
        : [child]
    })
    return [
      { ...node, children: apart.map((child) => (isElement(child, "cite") ? { ...child, tagName: "p" } : child)) },
    ]
  },
  // A poem has lines, and links in it stay links.
  pre: (node, children) => {
    const hasLinks = findTag(node, "a", "img").some((each) => each.tagName === "img" || attribute(each, "href") !== "")
    const isCode = !hasClass(node, "wp-block-verse") && !hasLinks
    return [isCode ? node : paragraph(...withBreaks(children))]
  },
  p: (node, children) => {
    const isBlank =
      textOf(node).trim() === "" && findTag(element("p", {}, children), "img", "a", "p", "math", "anchor").length === 0
    if (isBlank) return []
    return divide(children).map((part) => (Array.isArray(part) ? { ...node, children: part } : part))
  },
}

/** Finds the box of a task, but not those of lists within. */
const findBox = (nodes: ElementContent[]): Element | undefined => {
  for (const node of nodes) {
    if (!isElement(node)) continue
    if (node.tagName === "input") return node
    const box = ["ul", "ol"].includes(node.tagName) ? undefined : findBox(node.children)
    if (box) return box
  }
  return undefined
}

/** Moves the box of a task to the beginning of its item, where Markdown has it. */
const withBox = (nodes: ElementContent[]): ElementContent[] => {
  const box = findBox(nodes)
  if (!box) return nodes
  const without = (node: ElementContent): ElementContent[] =>
    node === box ? [] : [isElement(node) ? { ...node, children: node.children.flatMap(without) } : node]
  const [first, ...others] = nodes.flatMap(without)
  const begin = [box, text(" ")]
  if (isElement(first, "p")) return [{ ...first, children: [...begin, ...first.children] }, ...others]
  return [...begin, ...(first ? [first] : []), ...others]
}
ELEMENTS["li"] = (node, children) => [{ ...node, children: withBox(children) }]

for (const name of ["ul", "ol"])
  ELEMENTS[name] = (node, children) => {
    const items: ElementContent[] = []
    let last: Element | undefined
    const footnotes = children.filter((child) => isElement(child) && attribute(child, "dataFootnote") !== "")
    for (const child of children.filter((each) => !footnotes.includes(each))) {
      // What stands between items, such as a list, belongs to the item before it.
      if (isBreak(child)) items.push(child)
      else if (last && !isElement(child, "li")) last.children.push(child)
      else {
        last = isElement(child, "li") ? child : element("li", {}, [child])
        items.push(last)
      }
    }
    const start = Number(node.properties["start"] ?? 1)
    const properties = start >= 0 && start <= MAX_START ? node.properties : {}
    return [
      ...(items.every(isBreak) ? [] : [{ ...node, properties, children: items }]),
      ...footnotes.map((each) => ({ ...each, tagName: "div" })),
    ]
  }
for (const name of ["h1", "h2", "h3", "h4", "h5", "h6"])
  ELEMENTS[name] = (node, children) => {
    const heading = { ...node, children: flatten(children) }
    return textOf(heading).trim() === "" && findTag(heading, "img", "math").length === 0 ? [] : [heading]
  }
for (const name of ["td", "th", "summary"])
  ELEMENTS[name] = (node, children) => [{ ...node, children: flatten(children) }]

/** Tells whether a node is a line break or whitespace: no emphasis of Markdown begins or ends with these. */
const isBreak = (node: ElementContent): boolean =>
  isElement(node, "br") || (node.type === "text" && node.value.trim() === "")

/** Moves the whitespace at the edges out of the nodes. */
const trimEdges = (nodes: ElementContent[]) => {
  const inner = [...nodes]
  const [first] = inner
  const before = first?.type === "text" && /^\s/.test(first.value) ? [text(" ")] : []
  if (before.length > 0 && first?.type === "text") inner[0] = text(first.value.trimStart())
  const last = inner.at(-1)
  const after = last?.type === "text" && /\s$/.test(last.value) ? [text(" ")] : []
  if (after.length > 0 && last?.type === "text") inner[inner.length - 1] = text(last.value.trimEnd())
  return { before, inner, after }
}

/**
 * Returns what stands for an element that only one kind of page or export has, such as a card or a player; null for others.
 * @param simplifyAll simplifies the children of such an element
 */
export type Replace = (
  node: Element,
  simplifyAll: (nodes: RootContent[]) => ElementContent[],
) => ElementContent[] | null

const simplify = (node: Element, replace: Replace): ElementContent[] => {
  if (isHidden(node)) return []
  const replaced = replace(node, (nodes) => simplifyAll(nodes, replace))
  if (replaced !== null) return replaced
  const footnote = attribute(node, "dataFootnote")
  if (footnote !== "" && isElement(node, "p", "div", "aside"))
    return [element("div", { dataFootnote: footnote }, simplify({ ...node, properties: {} }, replace))]
  const children = simplifyAll(node.children, replace)
  const convert = Object.hasOwn(ELEMENTS, node.tagName) ? ELEMENTS[node.tagName] : undefined
  if (!FORMATS.has(node.tagName)) return convert ? convert(node, children) : [{ ...node, children }]
  const first = children.findIndex((child) => !isBreak(child))
  const last = children.findLastIndex((child) => !isBreak(child))
  if (first < 0) return children
  const { before: start, inner, after } = trimEdges(children.slice(first, last + 1))
  const kept = convert
    ? convert(node, inner)
    : inner.some(isBlock)
      ? moveInto(node, inner)
      : [{ ...node, children: inner }]
  return [...children.slice(0, first), ...start, ...kept, ...after, ...children.slice(last + 1)]
}

const simplifyAll = (nodes: RootContent[], replace: Replace): ElementContent[] => {
  const simple: ElementContent[] = []
  for (const node of nodes) {
    if (node.type === "text") simple.push(node)
    else if (isElement(node)) for (const each of simplify(node, replace)) simple.push(each)
  }
  return simple
}

/**
 * Makes formulas, images, code and styled text plain, and removes what readers do not see.
 * @param isShown tells whether a media query of an image's source holds; without it, that source is not taken
 */
export const plainHtml = (tree: Root, isShown?: (media: string) => boolean): void => {
  plainFormulas(tree)
  removeHidden(tree)
  plainImages(tree, isShown)
  plainCode(tree)
  plainStyles(tree)
}

/** Returns HTML that has only elements with a meaning in Markdown, with all text that readers see, and what Markdown cannot keep. */
export const simplifyHtml = (tree: Root, replace: Replace = () => null): { tree: Root; losses: Loss[] } => {
  plainHtml(tree)
  const losses = lossesOf(tree)
  plainTables(tree)
  markFootnotes(tree)
  markAnchors(tree, isBlock)
  return { tree: { type: "root", children: simplifyAll(tree.children, replace) }, losses }
}
