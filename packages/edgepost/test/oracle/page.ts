import { type DefaultTreeAdapterTypes, parse } from "parse5"

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

/** The words, links, images, code, tables and footnotes that readers see of a page, in order. */
export interface Shown {
  words: string
  /** Targets of links and frames. */
  links: string[]
  images: string[]
  /** The text of each code block. */
  code: string[]
  /** The rows of tables, as `a | b`; null in answers that do not have them. */
  tables: string[] | null
  /** The text of each footnote; null in answers that do not have them. */
  notes: string[] | null
}

/** A page of a blog as its own tool shows it to readers. */
export interface Answer extends Shown {
  /** Path of the source file from the blog's root. */
  file: string
  address: string
  /** Other addresses, from which the site leads readers to the page; null if there are none. */
  aliases: string[] | null
  title: string | null
  /** RFC 3339 in UTC. */
  date: string | null
  language: string | null
  /** In lower case, sorted; null if the tool has none. */
  categories: string[] | null
  tags: string[] | null
  /** Path of the source file of the next newer page in the tool's list; null if it has no list, or for the newest. */
  newer: string | null
}

/** A page of a blog for readers. */
export interface Page extends Answer {
  /** The last part of its address, in the form of edgepost; null for a translation. */
  slug: string | null
  /** Whether lists show it: `yes` or `no`; null if the tool does not say. */
  listed: string | null
}

/** The fields of a page that are compared. */
export const FIELDS = [
  "title",
  "slug",
  "address",
  "aliases",
  "date",
  "listed",
  "language",
  "categories",
  "tags",
  "newer",
  "words",
  "links",
  "images",
  "code",
  "tables",
  "notes",
] as const
export type Field = (typeof FIELDS)[number]

/** Elements between which no blank is added to the words. */
const INLINE = new Set(
  "a abbr b big cite code del dfn em font i ins kbd mark q rp rt ruby s samp small span strike strong sub sup time tt u var wbr".split(
    " ",
  ),
)

const BLANK = new Set(["script", "style", "template", "noscript", "title", "audio", "video", "math"])

/** Punctuation that Goldmark and kramdown set, and how an author types it. */
const TYPED: [set: RegExp, typed: string][] = [
  // Matches `“a”`, not `"a"`.
  [/[“”„]/g, '"'],
  // Matches `it’s`, not `it's`.
  [/[‘’]/g, "'"],
  // Matches `a — b`, not `a - b`.
  [/—/g, "---"],
  // Matches `1–2`, not `1-2`.
  [/–/g, "--"],
  // Matches `wait…`, not `wait...`.
  [/…/g, "..."],
  // Matches `«a`, not `<<a`.
  [/«/g, "<<"],
  // Matches `a»`, not `a>>`.
  [/»/g, ">>"],
]

/** Returns a text on one line, with punctuation as an author types it. */
const typed = (text: string): string =>
  // Matches two blanks, a line end and a blank without width, not one letter.
  TYPED.reduce((all, [set, plain]) => all.replaceAll(set, plain), text)
    .replaceAll(/[\s\u200B]+/g, " ")
    .trim()

const attribute = (node: Element, name: string): string | null =>
  node.attrs.find((one) => one.name === name)?.value ?? null

const isElement = (node: Node): node is Element => "tagName" in node

const hasClass = (node: Element, ...classes: string[]): boolean =>
  (attribute(node, "class") ?? "").split(" ").some((name) => classes.includes(name))

const isHidden = (node: Element): boolean =>
  BLANK.has(node.tagName) ||
  attribute(node, "hidden") !== null ||
  // Matches `display: none`, not `display: block`.
  /display:\s*none/.test(attribute(node, "style") ?? "") ||
  // The heading of footnotes for screen readers, arrows back to the text, and line numbers and languages of code.
  hasClass(
    node,
    "sr-only",
    "footnote-backref",
    "reversefootnote",
    "footnote-back",
    "data-footnote-backref",
    "gutter",
    "lineno",
    "lnt",
    "lang",
    // What browsers draw of a formula of KaTeX beside its MathML.
    "katex-html",
  )

