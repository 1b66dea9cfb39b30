import { isProbablyReaderable, Readability } from "@mozilla/readability"

import { MAX_LABEL_CHARS, MAX_META_DESCRIPTION_CHARS, MAX_TAGS, MAX_TITLE_CHARS } from "../../../src/limits.ts"
import { cutBody } from "./body.ts"
import { escapeAddress } from "./escape.ts"
import { chooseAddress } from "./images.ts"
import type { Page, PageImage } from "./page.ts"
import { toMarkdown } from "./to-markdown.ts"

// Runs in the page, when the user clicks the button. It changes nothing there: it works on a copy.

const LINK_PROTOCOLS = new Set(["http:", "https:", "mailto:", "tel:"])
/** Characters of a paragraph, and the score, from which a page has an article: a Chinese paragraph is short. */
const READABLE = { minContentLength: 40, minScore: 8 }

const absolute = (address: string): URL | null => {
  const text = address.trim()
  return URL.canParse(text, document.baseURI) ? new URL(text, document.baseURI) : null
}

const unwrap = (element: Element): void => element.replaceWith(...element.childNodes)

/** Removes elements that the page does not show. @param copy of the document, with the same elements in the same order */
const removeHidden = (copy: Document): void => {
  const copies = copy.querySelectorAll("body *")
  const hidden = [...document.querySelectorAll("body *")].flatMap((element, index) => {
    const isShown = element.matches("noscript, template, picture *, details *, img, script") || isDisplayed(element)
    return isShown ? [] : [copies[index]]
  })
  for (const element of hidden) element?.remove()
}

const isDisplayed = (element: Element): boolean => getComputedStyle(element).display !== "none"

/** Makes the text of code blocks plain: lines may be elements or breaks, beside numbers and buttons. */
const flattenCode = (root: ParentNode): void => {
  for (const table of root.querySelectorAll("table:has(td.code pre, td.rouge-code pre)")) {
    const pre = table.querySelector("td.code pre, td.rouge-code pre")
    if (pre) table.replaceWith(pre)
  }
  for (const pre of root.querySelectorAll("pre")) {
    for (const extra of pre.querySelectorAll("button, .gutter, .lineno, .linenumber, .line-numbers-rows"))
      extra.remove()
    for (const line of pre.querySelectorAll("br")) line.replaceWith("\n")
    for (const line of pre.querySelectorAll("div, p, li")) if (!line.textContent.endsWith("\n")) line.append("\n")
    const code = document.createElement("code")
    code.className = pre.querySelector("code")?.className ?? ""
    code.textContent = pre.textContent
    pre.replaceChildren(code)
  }
}

const sourcesOf = (image: Element): Element[] => {
  const sources = image.parentElement?.localName === "picture" ? [...image.parentElement.children] : []
  return sources.filter((source) => {
    const media = source.localName === "source" ? (source.getAttribute("media") ?? "") : null
    return media !== null && (media === "" || matchMedia(media).matches)
  })
}

/** Gives each image its best address. @returns how many images are part of the page itself */
const resolveImages = (root: ParentNode): number => {
  let embedded = 0
  for (const image of root.querySelectorAll("img")) {
    const address = absolute(chooseAddress(image, sourcesOf(image)) ?? "")
    const isDot = ["width", "height"].some((name) => ["0", "1", "2"].includes(image.getAttribute(name) ?? ""))
    if (address?.protocol === "data:" || address?.protocol === "blob:") embedded += address.href.length > 1000 ? 1 : 0
    const { alt } = image
    for (const name of image.getAttributeNames()) image.removeAttribute(name)
    if (isDot || !address) image.remove()
    else if (!/^https?:$/.test(address.protocol)) image.replaceWith(alt)
    else {
      image.setAttribute("src", address.href)
      image.setAttribute("alt", alt)
      if (image.parentElement?.localName === "picture") image.parentElement.replaceWith(image)
    }
  }
  return embedded
}

const resolveLinks = (root: ParentNode): void => {
  // The sign beside a heading that leads to it.
  for (const link of root.querySelectorAll(":is(h1, h2, h3, h4, h5, h6) a[href^='#']"))
    if (/^[#¶§🔗\s]*$/u.test(link.textContent)) link.remove()
  for (const link of root.querySelectorAll("a[href]")) {
    const address = absolute(link.getAttribute("href") ?? "")
    if (address && LINK_PROTOCOLS.has(address.protocol)) link.setAttribute("href", address.href)
    else unwrap(link)
  }
}

/** Returns a copy of the selection, inside copies of the lists, tables and code that hold it; null without a selection. */
const copySelection = (): HTMLElement | null => {
  const selection = getSelection()
  if (!selection || selection.toString().trim() === "") return null
  // Nothing loads in a document that no window shows.
  const root = document.implementation.createHTMLDocument().createElement("div")
  for (let index = 0; index < selection.rangeCount; index += 1) {
    const range = selection.getRangeAt(index)
    let part: Node = range.cloneContents()
    for (let node: Node | null = range.commonAncestorContainer; node; node = node.parentNode) {
      if (!(node instanceof Element) || !node.matches("pre, code, ul, ol, table, thead, tbody, tr, blockquote"))
        continue
      const holder = node.cloneNode(false)
      holder.appendChild(part)
      part = holder
    }
    root.append(part)
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

/** Removes the heading that repeats the title, which the post shows itself. Readability knows it in Latin letters alone. */
const removeTitle = (article: Element, title: string): void => {
  const heading = article.querySelector("h1, h2")
  if (heading?.textContent.trim() === title.trim()) heading.remove()
}

const readPage = (): Page => {
  const copy = document.cloneNode(true) as Document
  removeHidden(copy)
  const selection = copySelection()
  const root = selection ?? copy
  flattenCode(root)
  let embedded = resolveImages(root)
  resolveLinks(root)
  const article = new Readability<Node>(copy, { keepClasses: true, serializer: (node) => node }).parse()
  const hasArticle = isProbablyReaderable(document, READABLE)
  const content = selection ?? (hasArticle ? (article?.content as HTMLElement | null | undefined) : null)
  if (content && !selection) removeTitle(content, article?.title ?? "")
  const markdown = content ? toMarkdown(content) : ""
  const body = cutBody(markdown)
  if (!body) embedded = 0
  const source = selection ? "selection" : "article"
  return {
    title: cut(article?.title || document.title, MAX_TITLE_CHARS),
    description: cut(article?.excerpt ?? "", MAX_META_DESCRIPTION_CHARS),
    language: languageOf(),
    tags: tagsOf(),
    body,
    images: content ? imagesOf(content, body) : [],
    embedded,
    isCut: body !== markdown,
    source: document.contentType === "application/pdf" ? "pdf" : body === "" ? "none" : source,
  }
}

/** The value of the script: build.ts makes it the result of the injection. */
export const page = readPage()
