import type { Delete, Emphasis, Link, PhrasingContent, Strong, TextData } from "mdast"

import { isAutolink, spanOf } from "../../markdown/parse.ts"
import { type Place, type Style, writePhrasing } from "./phrasing.ts"
import { type Block, type Document, plainText, type Segment, type Source, type SourceTag } from "./segments.ts"
import { splitBlanks } from "./tags.ts"

// Puts translated segments back. Blocks with a translated segment are written again, all other bytes stay.

/** What a segment was translated to. */
export interface Translation {
  inlines: Source
  /** How to write it where the delimiters of the source do not work. */
  style?: Style
}
export type Translations = ReadonlyMap<Segment, Translation>

/** `[label]`, `![label][]`; not `[text][label]`. */
const SHORTCUT = /^!?\[([^]*?)\](?:\[\])?$/
/** `[text][label]`; not `[text](address)`. */
const FULL = /\[((?:[^[\]\\]|\\[^])*)\]$/

/** Finds a label as it is written. */
const labelIn = (written: string, referenceType: string): string =>
  (referenceType === "full" ? FULL : SHORTCUT).exec(written)?.[1] ?? ""

/** Finds the address of a link, and its title, as they are written. */
const tailOf = (link: Link, markdown: string): string => {
  const last = link.children.at(-1)
  return markdown.slice(last ? markdown.indexOf("](", spanOf(last).end) : spanOf(link).start + 1, spanOf(link).end)
}

