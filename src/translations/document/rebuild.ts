import type { Delete, Emphasis, Link, PhrasingContent, Strong, TextData } from "mdast"

import { isAutolink, spanOf } from "../../markdown/parse.ts"
import { type Marks, type Place, writePhrasing } from "./phrasing.ts"
import { type Block, type Document, plainText, type Segment, type Source, type SourceTag } from "./segments.ts"
import { splitBlanks } from "./tags.ts"

// Puts translated segments back: blocks of which something was translated are written anew, all else stays byte for byte.

/** What a segment was translated to. */
export interface Translation {
  inlines: Source
  /** Other marks than the source has, where those do not work out. */
  marks?: Marks
}
export type Translations = ReadonlyMap<Segment, Translation>

const SHORTCUT = /^!?\[([^]*?)\](?:\[\])?$/
const FULL = /\[((?:[^[\]\\]|\\[^])*)\]$/

/** A label as it is written. */
const labelIn = (written: string, referenceType: string): string =>
  (referenceType === "full" ? FULL : SHORTCUT).exec(written)?.[1] ?? ""

/** The address of a link, and its title, as they are written. */
const tailOf = (link: Link, markdown: string): string => {
  const last = link.children.at(-1)
  return markdown.slice(last ? markdown.indexOf("](", spanOf(last).end) : spanOf(link).start + 1, spanOf(link).end)
}

