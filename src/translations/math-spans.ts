import type { PhrasingContent, Text } from "mdast"

import { count } from "../posts/characters.ts"
import { isAutolink, spanOf } from "../posts/mdast.ts"
import { mathEnd, OTHER } from "./dollars.ts"

// Where math stands in the inline content of a block, across markup: CommonMark makes emphasis of what stands between the
// asterisks or underscores of two formulas.

type Element = Extract<PhrasingContent, { children: unknown }>

/** Where a dollar stands: in a text, and in the document. */
export interface Place {
  text: Text
  at: number
  offset: number
}

export type Span = [first: Place, last: Place]

/** What is more than text in a line: a dollar, or an end of an element. */
type Token = { index: number; isInLink: boolean } & (
  | { place: Place; element: null }
  | { place: null; element: Element; isEnd: boolean }
)

/** A dollar as it may be written; other escapes, so that what they escape escapes nothing. */
const WRITTEN = /\\[!-/:-@[-`{-~]|&(?:#0{0,5}36|#[xX]0{0,4}24|dollar);|\$/g

/** Where the dollars of a text stand in the document, in order; null where one is escaped. */
const offsetsIn = (text: Text, markdown: string): (number | null)[] => {
  const { start, end } = spanOf(text)
  const offsets: (number | null)[] = []
  for (const { 0: written, index } of markdown.slice(start, end).matchAll(WRITTEN)) {
    if (written === "$") offsets.push(start + index)
    else if (written === "\\$" || written.startsWith("&")) offsets.push(null)
  }
  // What is read otherwise than here is left alone.
  return offsets.length === count(text.value, /\$/g) ? offsets : []
}

/** Inline content as one line, and what stands where in it, in order. */
const readLine = (content: PhrasingContent[], markdown: string): { line: string; tokens: Token[] } => {
  const tokens: Token[] = []
  let line = ""
  const readText = (text: Text, isInLink: boolean): void => {
    const offsets = offsetsIn(text, markdown).values()
    const before = line.length
    line += text.value.replaceAll("$", (_, at: number) => {
      const offset = offsets.next().value ?? null
      if (offset === null) return OTHER
      tokens.push({ index: before + at, isInLink, place: { text, at, offset }, element: null })
      return "$"
    })
  }
  const readEnd = (element: Element, isEnd: boolean, isInLink: boolean): void => {
    tokens.push({ index: line.length, isInLink, place: null, element, isEnd })
    line += OTHER
  }
  const read = (nodes: PhrasingContent[], isInLink: boolean): void => {
    for (const node of nodes) {
      if (node.type === "text") readText(node, isInLink)
      else if ("children" in node && !isAutolink(node, markdown)) {
        readEnd(node, false, isInLink)
        read(node.children, isInLink || node.type.startsWith("link"))
        readEnd(node, true, isInLink)
      } else line += node.type === "break" ? " " : OTHER
    }
  }
  read(content, false)
  return { line, tokens }
}

/**
 * What stays text for what stands beside the math, and might not as soon as that changes: an address behind a bracket, a
 * backtick that no other one closes.
 */
const UNCERTAIN = /`|[\w.+-]@[\w-]+\.|www\.|https?:/i
/** Whether it has one of two brackets whose other one stands in words of a link: where these change, the link ends elsewhere. */
const hasHalfBrackets = (math: string): boolean =>
  /^[^[]*\]/.test(math) || math.lastIndexOf("[") > math.lastIndexOf("]")

/** What of a line is math, and the elements that begin in one math and end in another. */
export interface Found {
  spans: Span[]
  cut: Set<PhrasingContent>
}

/** Times that a line is looked at again, on the whole, before no math may cut an element: each time may be for nothing. */
const MAX_LOOKS = 8

/** Elements that begin in math and have not ended in it: how many spans stand before the one that they begin in. */
type Cut = Map<Element, number>

/** The token that ends math, and the elements that begin in it and do not end there; null where it would cut what it may not. */
const lastOf = (
  tokens: Token[],
  first: number,
  end: number,
  cut: Cut,
): { last: number; begun: Set<Element> } | null => {
  const begun = new Set<Element>()
  let last = first + 1
  for (let token = tokens[last]; token && token.index < end - 1; token = tokens[++last]) {
    if (!token.element) continue
    if (!token.isEnd) {
      begun.add(token.element)
      cut.delete(token.element)
    } else if (!begun.delete(token.element) && !cut.has(token.element)) return null
  }
  return { last, begun }
}

const mayBegin = (line: string, { index, isInLink }: Token, end: number): boolean => {
  const math = line.slice(index, end)
  return !UNCERTAIN.test(math) && !(isInLink && hasHalfBrackets(math))
}

const findIn = (line: string, tokens: Token[], mayCut: (element: Element) => boolean): Found | null => {
  const spans: { first: number; span: Span }[] = []
  const cut: Cut = new Map()
  let left = MAX_LOOKS * line.length
  for (let i = 0, token = tokens[i]; token; token = tokens[++i]) {
    if (token.element) {
      const before = token.isEnd ? cut.get(token.element) : undefined
      cut.delete(token.element)
      const wrong = before === undefined ? undefined : spans[before]
      if (!wrong) continue
      // What begins in math and ends in none is no math's: goes on behind the first dollar of it.
      left -= token.index - (tokens[wrong.first]?.index ?? 0)
      if (left < 0) return null
      spans.length = before ?? 0
      i = wrong.first
      continue
    }
    const end = mathEnd(line, token.index)
    const found = end !== null && mayBegin(line, token, end) ? lastOf(tokens, i, end, cut) : null
    const place = found && tokens[found.last]?.place
    if (!found || !place || ![...found.begun].every(mayCut)) continue
    for (const element of found.begun) cut.set(element, spans.length)
    spans.push({ first: i, span: [token.place, place] })
    i = found.last
  }
  return { spans: spans.map(({ span }) => span), cut: new Set(cut.keys()) }
}

/** Finds math in inline content, in order. An element that begins and ends in math, but not in the same one, is cut. */
export const findMath = (content: PhrasingContent[], markdown: string): Found => {
  const { line, tokens } = readLine(content, markdown)
  const found = findIn(line, tokens, ({ type }) => !type.startsWith("link")) ?? findIn(line, tokens, () => false)
  return found ?? { spans: [], cut: new Set() }
}
