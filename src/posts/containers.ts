import { MAX_CONTAINERS } from "../limits.ts"
import { interrupts } from "./fences.ts"

// Which quotes, list items and footnotes a line is in, told from the lines alone (CommonMark, "Phase 1: block structure").
// Where that depends on what stands inside of them, more are taken to be open than a parser finds.

const QUOTE = "quote"
const FOOTNOTE = "footnote"
/** What a line needs to go on with it: the mark of a quote, four columns of indent, or as many as the item has. */
type Container = typeof QUOTE | typeof FOOTNOTE | number

const FOOTNOTE_INDENT = 4
/** What is indented so far begins nothing. */
const CODE_INDENT = 4
const MARKER = /(?:[-+*]|(?<number>\d{1,9})[.)])(?= |$)|\[\^(?:[^\\[\] ]|\\(?:[\\[\]]|(?![\\[\]])))+\]:/y
/** `[^`, 999 characters and `]:` (micromark-extension-gfm-footnote 2.1.0). */
const MAX_MARKER = 1003
/** Dashes and stars alone are a rule, not lists in lists. */
const RULE = /([-*])(?: *\1){2,} *$/y
const PLAIN_FOOTNOTE = /^\[\^[^\s[\]\\]{1,99}\]:$/

/** After a blank line these may still belong to a list, a footnote or indented code; a byte order mark would get lost. */
const MAY_CONTINUE = /^(?:[ \t\r\n\uFEFF]|$|(?:[-+*]|\d{1,9}[.)])(?:[ \t\r\n]|$))/

