import { isProbablyReaderable } from "@mozilla/readability"
import type { Root } from "hast"

import {
  MAX_BODY_BYTES,
  MAX_LABEL_CHARS,
  MAX_META_DESCRIPTION_CHARS,
  MAX_TAGS,
  MAX_TITLE_CHARS,
} from "../../../src/limits.ts"
import { fromDom } from "../../edgepost/src/html/dom.ts"
import { findArticle } from "./article.ts"
import { cutBody, nameOf } from "./body.ts"
import { escapeAddress } from "./escape.ts"
import { FOLD, removeHidden } from "./hidden.ts"
import type { Page, PageImage } from "./page.ts"
import { plainPage, toMarkdown } from "./to-markdown.ts"

// Runs in the page, when the user clicks the button. It changes nothing there: it works on a copy.

const LINK_PROTOCOLS = new Set(["http:", "https:", "mailto:", "tel:"])
/** Characters of a paragraph, and the score, from which a page has an article: a Chinese paragraph is short. */
const READABLE = { minContentLength: 40, minScore: 8 }

const absolute = (address: string): URL | null => {
  const text = address.trim()
  return URL.canParse(text, document.baseURI) ? new URL(text, document.baseURI) : null
}

const unwrap = (element: Element): void => {
  const content = document.createDocumentFragment()
  while (element.firstChild) content.append(element.firstChild)
  element.replaceWith(content)
}

/** Writes into the copies of a code block that some of its elements are lines, as the page's styles say. */
const markLines = (originals: Element[], copies: Iterable<Element>): void => {
  for (const [index, copy] of [...copies].entries()) {
    const original = originals[index]
    if (!original?.matches("pre span, pre code, code code")) continue
    const { display } = getComputedStyle(original)
    // An element as wide as its block is a line of it.
    const width = display === "inline-block" ? original.getBoundingClientRect().width : 0
    const isLine =
      width > 0.9 * (original.closest("pre")?.clientWidth ?? Infinity) && original.matches(":not(:only-child)")
    if (display === "block" || isLine) copy.setAttribute("style", "display: block")
  }
}

/** The smallest side of an embedded player in pixels. Smaller frames are buttons and counters. */
const MIN_PLAYER_PX = 100

/** Replaces players and frames of other sites by links. */
const linkPlayers = (originals: Element[], copies: Iterable<Element>): void => {
  for (const [index, copy] of [...copies].entries()) {
    if (!copy.matches("video, audio, iframe, embed, object")) continue
    const { width, height } = originals[index]?.getBoundingClientRect() ?? new DOMRect()
    const source = copy.querySelector("source")?.getAttribute("src")
    const given = ["src", "data-src", "data"]
      .map((name) => copy.getAttribute(name))
      .find((value) => value && value !== "about:blank")
    const address = absolute(given ?? source ?? "about:blank")
    const isAudio = copy.localName === "audio"
    if (!address || !/^https?:$/.test(address.protocol)) continue
    if (!isAudio && Math.min(width, height) < MIN_PLAYER_PX) continue
    // WordPress links to a file below its preview.
    const links = [...(copy.parentElement?.querySelectorAll("a[href]") ?? [])].map((each) => each.getAttribute("href"))
    if (links.some((href) => absolute(href ?? "")?.href === address.href)) copy.remove()
    const link = document.createElement("a")
    link.href = address.href
    link.textContent = copy.getAttribute("title") || copy.getAttribute("aria-label") || nameOf(address.href)
    copy.replaceWith(link)
  }
}

/** Makes addresses of images absolute. @returns how many images are part of the page itself */
const resolveImages = (root: ParentNode): number => {
  let embedded = 0
  for (const image of root.querySelectorAll("img")) {
    const address = absolute(image.getAttribute("src") ?? "")
    const isDot = ["width", "height"].some((name) => ["0", "1", "2"].includes(image.getAttribute(name) ?? ""))
    if (address?.protocol === "data:" || address?.protocol === "blob:") embedded += address.href.length > 1000 ? 1 : 0
    const { alt } = image
    for (const name of image.getAttributeNames()) image.removeAttribute(name)
    if (isDot || !address) image.remove()
    else if (!/^https?:$/.test(address.protocol)) image.replaceWith(alt)
    else {
      image.setAttribute("src", address.href)
      image.setAttribute("alt", alt)
    }
  }
  return embedded
}

const resolveLinks = (root: ParentNode): void => {
  for (const link of root.querySelectorAll("a[href]")) {
    const address = absolute(link.getAttribute("href") ?? "")
    if (address && LINK_PROTOCOLS.has(address.protocol)) link.setAttribute("href", address.href)
    else unwrap(link)
  }
}

/** Lets the copy of a list begin with the number of its first item in a range. */
const numberFrom = (list: Element, copy: Element, range: Range): void => {
  if (!(list instanceof HTMLOListElement)) return
  const first = [...list.children].findIndex((item) => range.intersectsNode(item))
  copy.setAttribute("start", String(list.start + Math.max(0, first)))
}

/** Returns a copy of what a range shows, inside copies of the lists, tables and code that hold it. */
const copyRange = (range: Range): Node => {
  const { commonAncestorContainer: ancestor } = range
  const content = range.cloneContents()
  const originals =
    ancestor instanceof Element ? [...ancestor.querySelectorAll("*")].filter((node) => range.intersectsNode(node)) : []
  const copies = [...content.querySelectorAll("*")]
  for (const [index, copy] of copies.entries()) {
    const original = originals[index]
    if (original) numberFrom(original, copy, range)
  }
  markLines(originals, copies)
  removeHidden(originals, copies)
  linkPlayers(originals, copies)
  let part: Node = content
  for (let node: Node | null = ancestor; node; node = node.parentNode) {
    if (!(node instanceof Element) || !node.matches("pre, code, ul, ol, table, thead, tbody, tr, blockquote")) continue
    const holder = node.cloneNode(false) as Element
    numberFrom(node, holder, range)
    holder.append(part)
    part = holder
  }
  return part
}

