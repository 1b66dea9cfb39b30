import { Readability } from "@mozilla/readability"

import { BUTTON } from "../../edgepost/src/html/code.ts"

// Finds the article of a page. Readability says where it is; what Readability would remove from it is judged here, since it also
// removes headings, sections and lists whose ids or classes have words such as `tags` or `comments`.

/** The attribute by which elements are known in the page's copy and in what Readability returns. */
const MARK = "data-edgepost"
const HEADINGS = "h1, h2, h3, h4, h5, h6"
const LISTS = `ul, ol, dl, ${HEADINGS}`
const NOTES = ".footnotes, .footnote, #footnotes, [data-footnotes], [data-footnote]:not(sup), [role=doc-endnotes]"

/** Elements that hold an article, the best first. */
const HOLDERS = ["article, [role=article]", "main, [role=main]", "#content, .document"]

/** Elements that are no text of an article. */
const OTHERS =
  "nav, form, button, dialog, menu, input:not([type=checkbox]), select, textarea, [role=navigation], [role=search], [role=menu], [role=menubar], [role=toolbar], [role=tablist], [role=dialog], [role=alert], [role=banner], [role=contentinfo]"

/** Matches words of ids and classes of what stands beside a text: `post-tags`. Does not match `stage`. */
const WORD =
  /(?:^|[-_\s])(?:ads?|advert\w*|author|banner|breadcrumbs?|byline|cookies?|footer|header|masthead|menu|meta|nav\w*|next|pag(?:er|ination)|popup|prev\w*|read(?:ing)?-(?:more|next)|recommend\w*|related|rss|sidebar|social|tags?|toc|toolbar|widget)(?=$|[-_\s])/i
/** Matches words of classes of boxes that are beside a text even if they have sentences: `comments-area`. */
const STRONG_WORD =
  /(?:^|[-_\s])(?:comments?|disqus\w*|newsletter|promo|respond|shar(?:e|ing)|sharedaddy|sponsored|subscri(?:be|ption))(?=$|[-_\s])/i
/** Matches classes of lines about a text: `post-meta`. Does not match `metadata`. */
const LINE_WORD = /(?:^|[-_\s])(?:author|byline|date|meta)(?=$|[-_\s])/i

const textOf = (node: Element): string => node.textContent.replaceAll(/\s+/g, " ").trim()
/** Returns the letters and digits of a text. Matches all others. */
const solid = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, "")

/** Returns how much of an element's text is links, from 0 to 1. */
const linkDensity = (node: Element): number => {
  const links = [...node.querySelectorAll("a[href]")].reduce((sum, link) => sum + solid(link.textContent).length, 0)
  return links / Math.max(1, solid(node.textContent).length)
}

/** Tells whether an element is nothing but links to several places, and neither a list nor in one. */
const isMenu = (node: Element): boolean => {
  const places = new Set([...node.querySelectorAll("a[href]")].map((link) => link.getAttribute("href")))
  return (
    node.matches("div, aside, header") &&
    !node.closest("li") &&
    !node.querySelector(LISTS) &&
    linkDensity(node) > 0.8 &&
    places.size > 1
  )
}

/** Returns the element that holds all of the article that Readability has found a part of. */
const holderOf = (part: Element): Element => {
  const { parentElement: parent, localName, className } = part
  const holder = HOLDERS.map((selector) => part.closest(selector)).find((node) => node !== null)
  if (holder || !parent || localName === "body") return holder ?? part
  const hasHeading = (node: Element): boolean => node.querySelector(HEADINGS) !== null
  const isLike = (node: Element): boolean => node.localName === localName && node.className === className
  const sections = [...parent.children].filter((node) => isLike(node) && hasHeading(node))
  const isSection = sections.length > 1 && sections.includes(part)
  return isSection || part.previousElementSibling?.matches(HEADINGS) ? holderOf(parent) : part
}

