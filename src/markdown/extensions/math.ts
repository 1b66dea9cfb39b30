import { math } from "micromark-extension-math"
import { markdownLineEnding, markdownLineEndingOrSpace, asciiDigit } from "micromark-util-character"
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

/** Makes a micromark extension that parses math between dollars: `$…$` and `$$…$$`. */
export const dollarMath = (): Extension =>
  combineExtensions([{ text: { [DOLLAR]: singleDollar } }, math({ singleDollarTextMath: false })])
