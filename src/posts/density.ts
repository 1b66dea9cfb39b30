import { MAX_INLINES, MAX_PARSER_WORK } from "../limits.ts"
import { type Blocks, LINE_ENDING } from "./blocks.ts"
import { AUTOLINK } from "./paragraphs.ts"
import { textsOf } from "./texts.ts"

// Upper bounds on what a parser may have to do inside paragraphs, headings and cells, counted before it does it.

/** A long run opens or closes as many times as it has characters; `_` inside a word never does. */
const DELIMITERS = /[*~[\]]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu
const UNCLOSED_HTML = /<[?!]/g
const BACKTICKS = /`+/g
/** What a link does not end in that nobody marked as one: looked at from each of its characters on. */
const TRAIL = /(?:[!"'),.*:;?_~\]]|&[a-z]*;?)+/gi
/** Each begins a construct inside a paragraph, or might; links that nobody marked take twice as long as others. */
const INLINES = /[`\\&<_]|\]\(/g
const LITERAL_LINKS = /@|www\.|https?:/gi

export const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

const squares = (lengths: number[]): number => lengths.reduce((sum, length) => sum + length ** 2, 0)

/** Words that follow a bracket which is not closed: at each of them all is read back to it. */
const wordsBehindBrackets = (text: string): number[] => {
  const stretches: number[] = []
  let [depth, words] = [0, 0]
  for (const [piece] of text.matchAll(/[[\]]|[^[\]\s]+/g)) {
    if (piece === "[") depth += 1
    else if (piece !== "]") words += depth > 0 ? 1 : 0
    else if (depth > 0 && --depth === 0) {
      stretches.push(words)
      words = 0
    }
  }
  return [...stretches, words]
}

/** Characters between brackets, which are read once more for each pair, a tenth of a step each. */
const bracketedChars = (text: string): number => {
  const open: number[] = []
  let chars = 0
  for (const { 0: bracket, index } of text.matchAll(/[[\]]/g)) {
    if (bracket === "[") open.push(index)
    else chars += index - (open.pop() ?? 0)
  }
  return chars / 10
}

export const countInlines = (text: string): number => count(text, INLINES) + 2 * count(text, LITERAL_LINKS)

export const tooManyInlines = (line: number): string =>
  `Line ${line}: up to here there are more than ${MAX_INLINES} of \`, \\, &, <, @, _ and links.`

interface Density {
  inlines: number
  /** What the text may cost: markers are compared with all else, some openers read on to its end. */
  work: number
  /** What causes most of it. */
  cause: string
}

const measureText = (text: string): Density => {
  const inlines = countInlines(text)
  const delimiters = count(text, DELIMITERS)
  const lines = count(text, LINE_ENDING)
  const hasAddress = AUTOLINK.test(text)
  const lengthsOfBackticks = new Set(text.match(BACKTICKS)?.map((run) => run.length))
  const all = [
    { cause: "*, _, ~ or brackets", work: delimiters * (2 * delimiters + inlines + 2 * lines) + bracketedChars(text) },
    { cause: "<? or <!", work: count(text, UNCLOSED_HTML) * text.length },
    { cause: "runs of backticks of different lengths", work: lengthsOfBackticks.size * text.length },
    {
      cause: "punctuation marks behind an address",
      work: hasAddress ? squares(text.match(TRAIL)?.map((run) => run.length) ?? []) : 0,
    },
    { cause: "words behind an open bracket", work: hasAddress ? squares(wordsBehindBrackets(text)) : 0 },
  ]
  const [worst] = all.toSorted((a, b) => b.work - a.work)
  return { inlines, work: all.reduce((sum, { work }) => sum + work, 0), cause: worst?.cause ?? "" }
}

/**
 * Whether the texts inside the blocks can be parsed in reasonable time.
 * @returns a sentence that names the construct of which there is too much and where it begins, or null
 */
export const tooDense = (markdown: string, blocks: Blocks): string | null => {
  // As if all were one paragraph: most documents are far from any bound.
  const whole = measureText(markdown)
  if (whole.work <= MAX_PARSER_WORK && whole.inlines <= MAX_INLINES) return null
  let [work, inlines] = [0, 0]
  for (const { text, line } of textsOf(blocks)) {
    const own = measureText(text)
    work += own.work
    if (work > MAX_PARSER_WORK) return `Line ${line}: the text that begins here has too many ${own.cause}.`
    inlines += own.inlines
    if (inlines > MAX_INLINES) return tooManyInlines(line)
  }
  return null
}
