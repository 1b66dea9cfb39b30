import { count, isBlank } from "./characters.ts"
import type { Effort } from "./effort.ts"
import { MAY_DEFINE } from "./fences.ts"
import type { Line } from "./lines.ts"

// What a parser has to do for headings, tasks, rules and definitions, told from their lines.

const HEADING = 850
/** Of one that is a paragraph until its underline comes. */
const UNDERLINED = 1500
const LINK_DEFINITION = 3500
/** Of each escape or reference in a definition, or in what a fence says of its code. */
const ESCAPE = 180
const TASK = 350
/** Of each run of its markers. */
const RULE = 130

/** What ends inside of a block moves all that the block has so far: for each of its lines, and what the line is in. */
export const ENDED = 1.2

/** How headings, rules and tasks begin. */
const MAY_BE_MARKED = /^ {0,3}[#=\-*_[]/
export const ATX_HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/
/** An item with nothing in it, which underlines what stands above it, if that is text. */
const EMPTY_ITEM = /-[ \t]*$/
export const THEMATIC_BREAK = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/
/** Rules of what may mark emphasis, and underlines. */
export const MAY_BE_NO_TEXT = /^ {0,3}(?:[-*_][-*_ \t]*$|=+[ \t]*$)/
const MARKERS = /[-*_]+/g
const BEGINS_TASK = /^\[[ xX]\][ \t]/
/** Its label may have begun on a line before, and behind another definition it may be indented. */
export const DEFINITION = /^(?:[ \t]*\[)?(?:[^\\[\]]|\\.)*\]:/
const ESCAPES = /[\\&]/g
const PIECES_OF_HEADING = /#+|[ \t]+|[^ \t#]+/g

/** What escapes and references take where no text is. */
export const escapeSteps = (line: string): number => ESCAPE * count(line, ESCAPES)

const mayUnderline = ({ text, rest, begun }: Line, last: Line | undefined): boolean =>
  UNDERLINE.test(rest) ||
  (begun.items > 0 && isBlank(rest) && EMPTY_ITEM.test(text) && last !== undefined && !isBlank(last.rest))

/**
 * @param last the line before it
 * @param size lines of the block so far, and what they are in
 * @param hold what pieces take with all that the block holds
 */
export const addMarked = (
  effort: Effort,
  line: Line,
  { last, size, hold }: { last: Line | undefined; size: number; hold: (pieces: number) => number },
): void => {
  const { rest, begun, number } = line
  const isDefinition = MAY_DEFINE.test(rest) && DEFINITION.test(rest)
  effort.add("definitions", isDefinition ? LINK_DEFINITION + escapeSteps(rest) : 0, number)
  effort.add("headings", mayUnderline(line, last) ? UNDERLINED + 2 * ENDED * size : 0, number)
  if (!MAY_BE_MARKED.test(rest)) return
  effort.add("headings", ATX_HEADING.test(rest) ? HEADING + hold(count(rest, PIECES_OF_HEADING)) : 0, number)
  effort.add("list items", begun.items > 0 && BEGINS_TASK.test(rest) ? TASK : 0, number)
  effort.add("rules", THEMATIC_BREAK.test(rest) ? RULE * count(rest, MARKERS) : 0, number)
}
