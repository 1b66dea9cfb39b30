import { MAX_PARSER_STEPS } from "../limits.ts"
import { isBlank } from "./characters.ts"
import { measureBlocks } from "./complexity.ts"
import { INDENTED_CODE } from "./containers.ts"
import { addInlines, addRelations, isSparse } from "./density.ts"
import { MAY_BE_TABLE } from "./dialects.ts"
import { type Effort, measureEffort } from "./effort.ts"
import { CLOSING_FENCE } from "./fences.ts"
import { mayCallPictured } from "./linear.ts"
import type { Line } from "./lines.ts"
import { ATX_HEADING, DEFINITION, MAY_BE_NO_TEXT } from "./marked-lines.ts"
import { DELIMITER_ROW } from "./rows.ts"
import type { InlineText } from "./texts.ts"

// What stands in paragraphs, told from the lines as far as that is certain: to tell the blocks of a document that is refused
// for it would take longer than a refusal may.

/** @param isOpen whether a paragraph is open before it, in which nothing is indented code */
const isText = ({ text, rest, isCode, mayBeHtml, isPlaced }: Line, isOpen: boolean): boolean =>
  !isCode &&
  !mayBeHtml &&
  (isOpen || !INDENTED_CODE.test(rest)) &&
  (isPlaced || !INDENTED_CODE.test(text)) &&
  !CLOSING_FENCE.test(rest) &&
  !MAY_BE_NO_TEXT.test(rest) &&
  !DEFINITION.test(rest)

/** A line as text of a paragraph: only there two blanks at the end break it, and tabs never do. */
const asText = ({ text, rest }: Line): string =>
  isBlank(rest) || ATX_HEADING.test(rest) || /\t *$/.test(text) ? rest.trimEnd() : rest

const isDelimiterRow = (line: Line | undefined): boolean => line !== undefined && DELIMITER_ROW.test(line.rest)

interface Read {
  line: Line
  isText: boolean
  /** Whether it is text of a paragraph or a heading without doubt. */
  isCertain: boolean
}

function* readText(lines: Line[], hasTables: boolean): Generator<Read> {
  let mayBeRow = false
  let isOpen = false
  for (const [i, line] of lines.entries()) {
    const { rest, begins, isLost, isPlaced } = line
    // The first is a head; a row needs no pipe behind another one.
    mayBeRow = hasTables && !isBlank(rest) && (mayBeRow || isDelimiterRow(line) || isDelimiterRow(lines[i + 1]))
    const isTextHere = isText(line, isOpen && begins === 0)
    const isCertain = isTextHere && !isBlank(rest) && !isLost && isPlaced && !mayBeRow
    yield { line, isText: isTextHere, isCertain }
    isOpen = isCertain && !ATX_HEADING.test(rest)
  }
}

/** Lines that are one paragraph without doubt, or a heading. */
function* paragraphsOf(lines: Line[], hasTables: boolean): Generator<InlineText> {
  let paragraph: Line[] = []
  let isBehindHeading = false
  const joined = (): InlineText => ({
    text: paragraph.map((line) => asText(line)).join("\n"),
    line: paragraph[0]?.number ?? 1,
  })
  for (const { line, isCertain } of readText(lines, hasTables)) {
    const isHeading = ATX_HEADING.test(line.rest)
    if ((!isCertain || isHeading || isBehindHeading || line.begins > 0) && paragraph.length > 0) {
      yield joined()
      paragraph = []
    }
    if (isCertain) paragraph.push(line)
    isBehindHeading = isHeading
  }
  if (paragraph.length > 0) yield joined()
}

/** Where it is not certain what is code or HTML, some of what is counted may be none of it. */
const DOUBT = 1.25

/** @returns a sentence that names the construct of which there is too much in the lines, beside what the blocks take, or null */
const refuseCrowded = (blocks: Effort, lines: Line[], markdown: string): string | null => {
  const inlines = measureEffort()
  const most = MAX_PARSER_STEPS * (lines.at(-1)?.isLost ? DOUBT : 1)
  const isOver = (): boolean => blocks.total() + inlines.total() > most
  const hasTables = MAY_BE_TABLE.test(markdown)
  for (const { line, isText: isToAdd } of readText(lines, hasTables)) {
    if (isToAdd) addInlines(inlines, asText(line), line.number)
    // What is too much already need not be followed to its end.
    if (isOver()) break
  }
  const isPictured = mayCallPictured([markdown])
  if (!isOver())
    for (const paragraph of paragraphsOf(lines, hasTables)) {
      addRelations(inlines, paragraph, isPictured)
      if (isOver()) break
    }
  if (!isOver()) return null
  return (inlines.total() > blocks.total() ? inlines : blocks).refusal(0)
}

/** What the blocks of a document take, and whether nothing that stands in them can be too much beside that. */
interface Estimate {
  effort: Effort
  isFarFromMost: boolean
}

/** Estimates what a parser has to do before it does any of it. @returns a sentence that names what is certainly too much */
export const estimate = (markdown: string): Estimate | { tooComplex: string } => {
  const measured = measureBlocks(markdown)
  if ("tooComplex" in measured) return measured
  const { lines, effort } = measured
  const isFarFromMost = isSparse(markdown, MAX_PARSER_STEPS - effort.total())
  const tooComplex = isFarFromMost ? null : refuseCrowded(effort, lines, markdown)
  return tooComplex ? { tooComplex } : { effort, isFarFromMost }
}