const isFootnote = (node: Element): boolean =>
  hasClass(node, "footnote", "footnote-ref") || attribute(node, "data-footnote-ref") !== null

/** Returns the text of a node, without what is hidden. */
const textOf = (node: Node): string => {
  if (node.nodeName === "#text") return (node as DefaultTreeAdapterTypes.TextNode).value
  if (!("childNodes" in node) || (isElement(node) && isHidden(node))) return ""
  const text = node.childNodes.map(textOf).join("")
  if (!isElement(node)) return text
  if (node.tagName === "br") return "\n"
  return INLINE.has(node.tagName) ? text : ` ${text} `
}

const codeOf = (node: Node): string => {
  if (node.nodeName === "#text") return (node as DefaultTreeAdapterTypes.TextNode).value
  if (!("childNodes" in node) || (isElement(node) && isHidden(node))) return ""
  return node.nodeName === "br" ? "\n" : node.childNodes.map(codeOf).join("")
}

const findData = (node: Node): string | null => {
  if (isElement(node) && node.tagName === "script" && attribute(node, "type") === "application/json")
    return node.childNodes.map((child) => (child as DefaultTreeAdapterTypes.TextNode).value).join("")
  return "childNodes" in node ? (node.childNodes.map(findData).find((found) => found !== null) ?? null) : null
}

/** Reads the data that a theme put before the text. @returns null for a page that is no page of the blog */
export const readData = (source: string): string | null => findData(parse(source))

/** Reads where a page without a text leads. @returns null for any other page */
export const readRedirect = (source: string): string | null =>
  // Matches `content="0; url=/a/"`, not `content="utf-8"`.
  /http-equiv="?refresh"? content="0; url=([^"]+)"/.exec(source)?.[1] ?? null

const cellsOf = (row: Element): Node[] =>
  row.childNodes.filter((child) => isElement(child) && ["td", "th"].includes(child.tagName))

/** Tells whether an element is the text of a footnote, by its id: `fn:1`, `user-content-fn-1`, `footnote1`. */
const isNote = (node: Element): boolean =>
  node.tagName === "li" && /^(?:user-content-)?(?:fn|footnote)[-:]?\w/.test(attribute(node, "id") ?? "")

/** Reads what readers see of HTML. */
export const readHtml = (source: string): Required<{ [K in keyof Shown]: NonNullable<Shown[K]> }> => {
  const shown = { words: "", links: [], images: [], code: [], tables: [], notes: [] } as ReturnType<typeof readHtml>
  const visit = (node: Node, inCode = false) => {
    if (isElement(node)) {
      const { tagName } = node
      if (tagName === "iframe") shown.links.push(attribute(node, "src") ?? "")
      if (isHidden(node)) return
      const href = attribute(node, "href")
      // The link of a heading to itself says nothing.
      if (tagName === "a" && href !== null && !isFootnote(node) && !hasClass(node, "header-anchor"))
        shown.links.push(href)
      const src = attribute(node, "src")
      if (tagName === "img" && src !== null) shown.images.push(src)
      // Matches the spaces and line ends at the end, not those before a word.
      const code = tagName === "pre" && !inCode ? codeOf(node).replace(/\s+$/, "") : ""
      if (code !== "") shown.code.push(code)
      if (tagName === "tr")
        shown.tables.push(
          cellsOf(node)
            .map((cell) => typed(textOf(cell)))
            .join(" | "),
        )
      if (isNote(node)) shown.notes.push(typed(textOf(node)))
    }
    if ("childNodes" in node) for (const child of node.childNodes) visit(child, inCode || node.nodeName === "pre")
  }
  const document = parse(source)
  visit(document)
  return { ...shown, words: typed(textOf(document)) }
}
