import type { Delete, Emphasis, Link, PhrasingContent, Strong, TextData } from "mdast"

import { isAutolink, spanOf } from "../../markdown/parse.ts"
import { type Place, type Style, writePhrasing } from "./phrasing.ts"
import {
  type Block,
  type Inlines,
  type Document,
  plainText,
  type Segment,
  type SourceTag,
  tagsIn,
  withTerms,
} from "./segments.ts"
import { splitBlanks } from "./tags.ts"

// Writes blocks with translated segments. All other bytes of the document stay unchanged.

/** The translation of a segment. */
export interface Translation {
  inlines: Inlines
  /** Overrides the delimiters of the source. */
  style?: Style
}
export type Translations = ReadonlyMap<Segment, Translation>

/** Matches `[label]` and `![label][]`; not `[text][label]`. */
const SHORTCUT = /^!?\[([^]*?)\](?:\[\])?$/
/** Matches `[text][label]`; not `[text](address)`. */
const FULL = /\[((?:[^[\]\\]|\\[^])*)\]$/

/** Reads the label of a reference as it is written. */
const labelIn = (written: string, referenceType: string): string =>
  (referenceType === "full" ? FULL : SHORTCUT).exec(written)?.[1] ?? ""

/** Reads the address and title of a link as they are written. */
const tailOf = (link: Link, markdown: string): string => {
  const last = link.children.at(-1)
  return markdown.slice(last ? markdown.indexOf("](", spanOf(last).end) : spanOf(link).start + 1, spanOf(link).end)
}

