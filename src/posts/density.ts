import { MAX_PARSER_STEPS } from "../limits.ts"
import type { Blocks } from "./blocks.ts"
import { closingSteps } from "./brackets.ts"
import { count, LINE_ENDING } from "./characters.ts"
import { type Effort, measureEffort } from "./effort.ts"
import { mayCallPictured } from "./linear.ts"
import { markerSteps } from "./markers.ts"
import { type InlineText, textsOf } from "./texts.ts"

// Upper bounds on what a parser may have to do inside paragraphs, headings and cells, counted before it does it.

const UNCLOSED_HTML = /<[?!]/g
const BACKTICKS = /`+/g
/** What a link does not end in that nobody marked as one: looked at from each of its characters on. */
const TRAIL = /(?:[!"'),.*:;?_~\]]|&[a-z]*;?)+/gi
const MARKERS = "markers of emphasis and brackets"
/** What markers are compared with. */
const OTHER_INLINES = /[`\\&<_]|\]\(/g
const LINK = /\]\(/g
const LITERAL_LINK = /@|www\.|https?:/gi
/** The address of a link is paid for with the link. */
const OTHER_ADDRESS = /(?<!\]\()(?:@|www\.|https?:)/gi
/** What begins a construct inside a paragraph, or might, and the steps that it takes. */
const INLINES: [cause: string, pattern: RegExp, steps: number][] = [
  ["code spans, escapes, references to characters and HTML", /[`\\&<_]/g, 240],
  ["links and pictures", LINK, 650],
  ["calls of footnotes", /\[\^/g, 400],
  ["addresses", OTHER_ADDRESS, 650],
  [MARKERS, /[*~[\]]/g, 75],
  ["exclamation marks", /!/g, 45],
  ["hard breaks", / {2}$|\\$/gm, 350],
]

const squares = (lengths: number[]): number => lengths.reduce((sum, length) => sum + length ** 2, 0)

/** Of one character behind a run of backticks that looks for its like. */
const LOOK_AHEAD = 3
/** Of a blank behind a backtick for every other one: all are held until code ends, or the text. */
const HELD = 0.0014
/** Of one character that an attempt at an address reads. */
const TRIED = 2

/** What text is cut at, whatever becomes of it, but for exclamation marks. */
const MARKS = /[&*<[\\\]_`~]/g
/** They come to nothing without a bracket behind them. */
const EXCLAMATION_MARKS = /(?<!\\)!/g
/** Of a piece of text for each construct or line that parts pieces: they are joined in between, and move all behind. */
const MOVED = 0.1
/** The backtick behind one that is escaped opens code of its own length, which is looked for to the end. */
const ESCAPED_BACKTICK = /\\`/g
/** May begin a title, which ends at the next closing parenthesis alone. */
const PARENTHESIS = /\s\(/g

/** Characters that attempts at an address read, of a link or without one, where each reads on to the next blank. */
const triedChars = (text: string): number => {
  let chars = 0
  for (const [word] of text.matchAll(/[^ \t\r\n]+/g)) {
    const tries = count(word, LITERAL_LINK) + count(word, LINK)
    if (tries > 2) chars += tries * word.length
  }
  return chars
}

/** Adds what each of a text's constructs takes, or a part of that, whatever else is there. */
export const addInlines = (effort: Effort, text: string, line: number, part = 1): void => {
  for (const [cause, pattern, steps] of INLINES) effort.add(cause, part * steps * count(text, pattern), line)
}

/** Where code may be looked for: behind each run of backticks up to the next, or behind the first where they are not alike. */
const mayBeCode = (text: string, lengths: Set<number>): string[] =>
  lengths.size === 1 && !text.includes("\\`") ? text.split(BACKTICKS).slice(1) : [text.slice(text.indexOf("`"))]

/** Pieces that come to nothing, times what parts them: a mark is one of the two. */
const countMoves = (lines: number, marks: number, pieces: number): number => {
  const failing = Math.min(marks, Math.max(0, (lines + marks - pieces) / 2))
  return (lines + marks - failing) * (pieces + failing)
}

/**
 * Adds what the constructs of a text may cost each other: markers are compared with all else, some openers read on to its end.
 * @param isPictured what its document has, because others are parsed together with it
 */
export const addRelations = (effort: Effort, { text, line }: InlineText, isPictured: boolean): void => {
  const addresses = count(text, LITERAL_LINK)
  const others = count(text, OTHER_INLINES) + 2 * addresses
  const lines = count(text, LINE_ENDING)
  const markers = markerSteps(text, { others, lines, mayPart: addresses > 0 })
  effort.add(MARKERS, markers + closingSteps(text, isPictured), line)
  const moves = countMoves(lines, count(text, MARKS) + addresses, count(text, EXCLAMATION_MARKS))
  effort.add("marks and lines in one paragraph", MOVED * moves, line)
  if (text.includes("`")) {
    const lengths = new Set(text.match(BACKTICKS)?.map((run) => run.length))
    // Nothing is code behind the last of them.
    for (const code of mayBeCode(text.slice(0, text.lastIndexOf("`")), lengths))
      effort.add("lines of code in a paragraph", MOVED * count(code, LINE_ENDING) * 2 * count(code, / /g), line)
    const blanks = mayBeCode(text, lengths).map((code) => count(code, / /g))
    effort.add("blanks behind a backtick", HELD * squares(blanks), line)
    effort.add("escaped backticks", count(text, ESCAPED_BACKTICK) * text.length, line)
    effort.add("runs of backticks of different lengths", LOOK_AHEAD * lengths.size * text.length, line)
  }
  const links = text.includes("](") ? count(text, LINK) : 0
  effort.add("titles in parentheses", links && Math.min(links, count(text, PARENTHESIS)) * text.length, line)
  if (text.includes("<")) effort.add("<? or <!", count(text, UNCLOSED_HTML) * text.length, line)
  if (links + addresses > 2) effort.add("addresses", TRIED * triedChars(text), line)
  if (addresses === 0) return
  effort.add("punctuation marks behind an address", squares(text.match(TRAIL)?.map((run) => run.length) ?? []), line)
}

const BLANK_LINE = /(?:\r\n|\n|\r(?!\n))[ \t]*(?=[\r\n])/g
/** So much of a text is looked at as if it were one paragraph. */
const PASSAGE_CHARS = 256

/** A text in parts between blank lines: no paragraph is in two of them. */
function* passagesOf(markdown: string): Generator<string> {
  let start = 0
  for (const { index } of markdown.matchAll(BLANK_LINE)) {
    if (index - start < PASSAGE_CHARS) continue
    yield markdown.slice(start, index)
    start = index
  }
  yield markdown.slice(start)
}

/** Whether a document's constructs take no more than so many steps, if all of it were text: most are far from any bound. */
export const isSparse = (markdown: string, steps: number): boolean => {
  const most = measureEffort()
  addInlines(most, markdown, 1)
  const isPictured = mayCallPictured([markdown])
  for (const text of passagesOf(markdown)) {
    if (most.total() > steps) return false
    addRelations(most, { text, line: 1 }, isPictured)
  }
  return most.total() <= steps
}

/**
 * Whether the texts inside the blocks can be parsed in reasonable time, too.
 * @param effort what the blocks take
 * @returns a sentence that names the construct of which there is too much and where it begins, or null
 */
export const refuseDense = (blocks: Blocks, effort: Effort): string | null => {
  const isPictured = mayCallPictured(blocks.blocks.map(({ text }) => text))
  for (const text of textsOf(blocks)) {
    addInlines(effort, text.text, text.line)
    addRelations(effort, text, isPictured)
    // What is too much already need not be counted to its end.
    if (effort.total() > MAX_PARSER_STEPS) break
  }
  return effort.refusal()
}
