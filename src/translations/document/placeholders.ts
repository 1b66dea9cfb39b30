import type { Literal, PhrasingContent, Text } from "mdast"

import { spanOf } from "../../markdown/parse.ts"

// Finds text that means something to other tools: it stays as it is written, and no engine sees it.

/** Text as it is written. */
interface Placeholder extends Literal {
  type: "placeholder"
  /** Whether it keeps its place between what is translated before it and after it. */
  isFixed: boolean
}

declare module "mdast" {
  interface PhrasingContentMap {
    placeholder: Placeholder
  }
  interface RootContentMap {
    placeholder: Placeholder
  }
}

/** Of kramdown and Pandoc: `{#id}`, `{: .wide }`; not `{ a }`. */
const ATTRIBUTES = String.raw`\{(?::|[ \t]*[#.])[^{}\r\n]*\}`
/** `{{ a }}` and `{{< a "b" >}}` of Hugo, Handlebars and Vue, `{% a %}` of Liquid and Jinja, attributes; not `{ a }`. */
const TEMPLATE = String.raw`(?:(?<!\{)\{{2,}(?!\{)(?:(?!\}\})[^]){0,1000}\}{2,}|\{%(?:(?!%\})[^]){0,1000}%\}|${ATTRIBUTES})`

/** What no engine sees. */
export const PLACEHOLDER = new RegExp(
  [
    // Lines of templates alone, and directives: `:::note`; not `a {{ b }}`.
    String.raw`(?<fixed>(?:^|\r\n?|\n|(?<=[\r\n]))[ \t]*(?:(?:${TEMPLATE}[ \t]*){1,20}|:{3,}[^\r\n]*)(?:\r\n?|\n|$)`,
    // Attributes of the whole block: `The end {#fin}`; not `{.a} The end`.
    String.raw`(?<!\s)\s*(?:${ATTRIBUTES}\s*){1,20}$)`,
    TEMPLATE,
    // Template strings and message formats: `${a}`, `{0}`; not `{a b}`.
    String.raw`\$\{[^{}\r\n]*\}|\{[\w.]+\}`,
    // printf: `%s`, `%1$s`, `%(a)d`; not `50% discount`.
    String.raw`(?<![\p{L}\p{N}%])(?:%(?:\d+\$|\(\w+\))?[-+0#]*\d*(?:\.\d+)?[hlz]{0,2}[sdifuxXc@])+(?![\p{L}\p{N}])`,
    // Emoji: `:rocket:`; not `10:30:20`, nor the beginning of an address.
    String.raw`(?<![\w:])(?::[+-]?[a-z\d][\w+-]*:)+(?!\w|\/\/)`,
  ].join("|"),
  "gu",
)

/** An inline node, and what stands for it in the line: its text, or its source. */
interface InlineNode {
  node: PhrasingContent
  written: string
  /** Its place in the line. */
  start: number
  end: number
}

/** The place of a placeholder in the line, and in the document. */
interface Span {
  start: number
  end: number
  from: number
  to: number
  isFixed: boolean
}