/** What may stand beside an address without becoming part of it. */
const BEFORE_ADDRESS = /(?:^|[\s(])$/
const BEHIND_ADDRESS = /^[?!.,:]*\s+\S/
/** What stands behind an address without a blank: longer ones are looked at as changed. */
const MAX_WORD_CHARS = 20
const END_BEHIND_ADDRESS = /^[?!.,:]*(?:\s|$)/

type Sibling = Source[number] | undefined

const isNode = (sibling: Sibling, type: string): boolean => typeof sibling === "object" && sibling.node.type === type

/** Characters that mean something, here or there. */
const MARKUP = /[\\`*_[\]<>&~|!]/

/** Whether an address stands between the same characters as in the source, up to the next blank. */
const isAsBefore = (node: PhrasingContent, before: string, behind: string, markdown: string): boolean => {
  const { start, end } = spanOf(node)
  const word = /^\S*/
  const known = word.exec(markdown.slice(end, end + MAX_WORD_CHARS))?.[0] ?? ""
  return markdown.charAt(start - 1) === before.slice(-1) && known === word.exec(behind)?.[0] && !MARKUP.test(known)
}

/** Whether an address that nobody marked as one is still the same between its neighbours. */
const isApart = (siblings: Source, at: number, isRoot: boolean, markdown: string): boolean => {
  const [before = "", tag, behind = "", next] = [siblings[at - 1], siblings[at], siblings[at + 1], siblings[at + 2]]
  if (typeof before === "object" || typeof behind === "object" || typeof tag !== "object") return false
  const isLast = next === undefined
  if (!isRoot && (before === "" || isLast)) return false
  if (/\s/.test(behind.trimEnd()) && isAsBefore(tag.node, before, behind, markdown)) return true
  return BEFORE_ADDRESS.test(before) && (isLast ? END_BEHIND_ADDRESS : BEHIND_ADDRESS).test(behind)
}

const textNode = (value: string): PhrasingContent[] => (value === "" ? [] : [{ type: "text", value }])

/** Blanks at the edges cannot be marked up. */
const hoist = (children: PhrasingContent[]): Record<"before" | "inside" | "behind", PhrasingContent[]> => {
  const [first, last] = [children[0], children.at(-1)]
  const start = first?.type === "text" ? splitBlanks(first.value).before : ""
  if (first?.type === "text") first.value = first.value.slice(start.length)
  const end = last?.type === "text" ? splitBlanks(last.value).behind : ""
  if (last?.type === "text") last.value = last.value.slice(0, last.value.length - end.length)
  const inside = children.filter((child) => child.type !== "text" || child.value !== "")
  return { before: textNode(start), inside, behind: textNode(end) }
}

interface Context {
  markdown: string
  /** Attributes that were translated. */
  changes: Map<PhrasingContent, Partial<Record<"alt" | "title", string>>>
  /** The hard breaks, as the source writes them, in order. */
  breaks: string[]
  /** Instead of those that the source has. */
  marks: Marks | undefined
  /** How text is written. */
  data: TextData
}

/** What is known of a tag that is written. */
interface Written {
  tag: SourceTag
  /** As the source has it. */
  source: string
  isAddressApart: () => boolean
  changed: Partial<Record<"alt" | "title", string>> | undefined
  children: () => PhrasingContent[]
  context: Context
}

type Writer<T> = (node: Extract<PhrasingContent, { type: T }>, written: Written) => PhrasingContent[]

const verbatim = (value: string): PhrasingContent[] => [{ type: "verbatim", value }]

const writeMarked = (node: Delete | Emphasis | Strong, { source, children, context }: Written): PhrasingContent[] => {
  const { before, inside, behind } = hoist(children())
  if (node.type === "delete") return [...before, { ...node, children: inside }, ...behind]
  const mark = source.startsWith("_") ? "_" : "*"
  return [...before, { ...node, data: { mark: context.marks?.[node.type] ?? mark }, children: inside }, ...behind]
}

/** One node for all of it: a paragraph may have thousands of dollars. */
const writeText = (value: string, data: TextData): PhrasingContent[] =>
  value === "" ? [] : [{ type: "text", value, data }]

/** An address has none; its text could read as some. */
const withoutMath = (node: PhrasingContent): PhrasingContent[] =>
  node.type === "text" ? writeText(node.value, { escapesDollars: true }) : [node]

/** All others stay as they are written. */
const WRITERS: { [T in PhrasingContent["type"]]?: Writer<T> } = {
  break: (node, { tag, context }) => {
    context.breaks.push(tag.written)
    return [node]
  },
  emphasis: writeMarked,
  strong: writeMarked,
  delete: writeMarked,
  link: (node, { source, changed, isAddressApart, children, context }) => {
    if (source.startsWith("<") || (isAutolink(node, context.markdown) && isAddressApart())) return verbatim(source)
    if (isAutolink(node, context.markdown)) return [{ ...node, children: node.children.flatMap(withoutMath) }]
    if (changed) return [{ ...node, ...changed, children: children() }]
    return [{ type: "tailedLink", tail: tailOf(node, context.markdown), children: children() }]
  },
  linkReference: ({ referenceType }, { source, children }) => [
    { type: "tailedLink", tail: `][${labelIn(source, referenceType)}]`, children: children() },
  ],
  imageReference: ({ referenceType, alt }, { source, changed }) => [
    { type: "labelledPicture", label: labelIn(source, referenceType), alt: changed?.alt ?? alt ?? "" },
  ],
  image: (node, { source, changed }) => (changed ? [{ ...node, ...changed }] : verbatim(source)),
}

const writeTag = (tag: SourceTag, isAddressApart: () => boolean, context: Context): PhrasingContent[] => {
  const { node } = tag
  const { start, end } = spanOf(node)
  const source = context.markdown.slice(start, end)
  const write = WRITERS[node.type] as Writer<PhrasingContent["type"]> | undefined
  const changed = context.changes.get(node)
  const children = () => writeInlines(tag.children, false, context)
  return write?.(node, { tag, source, isAddressApart, changed, children, context }) ?? verbatim(source)
}

/** A hard break takes the blanks beside it. */
const textBeside = (value: string, before: Sibling, behind: Sibling): string => {
  const { before: start, inside, behind: end } = splitBlanks(value)
  if (inside === "") return isNode(before, "break") || isNode(behind, "break") ? "" : value
  return (isNode(before, "break") ? "" : start) + inside + (isNode(behind, "break") ? "" : end)
}

/** `$a$` and `$$ a $$`; not `$5 and $6`. */
const MATH = /\$(?!\s)[^$]+(?<!\s)\$(?!\d)|\$\$[^]*\$\$/

/** Text, with what else stands between as it is in the source. */
const flatten = (inlines: Source, markdown: string): string =>
  inlines
    .map((inline) => {
      if (typeof inline === "string") return inline
      if (inline.children.length > 0) return `*${flatten(inline.children, markdown)}*`
      const { start, end } = spanOf(inline.node)
      return markdown.slice(start, end)
    })
    .join("")

/** Two code spans side by side would be one, and behind a digit a dollar ends no math. */
const isJoined = (before: Sibling, inline: Sibling): boolean => {
  if (typeof inline === "string") return isNode(before, "inlineMath") && /^[\d$]/.test(inline)
  return ["inlineCode", "inlineMath"].some((type) => isNode(inline, type) && isNode(before, type))
}

const writeInlines = (inlines: Source, isRoot: boolean, context: Context): PhrasingContent[] =>
  inlines.flatMap((inline, i) => {
    const [before, behind] = [inlines[i - 1], inlines[i + 1]]
    const gap = isJoined(before, inline) ? textNode(" ") : []
    if (typeof inline === "string") return [...gap, ...writeText(textBeside(inline, before, behind), context.data)]
    return [...gap, ...writeTag(inline, () => isApart(inlines, i, isRoot, context.markdown), context)]
  })

/** A heading that is no underlined text. */
const ATX = /^#{1,6}(?:[ \t\r\n]|$)/

const placeOf = ({ container }: Block, markdown: string): Place => {
  const { start, end } = spanOf(container)
  if (container.type === "heading") return ATX.test(markdown.slice(start, end)) ? "heading" : "paragraph"
  return container.type === "tableCell" && markdown.charAt(start) !== "|" ? "firstCell" : container.type
}

/** The inline content of a block anew, or null when nothing of it was translated. */
const writeBlock = (block: Block, markdown: string, translations: Translations): string | null => {
  const changes: Context["changes"] = new Map()
  let marks = block.segment ? translations.get(block.segment)?.marks : undefined
  for (const { node, name, segment } of block.attributes) {
    const translated = translations.get(segment)
    marks = translated?.marks ?? marks
    if (translated) changes.set(node, { ...changes.get(node), [name]: plainText(translated.inlines) })
  }
  const translated = block.segment && translations.get(block.segment)
  if (!translated && changes.size === 0) return null
  const inlines = translated?.inlines ?? block.inlines
  const data = { escapesDollars: MATH.test(flatten(inlines, markdown)), keepsBrackets: marks?.keepsBrackets ?? false }
  const context: Context = { markdown, changes, breaks: [], marks, data }
  const { inside: children } = hoist(writeInlines(inlines, true, context))
  return writePhrasing(placeOf(block, markdown), children, context.breaks)
}

/** The document with its translated segments in place. */
export const rebuild = ({ body, markdown, blocks }: Document, translations: Translations): string => {
  const parts = [body.slice(0, body.length - markdown.length)]
  let done = 0
  for (const block of blocks) {
    const written = writeBlock(block, markdown, translations)
    if (written === null) continue
    parts.push(markdown.slice(done, block.start), written)
    done = block.end
  }
  return parts.join("") + markdown.slice(done)
}
