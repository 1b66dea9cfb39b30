import type { Emphasis, Literal, Node, Nodes, Parent, PhrasingContent, Strong, TableCell, Text } from "mdast"
import { gfmToMarkdown } from "mdast-util-gfm"
import { defaultHandlers, type Handle, type Options, toMarkdown } from "mdast-util-to-markdown"

// Writes inline nodes as Markdown that a parser reads as exactly these nodes, in any block.

/** Markdown that is copied unchanged. */
interface Verbatim extends Literal {
  type: "verbatim"
}

/** `[children` with the unchanged tail `][label]` or `](address)`. Definitions are found by the label as it is written. */
interface TailedLink extends Parent {
  type: "tailedLink"
  tail: string
  children: PhrasingContent[]
}

/** `![alt][label]` */
interface LabelledImage extends Node {
  type: "labelledImage"
  label: string
  alt: string
}

type Delimiter = "*" | "_"

declare module "mdast" {
  interface PhrasingContentMap {
    verbatim: Verbatim
    tailedLink: TailedLink
    labelledImage: LabelledImage
  }
  interface RootContentMap {
    verbatim: Verbatim
    tailedLink: TailedLink
    labelledImage: LabelledImage
  }
  interface TextData {
    escapesDollars?: boolean
    keepsBrackets?: boolean
  }
  interface TableCellData {
    isFirst?: boolean
  }
  interface EmphasisData {
    delimiter?: Delimiter
  }
  interface StrongData {
    delimiter?: Delimiter
  }
}

/** Represents a line ending in verbatim text. A body contains no NUL. */
const LINE_ENDING = "\0"

const hideLineEndings = (text: string): string => text.replaceAll("\n", LINE_ENDING)

const verbatim: Handle = (node: Verbatim) => hideLineEndings(node.value)

const writeTailedLink: Handle = (node: TailedLink, _, state, info) => {
  const exit = state.enter("label")
  const text = state.containerPhrasing(node, { ...info, before: "[", after: "]" })
  exit()
  return `[${text}${hideLineEndings(node.tail)}`
}
const tailedLink = Object.assign(writeTailedLink, { peek: () => "[" })

const writeLabelledImage: Handle = (node: LabelledImage, _, state) => {
  const exits = [state.enter("image"), state.enter("label")]
  const alt = state.safe(node.alt, { before: "![", after: "]" })
  for (const exit of exits.toReversed()) exit()
  return `![${alt}][${hideLineEndings(node.label)}]`
}
const labelledImage = Object.assign(writeLabelledImage, { peek: () => "!" })

/** `Plain words, and more`; not `a*b`. */
const NEVER_ESCAPED = String.raw`[a-z\d ,;?'"\u0080-\u{10FFFF}]*`
/** `Plain words. And more`; not `1. Words`, `www.` or `a*b`. */
const PLAIN = new RegExp(String.raw`^${NEVER_ESCAPED}(?:(?<=[a-vx-z\u0080-\u{10FFFF}])\.${NEVER_ESCAPED})*$`, "iu")

/** Skips escaping for plain text: the default handler tests forty constructs, which takes longer than anything else. */
const text: Handle = (node: Text, parent, state, info) => {
  // A line ending matches, a letter does not.
  const isBesideLine = /[\r\n]/.test(info.before.slice(-1) + info.after.charAt(0))
  // ` a` and `a ` match, `a b` does not.
  if (PLAIN.test(node.value) && !(isBesideLine && /^ | $/.test(node.value))) return node.value
  const safe = defaultHandlers.text(node, parent, state, info)
  const written = node.data?.keepsBrackets ? safe.replaceAll(String.raw`\[`, "[") : safe
  return node.data?.escapesDollars ? written.replaceAll("$", String.raw`\$`) : written
}

/** Writes a cell. The first one of a row without a leading pipe is escaped like the start of a block. */
const tableCell: Handle = (node: TableCell, _, state, info) => {
  const exits = [state.enter("tableCell"), state.enter("phrasing")]
  const written = state.containerPhrasing(node, { ...info, before: node.data?.isFirst ? "\n" : "|", after: "|" })
  for (const exit of exits.toReversed()) exit()
  return written
}

const delimiterOf = ({ data }: Emphasis | Strong): Delimiter => data?.delimiter ?? "*"

/** Writes emphasis with the delimiter of the source, unless its neighbours require the other one. */
const withDelimiter = (type: "emphasis" | "strong"): Handle => {
  const attention = (node: Emphasis | Strong) => ({
    construct: type,
    markers: delimiterOf(node) === "_" ? ["_", "*"] : ["*", "_"],
    sizes: [type === "emphasis" ? 1 : 2],
  })
  return Object.assign(defaultHandlers[type].bind(null), { attention, peek: delimiterOf })
}

const OPTIONS: Options = {
  extensions: [gfmToMarkdown()],
  handlers: {
    verbatim,
    tailedLink,
    labelledImage,
    tableCell,
    text,
    emphasis: withDelimiter("emphasis"),
    strong: withDelimiter("strong"),
  },
  resourceLink: true,
  unsafe: [
    // Two dollars could delimit math.
    { character: "$", inConstruct: "image", notInConstruct: ["destinationLiteral", "destinationRaw", "titleQuote"] },
    // `[label]:` at the start of a block would be a definition.
    { before: "\\]", character: ":", inConstruct: "phrasing" },
    // `www.$` would be a link, even if the dollar is escaped.
    { before: "[Ww]", character: ".", after: "[$\\\\]", inConstruct: "phrasing" },
  ],
}

/** The place of inline content: an ATX heading, a table cell, a table cell without a leading pipe, or anything else. */
export type Place = "heading" | "tableCell" | "firstCell" | "paragraph"

/** The delimiters of emphasis, and the treatment of brackets. */
export interface Style {
  emphasis: Delimiter
  strong: Delimiter
  /** Writes brackets in text unescaped: then an address after a bracket does not become a link. */
  keepsBrackets: boolean
}

const nodeOf = (place: Place, children: PhrasingContent[]): Nodes => {
  if (place === "heading") return { type: place, depth: 1, children }
  if (place === "firstCell") return { type: "tableCell", data: { isFirst: true }, children }
  return { type: place, children }
}

/** Replaces the blanks before a line ending by a backslash, unless they are the first content: a task needs them. */
const writeBreak = (written: string, isFirst: boolean): string =>
  // `  ` before a line ending matches; the next line does not.
  isFirst ? written : written.replace(/^[^\r\n]*/, "\\")

/**
 * Writes inline nodes as Markdown, without the syntax of the block around them, whose kind (`place`) decides the escaping.
 * @param hardBreaks the source of each hard break in order, with the quote markers and indentation of the next line
 */
export const writePhrasing = (place: Place, children: PhrasingContent[], hardBreaks: string[]): string => {
  // `a\n` matches, `a\nb` does not.
  const written = toMarkdown(nodeOf(place, children), OPTIONS).replace(/\n$/, "")
  const breaks = [...hardBreaks]
  // `# a` and `#` match, `a` does not.
  return (
    (place === "heading" ? written.replace(/^# ?/, "") : written)
      .replaceAll("\\\n", (_, at: number) => writeBreak(breaks.shift() ?? " ", at === 0))
      // Next to emphasis, mdast-util-to-markdown writes the hidden line ending as a character reference.
      .replaceAll(/\0|&#x0;/g, "\n")
  )
}
