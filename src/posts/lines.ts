import { isBlank, LINE_ENDING, withoutMark } from "./characters.ts"
import { type Beginning, followContainers } from "./containers.ts"
import {
  type Held,
  isHtmlOfOneLine,
  LONG_HTML,
  MAY_BE_HTML,
  MAY_BE_LONG_HTML,
  openedBy,
  OPENING_FENCE,
} from "./fences.ts"

export interface Line {
  text: string
  /** From 1. */
  number: number
  /** What stands behind the marks of quotes, list items and footnotes. */
  rest: string
  begun: Beginning["begun"]
  /** All that `begun` counts. */
  begins: number
  /** Quotes, list items and footnotes that the line is in, at most. */
  depth: number
  /** How many that lines before it were in it ends, or may end. */
  ended: number
  /** Whether it is fenced code or HTML, without doubt; the first fence is, too. */
  isCode: boolean
  /** Whether it may be HTML all the same, where nothing is Markdown. */
  mayBeHtml: boolean
  /** Whether it is not certain any more where code and HTML end. */
  isLost: boolean
  /** Whether it is certainly in all that `depth` counts. */
  isPlaced: boolean
}

/** How fences and HTML begin. */
const MAY_OPEN = /^ {0,3}[<`~]/
const NOTHING: Beginning = { begun: { quotes: 0, items: 0, footnotes: 0 }, isLazy: false }

/** Follows containers, fenced code and HTML from line to line, the latter two as far as they are certain. */
const followLines = () => {
  const containers = followContainers()
  /** What is open without doubt, and in how many containers. */
  let held: (Held & { depth: number }) | null = null
  /** What ends HTML at the margin that may be open over blank lines. */
  let htmlEnd: RegExp | null = null
  let mayBeHtml = false
  /** Whether the line is HTML that it ends, or may be in HTML that goes on over blank lines. */
  let isLongHtml = false
  let isLost = false
  let isBehindBlank = true
  let depth = 0

  const place = (text: string, { begun, isLazy }: Beginning, isCode: boolean): Omit<Line, "number"> => {
    const before = depth
    const { atMost, certain } = containers.depth()
    depth = atMost
    const begins = begun.quotes + begun.items + begun.footnotes
    return {
      text,
      rest: containers.rest(),
      begun,
      begins,
      depth,
      ended: isLazy ? before : before - (depth - begins),
      isCode,
      mayBeHtml: mayBeHtml || isLongHtml,
      isLost,
      isPlaced: certain === atMost,
    }
  }

  /** What the line opens that lines behind it may be in. */
  const openInDoubt = (text: string, rest: string, isPlaced: boolean): void => {
    const [, end = null] = LONG_HTML.find(([start]) => start.test(text)) ?? []
    isLongHtml = end !== null && !mayBeHtml
    if (end && isLongHtml) htmlEnd = end.test(text) ? null : end
    else if (MAY_BE_LONG_HTML.test(rest) && !isHtmlOfOneLine(rest)) isLost = true
    if (OPENING_FENCE.test(rest)) isLost = true
    const isOver = isLongHtml || (isBlank(rest) && (isBlank(text) || isPlaced))
    mayBeHtml = !isOver && (mayBeHtml || MAY_BE_HTML.test(rest))
  }

  /** What the line opens that lines behind it are in. */
  const open = (text: string, rest: string): void => {
    if (!mayBeHtml && !MAY_OPEN.test(rest)) return
    const { atMost, certain } = containers.depth()
    const isPlaced = certain === atMost
    const opened = isPlaced && !isLost && !mayBeHtml ? openedBy(rest, isBehindBlank) : null
    isLongHtml = opened === "nothing"
    if (opened === null) openInDoubt(text, rest, isPlaced)
    else if (opened !== "nothing") held = { ...opened, depth: certain }
  }

  const follow = (text: string): Omit<Line, "number"> => {
    const matched = containers.goOn(text)
    isLongHtml = htmlEnd !== null
    if (held && matched >= held.depth) {
      const isEnd = held.isEnd(containers.rest())
      const isIn = !isEnd || held.holdsEnd
      if (isEnd) held = null
      // The blank line behind HTML is like any other.
      if (isIn || !isBlank(containers.rest())) return place(text, NOTHING, isIn)
    }
    held = null
    const beginning = containers.begin(mayBeHtml || htmlEnd !== null || isLost)
    if (htmlEnd?.test(text)) htmlEnd = null
    else if (!htmlEnd) open(text, containers.rest())
    return place(text, beginning, held !== null)
  }

  return (text: string): Omit<Line, "number"> => {
    const line = follow(text)
    isBehindBlank = isBlank(text)
    return line
  }
}

/** The lines of a document without its byte order mark, followed as far as they are asked for. */
export function* readLines(markdown: string): Generator<Line> {
  const follow = followLines()
  for (const [i, text] of withoutMark(markdown).split(LINE_ENDING).entries()) yield { ...follow(text), number: i + 1 }
}
