import { MAX_PARSER_STEPS } from "../limits.ts"
import { isBlank } from "./characters.ts"
import { ATX_HEADING, MAY_BE_CODE, measureBlocks } from "./complexity.ts"
import { addInlines, addRelations, isSparse } from "./density.ts"
import { MAY_BE_TABLE } from "./dialects.ts"
import { type Effort, measureEffort } from "./effort.ts"
import { CLOSING_FENCE } from "./fences.ts"
import { mayCallPictured } from "./linear.ts"
import type { Line } from "./lines.ts"
import type { InlineText } from "./texts.ts"

// What stands in paragraphs, told from the lines as far as that is certain: to tell the blocks of a document that is refused
// for it would take longer than a refusal may.

/** Definitions, and rules of what may mark emphasis. */
const MAY_BE_NO_TEXT = /^ {0,3}(?:\[.*\]:|[-*_][-*_ \t]*$)/

const isText = ({ rest, isCode, mayBeHtml, isLost }: Line): boolean =>
  !isCode &&
  !(mayBeHtml && !isLost) &&
  !MAY_BE_CODE.test(rest) &&
  !CLOSING_FENCE.test(rest) &&
  !MAY_BE_NO_TEXT.test(rest)

/** A line as text of a paragraph: only there two blanks at the end break it, and tabs never do. */
const asText = ({ text, rest }: Line): string =>
  isBlank(rest) || ATX_HEADING.test(rest) || /\t *$/.test(text) ? rest.trimEnd() : rest

/** Lines that are one paragraph without doubt, or a heading. */
function* paragraphsOf(lines: Line[], hasTables: boolean): Generator<InlineText> {
  let text: string[] = []
  let line = 1
  for (const next of lines) {
    const { rest, begun, number } = next
    const isNone = isBlank(rest) || !isText(next) || next.isLost || (hasTables && rest.includes("|"))
    const isApart = isNone || ATX_HEADING.test(rest) || begun.quotes + begun.items + begun.footnotes > 0
    if (isApart && text.length > 0) {
      yield { text: text.join("\n"), line }
      text = []
    }
    if (text.length === 0) line = number
    if (!isNone) text.push(asText(next))
  }
  if (text.length > 0) yield { text: text.join("\n"), line }
}

/** @returns a sentence that names the construct of which there is too much in the lines, beside what the blocks take, or null */
const refuseCrowded = (blocks: Effort, lines: Line[], markdown: string): string | null => {
  const inlines = measureEffort()
  const isOver = (): boolean => blocks.total() + inlines.total() > MAX_PARSER_STEPS
  for (const line of lines) {
    if (isText(line)) addInlines(inlines, asText(line), line.number)
    // What is too much already need not be followed to its end.
    if (isOver()) break
  }
  const isPictured = mayCallPictured([markdown])
  if (!isOver())
    for (const paragraph of paragraphsOf(lines, MAY_BE_TABLE.test(markdown))) {
      addRelations(inlines, paragraph, isPictured)
      if (isOver()) break
    }
  if (!isOver()) return null
  return (inlines.total() > blocks.total() ? inlines : blocks).refusal(0)
}

/** What the blocks of a document take, and whether nothing that stands in them can be too much beside that. */
interface Estimate {
  effort: Effort
  isEnough: boolean
}

/** Estimates what a parser has to do before it does any of it. @returns a sentence that names what is certainly too much */
export const estimate = (markdown: string): Estimate | { tooComplex: string } => {
  const measured = measureBlocks(markdown)
  if ("tooComplex" in measured) return measured
  const { lines, effort } = measured
  const isEnough = isSparse(markdown, MAX_PARSER_STEPS - effort.total())
  const tooComplex = isEnough ? null : refuseCrowded(effort, lines, markdown)
  return tooComplex ? { tooComplex } : { effort, isEnough }
}
