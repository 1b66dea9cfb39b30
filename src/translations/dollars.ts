// Which dollars begin and end math, in inline content as one line: those that do for pandoc, but for words between two.

/** An end of markup, a node that is no text, or a dollar that is escaped: none of these begins or ends math. */
export const OTHER = "\uFFFC"

/** Of TeX, with what it is of: words in there are no prose. */
const COMMAND = /\\[a-z]+\*?(?:\s*\{(?:[^{}]|\{[^{}]*\})*\})*/gi
const PROSE = /(?:\p{L}\p{M}*){2}[.,;:!?()"'’“”„«»…—\uFFFC]*\s+[.,;:!?()"'’“”„«»…—\uFFFC]*(?:\p{L}\p{M}*){2}/u
/** Letters of mathematics are of no script. */
const FOREIGN = /(?=\p{L})[^\p{Script=Latin}\p{Script=Greek}\p{Script=Common}]/u

const isProse = (between: string): boolean => {
  const rest = between.replaceAll(COMMAND, "\\")
  return PROSE.test(rest) || FOREIGN.test(rest)
}

/** Behind these a dollar is a unit, where it stands before those: `5$.` */
export const BEFORE_UNIT = /[\p{L}\p{M}\p{N}]$/u
export const UNIT = /^\$[/.,;:)\]]/

/** Where math that begins with a dollar ends, behind its last one; null where it begins none. Looks as far as the next dollar, of two as far as the next two. */
export const mathEnd = (line: string, start: number): number | null => {
  const mark = line.startsWith("$$", start) ? "$$" : "$"
  const last = line.indexOf(mark, start + mark.length)
  if (last < 0) return null
  const end = last + mark.length
  // Two in brackets say how dear a place is.
  if (mark === "$$") return /[)\],;:]/.test(line.charAt(start + 2)) ? null : end
  const between = line.slice(start + 1, last)
  if (/^\s|\s$/.test(between) || /\d/.test(line.charAt(end))) return null
  // Two units, for half a character.
  if (UNIT.test(line.slice(start, start + 2)) && BEFORE_UNIT.test(line.slice(Math.max(0, start - 2), start)))
    return null
  return isProse(between) ? null : end
}

/** Whether anything in a line reads as math. */
export const readsAsMath = (line: string): boolean => {
  for (let at = line.indexOf("$"); at >= 0; at = line.indexOf("$", at + 1)) if (mathEnd(line, at) !== null) return true
  return false
}

/** Two dollars alone in a line. */
const OPENING = /\$\$[ \t]*[\r\n]/y
/** The same, or a line of blanks, which no math has. */
const CLOSING = /(?<=\n|\r(?!\n)) {0,3}(?:\$\$)?[ \t]*(?=[\r\n]|$)/g

/** Where a display ends that begins at a place; null where none does. Looks as far as the next one could begin. */
export const displayEnd = (start: number, markdown: string): number | null => {
  OPENING.lastIndex = start
  if (!OPENING.test(markdown)) return null
  CLOSING.lastIndex = start + 2
  const closing = CLOSING.exec(markdown)
  return closing?.[0].includes("$") ? closing.index + closing[0].trimEnd().length : null
}
