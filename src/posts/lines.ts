import { isBlank, LINE_ENDING, withoutMark } from "./characters.ts"
import { type Beginning, followContainers } from "./containers.ts"
import { endOfFence, isHtmlOfOneLine, LONG_HTML, MAY_BE_HTML, MAY_BE_LONG_HTML, OPENING_FENCE } from "./fences.ts"

export interface Line {
  text: string
  /** From 1. */
  number: number
  /** What stands behind the marks of quotes, list items and footnotes. */
  rest: string
  begun: Beginning["begun"]
  /** Quotes, list items and footnotes that the line is in, at most. */
  depth: number
  /** How many that lines before it were in it ends, or may end. */
  ended: number
  /** Whether it is fenced code, without doubt; its first fence is, too. */
  isCode: boolean
  /** Whether it may be HTML, where nothing is Markdown. */
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
  let fence: { mark: string; depth: number } | null = null
  let htmlEnd: RegExp | null = null
  let mayBeHtml = false
  /** Whether the line begins or goes on with HTML that goes on over blank lines. */
  let isLongHtml = false
  let isLost = false
  let depth = 0

  const place = (text: string, { begun, isLazy }: Beginning, isCode: boolean): Omit<Line, "number"> => {
    const before = depth
    const { atMost, certain } = containers.depth()
    depth = atMost
    const kept = depth - begun.quotes - begun.items - begun.footnotes
    return {
      text,
      rest: containers.rest(),
      begun,
      depth,
      ended: isLazy ? before : before - kept,
      isCode,
      mayBeHtml: mayBeHtml || isLongHtml,
      isLost,
      isPlaced: certain === atMost,
    }
  }

  /** What the line opens that lines behind it are in. */
  const open = (text: string, rest: string): void => {
    if (!mayBeHtml && !MAY_OPEN.test(rest)) return
    const { atMost, certain } = containers.depth()
    // In a container nothing begins at the margin.
    const isAtMargin = rest === text && /^[^ \t]/.test(text)
    const [, end = null] = LONG_HTML.find(([start]) => start.test(text)) ?? []
    isLongHtml = end !== null && !mayBeHtml
    if (end && isLongHtml) htmlEnd = end.test(text) ? null : end
    else if (MAY_BE_LONG_HTML.test(rest) && !isHtmlOfOneLine(rest)) isLost = true
    const [, mark = ""] = OPENING_FENCE.exec(rest) ?? []
    if (mark && (mayBeHtml || !(isAtMargin || certain === atMost))) isLost = true
    else if (mark && !isLost) {
      fence = { mark, depth: isAtMargin ? 0 : certain }
      containers.leave(fence.depth)
    }
    const isOver = isLongHtml || (isBlank(rest) && (rest === text || certain === atMost))
    mayBeHtml = !isOver && (mayBeHtml || MAY_BE_HTML.test(rest))
  }

  return (text: string): Omit<Line, "number"> => {
    const matched = containers.goOn(text)
    isLongHtml = htmlEnd !== null
    if (fence && matched >= fence.depth) {
      const isClosing = endOfFence(fence.mark)(containers.rest())
      if (isClosing) fence = null
      return place(text, NOTHING, !isClosing)
    }
    fence = null
    const beginning = containers.begin(mayBeHtml || htmlEnd !== null || isLost)
    if (htmlEnd?.test(text)) htmlEnd = null
    else if (!htmlEnd) open(text, containers.rest())
    return place(text, beginning, fence !== null)
  }
}

/** The lines of a document without its byte order mark, followed as far as they are asked for. */
export function* readLines(markdown: string): Generator<Line> {
  const follow = followLines()
  for (const [i, text] of withoutMark(markdown).split(LINE_ENDING).entries()) yield { ...follow(text), number: i + 1 }
}
