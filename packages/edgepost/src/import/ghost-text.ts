import { micromark } from "micromark"
import { gfm, gfmHtml } from "micromark-extension-gfm"

import { escapeHtml } from "../markdown/write.ts"
import { Budget } from "../parser/budget.ts"
import { meteringExtension } from "../parser/meter.ts"
import { type JsonFields, fieldsIn, isFields, listIn, textOfField } from "./data.ts"

// Renders what Ghost's editors store as HTML, for posts that an export has without it. Inner texts of cards are HTML already.

const tag = (name: string, inner: string, attributes: Record<string, string> = {}): string => {
  const list = Object.entries(attributes).filter(([, value]) => value !== "")
  return `<${name}${list.map(([key, value]) => ` ${key}="${escapeHtml(value)}"`).join("")}>${inner}</${name}>`
}

const link = (href: string, text: string): string =>
  href === "" ? "" : tag("p", tag("a", escapeHtml(text || href), { href }))

const captioned = (inner: string, { caption }: JsonFields): string =>
  tag("figure", inner + (typeof caption === "string" && caption !== "" ? tag("figcaption", caption) : ""))

const image = (data: JsonFields): string => {
  const [src, alt, title, href] = ["src", "alt", "title", "href"].map((name) => textOfField(data, name))
  if (!src) return ""
  const shown = `<img src="${escapeHtml(src)}" alt="${escapeHtml(alt ?? "")}" title="${escapeHtml(title ?? "")}">`
  return href ? tag("a", shown, { href }) : shown
}

/** Matches fields with text of a card: `productTitle`, `textValue`. Does not match `backgroundColor`. */
const TEXT = /(?:html|text|textvalue|title|header|heading|content|description|caption|disclaimer)$/i

/** Matches fields with the address of an image: `src`, `productImageSrc`, `imageUrl`. Does not match `url`. */
const IMAGE = /^src$|image(?:src|url)$/i

/** Returns all texts and images of a card that is not known, so that none is lost. */
const anyTexts = (data: JsonFields): string => {
  // Matches `buttonText`, which is the text of a link. Does not match `header`.
  const texts = Object.entries(data).filter(([name]) => TEXT.test(name) && !/button/i.test(name))
  const lines = texts.map(([name]) => textOfField(data, name)).filter(Boolean)
  const sources = Object.keys(data).filter((name) => IMAGE.test(name))
  const images = [...sources.map((name) => ({ src: data[name] })), ...Object.values(data).filter(isFields)].map(image)
  const [url, label] = [
    ["buttonUrl", "productUrl", "url"],
    ["buttonText", "productButton"],
  ].map((names) => names.map((name) => textOfField(data, name)).find(Boolean) ?? "")
  return [...images.filter(Boolean), ...lines].map((each) => tag("p", each)).join("") + link(url ?? "", label ?? "")
}

/** Cards by their names in both editors. */
const CARDS: Record<string, (data: JsonFields) => string> = {
  image: (data) => captioned(image(data), data),
  gallery: (data) =>
    captioned(
      listIn(data, "images")
        .map((one) => tag("div", image(one)))
        .join(""),
      data,
    ),
  html: (data) => textOfField(data, "html"),
  markdown: (data) => {
    const markdown = textOfField(data, "markdown")
    const extensions = [gfm(), meteringExtension(new Budget())]
    return micromark(markdown, { extensions, htmlExtensions: [gfmHtml()], allowDangerousHtml: true })
  },
  code: (data) => {
    const language = textOfField(data, "language")
    const code = tag("code", escapeHtml(textOfField(data, "code")), { class: language && `language-${language}` })
    return data["caption"] ? captioned(tag("pre", code), data) : tag("pre", code)
  },
  bookmark: (data) => {
    const about = fieldsIn(data, "metadata")
    const texts = ["description", "author", "publisher"].map((name) => textOfField(about, name)).filter(Boolean)
    const lines = texts.map((text) => tag("p", escapeHtml(text))).join("")
    return (
      link(textOfField(data, "url"), textOfField(about, "title")) +
      lines +
      (data["caption"] ? tag("p", textOfField(data, "caption")) : "")
    )
  },
  embed: (data) => {
    const html = textOfField(data, "html")
    // Matches `<iframe src="a">`. Does not match `<div>`.
    return captioned(/<(?:iframe|blockquote)/i.test(html) ? html : link(textOfField(data, "url"), ""), data)
  },
  callout: (data) => {
    const emoji = tag("div", escapeHtml(textOfField(data, "calloutEmoji")), { class: "kg-callout-emoji" })
    return tag("div", emoji + tag("div", textOfField(data, "calloutText")), { class: "kg-callout-card" })
  },
  toggle: (data) => tag("details", tag("summary", textOfField(data, "heading")) + textOfField(data, "content")),
  button: (data) => link(textOfField(data, "buttonUrl"), textOfField(data, "buttonText")),
  hr: () => "<hr>",
  file: (data) => {
    const caption = textOfField(data, "fileCaption")
    return (
      link(textOfField(data, "src"), textOfField(data, "fileTitle") || textOfField(data, "fileName")) +
      (caption && tag("p", escapeHtml(caption)))
    )
  },
  audio: (data) => link(textOfField(data, "src"), textOfField(data, "title")),
  video: (data) => captioned(link(textOfField(data, "src"), textOfField(data, "fileName")), data),
  // Parts of e-mails, and the place where a preview ends.
  email: () => "",
  "email-cta": () => "",
  paywall: () => "",
}
const NAMES: Record<string, string> = { codeblock: "code", horizontalrule: "hr", "card-markdown": "markdown" }

