import GithubSlugger from "github-slugger"
import type { Element, ElementContent, Root, Text } from "hast"
import { fromHtml } from "hast-util-from-html"
import { sanitize as filter, type Schema } from "hast-util-sanitize"
import { toHtml } from "hast-util-to-html"

// The second net: whatever made the HTML, only what stands in this list is stored and served.

/** The size of a picture that may be shown, in pixels. */
export interface Picture {
  width: number
  height: number
}

const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"]
const TAGS =
  "a blockquote br code del em hr img input li ol p pre section strong sup table tbody td th thead tr ul".split(" ")

/** What Markdown with GFM comes to, and nothing else. Attributes are named as in hast. */
const SCHEMA: Schema = {
  tagNames: [...HEADINGS, ...TAGS],
  attributes: {
    a: [
      "href",
      "title",
      "id",
      "ariaDescribedBy",
      "ariaLabel",
      "dataFootnoteRef",
      "dataFootnoteBackref",
      ["className", "data-footnote-backref"],
    ],
    code: [["className", /^language-/]],
    h2: ["id", ["className", "sr-only"]],
    img: ["src", "alt", "title"],
    input: [["type", "checkbox"], "disabled", "checked"],
    li: ["id"],
    ol: ["start"],
    section: ["dataFootnotes", ["className", "footnotes"]],
    td: [["align", "left", "center", "right"]],
    th: [["align", "left", "center", "right"]],
  },
  protocols: { href: ["http", "https", "irc", "ircs", "mailto", "xmpp"], src: ["http", "https"] },
  required: { input: { type: "checkbox", disabled: true } },
  ancestors: Object.fromEntries(["thead", "tbody", "tr", "th", "td"].map((tag) => [tag, ["table"]])),
  // Their text was never meant to be read.
  strip: [
    "script",
    "style",
    "template",
    "noscript",
    "iframe",
    "noembed",
    "noframes",
    "xmp",
    "plaintext",
    "math",
    "svg",
  ],
}

const REL = ["nofollow", "ugc", "noopener"]

/** Every element, before those inside it, with the links around it. With a stack of its own: HTML may be nested deeper than calls can be. */
function* elementsOf(tree: Root): Generator<{ element: Element; isInLink: boolean }> {
  const rest: { node: ElementContent; isInLink: boolean }[] = []
  const add = (children: (ElementContent | Root["children"][number])[], isInLink: boolean) => {
    for (const node of children.toReversed()) if (node.type !== "doctype") rest.push({ node, isInLink })
  }
  add(tree.children, false)
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { node, isInLink } = next
    if (node.type !== "element") continue
    yield { element: node, isInLink }
    add(node.children, isInLink || node.tagName === "a")
  }
}

/** The words of a heading, those of its pictures too. */
const textOf = ({ children }: Element): string => {
  const words: string[] = []
  const rest = children.toReversed()
  for (let node = rest.pop(); node; node = rest.pop()) {
    if (node.type === "text") words.push(node.value)
    if (node.type !== "element") continue
    if (node.tagName === "img") words.push(String(node.properties["alt"] ?? ""))
    rest.push(...node.children.toReversed())
  }
  return words.join("")
}

/** Ids of a post and links to them begin with its prefix, so that posts can share a page and none can name the page's own. */
const prefixIds = ({ properties }: Element, prefix: string): void => {
  const { id, href, ariaDescribedBy } = properties
  if (typeof id === "string") properties["id"] = prefix + id
  if (Array.isArray(ariaDescribedBy)) properties["ariaDescribedBy"] = ariaDescribedBy.map((name) => `${prefix}${name}`)
  if (typeof href === "string" && href.startsWith("#") && href !== "#")
    properties["href"] = `#${prefix}${href.slice(1)}`
}

/** Makes of a picture that must not be shown a link to it, or inside a link its text. */
const replacePicture = (element: Element, isInLink: boolean): void => {
  const { src, alt } = element.properties
  const href = typeof src === "string" ? src : ""
  const children: Text[] = [{ type: "text", value: (typeof alt === "string" && alt) || href }]
  const isLink = !isInLink && href !== ""
  Object.assign(element, { tagName: isLink ? "a" : "span", properties: isLink ? { rel: REL, href } : {}, children })
}

interface Options {
  prefix: string
  slugs: GithubSlugger
  show: (src: string) => Picture | null
}

const finish = (tree: Root, { prefix, slugs, show }: Options): void => {
  for (const { element, isInLink } of elementsOf(tree)) {
    const { tagName, properties } = element
    const { href, src } = properties
    if (tagName === "img") {
      const picture = show(String(src ?? ""))
      if (picture) Object.assign(properties, picture, { loading: "lazy" })
      else replacePicture(element, isInLink)
    }
    if (tagName === "a" && typeof href === "string" && !href.startsWith("#"))
      element.properties = { rel: REL, ...properties }
    if (HEADINGS.includes(tagName)) properties["id"] ??= slugs.slug(textOf(element))
    prefixIds(element, prefix)
  }
}

/**
 * Filters HTML by an allow-list of elements, attributes and protocols, and finishes what is left: ids are prefixed,
 * headings have one, links say whose they are, pictures have their size.
 * @param parts of a document, each complete in itself
 * @param idPrefix of every id and of links to them
 * @param show the size of a picture that may be shown; null for all others, which become links
 */
export const sanitize = (parts: string[], idPrefix: string, show: (src: string) => Picture | null): string => {
  const slugs = new GithubSlugger()
  return parts
    .map((part) => {
      const clean = filter(fromHtml(part, { fragment: true }), SCHEMA)
      const tree: Root = clean.type === "root" ? clean : { type: "root", children: [] }
      finish(tree, { prefix: idPrefix, slugs, show })
      return toHtml(tree)
    })
    .join("")
}
