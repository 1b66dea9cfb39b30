import type { Literal, PhrasingContent, Text } from "mdast"

import { spanOf } from "../../markdown/parse.ts"
import type { Glossary } from "../glossary.ts"

// Finds placeholders: markup of other tools in text, and the terms that an author keeps. They stay unchanged, and no engine
// sees them.
//
// A placeholder may begin in one node and end in another: of `{{ a "*b*" }}` Markdown makes text, emphasis and text. So the
// nodes of a block are joined to one line, placeholders are found in the line, and the nodes are split at them:
//
//   document   Hi \*{{ a "*b*" }}!     what the author wrote; what a placeholder copies
//   line       Hi *{{ a "*b*" }}!      text nodes by their values, other nodes as they are written
//   result     `Hi *` placeholder `!`
//
// A place in the line is called `start`, `end` or `at`; a place in the document has `Offset` in its name. Both count UTF-16 units.

/** Text that is copied unchanged. */
interface Placeholder extends Literal {
  type: "placeholder"
  /** True if the placeholder separates segments, so that it keeps its place in the block. */
  isFixed: boolean
  /** True for a term of the glossary: its value is text, not Markdown. */
  isTerm: boolean
}

declare module "mdast" {
  interface PhrasingContentMap {
    placeholder: Placeholder
  }
  interface RootContentMap {
    placeholder: Placeholder
  }
}

/** Attributes of kramdown and Pandoc: `{#id}`, `{: .wide }`; not `{ a }`. */
const ATTRIBUTES = String.raw`\{(?::|[ \t]*[#.])[^{}\r\n]*\}`
/** Templates `{{ a }}`, `{{< a "b" >}}` (Hugo, Handlebars, Vue), `{% a %}` (Liquid, Jinja), `<%= a %>` (ERB, EJS) and attributes; not `{ a }`. */
const TEMPLATE = String.raw`(?:(?<!\{)\{{2,}(?!\{)(?:(?!\}\})[^]){0,1000}\}{2,}|\{%(?:(?!%\})[^]){0,1000}%\}|<%(?:(?!%>)[^]){0,1000}%>|${ATTRIBUTES})`
/** Returns a pattern of text and of texts in braces, so many in each other: `a {b {c}}` has two. */
const inBraces = (depth: number): string => (depth === 0 ? "[^{}]*" : String.raw`(?:[^{}]|\{${inBraces(depth - 1)}\})*`)
const ICU_TYPES = "plural|selectordinal|select|number|date|time|list|spellout|ordinal|duration|choice"

/** Matches a placeholder; the group `fixed` one that separates segments. Examples stand at each alternative. */
export const PLACEHOLDER = new RegExp(
  [
    // A line with only templates, or a directive: `:::note`; not `a {{ b }}`.
    String.raw`(?<fixed>(?:^|\r\n?|\n|(?<=[\r\n]))[ \t]*(?:(?:${TEMPLATE}[ \t]*){1,20}|:{3,}[^\r\n]*)(?:\r\n?|\n|$)`,
    // Attributes of the whole block: `The end {#fin}`; not `{.a} The end`.
    String.raw`(?<!\s)\s*(?:${ATTRIBUTES}\s*){1,20}$)`,
    TEMPLATE,
    // Arguments of ICU messages: `{n, plural, one {a day} other {# days}}`, `{at, date}`; not `{red, green}`.
    String.raw`\{\s*[\w.]+\s*,\s*(?:${ICU_TYPES})\s*(?:,${inBraces(4)})?\}`,
    // Template strings and message formats: `${a}`, `%{a}`, `{0}`; not `{a b}`.
    String.raw`[$%]\{[^{}\r\n]*\}|\{[\w.]+\}`,
    // Links of wikis: `[[Page|text]]`, `![[image.png]]`; not `[[a](b)]`.
    String.raw`!?\[\[[^[\]\r\n]{1,1000}\]\]`,
    // printf: `%s`, `%1$s`, `%(a)d`; not `50% discount`.
    String.raw`(?<![\p{L}\p{N}%])(?:%(?:\d+\$|\(\w+\))?[-+0#]*\d*(?:\.\d+)?[hlz]{0,2}[sdifuxXc@])+(?![\p{L}\p{N}])`,
    // Emoji: `:rocket:`; not `10:30:20` or `a:b://c`.
    String.raw`(?<![\w:])(?::[+-]?[a-z\d][\w+-]*:)+(?!\w|\/\/)`,
  ].join("|"),
  "gu",
)

