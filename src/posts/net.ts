import GithubSlugger from "github-slugger"
import type { Element, ElementContent, Nodes, Root, Text } from "hast"
import { fromHtml } from "hast-util-from-html"
import { sanitize as filter, type Schema } from "hast-util-sanitize"
import { toHtml } from "hast-util-to-html"
import { SKIP, visitParents } from "unist-util-visit-parents"

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

const textOf = (node: Nodes): string => {
  let text = ""
  visitParents(node, (found) => {
    if (found.type === "text") text += found.value
    if (found.type === "element" && found.tagName === "img") text += String(found.properties["alt"] ?? "")
  })
  return text
}

/** Ids of a post and links to them begin with its prefix, so that posts can share a page and none can name the page's own. */
const prefixIds = ({ properties }: Element, prefix: string): void => {
  const { id, href, ariaDescribedBy } = properties
  if (typeof id === "string") properties["id"] = prefix + id
  if (Array.isArray(ariaDescribedBy)) properties["ariaDescribedBy"] = ariaDescribedBy.map((name) => `${prefix}${name}`)
  if (typeof href === "string" && href.startsWith("#") && href !== "#")
    properties["href"] = `#${prefix}${href.slice(1)}`
}

/** A picture that must not be shown: a link to it, or inside a link its text. */
const asLink = ({ properties: { src, alt } }: Element, ancestors: Nodes[]): ElementContent => {
  const href = typeof src === "string" ? src : ""
  const text: Text = { type: "text", value: (typeof alt === "string" && alt) || href }
  const isInLink = ancestors.some((node) => node.type === "element" && node.tagName === "a")
  if (isInLink || href === "") return text
  return { type: "element", tagName: "a", properties: { rel: REL, href }, children: [text] }
}

interface Options {
  prefix: string
  slugs: GithubSlugger
  show: (src: string) => Picture | null
}

const finish = (tree: Root, { prefix, slugs, show }: Options): void => {
  visitParents(tree, "element", (element, ancestors) => {
    const { tagName, properties } = element
    prefixIds(element, prefix)
    if (HEADINGS.includes(tagName) && properties["id"] === undefined)
      properties["id"] = prefix + slugs.slug(textOf(element))
    const { href } = properties
    if (tagName === "a" && typeof href === "string" && !href.startsWith("#"))
      element.properties = { rel: REL, ...properties }
    if (tagName !== "img") return undefined
    const picture = show(String(properties["src"] ?? ""))
    if (picture) {
      Object.assign(properties, { ...picture, loading: "lazy" })
      return undefined
    }
    const parent = ancestors.at(-1)
    const index = parent?.children.indexOf(element as never) ?? -1
    if (parent) parent.children[index] = asLink(element, ancestors)
    return [SKIP, index + 1]
  })
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
