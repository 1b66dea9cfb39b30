import { isBetweenTwo, isProse, isProseBlock, isProseOfTwo } from "./prose.ts"

// Which dollars begin and end math, in inline content as one line: those that do for pandoc, but for words between two.

/** An end of markup, a node that is no text, or a dollar that is escaped: none of these begins or ends math. */
export const OTHER = "\uFFFC"

/** Behind these a dollar is a unit, where it stands before those: `5$.`, `5$-bill` */
export const BEFORE_UNIT = /[\p{L}\p{M}\p{N}]$/u
export const UNIT = /^\$(?:[/.,;:)\]!?"“”’]|[+-]\p{L}{3})/u
const MAX_UNIT_CHARS = 8

/** Two dollars in brackets say how dear a place is, and `$$ = fair, $$$ = dear` what they mean. */
const isHowDear = (behind: string): boolean => /^(?:[)\],;:]|[ \t]*=)/.test(behind)
/** Between two dollars that are alone in a line. */
const OWN_LINES = /^[ \t]*[\r\n](?:[^]*[\r\n])?[ \t]*$/

/** Where math that begins with a dollar ends, behind its last one; null where it begins none. Looks as far as the next dollar, of two as far as the next two. */
export const mathEnd = (line: string, start: number): number | null => {
  const mark = line.startsWith("$$", start) ? "$$" : "$"
  const last = line.indexOf(mark, start + mark.length)
  if (last < 0) return null
  const end = last + mark.length
  const between = line.slice(start + mark.length, last)
  if (isBetweenTwo(between)) return null
  if (mark === "$$") return isHowDear(between) || (!OWN_LINES.test(between) && isProseOfTwo(between)) ? null : end
  if (/^\s|\s$/.test(between) || /\d/.test(line.charAt(end))) return null
  // Two units, for half a character.
  const isUnit = UNIT.test(line.slice(start, start + MAX_UNIT_CHARS))
  if (isUnit && BEFORE_UNIT.test(line.slice(Math.max(0, start - 2), start))) return null
  return isProse(between) ? null : end
}

/** Whether anything in a line reads as math. */
export const readsAsMath = (line: string): boolean => {
  for (let at = line.indexOf("$"); at >= 0; at = line.indexOf("$", at + 1)) if (mathEnd(line, at) !== null) return true
  return false
}

/** Two dollars alone in a line. */
const OPENING = /\$\$[ \t]*[\r\n]/y
/** The same, behind others. */
const CLOSING = /(?<=\n|\r(?!\n)) {0,3}\$\$[ \t]*(?=[\r\n]|$)/g
const BLANK_LINE = /(?:\r\n?|\n)[ \t]*(?=[\r\n])/

/** Where a display ends that begins at a place; null where none does. Looks as far as the next one could begin. */
export const displayEnd = (start: number, markdown: string): number | null => {
  OPENING.lastIndex = start
  if (!OPENING.test(markdown)) return null
  CLOSING.lastIndex = start + 2
  const closing = CLOSING.exec(markdown)
  if (!closing) return null
  const inside = markdown.slice(start + 2, closing.index)
  const parts = inside.split(BLANK_LINE)
  if (parts.length > 1 && (inside.trim() === "" || inside.includes("$$") || parts.some(isProseBlock))) return null
  return closing.index + closing[0].trimEnd().length
}
