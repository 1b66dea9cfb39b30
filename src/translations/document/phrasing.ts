import type { Emphasis, Literal, Node, Nodes, Parent, PhrasingContent, Strong, TableCell, Text } from "mdast"
import { gfmToMarkdown } from "mdast-util-gfm"
import { defaultHandlers, type Handle, type Options, toMarkdown } from "mdast-util-to-markdown"

// Writes inline nodes as Markdown that a parser reads as these nodes and nothing else, wherever they stand.

/** Markdown that stays as it is written. */
interface Verbatim extends Literal {
  type: "verbatim"
}

/** `[children` with a tail `][label]` or `](address)` as the document spells it: a definition is found by what is written. */
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

/** Stands for the line endings of something verbatim: a body has no NUL. */
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

const NEVER_ESCAPED = String.raw`[a-z\d ,;?'"\u0080-\u{10FFFF}]*`
/** `Plain words. And more`; not `1. Words`, `www.` or `a*b`. */
const PLAIN = new RegExp(String.raw`^${NEVER_ESCAPED}(?:(?<=[a-vx-z\u0080-\u{10FFFF}])\.${NEVER_ESCAPED})*$`, "iu")

/** Most text is plain, and to look for forty constructs in it takes longer than all else. */
const text: Handle = (node: Text, parent, state, info) => {
  const isBesideLine = /[\r\n]/.test(info.before.slice(-1) + info.after.charAt(0))
  if (PLAIN.test(node.value) && !(isBesideLine && /^ | $/.test(node.value))) return node.value
  const safe = defaultHandlers.text(node, parent, state, info)
  const written = node.data?.keepsBrackets ? safe.replaceAll(String.raw`\[`, "[") : safe
  return node.data?.escapesDollars ? written.replaceAll("$", String.raw`\$`) : written
}

/** A cell without a pipe before it may begin with what looks like another block. */
const tableCell: Handle = (node: TableCell, _, state, info) => {
  const exits = [state.enter("tableCell"), state.enter("phrasing")]
  const written = state.containerPhrasing(node, { ...info, before: node.data?.isFirst ? "\n" : "|", after: "|" })
  for (const exit of exits.toReversed()) exit()
  return written
}

const delimiterOf = ({ data }: Emphasis | Strong): Delimiter => data?.delimiter ?? "*"

/** Writes a node with its own delimiter, unless the other one is needed beside it. */
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
    // Two could be the ends of math.
    { character: "$", inConstruct: "image", notInConstruct: ["destinationLiteral", "destinationRaw", "titleQuote"] },
    // After a bracket at the start of a block it would make a definition of what stands before it.
    { before: "\\]", character: ":", inConstruct: "phrasing" },
    // An address may go on with a dollar, escaped or not.
    { before: "[Ww]", character: ".", after: "[$\\\\]", inConstruct: "phrasing" },
  ],
}

/** Where inline content stands: in a heading that begins with `#`, in a table cell, in one at the start of a line, or elsewhere. */
export type Place = "heading" | "tableCell" | "firstCell" | "paragraph"

/** How to write emphasis and brackets. */
export interface Style {
  emphasis: Delimiter
  strong: Delimiter
  /** Whether brackets that are text stand as they are: no address after one becomes a link. */
  keepsBrackets: boolean
}

const nodeOf = (place: Place, children: PhrasingContent[]): Nodes => {
  if (place === "heading") return { type: place, depth: 1, children }
  if (place === "firstCell") return { type: "tableCell", data: { isFirst: true }, children }
  return { type: place, children }
}

/** A first break is something by its blanks: a task, for one. After words, blanks may be something else than a break. */
const writeBreak = (written: string, isFirst: boolean): string =>
  isFirst ? written : written.replace(/^[^\r\n]*/, "\\")

/**
 * Writes inline nodes, without the syntax of the block around them.
 * @param hardBreaks each as it is written, in order, with what the next line begins with
 */
export const writePhrasing = (place: Place, children: PhrasingContent[], hardBreaks: string[]): string => {
  const written = toMarkdown(nodeOf(place, children), OPTIONS).replace(/\n$/, "")
  const breaks = [...hardBreaks]
  return (place === "heading" ? written.replace(/^# ?/, "") : written)
    .replaceAll("\\\n", (_, at: number) => writeBreak(breaks.shift() ?? " ", at === 0))
    .replaceAll(LINE_ENDING, "\n")
}
