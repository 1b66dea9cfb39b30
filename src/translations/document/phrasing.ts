import type { Emphasis, Literal, Node, Nodes, Parent, PhrasingContent, Strong, TableCell, Text } from "mdast"
import { gfmToMarkdown } from "mdast-util-gfm"
import { defaultHandlers, type Handle, type Options, toMarkdown } from "mdast-util-to-markdown"

// Inline nodes to Markdown that a parser reads as these nodes and nothing else, wherever they stand.

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
interface LabelledPicture extends Node {
  type: "labelledPicture"
  label: string
  alt: string
}

declare module "mdast" {
  interface PhrasingContentMap {
    verbatim: Verbatim
    tailedLink: TailedLink
    labelledPicture: LabelledPicture
  }
  interface TextData {
    escapesDollars?: boolean
    keepsBrackets?: boolean
  }
  interface TableCellData {
    isFirst?: boolean
  }
  interface EmphasisData {
    mark?: Mark
  }
  interface StrongData {
    mark?: Mark
  }
  interface RootContentMap {
    verbatim: Verbatim
    tailedLink: TailedLink
    labelledPicture: LabelledPicture
  }
}

/** A body has no NUL: stands for the line endings that are part of something verbatim. */
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

const writeLabelledPicture: Handle = (node: LabelledPicture, _, state) => {
  const exits = [state.enter("image"), state.enter("label")]
  const alt = state.safe(node.alt, { before: "![", after: "]" })
  for (const exit of exits.toReversed()) exit()
  return `![${alt}][${hideLineEndings(node.label)}]`
}
const labelledPicture = Object.assign(writeLabelledPicture, { peek: () => "!" })

const NEVER_ESCAPED = String.raw`[a-z\d ,;?'"\u0080-\u{10FFFF}]*`
/** That, but for blanks beside a line ending, and full stops that end neither a number nor `www`. */
const PLAIN = new RegExp(String.raw`^${NEVER_ESCAPED}(?:(?<=[a-vx-z\u0080-\u{10FFFF}])\.${NEVER_ESCAPED})*$`, "iu")

/** Most text is plain, and to look for forty constructs in it takes longer than all else. */
const text: Handle = (node: Text, parent, state, info) => {
  const isBesideLine = /[\r\n]/.test(info.before.slice(-1) + info.after.charAt(0))
  const isPlain = PLAIN.test(node.value) && !(isBesideLine && /^ | $/.test(node.value))
  if (isPlain) return node.value
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

const markOf = ({ data }: Emphasis | Strong): Mark => data?.mark ?? "*"

/** With the mark that a node has, if the other one is not needed beside it. */
const marked = (type: "emphasis" | "strong"): Handle => {
  const attention = (node: Emphasis | Strong) => ({
    construct: type,
    markers: markOf(node) === "_" ? ["_", "*"] : ["*", "_"],
    sizes: [type === "emphasis" ? 1 : 2],
  })
  return Object.assign(defaultHandlers[type].bind(null), { attention, peek: markOf })
}

const OPTIONS: Options = {
  extensions: [gfmToMarkdown()],
  handlers: {
    verbatim,
    tailedLink,
    labelledPicture,
    tableCell,
    text,
    emphasis: marked("emphasis"),
    strong: marked("strong"),
  },
  resourceLink: true,
  unsafe: [
    // Two could be the ends of math.
    { character: "$", inConstruct: "image", notInConstruct: ["destinationLiteral", "destinationRaw", "titleQuote"] },
    // Behind a bracket at the start of a block it would make a definition of what stands before it.
    { before: "\\]", character: ":", inConstruct: "phrasing" },
    // An address may go on with a dollar, escaped or not.
    { before: "[Ww]", character: ".", after: "[$\\\\]", inConstruct: "phrasing" },
  ],
}

/** Where inline content stands: a heading that begins with `#`, a cell of a table, the same at the start of a line, or else. */
export type Place = "heading" | "tableCell" | "firstCell" | "paragraph"

type Mark = "*" | "_"

export interface Marks {
  emphasis: Mark
  strong: Mark
  /** Whether brackets that are text stand as they are: no address behind one becomes a link. */
  keepsBrackets: boolean
}

const nodeOf = (place: Place, children: PhrasingContent[]): Nodes => {
  if (place === "heading") return { type: place, depth: 1, children }
  if (place === "firstCell") return { type: "tableCell", data: { isFirst: true }, children }
  return { type: place, children }
}

/** What begins with a break is something by its blanks: a task, for one. Words before blanks may be something else. */
const writeBreak = (written: string, isFirst: boolean): string =>
  isFirst ? written : written.replace(/^[^\r\n]*/, "\\")

/**
 * Markdown of inline nodes, without the marks of the block around them.
 * @param hardBreaks each as it is written, in order, with what the next line begins with
 */
export const writePhrasing = (place: Place, children: PhrasingContent[], hardBreaks: string[]): string => {
  const written = toMarkdown(nodeOf(place, children), OPTIONS).replace(/\n$/, "")
  const breaks = [...hardBreaks]
  return (place === "heading" ? written.replace(/^# ?/, "") : written)
    .replaceAll("\\\n", (_, at: number) => writeBreak(breaks.shift() ?? " ", at === 0))
    .replaceAll(LINE_ENDING, "\n")
}
