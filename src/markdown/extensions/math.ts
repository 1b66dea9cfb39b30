import { math } from "micromark-extension-math"
import { asciiDigit, markdownLineEnding, markdownLineEndingOrSpace } from "micromark-util-character"
import { combineExtensions } from "micromark-util-combine-extensions"
import type { Code, Construct, Extension, State } from "micromark-util-types"

// Math between dollars: `$$…$$` as in micromark-extension-math, `$…$` as in pandoc.

const DOLLAR = 36
const BACKSLASH = 92

/**
 * Parses `$…$` in one line. No blank may follow the opening dollar or precede the closing one, and no digit may follow
 * the closing one. Reads up to the next dollar.
 */
const singleDollar: Construct = {
  name: "singleDollar",
  previous(code) {
    return code !== DOLLAR || this.events.at(-1)?.[1].type === "characterEscape"
  },
  tokenize(effects, ok, nok) {
    let before: Code = null

    const open: State = (code) => {
      effects.enter("mathText")
      effects.enter("mathTextSequence")
      effects.consume(code)
      effects.exit("mathTextSequence")
      return first
    }
    const first: State = (code) => {
      if (code === null || code === DOLLAR || markdownLineEndingOrSpace(code)) return nok(code)
      effects.enter("mathTextData")
      return data(code)
    }
    const data: State = (code) => {
      if (code === null || markdownLineEnding(code)) return nok(code)
      if (code === DOLLAR) return markdownLineEndingOrSpace(before) ? nok(code) : close(code)
      before = code
      effects.consume(code)
      return code === BACKSLASH ? escaped : data
    }
    const escaped: State = (code) => {
      if (code === null || markdownLineEnding(code)) return nok(code)
      before = code
      effects.consume(code)
      return data
    }
    const close: State = (code) => {
      effects.exit("mathTextData")
      effects.enter("mathTextSequence")
      effects.consume(code)
      effects.exit("mathTextSequence")
      return end
    }
    const end: State = (code) => {
      if (asciiDigit(code) || code === DOLLAR) return nok(code)
      effects.exit("mathText")
      return ok(code)
    }
    return open
  },
}

const { text, flow } = math({ singleDollarTextMath: false })
const mathFlow = flow?.[DOLLAR] as Construct

/** Makes a micromark extension that parses math in paragraphs: `$…$` and `$$…$$`. */
export const inlineMath = (): Extension => combineExtensions([{ text: { [DOLLAR]: singleDollar } }, { text }])

/** Matches the first and the last line of a block: `$$`, `> $$`, `- $$`. Does not match `$$ a`. */
const FENCE = /^[ \t>*+-]*\${2,}[ \t]*$/
/** Matches a line that opens inline math and leaves it open: `$$ a`. Does not match `$$`, `$$ a $$` or `a $$ b`. */
const BEGINS_INLINE = /^[^a-z$]*\${2,}[ \t]*[^$\s][^$]*$/i

/** Makes a micromark extension that parses blocks of math in a document: `$$`, lines without `$$`, and `$$`. */
export const mathBlocks = (lines: string[]): Extension => {
  const starts = new Set<number>()
  let start = 0
  let isInlineOpen = false
  for (const [i, line] of lines.entries()) {
    if (line.trim() === "") isInlineOpen = false
    if (!line.includes("$$")) continue
    if (start > 0 && FENCE.test(line)) starts.add(start)
    start = !isInlineOpen && FENCE.test(line) ? i + 1 : 0
    isInlineOpen = BEGINS_INLINE.test(line)
  }
  const tokenize: Construct["tokenize"] = function (effects, ok, nok) {
    return starts.has(this.now().line) ? mathFlow.tokenize.call(this, effects, ok, nok) : nok
  }
  return { flow: { [DOLLAR]: { ...mathFlow, tokenize } } }
}
