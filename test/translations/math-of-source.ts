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
        // What is escaped begins no reference.
        .replaceAll(/\\([!-/:-@[-`{-~])|&#?\w+;/g, (all, escaped?: string) =>
          escaped === undefined ? NODE.repeat(all.length) : NODE + escaped,
        )
        .replaceAll(/[\r\n][ \t>]*/g, (line) => `\n${" ".repeat(line.length - 1)}`)
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

const FORMULA = /^(?:\$\$(?![)\],;:]|[ \t]*=)[^]*?\$\$|\$(?!\s)[^$]+?(?<!\s)\$(?!\d))/
/** Math with any of these is none. */
const UNCERTAIN = /`|[\w.+-]@[\w-]+\.|www\.|https?:/i
/** Where words are looked for: not in what TeX has in braces. */
const withoutBraces = (formula: string): string => {
  const parts = formula.split(/([{}])/)
  let depth = 0
  return parts
    .map((part, i) => {
      if (part === "{" && (depth > 0 || /(?:\\\w+|[_^])$/.test(parts[i - 1] ?? ""))) depth++
      else if (part === "}" && depth > 0) depth--
      else if (depth === 0) return part.replaceAll(/\\[a-z]+/gi, "^")
      return "^"
    })
    .join("")
    .replaceAll(/(?:(?<=[\p{L}\d^])\(|\{)\s*\p{L}+(?:,\s*\p{L}+)*\s*[\\^]?[)}]/gu, "^")
}

/** Words with nothing but blanks and punctuation between, some in lower case: of TeX it takes three, of all else two. */
const hasWords = (formula: string, least: number): boolean => {
  let row: string[] = []
  for (const part of withoutBraces(formula).split(/(\p{L}+)/u)) {
    if (/\p{L}{2}/u.test(part)) row.push(part)
    else if (!/^[\s.,;:!?()"'\uE000]*$/.test(part) || !/\s/.test(part)) row = []
    if (row.length >= least && row.some((word) => /[\p{Ll}\p{Lo}]{3}/u.test(word))) return true
  }
  return false
}

const isTex = (between: string): boolean => /\\[a-z]|\^|_\{/i.test(between)

/** One word is enough where no sign of math is. */
const isWords = (text: string): boolean =>
  hasWords(text, 2) || (/\p{Ll}{3}/u.test(withoutBraces(text)) && !/\\\\|[\^_=+*<>|{}&\d]/.test(withoutBraces(text)))

/** All of it is money or words. */
const isProse = (between: string): boolean => {
  if (/^\p{L}+(?:,\s*\p{L}+)*$/u.test(between)) return false
  if (isTex(between)) return hasWords(between, 3)
  const hasWord = /\p{Ll}{3}/u.test(withoutBraces(between))
  const brackets = between
    .replaceAll(/[^([)\]]/g, "")
    .replaceAll("[", "(")
    .replaceAll("]", ")")
  let left = brackets
  while (left.includes("()")) left = left.replaceAll("()", "")
  const isOfTwo = /^\d[^=+*<>|{}]*\d$/.test(between) && !between.includes(" - ")
  const isWordBetween = hasWord || /[\p{L}\d][.,;:]?\s+\p{L}\p{L}+[.,;:]?\s+[\p{L}\d]/u.test(between)
  return (
    hasWords(between, 2) || (isOfTwo && isWordBetween) || (left !== "" && (hasWord || /\s\uE000?[([]$/.test(between)))
  )
}

/** The same with two dollars at each end. */
const isProseOfTwo = (between: string): boolean =>
  isTex(between) || /[{}]|[^\s]\s*=/.test(between) ? hasWords(between, 5) : isWords(between) || isProse(between)

/** It ends what began before, and begins what ends behind. */
const isOfTwo = (between: string): boolean => {
  if (isTex(between)) return false
  const round = between.replaceAll(/[^()]/g, "")
  const isQuoted = /^\S*["'][.,;:]?\s/.test(between) && /\s["']\S*$/.test(between)
  return (round.startsWith(")") && round.endsWith("(")) || isQuoted
}

type Span = [start: number, end: number]

const scan = (text: string, elements: Element[], wrong: Set<number>): Span[] => {
  const spans: Span[] = []
  for (let at = text.indexOf("$"); at >= 0; at = text.indexOf("$", at)) {
    const [formula = ""] = FORMULA.exec(text.slice(at)) ?? []
    const isInLink = elements.some(({ start, last, isLink }) => isLink && start < at && at < last)
    const isUnit = /[\p{L}\p{N}]$/u.test(text.slice(0, at)) && /^\$(?:[/.,;:)\]!?"]|[+-]\p{L}{3})/u.test(formula)
    const isNone = UNCERTAIN.test(formula) || (isInLink && /^[^[]*\]|\[[^\]]*$/.test(formula))
    const isDouble = formula.startsWith("$$")
    const between = isDouble ? formula.slice(2, -2) : formula.slice(1, -1)
    const isAlone = isDouble && /^[ \t]*\n/.test(between) && /\n[ \t]*$/.test(between)
    const isMoney = isDouble ? !isAlone && isProseOfTwo(between) : isUnit || isProse(between)
    const isRight = formula !== "" && !wrong.has(at) && !isNone && !isOfTwo(between) && !isMoney
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

const isDollars = (line: string): boolean => /^ {0,3}\$\$[ \t]*$/.test(line)

/** Displays that are whole blocks: no blank lines are in them, or nothing that reads as words. */
const displaysIn = (blocks: Nodes[], source: string): Span[] => {
  const spans: Span[] = []
  const [starts, ends] = [blocks.map((block) => spanOf(block).start), blocks.map((block) => spanOf(block).end)]
  const lines = [...source.matchAll(/([^\r\n]*)(?:\r\n?|\n|$)/g)].map(({ 1: line = "", index }) => ({ line, index }))
  for (let i = 0; i < lines.length; i++) {
    const [first, rest] = [lines[i], lines.slice(i + 1)]
    const count = rest.findIndex(({ line }) => isDollars(line))
    const last = rest[count]
    if (!first || !last || !isDollars(first.line)) continue
    const parts = rest
      .slice(0, count)
      .map(({ line }) => line.trim())
      .join("\n")
      .split(/^$/m)
      .map((part) => part.trim())
    const isNone =
      count > 0 &&
      parts.length > 1 &&
      (parts.every((part) => part === "") || parts.some((part) => part.includes("$$") || isWords(part)))
    const [start, end] = [first.index + first.line.indexOf("$"), last.index + last.line.trimEnd().length]
    const isWhole =
      starts.includes(start) && ends.some((place) => place >= end && place <= last.index + last.line.length)
    if (isNone || !isWhole) continue
    spans.push([start - 1, end])
    i += count + 1
  }
  return spans
}

/** What is math in the inline content of a block, or of blocks of a document. */
export const mathIn = (node: Nodes, source: string): IsMath => {
  const isBlock = node.type === "paragraph" || node.type === "heading" || node.type === "tableCell"
  const spans = isBlock ? spansIn(node.children, source) : node.type === "root" ? displaysIn(node.children, source) : []
  return (at) => spans.some(([start, end]) => start < at && at < end)
}
