// What brackets and addresses read back to, counted before a parser does it.

/** Where an address may begin: at each word, and inside of words at `http` and `www` behind what is no letter. */
const START = String.raw`(?<![a-z0-9._+-])[a-z0-9._+-]|(?<![a-z])[hw]`
export const STARTS = new RegExp(START, "gi")
/** What a line is cut at, whatever becomes of it. */
export const MARKS = /[!&*<[\\\]_`~]/g
const CUTS = new RegExp(String.raw`${MARKS.source}|[\r\n]`, "g")
const CUTS_AND_STARTS = new RegExp(`${CUTS.source}|${START}`, "gi")

/** Of one piece between a closing bracket and the opening one that it looks for. */
const LOOK_BACK = 1
/** Of one character between both: all of it may be a label. */
const LABEL = 0.4
/** Inside of these a bracket is none; nor is it in an address. */
const MAY_HIDE_BRACKETS = /[`<\\]|\]\(/

/** Steps of closing brackets: a parser looks for an opening one, up to the start of the text, and for a picture's. */
export const closingSteps = (text: string, hasAddress: boolean): number => {
  if (!text.includes("]")) return 0
  const isSure = !hasAddress && !MAY_HIDE_BRACKETS.test(text)
  const open: { index: number; before: number }[] = []
  let picture: number | null = null
  let [steps, before] = [0, 0]
  for (const { 0: cut, index } of text.matchAll(hasAddress ? CUTS_AND_STARTS : CUTS)) {
    if (cut === "[") {
      open.push({ index, before })
      if (text[index - 1] === "!") picture = index
    }
    if (cut === "]") {
      const opening = isSure ? open.pop() : open[0]
      steps += LOOK_BACK * (before - (isSure && opening ? opening.before : 0))
      if (opening) steps += LABEL * (index - opening.index)
      if (picture !== null) steps += LABEL * (index - picture)
    }
    before += 1
  }
  return steps
}

/** What stands behind an open bracket: escapes and code, in which none is closed, brackets, other marks, and starts. */
const BEHIND = new RegExp(String.raw`\\[^]|${"`[^`]*`"}|${CUTS.source}|${START}`, "gi")
/** A tag or an autolink without a bracket or a backtick, and with nothing odd about its quotes. */
const PLAIN_TAG = String.raw`</?[a-z][^<>[\]${"`"}"']*(?:(?:"[^<>[\]${"`"}"]*"|'[^<>[\]${"`"}']*')[^<>[\]${"`"}"']*)*>`
/** Where a closing bracket may be in code, in HTML or in the address of a link. */
const MAY_HIDE_CLOSING = new RegExp(String.raw`${"``"}|(?!${PLAIN_TAG})<[a-z/!?]|\]\([^\s)[\]]*[[\]]`, "i")
/** Of one piece that an attempt at an address reads back over; escapes, code and lines are many. */
const READ_BACK = 0.5
const PIECES = 6

/** Steps of addresses that begin, or might, behind a bracket that is not closed: at each all is read back to it. */
export const startSteps = (text: string): number => {
  const isSure = !MAY_HIDE_CLOSING.test(text)
  let [steps, depth, starts, pieces] = [0, 0, 0, 0]
  for (const [piece] of text.matchAll(BEHIND)) {
    if (piece === "[") depth += 1
    if (depth === 0) continue
    if (/^[\w.+-]/.test(piece)) starts += 1
    pieces += piece.length > 1 || /[\r\n]/.test(piece) ? PIECES : 1
    if (piece !== "]" || !isSure || --depth > 0) continue
    steps += READ_BACK * starts * pieces
    starts = pieces = 0
  }
  return steps + READ_BACK * starts * pieces
}
