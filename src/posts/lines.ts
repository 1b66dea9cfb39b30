import { LINE_ENDING, withoutMark } from "./blocks.ts"

/** Other whitespace than spaces and tabs is text. */
export const isBlank = (text: string): boolean => /^[ \t]*$/.test(text)

export interface Line {
  text: string
  /** From 1. */
  number: number
}

/** A fence at the margin is in no list, quote or footnote that could end before it does. */
const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})/
const CLOSING_FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*$/
const INDENTED_FENCE = /^[ \t]+(?:`{3,}[^`]*$|~{3})/
/** HTML that goes on over blank lines, at the margin, and what ends it (CommonMark section 4.6, kinds 1 to 4). */
const LONG_HTML: [start: RegExp, end: RegExp][] = [
  [/^<(?:script|pre|style|textarea)(?:[ \t>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![a-z]/i, />/],
]
const MAY_BE_HTML = /^ {0,3}</
/** Where its end is not certain: parsers differ in what ends CDATA. */
const UNCERTAIN_HTML = /^(?:[ \t]+<(?:[!?]|script|pre|style|textarea)|<!\[CDATA)/i

/** Follows fenced code and HTML from line to line, as far as both are certain. */
const followCode = () => {
  let fence = ""
  let htmlEnd: RegExp | null = null
  let mayBeHtml = false
  let isLost = false
  const isFenced = (text: string): boolean => {
    if (!fence) {
      const [, mark = ""] = FENCE.exec(text) ?? []
      // In HTML a fence is no fence, in a list it ends with the list: from here on it is not known which fences open.
      if ((mark && mayBeHtml) || INDENTED_FENCE.test(text)) isLost = true
      else fence = mark
    } else if (CLOSING_FENCE.exec(text)?.[1]?.startsWith(fence)) fence = ""
    return !isLost && fence !== ""
  }
  /** Whether the line is fenced code, without doubt. */
  return (text: string): boolean => {
    if (isLost) return false
    if (fence) return isFenced(text)
    if (htmlEnd) {
      if (htmlEnd.test(text)) htmlEnd = null
      return false
    }
    const [, end = null] = LONG_HTML.find(([start]) => start.test(text)) ?? []
    if (end && !end.test(text)) htmlEnd = end
    if (end) return false
    isLost = UNCERTAIN_HTML.test(text)
    mayBeHtml = !isBlank(text) && (mayBeHtml || MAY_BE_HTML.test(text))
    return isFenced(text)
  }
}

/** The lines of a document without those that are fenced code, which costs nothing but its length. */
export const linesOutsideCode = (markdown: string): Line[] => {
  const isCode = followCode()
  return withoutMark(markdown)
    .split(LINE_ENDING)
    .map((text, i) => ({ text, number: i + 1 }))
    .filter(({ text }) => !isCode(text))
}

/** Groups lines; a line that begins a group may see the text of the one before it. */
export const group = (lines: Line[], begins: (text: string, before: string) => boolean): Line[][] => {
  const groups: Line[][] = []
  let before = ""
  for (const line of lines) {
    const last = groups.at(-1)
    if (last && !begins(line.text, before)) last.push(line)
    else groups.push([line])
    before = line.text
  }
  return groups
}