/** Matches a placeholder in a plain text, or its code between equal numbers of backticks: `` `npm i` ``; not a backtick alone. */
export const PLAIN_PLACEHOLDER = new RegExp(
  String.raw`(?<!\x60)(?<ticks>\x60+)(?!\x60)[^]*?(?<!\x60)\k<ticks>(?!\x60)|${PLACEHOLDER.source}`,
  "gu",
)

/** An inline node and its place in the line, the joined text of all nodes of a block. */
interface InlineNode {
  node: PhrasingContent
  /** The value of a text node, the source of any other. */
  written: string
  start: number
  end: number
}

interface Span {
  start: number
  end: number
  startOffset: number
  endOffset: number
  isFixed: boolean
  isTerm: boolean
}

/** A placeholder in a line. */
type Found = Pick<Span, "start" | "end" | "isFixed" | "isTerm">

/** Matches `\*`, `&amp;`, a line ending with the quote markers after it, or other text; a backslash before a letter is text. */
const TOKEN =
  /\\[!-/:-@[-`{-~]|&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z\d]{1,31});|(?<![ \t])[ \t]*(\r\n?|\n)[ \t>]*|[^\\&\s]+|[^]/gi

/** Returns a function from a place in a text node, or its end, to its document offset; null where offsets are not certain. */
const offsetsOf = (node: Text, markdown: string): ((at: number) => number) | null => {
  const { start, end } = spanOf(node)
  const { value } = node
  const written = markdown.slice(start, end)
  if (written === value) return (at) => start + at
  const offsets: number[] = []
  const add = (length: number, offset: number, step: number): void => {
    for (let i = 0; i < length; i++) offsets.push(start + offset + i * step)
  }
  for (const { 0: token, 1: lineEnding, index } of written.matchAll(TOKEN)) {
    const at = offsets.length
    if (lineEnding !== undefined) {
      add(lineEnding.length, index, 0)
      // After four blanks, quote markers are text. ` > a` matches up to `a`; `a` matches nothing.
      const [run = ""] = /^[ \t>]*/.exec(value.slice(at + lineEnding.length, at + token.length)) ?? []
      if (token.endsWith(run)) add(run.length, index + token.length - run.length, 1)
      // `\*` and `&amp;` match, `a` does not.
    } else if (token.length > 1 && /^[\\&]/.test(token) && !value.startsWith(token, at))
      add((value.codePointAt(at) ?? 0) > 0xffff ? 2 : 1, index, 0)
    else add(token.length, index, 1)
  }
  return offsets.length === value.length ? (at) => offsets[at] ?? end : null
}

/** Lists the placeholders in a line, and the kept terms outside of them. */
const findIn = (line: string, lead: number, { find }: Pick<Glossary, "find">, pattern: RegExp): Found[] => {
  const marks = [...line.matchAll(pattern)].map(({ 0: text, index, groups }) => ({
    start: index,
    end: index + text.length,
    isFixed: groups?.["fixed"] !== undefined,
    isTerm: false,
  }))
  if (lead > 0) marks.unshift({ start: 0, end: lead, isFixed: true, isTerm: false })
  const terms = find(line)
    .filter(
      ({ term, start, end }) => !term.translation && marks.every((mark) => mark.end <= start || mark.start >= end),
    )
    .map(({ start, end }) => ({ start, end, isFixed: false, isTerm: true }))
  return terms.length > 0 ? [...marks, ...terms].toSorted((a, b) => a.start - b.start) : marks
}

const findSpans = (nodes: InlineNode[], found: Found[], markdown: string): Span[] => {
  const known = new Map<InlineNode, ReturnType<typeof offsetsOf>>()
  /** Returns a place in the line with its offset. Inside a node that cannot be split, both move to the node's edge. */
  const edgeAt = (inline: InlineNode, at: number, edge: "start" | "end"): [at: number, offset: number] => {
    const { node } = inline
    const offsetOf = known.get(inline) ?? (node.type === "text" ? offsetsOf(node, markdown) : null)
    known.set(inline, offsetOf)
    return offsetOf ? [at, offsetOf(at - inline.start)] : [inline[edge], spanOf(node)[edge]]
  }
  const spans: Span[] = []
  let next = 0
  const add = ({ start, end, isFixed, isTerm }: Found): void => {
    while ((nodes[next]?.end ?? end) <= start) next++
    let last = next
    while ((nodes[last]?.end ?? end) < end) last++
    const [first, other] = [nodes[next], nodes[last]]
    // A placeholder inside one element is found when that element is read.
    if (!first || !other || (first === other && first.node.type !== "text") || (isTerm && first !== other)) return
    const [from, startOffset] = edgeAt(first, start, "start")
    const [to, endOffset] = edgeAt(other, end, "end")
    const before = spans.at(-1)
    if (before && from < before.end) {
      before.end = Math.max(before.end, to)
      before.endOffset = Math.max(before.endOffset, endOffset)
      before.isTerm = false
    } else spans.push({ start: from, end: to, startOffset, endOffset, isFixed, isTerm })
  }
  for (const placeholder of found) add(placeholder)
  return spans
}

const withPosition = <T extends Text | Placeholder>(
  node: T,
  startOffset: number,
  endOffset: number,
  { position }: PhrasingContent,
): T[] => {
  if (node.value === "" || !position) return []
  const start = { ...position.start, offset: startOffset }
  return [{ ...node, position: { start, end: { ...position.end, offset: endOffset } } }]
}

/** Splits a node at the placeholders in it. */
const splitNode = (inline: InlineNode, spans: Span[], markdown: string): PhrasingContent[] => {
  const { node, written, start, end } = inline
  const place = spanOf(node)
  const parts: PhrasingContent[] = []
  // Up to here the node is in `parts`.
  let [at, offset] = [start, place.start]
  const addText = (to: number, endOffset: number): void => {
    const value = written.slice(at - start, to - start)
    parts.push(...withPosition({ type: "text", value }, offset, endOffset, node))
  }
  for (const span of spans) {
    const { startOffset, endOffset, isFixed, isTerm } = span
    // A placeholder that began in an earlier node is among that node's parts.
    if (span.start >= start) {
      addText(span.start, startOffset)
      const value = isTerm
        ? written.slice(span.start - start, span.end - start)
        : markdown.slice(startOffset, endOffset)
      parts.push(...withPosition({ type: "placeholder", value, isFixed, isTerm }, startOffset, endOffset, node))
    }
    at = Math.min(span.end, end)
    offset = endOffset
  }
  if (at < end) addText(end, place.end)
  return parts
}

/** `<kbd>`, `<pre class="a">`; not `<codex>`. */
const CODE_TAG = /^<(code|kbd|pre|samp|script|style|var)(?=[\s>])/i

/** Joins each HTML element of code, such as `<kbd>Ctrl</kbd>`, into one placeholder, which is copied unchanged from `markdown`. */
export const joinCode = (content: PhrasingContent[], markdown: string): PhrasingContent[] => {
  const joined: PhrasingContent[] = []
  /** Names without a following end tag. */
  const unclosed = new Set<string>()
  for (let i = 0; i < content.length; i++) {
    const node = content[i] as PhrasingContent
    const name = node.type === "html" ? CODE_TAG.exec(node.value)?.[1]?.toLowerCase() : undefined
    const last =
      name && !unclosed.has(name)
        ? content.findIndex(
            (end, at) => at > i && end.type === "html" && end.value.toLowerCase().startsWith(`</${name}`),
          )
        : -1
    const end = content[last]
    if (!end?.position || !node.position) {
      if (name) unclosed.add(name)
      joined.push(node)
    } else {
      const position = { start: node.position.start, end: end.position.end }
      const value = markdown.slice(spanOf(node).start, spanOf(end).end)
      joined.push({ type: "placeholder", value, isFixed: false, isTerm: false, position })
      i = last
    }
  }
  return joined
}

/**
 * Splits inline content of `markdown` at placeholders: markup of other tools, such as `{{ name }}`, and kept terms.
 * @param lead UTF-16 units at the beginning that are a fixed placeholder, such as an alert marker
 * @param pattern `PLAIN_PLACEHOLDER` for a text that is no Markdown
 */
export const withPlaceholders = (
  content: PhrasingContent[],
  markdown: string,
  glossary: Pick<Glossary, "find">,
  lead = 0,
  pattern = PLACEHOLDER,
): PhrasingContent[] => {
  let line = ""
  const nodes = joinCode(content, markdown).map((node): InlineNode => {
    const { start, end } = spanOf(node)
    const written = node.type === "text" ? node.value : markdown.slice(start, end)
    const inline = { node, written, start: line.length, end: line.length + written.length }
    line += written
    return inline
  })
  const spans = findSpans(nodes, findIn(line, lead, glossary, pattern), markdown)
  let next = 0
  return nodes.flatMap((inline) => {
    while ((spans[next]?.end ?? inline.end) <= inline.start) next++
    const inside: Span[] = []
    for (let i = next; (spans[i]?.start ?? inline.end) < inline.end; i++) inside.push(spans[i] as Span)
    return inside.length > 0 ? splitNode(inline, inside, markdown) : [inline.node]
  })
}