/** Matches the end of `see (` and `see `; not of `see:`. */
const BEFORE_ADDRESS = /(?:^|[\s(])$/
/** Matches the start of `, and` and `.`; not of `) and`. */
const AFTER_ADDRESS = /^[?!.,:]*(?:\s|$)/
/** The longest text directly after an address that is compared; longer text counts as changed. */
const MAX_WORD_CHARS = 20
/** Characters that may be markup: `a*` matches, `a)` does not. */
const MARKUP = /[\\`*_[\]<>&~|!]/

/** `one two` matches up to the blank; ` one` matches nothing. */
const firstWord = (text: string): string => /^\S*/.exec(text)?.[0] ?? ""

/** Tells whether an autolink without delimiters still ends where it did, between its new neighbours. */
const isStillAutolink = (siblings: Inlines, at: number, isRoot: boolean, markdown: string): boolean => {
  const [before = "", tag, after = "", next] = [siblings[at - 1], siblings[at], siblings[at + 1], siblings[at + 2]]
  if (typeof before === "object" || typeof after === "object" || typeof tag !== "object") return false
  const isLast = next === undefined
  if (!isRoot && (before === "" || isLast)) return false
  // `a b` has words after the first blank, `a` does not.
  const hasWords = /\s/.test(after.trimEnd())
  const { start, end } = spanOf(tag.node)
  const known = firstWord(markdown.slice(end, end + MAX_WORD_CHARS))
  const isAsBefore = markdown.charAt(start - 1) === before.slice(-1) && known === firstWord(after)
  if (hasWords && isAsBefore && !MARKUP.test(known)) return true
  return BEFORE_ADDRESS.test(before) && AFTER_ADDRESS.test(after) && (isLast || hasWords)
}

const textNode = (value: string, data?: TextData): PhrasingContent[] =>
  value === "" ? [] : [{ type: "text", value, ...(data && { data }) }]

/** Splits off the blanks at the edges, which emphasis must not contain. */
const hoistBlanks = (children: PhrasingContent[]): Record<"before" | "inside" | "after", PhrasingContent[]> => {
  const [first, last] = [children[0], children.at(-1)]
  const start = first?.type === "text" ? splitBlanks(first.value).before : ""
  if (first?.type === "text") first.value = first.value.slice(start.length)
  const end = last?.type === "text" ? splitBlanks(last.value).after : ""
  if (last?.type === "text") last.value = last.value.slice(0, last.value.length - end.length)
  const inside = children.filter((child) => child.type !== "text" || child.value !== "")
  return { before: textNode(start), inside, after: textNode(end) }
}

interface Context {
  markdown: string
  /** The translated attributes. */
  changes: Map<PhrasingContent, Partial<Record<"alt" | "title", string>>>
  style: Style | undefined
  /** Options for writing text nodes. */
  data: TextData
}

const verbatim = (value: string): PhrasingContent[] => [{ type: "verbatim", value }]

const writeMarkup = (
  node: Delete | Emphasis | Strong,
  children: PhrasingContent[],
  source: string,
  style: Style | undefined,
): PhrasingContent[] => {
  const { before, inside, after } = hoistBlanks(children)
  if (node.type === "delete") return [...before, { ...node, children: inside }, ...after]
  const delimiter = style?.[node.type] ?? (source.startsWith("_") ? "_" : "*")
  return [...before, { ...node, data: { delimiter }, children: inside }, ...after]
}

/** Escapes dollars in the text of an address, which could otherwise become math. */
const escapeMath = (node: PhrasingContent): PhrasingContent[] =>
  node.type === "text" ? textNode(node.value, { escapesDollars: true }) : [node]

const writeTag = (
  { node, children: inlines }: SourceTag,
  staysAutolink: () => boolean,
  context: Context,
): PhrasingContent[] => {
  const { markdown, style } = context
  const { start, end } = spanOf(node)
  const source = markdown.slice(start, end)
  const changed = context.changes.get(node)
  const children = writeInlines(inlines, false, context)
  if (node.type === "break") return [node]
  if (node.type === "emphasis" || node.type === "strong" || node.type === "delete")
    return writeMarkup(node, children, source, style)
  if (node.type === "linkReference")
    return [{ type: "tailedLink", tail: `][${labelIn(source, node.referenceType)}]`, children }]
  if (node.type === "imageReference")
    return [{ type: "labelledImage", label: labelIn(source, node.referenceType), alt: changed?.alt ?? node.alt ?? "" }]
  if (node.type === "image" && changed) return [{ ...node, ...changed }]
  if (node.type !== "link") return verbatim(source)
  if (isAutolink(node, markdown))
    return source.startsWith("<") || staysAutolink()
      ? verbatim(source)
      : [{ ...node, children: node.children.flatMap(escapeMath) }]
  return changed
    ? [{ ...node, ...changed, children }]
    : [{ type: "tailedLink", tail: tailOf(node, markdown), children }]
}

type Sibling = Inlines[number] | undefined

const isNode = (sibling: Sibling, type: string): boolean => typeof sibling === "object" && sibling.node.type === type

/** Removes the blanks beside a hard break, which belong to the break. */
const trimAtBreaks = (value: string, previous: Sibling, next: Sibling): string => {
  const { before, inside, after } = splitBlanks(value)
  const [isAfterBreak, isBeforeBreak] = [isNode(previous, "break"), isNode(next, "break")]
  if (inside === "") return isAfterBreak || isBeforeBreak ? "" : value
  return (isAfterBreak ? "" : before) + inside + (isBeforeBreak ? "" : after)
}

/** Tells whether a blank must separate two inlines: adjacent code spans would be one, and a digit after a dollar breaks math. */
const needsGap = (previous: Sibling, inline: Sibling): boolean => {
  // `5` and `$` match, ` 5` does not.
  if (typeof inline === "string") return isNode(previous, "inlineMath") && /^[\d$]/.test(inline)
  return ["inlineCode", "inlineMath"].some((type) => isNode(inline, type) && isNode(previous, type))
}

const writeInlines = (inlines: Inlines, isRoot: boolean, context: Context): PhrasingContent[] =>
  inlines.flatMap((inline, i) => {
    const [previous, next] = [inlines[i - 1], inlines[i + 1]]
    const gap = needsGap(previous, inline) ? textNode(" ") : []
    if (typeof inline === "string") return [...gap, ...textNode(trimAtBreaks(inline, previous, next), context.data)]
    return [...gap, ...writeTag(inline, () => isStillAutolink(inlines, i, isRoot, context.markdown), context)]
  })

/** Matches `$a$` and `$$ a $$`; not `$5 and $6`. */
const MATH = /\$(?!\s)[^$]+(?<!\s)\$(?!\d)|\$\$[^]*\$\$/

/** Writes inline content roughly as Markdown, to look for math in it. */
const flatten = (inlines: Inlines, markdown: string): string =>
  inlines
    .map((inline) => {
      if (typeof inline === "string") return inline
      if (inline.children.length > 0) return `*${flatten(inline.children, markdown)}*`
      const { start, end } = spanOf(inline.node)
      return markdown.slice(start, end)
    })
    .join("")

/** Lists the hard breaks in order, as the source writes them. */
const breaksIn = (inlines: Inlines): string[] =>
  tagsIn(inlines).flatMap(({ node, written }) => (node.type === "break" ? [written] : []))

/** Matches `# The end`; not an underlined heading. */
const ATX = /^#{1,6}(?:[ \t\r\n]|$)/

const placeOf = ({ container }: Block, markdown: string): Place => {
  const { start, end } = spanOf(container)
  if (container.type === "heading") return ATX.test(markdown.slice(start, end)) ? "heading" : "paragraph"
  return container.type === "tableCell" && markdown.charAt(start) !== "|" ? "firstCell" : container.type
}

/** Writes the inline content of a block. @returns null when nothing in it was translated */
const writeBlock = (block: Block, markdown: string, translations: Translations): string | null => {
  const changes: Context["changes"] = new Map()
  const translated = block.segment && translations.get(block.segment)
  let style = translated?.style
  for (const { node, name, segment } of block.attributes) {
    const attribute = translations.get(segment)
    style = attribute?.style ?? style
    if (attribute) changes.set(node, { ...changes.get(node), [name]: plainText(attribute.inlines) })
  }
  if (!translated && changes.size === 0) return null
  const inlines = withTerms(translated?.inlines ?? block.inlines)
  const data = { escapesDollars: MATH.test(flatten(inlines, markdown)), keepsBrackets: style?.keepsBrackets ?? false }
  const { inside } = hoistBlanks(writeInlines(inlines, true, { markdown, changes, style, data }))
  return writePhrasing(placeOf(block, markdown), inside, breaksIn(inlines))
}

/** Returns the body of a document with translations in place of their segments. All other text stays unchanged. */
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
