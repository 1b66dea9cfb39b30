import type { Element, ElementContent, Root, RootContent } from "hast"
import { toHtml } from "hast-util-to-html"
import type { Root as Tree } from "mdast"

import { MAX_HIGHLIGHTED_HTML_BYTES, MAX_HTML_BYTES } from "../limits.ts"
import { toAlert } from "./alerts.ts"
import { NEST_LESS, TooComplex } from "./budget.ts"
import { isUnknownTag, keepForeign } from "./foreign.ts"
import { FOOTNOTE_LABEL, Ids, isHeading, readWrittenId } from "./headings.ts"
import { Highlighter } from "./highlight.ts"
import { hrefOf } from "./links.ts"
import { Formulas } from "./math.ts"
import { isAutolink, nodesOf, parse, spanOf, withoutMark } from "./parse.ts"
import { sanitize } from "./sanitize.ts"
import { elementsOf, toHast } from "./to-hast.ts"
import { type Lines, type MarkdownWarning, warningsOf, warnOfFormulas } from "./warnings.ts"
import { type Words, wordsOf } from "./words.ts"

/** The size of an image that may be shown, in pixels. */
export interface ImageSize {
  width: number
  height: number
}

/** A body as a tree, before it is known which of its images may be shown. */
export interface Rendered {
  tree: Root
  /** `src` of every image that the body shows, in order, as written. */
  images: string[]
  warnings: MarkdownWarning[]
  /** As `warningsOf` returns them. */
  formulas: Lines
}

const isElement = (node: RootContent | undefined): node is Element => node?.type === "element"

const stringOf = (value: unknown): string => (typeof value === "string" ? value : "")

const ENDS_LINK = new Set(["paragraph", "heading", "tableCell"])

/** Changes nodes as a post shows them, where Markdown or HTML says otherwise. Nothing after needs their positions, and each is copied often. */
const prepare = (tree: Tree, markdown: string): void => {
  let isInLink = false
  for (const { node } of nodesOf(tree)) {
    if (ENDS_LINK.has(node.type)) isInLink = false
    if (node.type === "html") {
      isInLink = /^<a\s[^]*href/i.test(node.value) || (isInLink && !/^<\/a\s*>/i.test(node.value))
      if (isUnknownTag(node.value)) node.value = ""
    }
    // An address between `<a href="/b">` and `</a>` is the text of that link.
    if (isInLink && node.type === "link" && isAutolink(node, markdown))
      Object.assign(node, node.children[0], { children: [] })
    const written = node.type === "heading" ? readWrittenId(node, markdown) : null
    if (written) {
      written.text.value = written.rest
      node.data = { ...node.data, hProperties: { id: written.id } }
    }
    // `$$…$$` in a paragraph is a display of its own.
    if (node.type === "inlineMath" && markdown.startsWith("$$", spanOf(node).start))
      node.data = { ...node.data, hProperties: { className: ["language-math", "math-display"] } }
    delete node.position
  }
}

/** An `iframe` becomes a link to what it would load. */
const linkFrame = (element: Element): void => {
  const href = stringOf(element.properties["src"])
  const isSafe = /^https:\/\//i.test(href)
  Object.assign(element, { tagName: isSafe ? "a" : "template", properties: isSafe ? { href } : {} })
  element.children = isSafe ? [{ type: "text", value: href }] : []
}

/** A link gets the address that it keeps, or none. */
const cleanLink = ({ properties }: Element): void => {
  if (properties["href"] === undefined) return
  const href = hrefOf(stringOf(properties["href"]))
  if (href === null) delete properties["href"]
  else properties["href"] = href
}

/** Work on a document. @returns what it comes to, or that it is too much */
const within = <T>(work: () => T): T | TooComplex => {
  try {
    return work()
  } catch (error) {
    if (error instanceof TooComplex) return error
    if (error instanceof RangeError) return new TooComplex("Its markup is nested too deeply.", NEST_LESS)
    throw error
  }
}

/**
 * Markdown to a tree of safe HTML.
 * @returns what `finish` needs, once it is known which images may be shown
 */
export const render = (body: string): Rendered | TooComplex =>
  within(() => {
    const markdown = withoutMark(body)
    const parsed = parse(markdown)
    const foreign = keepForeign(parsed, markdown)
    const { warnings, formulas } = warningsOf(parsed, foreign)
    prepare(parsed, markdown)
    const hast = toHast(parsed)
    for (const element of elementsOf(hast)) {
      if (element.tagName === "iframe") linkFrame(element)
      if (element.tagName === "a") cleanLink(element)
    }
    const tree = sanitize(hast)
    const images = elementsOf(tree)
      .filter(({ tagName }) => tagName === "img")
      .map(({ properties }) => stringOf(properties["src"]))
    return { tree, images, warnings, formulas }
  })

const REL = ["nofollow", "ugc", "noopener"]

/** What a tree is finished with. */
interface Finishing {
  /** The size of an image that may be shown; null for all others, which become links. */
  show: (src: string) => ImageSize | null
  /** BCP 47 code of the text. */
  language: string
  /** Ids of the original's headings, for a translation. */
  headingIds?: string[]
}

interface State {
  show: Finishing["show"]
  words: Words
  ids: Ids
  highlighter: Highlighter | null
  formulas: Formulas
}

/** An image that may be shown, with its size; any other one is a link to it, or its text. */
const finishImage = (image: Element, isInLink: boolean, { show }: State): ElementContent => {
  const { properties } = image
  const src = stringOf(properties["src"])
  const size = show(src)
  if (size) {
    Object.assign(properties, { width: size.width, height: size.height, loading: "lazy" })
    return image
  }
  const href = hrefOf(src)
  const text: ElementContent = { type: "text", value: stringOf(properties["alt"]) || src }
  if (isInLink || href === null) return text
  return { type: "element", tagName: "a", properties: { rel: REL, href }, children: [text] }
}

