import type { Element, ElementContent, Root, RootContent } from "hast"
import { toHtml } from "hast-util-to-html"
import type { Root as Tree } from "mdast"

import { type Budget, NEST_LESS, TooComplex } from "../../packages/edgepost/src/parser/budget.ts"
import { MAX_HIGHLIGHTED_HTML_BYTES, MAX_HTML_BYTES } from "../limits.ts"
import { toAlert } from "./alerts.ts"
import { escapeForeign, isUnknownTag } from "./foreign.ts"
import { FOOTNOTES_HEADING_ID, IdRegistry, isHeading, readWrittenId } from "./headings.ts"
import { Highlighter } from "./highlight.ts"
import { type AddedLabels, labelsFor } from "./labels.ts"
import { hrefOf } from "./links.ts"
import { FormulaRenderer } from "./mathml.ts"
import { isAutolink, nodesOf, parse, spanOf, withoutMark } from "./parse.ts"
import { sanitize } from "./sanitize.ts"
import { classesOf, elementsOf, toHast } from "./to-hast.ts"
import { collectWarnings, type FirstLines, formulaWarnings, type MarkdownWarning } from "./warnings.ts"

/** The size of an image in pixels. */
export interface ImageSize {
  width: number
  height: number
}

/** A rendered body, before it is known which of its images may be shown. */
export interface Rendered {
  tree: Root
  /** The `src` of every image in the body, in order, as written. */
  images: string[]
  warnings: MarkdownWarning[]
  /** All formulas of the Markdown, as warnings quote them, each with its first line. */
  formulas: FirstLines
}

const isElement = (node: RootContent | undefined): node is Element => node?.type === "element"

const stringOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** Nodes that end an open link. */
const LINK_ENDS = new Set(["paragraph", "heading", "tableCell"])

