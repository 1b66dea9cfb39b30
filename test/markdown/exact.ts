import type { Element, ElementContent, Root, RootContent } from "hast"
import { fromHtml } from "hast-util-from-html"
import { toHtml } from "hast-util-to-html"
import { micromark } from "micromark"
import { gfm, gfmHtml } from "micromark-extension-gfm"
import { gfmFootnote } from "micromark-extension-gfm-footnote"
import { gfmStrikethrough } from "micromark-extension-gfm-strikethrough"
import { gfmTable } from "micromark-extension-gfm-table"
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item"
import type { Extension } from "micromark-util-types"

import { Budget } from "../../src/markdown/budget.ts"
import { emailAutolinks, urlAutolinks } from "../../src/markdown/extensions/autolinks.ts"
import { meteringExtension } from "../../src/markdown/meter.ts"
import { parse } from "../../src/markdown/parse.ts"
import { hasHtml, toHast } from "../../src/markdown/to-hast.ts"
import { EXAMPLES } from "./commonmark.ts"
import { shuffle, spaceOut } from "./generate.ts"
import { textOf } from "./html.ts"
import { compileUnsafe } from "./plain.ts"

const compileWith = (markdown: string, dialect: Extension[]): string =>
  micromark(markdown, { extensions: [...dialect, meteringExtension(new Budget())], htmlExtensions: [gfmHtml()] })

/** Returns what micromark's own compiler makes of the events of the parser that counts. */
export const compileMetered = (markdown: string): string => compileWith(markdown, [gfm()])

/** Returns the same, with our literal autolinks in the place of GFM's. */
export const compileAutolinks = (markdown: string): string =>
  compileWith(markdown, [
    urlAutolinks(),
    emailAutolinks(),
    gfmFootnote(),
    gfmStrikethrough(),
    gfmTable(),
    gfmTaskListItem(),
  ])

type Content = ElementContent | RootContent

/** Blanks beside these say nothing, a task's box among them. */
const BLOCKS = new Set(
  "blockquote br dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr input li ol p pre script section style summary table tbody td th thead tr ul".split(
    " ",
  ),
)
const isBlock = (node: Content | undefined): boolean =>
  node === undefined || node.type === "comment" || (node.type === "element" && BLOCKS.has(node.tagName))

/** GitHub's classes of task lists are those of mdast-util-to-hast alone. */
const isTaskClass = (tagName: string, name: string): boolean =>
  name === "className" && ["ol", "ul", "li"].includes(tagName)

const attributesOf = ({ tagName, properties }: Element): string =>
  Object.entries(properties)
    .filter(([name]) => !isTaskClass(tagName, name))
    .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
    .toSorted()
    .join("")

/** Line endings between blocks differ, and micromark loses some in text that follows a footnote. */
const LINE_ENDINGS = /[ \t\f]*[\r\n][ \t\r\n\f]*/g

/** Writes elements, attributes and text of a tree; outside of code blocks, neither line endings nor blanks beside blocks. */
const writeTree = ({ children }: Root | Element): string =>
  children
    .map((node: Content, i) => {
      if (node.type === "text") {
        let text = node.value.replaceAll(LINE_ENDINGS, "").replaceAll(/[ \t\f]+/g, " ")
        if (isBlock(children[i - 1])) text = text.trimStart()
        if (isBlock(children[i + 1])) text = text.trimEnd()
        return text
      }
      if (node.type === "comment") return `<!--${node.value}-->`
      return node.type === "element" ? writeElement(node) : ""
    })
    .join("")

const writeElement = (element: Element): string => {
  const { tagName, properties, children } = element
  // Calls in an image's words, and in footnotes that no text calls, count for micromark alone: FOOTNOTES are compared whole.
  if (properties["dataFootnotes"] !== undefined || properties["dataFootnoteBackref"] !== undefined) return ""
  if (properties["dataFootnoteRef"] !== undefined) return "<sup>"
  const [code] = children
  const isCode = tagName === "pre" && code?.type === "element" && code.tagName === "code" && children.length === 1
  // A block of one blank line is an empty one in mdast.
  const inner = isCode ? `<code${attributesOf(code)}>${textOf(code).trimEnd()}</code>` : writeTree(element)
  return `<${tagName}${attributesOf(element)}>${inner}</${tagName}>`
}