const finishLink = (element: Element): ElementContent[] => {
  const { href, id } = element.properties
  if (href === undefined) return id === undefined ? element.children : [element]
  if (!stringOf(href).startsWith("#")) element.properties = { rel: REL, ...element.properties }
  return [element]
}

const finishElement = (element: Element, isInLink: boolean, state: State): ElementContent[] => {
  const { tagName, properties } = element
  const [only] = element.children
  if (tagName === "img") return [finishImage(element, isInLink, state)]
  const isBlock = tagName === "pre" && element.children.length === 1 && isElement(only) && only.tagName === "code"
  const code = isBlock ? only : tagName === "code" ? element : null
  const formula = code && state.formulas.replace(code, isBlock)
  if (formula) return formula
  const coloured = isBlock ? state.highlighter?.highlight(only) : undefined
  // Raw HTML may have links and images in its code.
  if (coloured && coloured !== only) return [{ ...element, children: [coloured] }]
  // Without both it leaves nothing but its content.
  const isLink = isInLink || (tagName === "a" && (properties["href"] ?? properties["id"]) !== undefined)
  element.children = element.children.flatMap((child) =>
    isElement(child) ? finishElement(child, isLink, state) : [child as ElementContent],
  )
  if (tagName === "a") return finishLink(element)
  if (isHeading(element)) properties["id"] ??= state.ids.of(element)
  if (tagName === "blockquote") return [toAlert(element, state.words) ?? element]
  return [element]
}

/** Gives footnotes words in the language of the text. @returns the heading of all of them */
const finishFootnotes = (elements: Element[], words: Words): Element | undefined => {
  let label: Element | undefined
  for (const { properties, children } of elements) {
    if (properties["dataFootnoteRef"] !== undefined) properties["ariaDescribedBy"] = [FOOTNOTE_LABEL]
    if (properties["dataFootnoteBackref"] !== undefined) properties["ariaLabel"] = words.back
    if (properties["dataFootnotes"] === undefined || !isElement(children[0])) continue
    label = children[0]
    label.properties["id"] = FOOTNOTE_LABEL
    label.children = [{ type: "text", value: words.footnotes }]
  }
  return label
}

/** Ids of footnotes, then those of authors' own elements, each once; the others get theirs after them. */
const claimIds = (elements: Element[], label: Element | undefined, ids: Ids): void => {
  const authors: Element[] = []
  for (const element of elements.filter(({ properties }) => properties["id"] !== undefined)) {
    const isFootnote = element === label || element.tagName === "li" || "dataFootnoteRef" in element.properties
    if (isFootnote) ids.take(stringOf(element.properties["id"]))
    else authors.push(element)
  }
  for (const { properties } of authors) properties["id"] = ids.claim(stringOf(properties["id"]))
}

/** The original's ids, if a translation has as many headings; one that its author wrote stays. */
const giveIds = (elements: Element[], label: Element | undefined, originals: string[], ids: Ids): void => {
  const headings = elements.filter((element) => isHeading(element) && element !== label)
  if (headings.length !== originals.length) return
  for (const [i, { properties }] of headings.entries()) {
    const id = originals[i] ?? ""
    if (properties["id"] === undefined && ids.take(id)) properties["id"] = id
  }
}

const TAG = /<[a-z][a-z0-9]*(?: [a-z-]+(?:="[^"]*")?)*>/g

/** The writer leaves `<` and `>` in attributes, which is right and still invites trouble. In text there is no `<`. */
const escapeInTags = (html: string): string =>
  html.replaceAll(TAG, (tag) => `<${tag.slice(1, -1).replaceAll("<", "&lt;").replaceAll(">", "&gt;")}>`)

const copy = <T extends RootContent>(node: T): T =>
  node.type === "element" ? { ...node, properties: { ...node.properties }, children: node.children.map(copy) } : node

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

const write = (rendered: Rendered, { show, language, headingIds = [] }: Finishing, hasColours: boolean) => {
  const tree: Root = { type: "root", children: rendered.tree.children.map(copy) }
  const words = wordsOf(language)
  const elements = elementsOf(tree)
  const label = finishFootnotes(elements, words)
  const ids = new Ids()
  claimIds(elements, label, ids)
  giveIds(elements, label, headingIds, ids)
  const state: State = {
    show,
    words,
    ids,
    highlighter: hasColours ? new Highlighter() : null,
    formulas: new Formulas(),
  }
  tree.children = tree.children.flatMap((child) =>
    isElement(child) ? (finishElement(child, false, state) as RootContent[]) : [child],
  )
  const html = escapeInTags(toHtml(tree, { characterReferences: { useNamedReferences: true } }))
  return { html, unreadable: state.formulas.unreadable }
}

/** The HTML to store and to serve, and warnings of all but its images. */
export const finish = (
  rendered: Rendered,
  finishing: Finishing,
): { html: string; warnings: MarkdownWarning[] } | TooComplex =>
  within(() => {
    const coloured = write(rendered, finishing, true)
    const isTooLong = bytesOf(coloured.html) > MAX_HIGHLIGHTED_HTML_BYTES && coloured.html.includes('class="hljs-')
    const { html, unreadable } = isTooLong ? write(rendered, finishing, false) : coloured
    if (bytesOf(html) > MAX_HTML_BYTES) throw new TooComplex(`Its HTML is longer than ${MAX_HTML_BYTES} bytes.`)
    return { html, warnings: [...rendered.warnings, ...warnOfFormulas(unreadable, rendered.formulas)] }
  })