/** Applies this service's additions to Markdown. Deletes all positions: later steps do not need them, but would copy them. */
const prepare = (tree: Tree, markdown: string): void => {
  let isInLink = false
  for (const { node } of nodesOf(tree)) {
    if (LINK_ENDS.has(node.type)) isInLink = false
    if (node.type === "html") {
      // Matches `<a href="/b">`, then `</a>`. Does not match `<a id="b">` or `</abbr>`.
      isInLink = /^<a\s[^]*href/i.test(node.value) || (isInLink && !/^<\/a\s*>/i.test(node.value))
      if (isUnknownTag(node.value)) node.value = ""
    }
    // Links cannot be nested: an address between `<a href="/b">` and `</a>` is plain text.
    // It becomes its text in place, and `nodesOf` finds no children.
    if (isInLink && node.type === "link" && isAutolink(node, markdown))
      Object.assign(node, node.children[0], { children: [] })
    const written = node.type === "heading" ? readWrittenId(node, markdown) : null
    if (written) {
      written.text.value = written.rest
      node.data = { ...node.data, hProperties: { id: written.id } }
    }
    // Static site generators add options: matches `{1,3}` of `js{1,3}` and `:title=a` of `js:title=a`, not `js`.
    if (node.type === "code" && node.lang) node.lang = node.lang.replace(/[{:].*/, "")
    // `$$…$$` in a paragraph is a display formula.
    if (node.type === "inlineMath" && markdown.startsWith("$$", spanOf(node).start))
      node.data = { ...node.data, hProperties: { className: ["language-math", "math-display"] } }
    delete node.position
  }
}

/** Replaces an `iframe` by a link to its address. */
const replaceFrame = (element: Element): void => {
  const href = stringOf(element.properties["src"])
  // Matches `https://e.x`. Does not match `http://e.x` or `//e.x`.
  const isSafe = /^https:\/\//i.test(href)
  Object.assign(element, { tagName: isSafe ? "a" : "template", properties: isSafe ? { href } : {} })
  element.children = isSafe ? [{ type: "text", value: href }] : []
}

/** Normalizes the address of a link, or removes it if readers may only get the text. */
const sanitizeLink = ({ properties }: Element): void => {
  if (properties["href"] === undefined) return
  const href = hrefOf(stringOf(properties["href"]))
  if (href === null) delete properties["href"]
  else properties["href"] = href
}

/** Runs a function. Returns the error if it throws because a document exceeds a limit. */
const catchTooComplex = <T>(work: () => T): T | TooComplex => {
  try {
    return work()
  } catch (error) {
    if (error instanceof TooComplex) return error
    if (error instanceof RangeError) return new TooComplex("The markup of the text is nested too deeply.", NEST_LESS)
    throw error
  }
}

/**
 * Renders a Markdown body to a sanitized HTML tree, with its images and warnings. `finish` writes the HTML when it is known
 * which images may be shown. Returns, and does not throw, TooComplex if the body exceeds a limit.
 */
export const render = (body: string, budget?: Budget): Rendered | TooComplex =>
  catchTooComplex(() => {
    const markdown = withoutMark(body)
    const parsed = parse(markdown, budget)
    const foreign = escapeForeign(parsed, markdown)
    const { warnings, formulas } = collectWarnings(parsed, foreign)
    prepare(parsed, markdown)
    const hast = toHast(parsed)
    for (const element of elementsOf(hast)) {
      if (element.tagName === "iframe") replaceFrame(element)
      if (element.tagName === "a") sanitizeLink(element)
    }
    const tree = sanitize(hast)
    const images = elementsOf(tree)
      .filter(({ tagName }) => tagName === "img")
      .map(({ properties }) => stringOf(properties["src"]))
    return { tree, images, warnings, formulas }
  })

const REL = ["nofollow", "ugc", "noopener"]

interface FinishOptions {
  /** Returns the size of an image that may be shown; null for other images, which become links. */
  show: (src: string) => ImageSize | null
  /** The BCP 47 code of the body's language. */
  language: string
  /** For a translation: the ids of the source text's headings. */
  headingIds?: string[]
}

interface State {
  show: FinishOptions["show"]
  labels: AddedLabels
  ids: IdRegistry
  highlighter: Highlighter | null
  formulas: FormulaRenderer
}

/** The width of the text on a reader's page in pixels, of which a size in percent is a part: see `site.css`. */
const COLUMN_PX = 657

/** Returns the size in which an image is shown: as wide or as high as its author wrote it, in its own proportions. */
const shownSize = (width: unknown, height: unknown, own: ImageSize): ImageSize => {
  // Matches `300`, `300px` and `50%`, with the number and `%`. Does not match `auto`.
  const [, across = "", percent] = /^\s*(\d{1,5}(?:\.\d+)?)(?:px|(%)|\s|$)/.exec(String(width)) ?? []
  // Matches `300` and `300px`. Does not match `50%`.
  const [, down = ""] = /^\s*(\d{1,5}(?:\.\d+)?)(?:px|\s|$)/.exec(String(height)) ?? []
  const wanted = Number(across) * (percent ? COLUMN_PX / 100 : 1) || (Number(down) * own.width) / own.height
  const shown = Math.min(wanted || own.width, Math.max(own.width, COLUMN_PX))
  return { width: Math.max(1, Math.round(shown)), height: Math.max(1, Math.round((own.height * shown) / own.width)) }
}

/** Adds its size to an image that may be shown. Replaces other images by a link, or by text inside of a link. */
const finishImage = (image: Element, isInLink: boolean, { show }: State): ElementContent => {
  const { properties } = image
  const src = stringOf(properties["src"])
  const size = show(src)
  if (size) {
    const { width, height, ...others } = properties
    image.properties = { ...others, ...shownSize(width, height, size), loading: "lazy" }
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
  if (classesOf(element).length === 0) delete properties["className"]
  if (tagName === "img") return [finishImage(element, isInLink, state)]
  const isBlock = tagName === "pre" && element.children.length === 1 && isElement(only) && only.tagName === "code"
  const code = isBlock ? only : tagName === "code" ? element : null
  const formula = code && state.formulas.render(code, isBlock)
  if (formula) return formula
  const highlighted = isBlock ? state.highlighter?.highlight(only) : undefined
  // Only plain code goes on: raw HTML may have links and images in it.
  if (highlighted && highlighted !== only) return [{ ...element, children: [highlighted] }]
  // A link without address and id is replaced by its content.
  const areChildrenInLink = isInLink || (tagName === "a" && (properties["href"] ?? properties["id"]) !== undefined)
  element.children = element.children.flatMap((child) =>
    isElement(child) ? finishElement(child, areChildrenInLink, state) : [child as ElementContent],
  )
  if (tagName === "a") return isInLink ? element.children : finishLink(element)
  if (isHeading(element)) properties["id"] ??= state.ids.makeForHeading(element)
  if (tagName === "blockquote") return [toAlert(element, state.labels) ?? element]
  return [element]
}

/** Sets the labels of footnotes. Returns the heading above all footnotes. */
const labelFootnotes = (elements: Element[], labels: AddedLabels): Element | undefined => {
  let heading: Element | undefined
  for (const { properties, children } of elements) {
    if (properties["dataFootnoteRef"] !== undefined) properties["ariaDescribedBy"] = [FOOTNOTES_HEADING_ID]
    if (properties["dataFootnoteBackref"] !== undefined) properties["ariaLabel"] = labels.back
    if (properties["dataFootnotes"] === undefined || !isElement(children[0])) continue
    heading = children[0]
    heading.properties["id"] = FOOTNOTES_HEADING_ID
    heading.children = [{ type: "text", value: labels.footnotes }]
  }
  return heading
}

/**
 * Reserves the ids of footnotes, then those that authors wrote. Removes an author's id that is in use.
 * Then gives the headings the ids of the source text's headings, if their number is equal.
 */
const assignIds = (elements: Element[], footnoteHeading: Element | undefined, sourceIds: string[]): IdRegistry => {
  const ids = new IdRegistry()
  const byAuthor: Element["properties"][] = []
  for (const element of elements.filter(({ properties }) => properties["id"] !== undefined)) {
    const { tagName, properties } = element
    if (element === footnoteHeading || tagName === "li" || "dataFootnoteRef" in properties)
      ids.reserve(stringOf(properties["id"]))
    else byAuthor.push(properties)
  }
  for (const properties of byAuthor) properties["id"] = ids.reserveForAuthor(stringOf(properties["id"]))
  const headings = elements.filter((element) => isHeading(element) && element !== footnoteHeading)
  if (headings.length !== sourceIds.length) return ids
  for (const [i, { properties }] of headings.entries()) {
    const id = sourceIds[i] ?? ""
    if (properties["id"] === undefined && ids.reserve(id)) properties["id"] = id
  }
  return ids
}

/** Matches `<a href="/b">`. Does not match `</a>` or `&lt;a>`. */
const TAG = /<[a-z][a-z0-9]*(?: [a-z-]+(?:="[^"]*")?)*>/g

/** Escapes `<` and `>` in attributes. hast-util-to-html leaves them, which is valid but may confuse other tools. */
const escapeInTags = (html: string): string =>
  html.replaceAll(TAG, (tag) => `<${tag.slice(1, -1).replaceAll("<", "&lt;").replaceAll(">", "&gt;")}>`)

const copy = <T extends RootContent>(node: T): T =>
  node.type === "element" ? { ...node, properties: { ...node.properties }, children: node.children.map(copy) } : node

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

const write = (rendered: Rendered, { show, language, headingIds = [] }: FinishOptions, isHighlighted: boolean) => {
  const tree: Root = { type: "root", children: rendered.tree.children.map(copy) }
  const labels = labelsFor(language)
  const elements = elementsOf(tree)
  const ids = assignIds(elements, labelFootnotes(elements, labels), headingIds)
  const highlighter = isHighlighted ? new Highlighter() : null
  const state: State = { show, labels, ids, highlighter, formulas: new FormulaRenderer() }
  tree.children = tree.children.flatMap((child) =>
    isElement(child) ? (finishElement(child, false, state) as RootContent[]) : [child],
  )
  const html = escapeInTags(toHtml(tree, { characterReferences: { useNamedReferences: true } }))
  return { html, shownAsTex: state.formulas.shownAsTex }
}

/**
 * Returns the HTML of a rendered body, and all warnings except those about images. Does not change `rendered`.
 * @param options `show` returns the size (px) of an image that may be shown, else null: then it becomes a link; `language`
 * is a BCP 47 code; `headingIds` are the source text's, for a translation
 * @returns TooComplex, which is not thrown, if the HTML exceeds a limit
 */
export const finish = (
  rendered: Rendered,
  options: FinishOptions,
): { html: string; warnings: MarkdownWarning[] } | TooComplex =>
  catchTooComplex(() => {
    const highlighted = write(rendered, options, true)
    const isTooLong =
      bytesOf(highlighted.html) > MAX_HIGHLIGHTED_HTML_BYTES && highlighted.html.includes('class="hljs-')
    const { html, shownAsTex } = isTooLong ? write(rendered, options, false) : highlighted
    if (bytesOf(html) > MAX_HTML_BYTES)
      throw new TooComplex(`The rendered HTML is longer than ${MAX_HTML_BYTES} bytes.`)
    return { html, warnings: [...rendered.warnings, ...formulaWarnings(shownAsTex, rendered.formulas)] }
  })