const readTree = (html: string): Root => fromHtml(html, { fragment: true })

/** With raw HTML it was read by parse5 already. */
const ours = (markdown: string): Root => {
  const tree = parse(markdown)
  const hast = toHast(tree)
  return hasHtml(tree) ? hast : readTree(toHtml(hast))
}

/** A line ending at the end would open again what HTML leaves open. */
const plain = (markdown: string): Root => readTree(compileUnsafe(markdown).replace(/\n$/, ""))

/** Returns elements, attributes and text of our tree before it is sanitized. */
export const writeOurs = (markdown: string): string => writeTree(ours(markdown)).replaceAll(/ +/g, " ")

/** Returns those that a browser reads in what micromark makes of the same. */
export const writePlain = (markdown: string): string => writeTree(plain(markdown)).replaceAll(/ +/g, " ")

/** Returns every element, attribute and text of HTML, but for blanks. */
export const readWhole = (html: string): unknown => {
  const read = (node: Content): unknown[] => {
    if (node.type === "text") return node.value.trim() === "" ? [] : [node.value.trim()]
    if (node.type !== "element") return []
    return [[node.tagName, node.properties, node.children.flatMap(read)]]
  }
  return readTree(html).children.flatMap(read)
}

/**
 * Returns a document without what differs on purpose: emoji are CJK to emphasis, and front matter may only begin a document.
 * HTML that is left open swallows all that follows as it is spelt, `<hr>` or `<hr />`: here every comment, script and tag ends.
 */
export const withoutDifferences = (markdown: string): string => {
  const closed = markdown
    // mdast-util-to-hast takes a no-break space and a byte order mark for the end of a code block's language.
    .replaceAll(/😀|\u00A0|\uFEFF/g, "€")
    // mdast drops a hard break from the text of an image: `![a\` before `b]()`.
    .replaceAll(/\\(?=[\r\n])/g, (escape) => (markdown.includes("![") ? "€" : escape))
    .replaceAll(/<(\/?)script>/g, "<$1aside>")
    .replaceAll("<!--", "<!-- b -->")
    .replaceAll("<?", "<?b?>")
    .replaceAll("<![CDATA[", "<![CDATA[b]]>")
    // `<b` at the end of a line; not `<b>`.
    .replaceAll(/<(?=[a-z/!][^>\r\n]*(?:[\r\n]|$))/gi, "< ")
  return `Words.\n\n${closed}\n\nWords.`
}

/** Returns the first few that differ, and what each has from where it begins to. */
export const differences = (
  documents: string[],
  make: (markdown: string) => string,
  makePlain: (markdown: string) => string,
): string[] => {
  const found: string[] = []
  for (const markdown of documents) {
    const [is, should] = [make(markdown), makePlain(markdown)]
    if (is === should) continue
    let at = 0
    while (is[at] === should[at]) at++
    const around = (text: string) => text.slice(Math.max(0, at - 40), at + 80)
    found.push(JSON.stringify([markdown, around(is), around(should)]))
    if (found.length === 3) break
  }
  return found
}

/** Returns the examples of CommonMark in random orders: all of them one after the other, or some with paragraphs in between. */
export const makeOrders = (count: number, random: () => number): string[] =>
  Array.from({ length: count }, (_, i) => {
    const examples = shuffle(EXAMPLES, random).map(({ markdown }) => markdown)
    if (i % 6 === 0) return examples.join("\n\n")
    const pieces = Array.from({ length: 6 }, (_piece, at) => examples.slice(8 * at, 8 * at + 8).join("\n\n"))
    return spaceOut(pieces)
  })
