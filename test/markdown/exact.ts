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

import { emailAutolinks, urlAutolinks } from "../../packages/edgepost/src/parser/autolinks.ts"
import { Budget } from "../../packages/edgepost/src/parser/budget.ts"
import { meteringExtension } from "../../packages/edgepost/src/parser/meter.ts"
import { parse } from "../../src/markdown/parse.ts"
import { hasHtml, toHast } from "../../src/markdown/to-hast.ts"
import { EXAMPLES } from "./commonmark.ts"
import { shuffle, spaceOut } from "./generate.ts"
import { textOf } from "./html.ts"
import { compileUnsafe } from "./plain.ts"

const compileWith = (markdown: string, dialect: Extension[]): string =>
  micromark(markdown, { extensions: [...dialect, meteringExtension(new Budget())], htmlExtensions: [gfmHtml()] })

/** Compiles Markdown to HTML with micromark and GFM, through the metered parser. */
export const compileMetered = (markdown: string): string => compileWith(markdown, [gfm()])

/** Does the same with edgepost's literal autolinks instead of those of GFM. */
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

/** Elements beside which whitespace has no meaning, including checkboxes of tasks. */
const BLOCKS = new Set(
  "blockquote br dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr input li ol p pre script section style summary table tbody td th thead tr ul".split(
    " ",
  ),
)
const isBlock = (node: Content | undefined): boolean =>
  node === undefined || node.type === "comment" || (node.type === "element" && BLOCKS.has(node.tagName))

/** Tells whether a property holds the classes of a task list, which only mdast-util-to-hast adds. */
const isTaskClass = (tagName: string, name: string): boolean =>
  name === "className" && ["ol", "ul", "li"].includes(tagName)

const attributesOf = ({ tagName, properties }: Element): string =>
  Object.entries(properties)
    .filter(([name]) => !isTaskClass(tagName, name))
    .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
    .toSorted()
    .join("")

/** Matches line endings with the blanks around them: ` \n`. Does not match ` `. They differ between blocks, and micromark loses some after footnotes. */
const LINE_ENDINGS = /[ \t\f]*[\r\n][ \t\r\n\f]*/g

/** Writes elements, attributes and text of a tree. Leaves out line endings, and blanks beside blocks, except in code blocks. */
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
  // Only micromark counts footnote calls in alt texts and in unused footnotes. readWhole compares footnotes instead.
  if (properties["dataFootnotes"] !== undefined || properties["dataFootnoteBackref"] !== undefined) return ""
  if (properties["dataFootnoteRef"] !== undefined) return "<sup>"
  const [code] = children
  const isCode = tagName === "pre" && code?.type === "element" && code.tagName === "code" && children.length === 1
  // In mdast, a code block of one blank line is empty.
  const inner = isCode ? `<code${attributesOf(code)}>${textOf(code).trimEnd()}</code>` : writeTree(element)
  return `<${tagName}${attributesOf(element)}>${inner}</${tagName}>`
}

const readTree = (html: string): Root => fromHtml(html, { fragment: true })

/** Renders Markdown to a tree with edgepost. toHast has parsed raw HTML already. */
const renderOurs = (markdown: string): Root => {
  const tree = parse(markdown)
  const hast = toHast(tree)
  return hasHtml(tree) ? hast : readTree(toHtml(hast))
}

/** Renders Markdown to a tree with micromark. A line ending at the end would reopen unclosed elements. */
const renderPlain = (markdown: string): Root => readTree(compileUnsafe(markdown).replace(/\n$/, ""))

/** Writes the elements, attributes and text of edgepost's tree before it is sanitized. */
export const writeOurs = (markdown: string): string => writeTree(renderOurs(markdown)).replaceAll(/ +/g, " ")

/** Writes the elements, attributes and text that a browser reads in the HTML of micromark. */
export const writePlain = (markdown: string): string => writeTree(renderPlain(markdown)).replaceAll(/ +/g, " ")

/** Reads all elements, attributes and texts of HTML, without blank texts. */
export const readWhole = (html: string): unknown => {
  const read = (node: Content): unknown[] => {
    if (node.type === "text") return node.value.trim() === "" ? [] : [node.value.trim()]
    if (node.type !== "element") return []
    return [[node.tagName, node.properties, node.children.flatMap(read)]]
  }
  return readTree(html).children.flatMap(read)
}

/**
 * Removes intended differences from a document: emoji count as CJK beside emphasis, and front matter needs to come first.
 * Calls its footnote at the end, because only micromark shows a footnote that is called nowhere but in itself.
 * Closes comments, scripts and tags. Unclosed HTML would swallow later elements as text, and `<hr>` and `<hr />` differ as text.
 */
export const withoutDifferences = (markdown: string): string => {
  const closed = markdown
    // mdast-util-to-hast ends the language of a code block at such blanks. Matches `😀`, not `é`.
    .replaceAll(/😀|\u00A0|\uFEFF/g, "€")
    // mdast drops a hard break from the text of an image. Matches the backslash of `![a\` before a line ending.
    .replaceAll(/\\(?=[\r\n])/g, (escape) => (markdown.includes("![") ? "€" : escape))
    .replaceAll(/<(\/?)script>/g, "<$1aside>")
    .replaceAll("<!--", "<!-- b -->")
    .replaceAll("<?", "<?b?>")
    .replaceAll("<![CDATA[", "<![CDATA[b]]>")
    // Matches `<b` at the end of a line. Does not match `<b>`.
    .replaceAll(/<(?=[a-z/!][^>\r\n]*(?:[\r\n]|$))/gi, "< ")
  return `Words.\n\n${closed}\n\nWords.${closed.includes("[^1]: ") ? "[^1]" : ""}`
}

/** Compares two renderings of documents. Returns the first three that differ, each with the HTML around the first difference. */
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

/** Returns documents that hold the examples of CommonMark in random orders. Every sixth holds all of them, and the others hold 48. */
export const makeOrders = (count: number, random: () => number): string[] =>
  Array.from({ length: count }, (_, i) => {
    const examples = shuffle(EXAMPLES, random).map(({ markdown }) => markdown)
    if (i % 6 === 0) return examples.join("\n\n")
    const pieces = Array.from({ length: 6 }, (_piece, at) => examples.slice(8 * at, 8 * at + 8).join("\n\n"))
    return spaceOut(pieces)
  })
