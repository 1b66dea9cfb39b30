import GithubSlugger from "github-slugger"
import type { Element, ElementContent, Nodes, Parents, Root, Text } from "hast"
import { fromParse5 } from "hast-util-from-parse5"
import { sanitize as filter, type Schema } from "hast-util-sanitize"
import { toHtml } from "hast-util-to-html"
import { parseFragment } from "parse5"

import { prefixIds } from "./anchors.ts"
import { keepsOwn } from "./heading-ids.ts"

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
  // Ids are prefixed below.
  clobber: [],
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

interface Found {
  element: Element
  parent: Parents
  isInLink: boolean
}

/** Every element, before those inside it. With a stack of its own: HTML may be nested deeper than calls can be. */
function* elementsOf(tree: Root): Generator<Found> {
  const rest: Found[] = []
  const add = (parent: Parents, isInLink: boolean) => {
    for (const node of parent.children.toReversed())
      if (node.type === "element") rest.push({ element: node, parent, isInLink })
  }
  add(tree, false)
  for (let next = rest.pop(); next; next = rest.pop()) {
    yield next
    add(next.element, next.isInLink || next.element.tagName === "a")
  }
}

const altOf = ({ properties: { alt } }: Element): string => (typeof alt === "string" ? alt : "")

/** The words of a heading, those of its pictures too; the number of a footnote changes with others before it. */
const textOf = ({ children }: Element): string => {
  const words: string[] = []
  const rest = children.toReversed()
  for (let node = rest.pop(); node; node = rest.pop()) {
    if (node.type === "text") words.push(node.value)
    if (node.type !== "element" || "dataFootnoteRef" in node.properties) continue
    if (node.tagName === "img") words.push(altOf(node))
    rest.push(...node.children.toReversed())
  }
  return words.join("")
}

/** A picture that must not be shown: a link to it, or inside a link its text. */
const insteadOf = (element: Element, isInLink: boolean): ElementContent => {
  const { src } = element.properties
  const href = typeof src === "string" ? src : ""
  const text: Text = { type: "text", value: altOf(element) || href }
  if (isInLink || href === "") return text
  return { type: "element", tagName: "a", properties: { rel: REL, href }, children: [text] }
}

interface Options {
  prefix: string
  /** Ids of the headings, in their order, where these have some already. */
  anchors: Iterator<string>
  /** Of the id of a heading's words, whether it has that and not its anchor. */
  keeps: (own: string, anchor: string) => boolean
  slugs: GithubSlugger
  /** That an element has already. */
  ids: Set<unknown>
  show: (src: string) => Picture | null
}

const SCHEME = /^[a-z][a-z0-9+.-]*:/i

/** Schemes are the same in capitals (RFC 3986 section 3.1); the filter compares letters. */
const lowerSchemes = (tree: Root): void => {
  for (const { element } of elementsOf(tree))
    for (const name of ["href", "src"]) {
      const url = element.properties[name]
      if (typeof url === "string") element.properties[name] = url.replace(SCHEME, (scheme) => scheme.toLowerCase())
    }
}

const TAG = /<[a-z][a-z0-9]*(?: [a-z-]+(?:="[^"]*")?)*>/g

/** The writer leaves `<` and `>` in attributes, which is right and still invites trouble. In text there is no `<`. */
const escapeInTags = (html: string): string =>
  html.replaceAll(TAG, (tag) => `<${tag.slice(1, -1).replaceAll("<", "&lt;").replaceAll(">", "&gt;")}>`)

const WRITER = { characterReferences: { useNamedReferences: true } }

/** Ids that headings must leave to others: those of footnotes. */
const reserveIds = (tree: Root, slugs: GithubSlugger): void => {
  for (const { element } of elementsOf(tree)) {
    const { id } = element.properties
    if (typeof id === "string") slugs.occurrences[id] ??= 0
  }
}

const headingId = (heading: Element, { anchors, keeps, slugs }: Options): string => {
  const { value: anchor } = anchors.next()
  const { id } = heading.properties
  if (typeof id === "string") return id
  const own = slugs.slug(textOf(heading))
  return anchor === undefined || keeps(own, anchor) ? own : anchor
}

const finish = (tree: Root, options: Options): void => {
  const { prefix, ids, show } = options
  for (const { element, parent, isInLink } of elementsOf(tree)) {
    const { tagName, properties } = element
    const { href, src } = properties
    if (tagName === "img") {
      const picture = show(typeof src === "string" ? src : "")
      if (picture) Object.assign(properties, { width: picture.width, height: picture.height, loading: "lazy" })
      else parent.children.splice(parent.children.indexOf(element), 1, insteadOf(element, isInLink))
    }
    if (HEADINGS.includes(tagName)) properties["id"] = headingId(element, options)
    // Calls of a footnote are numbered, and another one may have that name.
    if (ids.has(properties["id"])) delete properties["id"]
    else if (properties["id"]) ids.add(properties["id"])
    prefixIds(element, prefix)
    if (tagName === "a" && typeof href === "string" && !href.startsWith("#"))
      element.properties = { rel: REL, ...properties }
  }
}

const asRoot = (nodes: Nodes): Root => (nodes.type === "root" ? nodes : { type: "root", children: [] })

/** As a browser without scripts would; where each node stood is of no use here, and takes as long again. */
const parseHtml = (html: string): Root => asRoot(fromParse5(parseFragment(html, { scriptingEnabled: false })))

/** What is left of a part by the list. */
const readAllowed = (part: string): Root => {
  const parsed = parseHtml(part)
  lowerSchemes(parsed)
  return asRoot(filter(parsed, SCHEMA))
}

/**
 * Filters HTML by an allow-list of elements, attributes and protocols, and finishes what is left: ids are prefixed,
 * headings have one, links say whose they are, pictures have their size.
 * @param parts of a document, each complete in itself
 * @param idPrefix of every id and of links to them
 * @param show the size of a picture that may be shown; null for all others, which become links
 * @param headingIds in the order of the headings, without the prefix; those of their words where links name these, or without it
 */
export const sanitize = (
  parts: string[],
  idPrefix: string,
  show: (src: string) => Picture | null,
  headingIds: string[] = [],
): string => {
  const slugs = new GithubSlugger()
  const keeps = keepsOwn(parts, headingIds)
  const options = { prefix: idPrefix, anchors: headingIds.values(), keeps, slugs, ids: new Set<unknown>(), show }
  const withIds = parts.map((part) => (part.includes(" id=") ? readAllowed(part) : null))
  for (const tree of withIds) if (tree) reserveIds(tree, slugs)
  return parts
    .map((part, i) => {
      const tree = withIds[i] ?? readAllowed(part)
      finish(tree, options)
      return escapeInTags(toHtml(tree, WRITER))
    })
    .join("")
}