/** `\*`, `&amp;`, and a line ending with the quote markers and indentation after it; or what reads as it is written. */
const TOKEN =
  /\\[!-/:-@[-`{-~]|&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z\d]{1,31});|(?<![ \t])[ \t]*(\r\n?|\n)[ \t>]*|[^\\&\s]+|[^]/gi

/** Finds where each character of a text stands in the document, and its end. @returns null where that is not certain */
const offsetsOf = (node: Text, markdown: string): number[] | null => {
  const { start, end } = spanOf(node)
  const { value } = node
  const offsets: number[] = []
  const add = (length: number, offset: number, step: number): void => {
    for (let i = 0; i < length; i++) offsets.push(start + offset + i * step)
  }
  for (const { 0: token, 1: lineEnding, index } of markdown.slice(start, end).matchAll(TOKEN)) {
    const at = offsets.length
    if (lineEnding !== undefined) {
      add(lineEnding.length, index, 0)
      // After the fourth blank such markers are text.
      const [run = ""] = /^[ \t>]*/.exec(value.slice(at + lineEnding.length, at + token.length)) ?? []
      if (token.endsWith(run)) add(run.length, index + token.length - run.length, 1)
    } else if (token.length > 1 && /^[\\&]/.test(token) && !value.startsWith(token, at))
      add((value.codePointAt(at) ?? 0) > 0xffff ? 2 : 1, index, 0)
    else add(token.length, index, 1)
  }
  return offsets.length === value.length ? [...offsets, end] : null
}

const findSpans = (nodes: InlineNode[], line: string, lead: number, markdown: string): Span[] => {
  const known = new Map<InlineNode, number[] | null>()
  /** Finds a place in the line and in the document, or the edge of a node that it would cut. */
  const edgeAt = (inline: InlineNode, at: number, edge: "start" | "end"): [at: number, offset: number] => {
    const { node } = inline
    const offsets = known.get(inline) ?? (node.type === "text" ? offsetsOf(node, markdown) : null)
    known.set(inline, offsets)
    return offsets ? [at, offsets[at - inline.start] ?? 0] : [inline[edge], spanOf(node)[edge]]
  }
  const spans: Span[] = []
  let next = 0
  const add = (start: number, end: number, isFixed: boolean): void => {
    while ((nodes[next]?.end ?? end) <= start) next++
    let last = next
    while ((nodes[last]?.end ?? end) < end) last++
    const [first, other] = [nodes[next], nodes[last]]
    // What is inside one node is looked for there.
    if (!first || !other || (first === other && first.node.type !== "text")) return
    const [[at, from], [until, to]] = [edgeAt(first, start, "start"), edgeAt(other, end, "end")]
    const before = spans.at(-1)
    if (before && at < before.end)
      Object.assign(before, { end: Math.max(before.end, until), to: Math.max(before.to, to) })
    else spans.push({ start: at, end: until, from, to, isFixed })
  }
  if (lead > 0) add(0, lead, true)
  for (const { 0: text, index, groups } of line.matchAll(PLACEHOLDER))
    add(index, index + text.length, groups?.["fixed"] !== undefined)
  return spans
}

const withPlace = <T extends Text | Placeholder>(
  node: T,
  from: number,
  to: number,
  { position }: PhrasingContent,
): T[] => {
  if (node.value === "" || !position) return []
  return [{ ...node, position: { start: { ...position.start, offset: from }, end: { ...position.end, offset: to } } }]
}

const cut = (inline: InlineNode, spans: Span[], markdown: string): PhrasingContent[] => {
  const { node, written, start, end } = inline
  const place = spanOf(node)
  const parts: PhrasingContent[] = []
  let [at, offset] = [start, place.start]
  const addText = (to: number, toOffset: number): void => {
    const value = written.slice(at - start, to - start)
    parts.push(...withPlace({ type: "text", value }, offset, toOffset, node))
  }
  for (const { start: spanStart, end: spanEnd, from, to, isFixed } of spans) {
    if (spanStart >= start) {
      addText(spanStart, from)
      parts.push(...withPlace({ type: "placeholder", value: markdown.slice(from, to), isFixed }, from, to, node))
    }
    at = Math.min(spanEnd, end)
    offset = to
  }
  if (at < end) addText(end, place.end)
  return parts
}

const CODE = /^<(code|kbd|pre|samp|script|style|var)(?=[\s>])/i

/** Code in HTML, from its first tag to its last, as one node: `<kbd>Ctrl</kbd>`. */
export const joinCode = (content: PhrasingContent[], markdown: string): PhrasingContent[] => {
  const joined: PhrasingContent[] = []
  /** Names of which no end follows. */
  const unclosed = new Set<string>()
  for (let i = 0; i < content.length; i++) {
    const node = content[i] as PhrasingContent
    const name = node.type === "html" ? CODE.exec(node.value)?.[1]?.toLowerCase() : undefined
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
      joined.push({ type: "placeholder", value, isFixed: false, position })
      i = last
    }
  }
  return joined
}

/**
 * Makes nodes of the placeholders in inline content.
 * @param lead characters at its beginning that keep their place
 */
export const withPlaceholders = (content: PhrasingContent[], markdown: string, lead = 0): PhrasingContent[] => {
  let line = ""
  const nodes = joinCode(content, markdown).map((node): InlineNode => {
    const { start, end } = spanOf(node)
    const written = node.type === "text" ? node.value : markdown.slice(start, end)
    const inline = { node, written, start: line.length, end: line.length + written.length }
    line += written
    return inline
  })
  const spans = findSpans(nodes, line, lead, markdown)
  let next = 0
  return nodes.flatMap((inline) => {
    while ((spans[next]?.end ?? inline.end) <= inline.start) next++
    const inside: Span[] = []
    for (let i = next; (spans[i]?.start ?? inline.end) < inline.end; i++) inside.push(spans[i] as Span)
    return inside.length > 0 ? cut(inline, inside, markdown) : [inline.node]
  })
}