/** `see (`, `see `; not `see:`. */
const BEFORE_ADDRESS = /(?:^|[\s(])$/
/** `, and`, `.`; not `) and`. */
const AFTER_ADDRESS = /^[?!.,:]*(?:\s|$)/
/** What stands after an address without a blank: longer ones are looked at as changed. */
const MAX_WORD_CHARS = 20
/** Characters that mean something here or there: `a*`; not `a)`. */
const MARKUP = /[\\`*_[\]<>&~|!]/

const firstWord = (text: string): string => /^\S*/.exec(text)?.[0] ?? ""

/** Tells whether an address without delimiters is still the same between its neighbours. */
const isApart = (siblings: Source, at: number, isRoot: boolean, markdown: string): boolean => {
  const [before = "", tag, after = "", next] = [siblings[at - 1], siblings[at], siblings[at + 1], siblings[at + 2]]
  if (typeof before === "object" || typeof after === "object" || typeof tag !== "object") return false
  const isLast = next === undefined
  if (!isRoot && (before === "" || isLast)) return false
  const hasWords = /\s/.test(after.trimEnd())
  const { start, end } = spanOf(tag.node)
  const known = firstWord(markdown.slice(end, end + MAX_WORD_CHARS))
  const isAsBefore = markdown.charAt(start - 1) === before.slice(-1) && known === firstWord(after)
  if (hasWords && isAsBefore && !MARKUP.test(known)) return true
  return BEFORE_ADDRESS.test(before) && AFTER_ADDRESS.test(after) && (isLast || hasWords)
}

/** One node for all of it: a paragraph may have thousands of dollars. */
const textNode = (value: string, data?: TextData): PhrasingContent[] =>
  value === "" ? [] : [{ type: "text", value, ...(data && { data }) }]

/** Takes the blanks at the edges out: they cannot be marked up. */
const hoist = (children: PhrasingContent[]): Record<"before" | "inside" | "after", PhrasingContent[]> => {
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
  /** The attributes that were translated. */
  changes: Map<PhrasingContent, Partial<Record<"alt" | "title", string>>>
  style: Style | undefined
  /** How text is written. */
  data: TextData
}

const verbatim = (value: string): PhrasingContent[] => [{ type: "verbatim", value }]

const writeMarkup = (
  node: Delete | Emphasis | Strong,
  children: PhrasingContent[],
  source: string,
  style: Style | undefined,
): PhrasingContent[] => {
  const { before, inside, after } = hoist(children)
  if (node.type === "delete") return [...before, { ...node, children: inside }, ...after]
  const delimiter = style?.[node.type] ?? (source.startsWith("_") ? "_" : "*")
  return [...before, { ...node, data: { delimiter }, children: inside }, ...after]
}

/** An address has no math; its text could read as some. */
const withoutMath = (node: PhrasingContent): PhrasingContent[] =>
  node.type === "text" ? textNode(node.value, { escapesDollars: true }) : [node]

const writeTag = (
  { node, children: inlines }: SourceTag,
  isAddressApart: () => boolean,
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
    return source.startsWith("<") || isAddressApart()
      ? verbatim(source)
      : [{ ...node, children: node.children.flatMap(withoutMath) }]
  return changed
    ? [{ ...node, ...changed, children }]
    : [{ type: "tailedLink", tail: tailOf(node, markdown), children }]
}

type Sibling = Source[number] | undefined

const isNode = (sibling: Sibling, type: string): boolean => typeof sibling === "object" && sibling.node.type === type

/** A hard break takes the blanks beside it. */
const textBeside = (value: string, previous: Sibling, next: Sibling): string => {
  const { before, inside, after } = splitBlanks(value)
  const [isAfterBreak, isBeforeBreak] = [isNode(previous, "break"), isNode(next, "break")]
  if (inside === "") return isAfterBreak || isBeforeBreak ? "" : value
  return (isAfterBreak ? "" : before) + inside + (isBeforeBreak ? "" : after)
}

/** Two code spans side by side would be one, and a dollar before a digit ends no math. */
const isJoined = (previous: Sibling, inline: Sibling): boolean => {
  if (typeof inline === "string") return isNode(previous, "inlineMath") && /^[\d$]/.test(inline)
  return ["inlineCode", "inlineMath"].some((type) => isNode(inline, type) && isNode(previous, type))
}

const writeInlines = (inlines: Source, isRoot: boolean, context: Context): PhrasingContent[] =>
  inlines.flatMap((inline, i) => {
    const [previous, next] = [inlines[i - 1], inlines[i + 1]]
    const gap = isJoined(previous, inline) ? textNode(" ") : []
    if (typeof inline === "string") return [...gap, ...textNode(textBeside(inline, previous, next), context.data)]
    return [...gap, ...writeTag(inline, () => isApart(inlines, i, isRoot, context.markdown), context)]
  })

/** `$a$` and `$$ a $$`; not `$5 and $6`. */
const MATH = /\$(?!\s)[^$]+(?<!\s)\$(?!\d)|\$\$[^]*\$\$/

/** Makes text of inline content; what is no text is as in the source. */
const flatten = (inlines: Source, markdown: string): string =>
  inlines
    .map((inline) => {
      if (typeof inline === "string") return inline
      if (inline.children.length > 0) return `*${flatten(inline.children, markdown)}*`
      const { start, end } = spanOf(inline.node)
      return markdown.slice(start, end)
    })
    .join("")

/** The hard breaks as the source writes them, in order. */
const breaksIn = (inlines: Source): string[] =>
  inlines.flatMap((inline) => {
    if (typeof inline === "string") return []
    return inline.node.type === "break" ? [inline.written] : breaksIn(inline.children)
  })

/** `# The end`; not an underlined heading. */
const ATX = /^#{1,6}(?:[ \t\r\n]|$)/

const placeOf = ({ container }: Block, markdown: string): Place => {
  const { start, end } = spanOf(container)
  if (container.type === "heading") return ATX.test(markdown.slice(start, end)) ? "heading" : "paragraph"
  return container.type === "tableCell" && markdown.charAt(start) !== "|" ? "firstCell" : container.type
}

/** Writes the inline content of a block again. @returns null when nothing of it was translated */
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
  const inlines = translated?.inlines ?? block.inlines
  const data = { escapesDollars: MATH.test(flatten(inlines, markdown)), keepsBrackets: style?.keepsBrackets ?? false }
  const { inside } = hoist(writeInlines(inlines, true, { markdown, changes, style, data }))
  return writePhrasing(placeOf(block, markdown), inside, breaksIn(inlines))
}

/** Writes a document with its translated segments in place. */
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