/** Returns a copy of the selection, each range as a block; null without a selection. */
const copySelection = (): HTMLElement | null => {
  const selection = getSelection()
  if (!selection || selection.toString().trim() === "") return null
  // Nothing loads in a document that no window shows.
  const root = document.implementation.createHTMLDocument().createElement("div")
  for (let index = 0; index < selection.rangeCount; index += 1) {
    const block = root.ownerDocument.createElement("div")
    block.append(copyRange(selection.getRangeAt(index)))
    root.append(block)
  }
  return root
}

const cut = (text: string, length: number): string => [...text.replaceAll(/\s+/g, " ").trim()].slice(0, length).join("")

const metaOf = (selector: string): string[] =>
  [...document.querySelectorAll(`meta:is(${selector})`)].map((meta) => meta.getAttribute("content") ?? "")

const tagsOf = (): string[] => {
  const tags = metaOf("[property='article:tag']")
  const all = (tags.length > 0 ? tags : metaOf("[name=keywords]")).flatMap((text) => text.split(","))
  const short = all.map((tag) => tag.trim().toLowerCase()).filter((tag) => tag !== "" && tag.length <= MAX_LABEL_CHARS)
  return [...new Set(short)].slice(0, MAX_TAGS)
}

const languageOf = (): string => {
  try {
    const [code = ""] = Intl.getCanonicalLocales(document.documentElement.lang.replaceAll("_", "-"))
    // Matches `en` and `zh-Hant`. Does not match `english`.
    return /^[a-z]{2,3}(?:-|$)/.test(code) ? code : ""
  } catch {
    return ""
  }
}

/** Writes the addresses of images without escapes: they are replaced by those of uploads later. */
const withAddresses = (markdown: string, root: ParentNode): string => {
  let body = markdown
  for (const { src } of root.querySelectorAll("img")) {
    const image: Root = {
      type: "root",
      children: [{ type: "element", tagName: "img", properties: { src }, children: [] }],
    }
    const written = toMarkdown(image).markdown.slice("![".length)
    body = body.replaceAll(written, `](${escapeAddress(src)})`)
  }
  return body
}

const imagesOf = (root: ParentNode, body: string): PageImage[] => {
  const images = [...root.querySelectorAll("img")].map(({ src, alt }) => ({
    url: escapeAddress(src),
    alt: cut(alt, 200),
  }))
  const known = new Map(images.toReversed().map((image) => [image.url, image]))
  return [...new Set(images.map(({ url }) => url))]
    .flatMap((url) => known.get(url) ?? [])
    .filter(({ url }) => body.includes(`](${url})`))
}

/** Writes the beginnings of texts into a sentence. */
const quote = (texts: string[]): string => texts.map((text) => `“${cut(text, 40)}”`).join(", ")

const readPage = (): Page => {
  const copy = document.cloneNode(true) as Document
  const originals = [...document.querySelectorAll("body *")]
  const copies = [...copy.querySelectorAll("body *")]
  markLines(originals, copies)
  removeHidden(originals, copies)
  linkPlayers(originals, copies)
  const selection = copySelection()
  const root = selection ?? copy
  plainPage(selection ?? copy.body)
  const embedded = resolveImages(root)
  resolveLinks(root)
  const article = findArticle(copy)
  const hasArticle = isProbablyReaderable(document, READABLE)
  const content = selection ?? (hasArticle ? article.content : null)
  const fullTitle = article.title || document.title
  const title = cut(fullTitle, MAX_TITLE_CHARS)
  const folds = [...(content?.querySelectorAll(`[${FOLD}]`) ?? [])].map((fold) => fold.getAttribute(FOLD) ?? "")
  const { tree, isWhole } = fromDom(content ?? document.createElement("div"), MAX_BODY_BYTES)
  const { markdown: written, losses } = toMarkdown(tree)
  const markdown = content ? withAddresses(written, content) : ""
  const body = cutBody(markdown)
  const isPdf = document.contentType === "application/pdf"
  return {
    title,
    description: cut(article.excerpt, MAX_META_DESCRIPTION_CHARS),
    language: languageOf(),
    tags: tagsOf(),
    body,
    images: content ? imagesOf(content, body) : [],
    state: isPdf ? "pdf" : body === "" ? "empty" : "read",
    notes: [
      ...(selection ? ["The text is what you selected on the page."] : []),
      ...(title === cut(fullTitle, Infinity)
        ? []
        : [`The title is longer than ${MAX_TITLE_CHARS} characters, so its end is left out.`]),
      ...(isWhole && body === markdown
        ? []
        : [`The text is longer than ${MAX_BODY_BYTES / 1024} KiB, so its end is left out.`]),
      ...(embedded > 0 ? [`Images that are part of the page itself are left out: ${embedded}.`] : []),
      ...(folds.length > 0
        ? [`Closed tabs and folds are left out: ${quote(folds)}. To have one, open it, and select it.`]
        : []),
      ...(content === article.content && article.left.length > 0
        ? [`Not taken as parts of the article: ${quote(article.left)}. To have one, select it.`]
        : []),
      ...losses.map(({ message }) => message),
    ],
  }
}

/** The value of the script: build.ts makes it the result of the injection. */
export const page = readPage()