/** Finds the article in a copy of the page, which it changes. @returns also the texts that were left out, or their headings */
export const findArticle = (
  copy: Document,
): { title: string; excerpt: string; content: Element | null; left: string[] } => {
  for (const [index, node] of [...copy.body.querySelectorAll("*")].entries()) node.setAttribute(MARK, `${index}`)
  const whole = copy.body.cloneNode(true) as HTMLElement
  const originals = [...whole.querySelectorAll("*")]
  const found = new Readability<Node>(copy, { keepClasses: true, serializer: (node) => node }).parse()
  const [title, excerpt, byline] = [found?.title ?? "", found?.excerpt ?? "", found?.byline ?? ""]
  const result = (found?.content as Element | null | undefined)?.querySelectorAll(`[${MARK}]`) ?? []
  const kept = new Set([...result].map((node) => originals[Number(node.getAttribute(MARK))] ?? whole))
  /** The elements that Readability kept, and those around them. */
  const around = new Set<Element>()
  for (const node of kept)
    for (let each: Element | null = node; each && !around.has(each); each = each.parentElement) around.add(each)
  let part: Element = whole
  while (!kept.has(part)) {
    const [only, ...more] = [...part.children].filter((node) => around.has(node))
    if (!only || more.length > 0) break
    part = only
  }
  const content = holderOf(part)
  const left: string[] = []
  const isTitle = (node: Element): boolean =>
    node.matches("h1, h2") && node === content.querySelector(HEADINGS) && solid(title).includes(solid(node.textContent))
  /** Tells whether an element that Readability removed is no text of the article. */
  const isLeft = (node: Element, isSure: boolean): boolean => {
    const { className, id, localName } = node
    const text = textOf(node)
    if ((byline !== "" && text === byline) || isTitle(node)) return true
    if (node.matches(NOTES) || node.querySelector(NOTES)) return false
    // A heading may be a button that opens its part.
    if (localName === "button" && node.closest(`${HEADINGS}, summary`)) return false
    if (node.matches(OTHERS) || (localName === "footer" && !node.closest("blockquote, figure"))) return true
    if (!/^(?:div|section|aside|ul|ol|header|p|span|dl|table)$/.test(localName)) return false
    if (/^(?:div|section|aside|ul|ol)$/.test(localName) && STRONG_WORD.test(className)) return true
    if (LINE_WORD.test(className) && text.length < 80) return true
    // Ids of sections are made of their headings.
    const hasHeading = node.querySelector(HEADINGS) !== null
    const hasWord = WORD.test(hasHeading ? className : `${className} ${id}`) || localName === "aside"
    const density = linkDensity(node)
    if (!isSure && (hasWord || (density > 0.8 && !hasHeading))) return true
    return hasWord ? density > 0.3 : isMenu(node)
  }
  /** @param isSure tells that the elements belong to the article, or to a section of it */
  const judge = (holder: Element, isSure: boolean): void => {
    for (const node of holder.querySelectorAll(":scope > *")) {
      const isButton = node.matches("a[href$='#'], [class*=copy], [role=button]") && BUTTON.test(textOf(node))
      // Readability knows the title in Latin letters alone.
      const isSame = isTitle(node) && textOf(node) === title.trim()
      if (isButton || isSame || (!around.has(node) && isLeft(node, isSure || part.contains(node)))) {
        const first = node.querySelector(HEADINGS) ?? node
        const isText = solid(node.textContent).length > 40 && linkDensity(node) < 0.5
        if (isText && !isTitle(first) && !node.matches(`${OTHERS}, footer`)) left.push(textOf(first))
        node.remove()
      } else if (!node.matches("pre"))
        judge(node, isSure || part.contains(node) || (!around.has(node) && node.querySelector(HEADINGS) !== null))
    }
  }
  judge(content, false)
  // Notes may stand outside of what holds the text.
  for (const raised of content.querySelectorAll("sup[data-footnote]")) {
    const selector = `[data-footnote="${raised.getAttribute("data-footnote")}"]:not(sup)`
    const note = content.querySelector(selector) ? null : whole.querySelector(selector)
    if (note) content.append(note.closest("ol, ul") ?? note)
  }
  // All that styles say is read.
  for (const styled of content.querySelectorAll("[style]")) styled.removeAttribute("style")
  return { title, excerpt, content: found ? content : null, left }
}
