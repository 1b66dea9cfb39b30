import { MIN_CHARS } from "./blocks.ts"
import { count, isBlank } from "./characters.ts"
import { addInlines } from "./density.ts"
import { followDoubt } from "./doubtful-fences.ts"
import type { Effort } from "./effort.ts"
import { isHtmlOfOneLine, MAY_DEFINE, OPENING_FENCE } from "./fences.ts"
import type { Line } from "./lines.ts"
import { ATX_HEADING, MAY_BE_NO_TEXT, THEMATIC_BREAK } from "./marked-lines.ts"

// What paragraphs and headings take that a parser tells together with all else in their block, whose events it holds.

/** Of each paragraph in no quote, list or footnote, before which no block can be cut. */
const UNCUT = 1200
/** What inlines take more in these, or inside of quotes, lists and footnotes, as a part of what they take. */
const INLINES_UNCUT = 1.5
const INLINES_INSIDE = 0.7
/** Of what may mark emphasis, and of what may refer to a definition: in both cases. */
const MARK = 55
const REFERENCE = 200
/** Only a part of it counts until that comes to so much: small blocks are parsed together in any case. */
const PART_IN_SMALL = 0.25
const SMALL = 10_000

const MAY_REFER = /\](?![(:])/g

/** Whether a line is in no paragraph. */
const isNoParagraph = ({ rest }: Line): boolean =>
  ATX_HEADING.test(rest) || THEMATIC_BREAK.test(rest) || OPENING_FENCE.test(rest) || isHtmlOfOneLine(rest)

/** Whether no line behind it goes on with a paragraph that it is in. */
const endsParagraph = (line: Line): boolean => isNoParagraph(line) || MAY_BE_NO_TEXT.test(line.rest)

/** Follows texts from line to line. */
export const measureTexts = (effort: Effort, markdown: string) => {
  const hasDefinitions = MAY_DEFINE.test(markdown)
  const followFences = followDoubt()
  /** Steps that were counted for text that was told with its block so far. */
  let held = 0
  /** Since the first cut at which no fence is open, behind one at which some may be. */
  let closedChars = Infinity
  let mayGoOn = false
  let isUncut = false
  let isInParagraph = false
  let isFirst = true

  const addText = ({ rest, number }: Line, ofInlines: number, part = 1): void => {
    addInlines(effort, ATX_HEADING.test(rest) ? rest.trimEnd() : rest, number, part * ofInlines)
    effort.add("markers of emphasis", part * MARK * count(rest, /[*_~]/g), number)
    effort.add("references", hasDefinitions ? part * REFERENCE * count(rest, MAY_REFER) : 0, number)
  }

  const addUncut = (line: Line, isParagraph: boolean, isBehindBlank: boolean): void => {
    const part = held < SMALL ? PART_IN_SMALL : 1
    const before = effort.total()
    const cause = isBehindBlank ? "indented paragraphs" : "paragraphs without a blank line before them"
    effort.add(cause, isParagraph ? part * UNCUT : 0, line.number)
    addText(line, INLINES_UNCUT, part)
    held += effort.total() - before
  }

  return {
    /** @param last the line before it */
    add: (line: Line, last: Line | undefined, isIndentedCode: boolean): void => {
      const { mayBeText, mayLeaveFence, mayEndHtml } = followFences(line)
      const isText = mayBeText && !line.isCode && !isIndentedCode && !isBlank(line.rest)
      const isApart = !isInParagraph || (last?.mayBeHtml === true && !line.mayBeHtml)
      const begins = isText && isApart && !isNoParagraph(line)
      isUncut ||= isText && !isFirst && (begins || isNoParagraph(line))
      isFirst &&= isBlank(line.text)
      isInParagraph = isText && !endsParagraph(line) && !mayEndHtml
      mayGoOn = mayLeaveFence
      closedChars += line.text.length
      if (line.depth > 0 && !line.isCode) addText(line, INLINES_INSIDE)
      if (isText && isUncut && line.depth === 0) addUncut(line, begins, last !== undefined && isBlank(last.text))
    },
    /** @param isOpen whether code or HTML may go on behind the part */
    endPart: (isOpen: boolean): void => {
      // Of small parts together only the end counts, wherever that is.
      if (isOpen && mayGoOn) closedChars = -Infinity
      else if (closedChars < 0) closedChars = 0
      else if (closedChars >= MIN_CHARS) [held, closedChars] = [0, Infinity]
      ;[isUncut, isInParagraph, isFirst] = [false, false, true]
    },
  }
}