const card = (name: string, data: JsonFields): string => {
  const own = NAMES[name] ?? name
  return Object.hasOwn(CARDS, own) ? (CARDS[own]?.(data) ?? "") : anyTexts(data)
}

/** Marks of lexical texts, by the position of their bit. */
const FORMATS = ["strong", "em", "s", "u", "code", "sub", "sup", "mark"]

const lexicalText = (node: JsonFields): string =>
  FORMATS.reduce(
    (html, name, position) => (Number(node["format"]) & (1 << position) ? tag(name, html) : html),
    escapeHtml(textOfField(node, "text")),
  )

const lexicalNode = (node: JsonFields): string => {
  // Matches the beginning of `extended-text`. Does not match `text`.
  const type = textOfField(node, "type").replace(/^extended-/, "")
  const inner = () => listIn(node, "children").map(lexicalNode).join("")
  if (typeof node["text"] === "string") return lexicalText(node)
  if (type === "linebreak") return "<br>"
  if (type === "paragraph") return tag("p", inner())
  // Matches `h2`. Does not match `h7` and `script`.
  if (type === "heading")
    return tag(/^h[1-6]$/.test(textOfField(node, "tag")) ? textOfField(node, "tag") : "h2", inner())
  if (type === "quote" || type === "aside") return tag("blockquote", inner())
  if (type === "list" && node["listType"] !== "number") return tag("ul", inner())
  if (type === "list") return tag("ol", inner(), { start: Number(node["start"]) > 1 ? textOfField(node, "start") : "" })
  // A list within a list is in a separate item, which has no bullet.
  if (type === "listitem")
    return listIn(node, "children").every((child) => child["type"] === "list") ? inner() : tag("li", inner())
  if (type === "link" || type === "autolink") return tag("a", inner(), { href: textOfField(node, "url") })
  return Array.isArray(node["children"]) ? inner() : card(type, node)
}

/** Renders the data of Ghost's present editor. */
export const renderLexical = (data: unknown): string =>
  isFields(data) ? listIn(fieldsIn(data, "root"), "children").map(lexicalNode).join("\n") : ""

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Renders the data of Ghost's former editor: sections of markers. */
export const renderMobiledoc = (data: unknown): string => {
  if (!isFields(data)) return ""
  const [markups, atoms, cards] = ["markups", "atoms", "cards"].map((name) => asList(data[name]).map(asList))
  const markers = (list: unknown): string => {
    const open: string[] = []
    const html = asList(list).map((marker) => {
      const [type, opened, closed, value] = asList(marker)
      const starts = asList(opened).map((index) => {
        const [name, attributes] = markups?.[Number(index)] ?? []
        const at = asList(attributes).indexOf("href")
        // Matches `strong`. Does not match `script`.
        const isKnown = /^(?:a|b|strong|i|em|s|u|code|sub|sup|mark|del)$/i.test(String(name))
        open.push(isKnown ? String(name) : "span")
        return `<${open.at(-1)}${at < 0 ? "" : ` href="${escapeHtml(String(asList(attributes)[at + 1]))}"`}>`
      })
      const [atom, text] = type === 1 ? (atoms?.[Number(value)] ?? []) : []
      const shown =
        type !== 1
          ? escapeHtml(String(value))
          : atom === "soft-return"
            ? "<br>"
            : escapeHtml(typeof text === "string" ? text : "")
      const ends = Array.from({ length: Math.min(Number(closed) || 0, open.length) }, () => `</${open.pop()}>`)
      return starts.join("") + shown + ends.join("")
    })
    return html.join("")
  }
  const sections = asList(data["sections"]).map((section) => {
    const [type, first, second] = asList(section)
    // Matches `p` and `h2`. Does not match `script`.
    if (type === 1)
      return tag(/^(?:p|h[1-6]|blockquote|aside)$/.test(String(first)) ? String(first) : "p", markers(second))
    if (type === 2) return image({ src: first })
    if (type === 3)
      return tag(
        first === "ol" ? "ol" : "ul",
        asList(second)
          .map((item) => tag("li", markers(item)))
          .join(""),
      )
    const [name, payload] = type === 10 ? (cards?.[Number(first)] ?? []) : []
    return isFields(payload) ? card(String(name), payload) : ""
  })
  return sections.join("\n")
}
