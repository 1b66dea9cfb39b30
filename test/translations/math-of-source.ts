import type { Nodes } from "mdast"

import { spanOf } from "../../src/posts/mdast.ts"

// What of a document is math, by the characters that it is written with: a rule of its own, to hold the other one against.

/** Whether what begins at a place is math, without its marks. */
export type IsMath = (at: number) => boolean

/** Instead of what is no text. */
const NODE = "\uE000"

interface Element {
  start: number
  last: number
  isLink: boolean
}

/** The text of inline content, each character where it stands, and its markup. */
const readSource = (content: Nodes[], source: string): { text: string; elements: Element[] } => {
  const elements: Element[] = []
  const characters = Array.from({ length: source.length }, () => NODE)
  const rest = [...content]
  for (let node = rest.pop(); node; node = rest.pop()) {
    const { start, end } = spanOf(node)
    const written = source.slice(start, end)
    const isLink = node.type.startsWith("link")
    if (node.type === "text") {
      const text = written
        .replaceAll("¤", NODE)
        .replaceAll(/&#?\w+;/g, (reference) => NODE.repeat(reference.length))
        .replaceAll(/\\(?=[!-/:-@[-`{-~])([^])/g, `${NODE}$1`)
        .replaceAll(/[\r\n][ \t>]*/g, (line) => " ".repeat(line.length))
      for (let i = 0; i < text.length; i++) characters[start + i] = text.charAt(i)
    } else if (node.type === "break")
      characters.fill(" ", start, end + (/^[ \t>]*/.exec(source.slice(end))?.[0].length ?? 0))
    else if ("children" in node && !(isLink && node.type === "link" && !written.startsWith("["))) {
      elements.push({ start, last: end - 1, isLink })
      rest.push(...node.children)
    }
  }
  return { text: characters.join(""), elements }
}

const FORMULA = /^(?:\$\$(?![)\],;:])[^]*?\$\$|\$(?!\s)[^$]+?(?<!\s)\$(?!\d))/
/** Math with any of these is none. */
const UNCERTAIN = /`|[\w.+-]@[\w-]+\.|www\.|https?:/i
const AROUND_WORD = String.raw`[.,;:!?()"'\uE000]*`

/** Words side by side, or one in Cyrillic, of which generated documents have some. */
const isProse = (formula: string): boolean => {
  const words = formula.replaceAll(/\\[a-z]+(?:\{(?:[^{}]|\{[^{}]*\})*\})*/gi, "\\").split(/\s+/)
  const isBeside = (word: string, i: number): boolean =>
    new RegExp(String.raw`\p{L}{2}${AROUND_WORD}$`, "u").test(word) &&
    new RegExp(String.raw`^${AROUND_WORD}\p{L}{2}`, "u").test(words[i + 1] ?? "")
  return /\p{Script=Cyrillic}/u.test(formula) || words.some(isBeside)
}

type Span = [start: number, end: number]

const scan = (text: string, elements: Element[], wrong: Set<number>): Span[] => {
  const spans: Span[] = []
  for (let at = text.indexOf("$"); at >= 0; at = text.indexOf("$", at)) {
    const [formula = ""] = FORMULA.exec(text.slice(at)) ?? []
    const isInLink = elements.some(({ start, last, isLink }) => isLink && start < at && at < last)
    const isUnit = /[\p{L}\p{N}]$/u.test(text.slice(0, at)) && /^\$[/.,;:)\]]/.test(formula)
    const isNone = UNCERTAIN.test(formula) || (isInLink && /^[^[]*\]/.test(formula))
    const isWords = !formula.startsWith("$$") && (isUnit || isProse(formula.slice(1, -1)))
    const isRight = formula !== "" && !wrong.has(at) && !isNone && !isWords
    if (isRight) spans.push([at, at + formula.length])
    at += isRight ? formula.length : 1
  }
  return spans
}

/** The math that cuts an element otherwise than at both of its ends, the first that is found to do so from left to right. */
const findWrong = (spans: Span[], elements: Element[]): number | null => {
  const mathAt = (at: number): number | null => spans.find(([start, end]) => start < at && at < end)?.[0] ?? null
  const wrong = elements.flatMap(({ start, last, isLink }) => {
    const [first, second] = [mathAt(start), mathAt(last)]
    if (first === second || (first !== null && second !== null && !isLink)) return []
    const math = first ?? second ?? 0
    return [{ math, found: first === null || isLink ? math : last }]
  })
  return wrong.toSorted((a, b) => a.found - b.found)[0]?.math ?? null
}

const spansIn = (content: Nodes[], source: string): Span[] => {
  const { text, elements } = readSource(content, source)
  const wrong = new Set<number>()
  for (;;) {
    const spans = scan(text, elements, wrong)
    const found = findWrong(spans, elements)
    if (found === null) return spans
    for (const at of wrong) if (at > found) wrong.delete(at)
    wrong.add(found)
  }
}

const LINE = String.raw` {0,3}\$\$[ \t]*`
const DISPLAY = new RegExp(
  String.raw`(?<=^|[\r\n]) {0,3}(?=(\$\$[ \t]*(?:\r\n?|\n)(?:(?!${LINE}(?:[\r\n]|$)|[ \t]*[\r\n])[^\r\n]+(?:\r\n?|\n))*${LINE})(?:[\r\n]|$))`,
  "g",
)

/** Displays that are whole blocks. */
const displaysIn = (blocks: Nodes[], source: string): Span[] => {
  const spans: Span[] = []
  for (const { 0: blanks, 1: display = "", index } of source.matchAll(DISPLAY)) {
    const start = index + blanks.length
    const end = start + display.trimEnd().length
    const isWhole =
      blocks.some((block) => spanOf(block).start === start) &&
      blocks.some((block) => spanOf(block).end >= end && spanOf(block).end <= start + display.length)
    if (isWhole && start >= (spans.at(-1)?.[1] ?? 0)) spans.push([start - 1, end])
  }
  return spans
}

/** What is math in the inline content of a block, or of blocks of a document. */
export const mathIn = (node: Nodes, source: string): IsMath => {
  const isBlock = node.type === "paragraph" || node.type === "heading" || node.type === "tableCell"
  const spans = isBlock ? spansIn(node.children, source) : node.type === "root" ? displaysIn(node.children, source) : []
  return (at) => spans.some(([start, end]) => start < at && at < end)
}