export const INDENTED_CODE = /^(?: {4}| {0,3}\t)/
const QUOTE_OR_FOOTNOTE = /^(?:>|\[\^)/

/**
 * Whether a line behind a blank one has nothing to do with what stands above it, but for fenced code and HTML.
 * @param before the last line that is not blank: for micromark 4.0.3 indented code is a paragraph to what begins in a quote
 *   or a footnote behind it
 */
export const isApart = (line: string, before: string): boolean =>
  !MAY_CONTINUE.test(line) && !(INDENTED_CODE.test(before) && QUOTE_OR_FOOTNOTE.test(line))

/** Tabs count as far as the next column of four. */
const expandTabs = (text: string): string => {
  let column = 0
  return text.replaceAll(/\t+|[^\t]+/g, (piece) => {
    const expanded = piece.startsWith("\t") ? " ".repeat(4 * piece.length - (column % 4)) : piece
    column += expanded.length
    return expanded
  })
}

/** Behind which nothing stands that a rule may not have. */
const endOfOthers = (text: string): number => {
  let end = text.length
  while (end > 0 && "-* ".includes(text.charAt(end - 1))) end--
  return end
}

/** Spaces there, as far as these matter. */
const indentAt = (text: string, at: number, most: number): number => {
  let indent = 0
  while (indent < most && text[at + indent] === " ") indent++
  return indent
}

/** What begins on a line. */
export interface Beginning {
  begun: Record<"quotes" | "items" | "footnotes", number>
  /** Whether the line may go on with a paragraph without the marks or the indent of the containers that this is in. */
  isLazy: boolean
}

export interface Containers {
  /** Reads as far as the line goes on with the containers that are open. @returns how many these are */
  goOn: (line: string) => number
  /** Reads what containers begin behind that. @param isDoubtful whether they might be none */
  begin: (isDoubtful: boolean) => Beginning
  /** What stands behind all of that. */
  rest: () => string
  /** Containers that the line is in: at most, and without doubt. */
  depth: () => { atMost: number; certain: number }
}

/** Follows containers from line to line. */
export const followContainers = (): Containers => {
  const open: Container[] = []
  let certain = 0
  let isAfterBlank = true
  let text = ""
  let othersEnd = 0
  let at = 0
  let matched = 0

  const isRestBlank = (): boolean => at + indentAt(text, at, text.length) === text.length

  /** @returns whether the line has what the container needs */
  const pass = (container: Container, i: number): boolean => {
    if (container === QUOTE) {
      const start = at + indentAt(text, at, CODE_INDENT)
      if (start === at + CODE_INDENT || text[start] !== ">") return false
      at = start + (text[start + 1] === " " ? 2 : 1)
      return true
    }
    const needed = container === FOOTNOTE ? FOOTNOTE_INDENT : container
    const indent = indentAt(text, at, needed)
    // micromark-extension-gfm-footnote 2.1.0 takes the indent of a footnote for that of one right inside of it, too.
    const isIndented = indent === needed || (indent === 0 && container === FOOTNOTE && open[i - 1] === FOOTNOTE)
    if (!isIndented && at + indent < text.length) return false
    at += indent
    return true
  }

  const leave = (length: number): void => {
    open.length = length
    certain = Math.min(certain, length)
  }

  const push = (container: Container, isCertain: boolean): void => {
    if (isCertain && certain === open.length) certain++
    open.push(container)
  }

  /** The next marker and where it stands, if there is one. */
  const findMarker = (): { start: number; marker: string; number: string } | null => {
    const indent = indentAt(text, at, CODE_INDENT)
    if (indent === CODE_INDENT || open.length > MAX_CONTAINERS) return null
    const start = at + indent
    if (text[start] === ">") return { start, marker: ">", number: "" }
    RULE.lastIndex = MARKER.lastIndex = start
    const found = start >= othersEnd && RULE.test(text) ? null : MARKER.exec(text)
    if (!found || found[0].length > MAX_MARKER) return null
    return { start, marker: found[0], number: found.groups?.["number"] ?? "1" }
  }

  /** Reads one marker. @returns what it begins */
  const beginOne = (isDoubtful: boolean, mayInterrupt: boolean): keyof Beginning["begun"] | null => {
    const found = findMarker()
    if (!found) return null
    const { start, marker, number } = found
    const indent = start - at
    at = start + marker.length
    if (marker === ">") {
      push(QUOTE, !isDoubtful)
      if (text[at] === " ") at++
      return "quotes"
    }
    if (marker.startsWith("[")) {
      push(FOOTNOTE, !isDoubtful && PLAIN_FOOTNOTE.test(marker))
      at += indentAt(text, at, text.length)
      return "footnotes"
    }
    const indentBehind = indentAt(text, at, CODE_INDENT + 1)
    const spaces = isRestBlank() || indentBehind > CODE_INDENT ? 1 : indentBehind
    // A paragraph is interrupted by a first item with words only, and an empty one ends after a blank line.
    push(indent + marker.length + spaces, !isDoubtful && !isRestBlank() && !(mayInterrupt && number !== "1"))
    at = Math.min(at + spaces, text.length)
    return "items"
  }

  return {
    goOn(line) {
      text = line.includes("\t") ? expandTabs(line) : line
      othersEnd = endOfOthers(text)
      at = 0
      matched = open.findIndex((container, i) => !pass(container, i))
      if (matched === -1) matched = open.length
      return matched
    },
    begin(isDoubtful) {
      const begun = { quotes: 0, items: 0, footnotes: 0 }
      // Unless a certain one ends, a paragraph may be open, and for micromark 4.0.3 indented code is like one.
      const mayInterrupt = matched >= certain
      // What goes on with a paragraph leaves all open that the paragraph is in.
      const isLazy =
        matched < open.length && !isAfterBlank && !isRestBlank() && !findMarker() && !interrupts(text.slice(at))
      if (isLazy) certain = Math.min(certain, matched)
      else leave(matched)
      for (let kind: keyof Beginning["begun"] | null; (kind = beginOne(isDoubtful, mayInterrupt));) begun[kind]++
      // An empty item may be text of a paragraph.
      isAfterBlank = isRestBlank() && begun.items === 0
      return { begun, isLazy }
    },
    rest: () => text.slice(at),
    depth: () => ({ atMost: open.length, certain }),
  }
}
