import { MAX_BODY_LINES, MAX_CONTAINERS, MAX_INLINES, MAX_PARSER_WORK, MAX_STRUCTURES } from "../limits.ts"
import { LINE_ENDING } from "./blocks.ts"
import { group, isBlank, type Line, linesOutsideCode } from "./lines.ts"
import { AUTOLINK } from "./paragraphs.ts"
import { countTable, tableRows } from "./table-lines.ts"

// Upper bounds on what the parser may have to do, from one pass over the lines, before it is asked to. What takes it
// more than linear time is counted by paragraph and by block, as the worst that the lines may turn out to be.

const MARKERS = /^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)|\[\^[^\]]+\]:))+/
const MARKER = />|[-+*]|\d+[.)]|\[\^/g
const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/
const UNDERLINE = /^[\s>]*(?:=+|-+)[ \t]*$/
const DEFINITION = /^[\s>]*\[[^\]]+\]:/
const FOOTNOTE_DEFINITION = /^[\s>]*\[\^[^\]]+\]:/
/** Begins a text of its own, whatever stands before it. */
const BEGINS_PARAGRAPH = /^ {0,3}(?:[-+*][ \t]|#{1,6}[ \t])|^\s*$/
/** After a blank line nothing else can still belong to a list, a quote or a footnote. */
const BEGINS_BLOCK = /^(?![-+*](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$))[^ \t]/
/** A long run opens or closes as many times as it has characters; `_` inside a word never does. */
const DELIMITERS = /[*~[\]]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu
const UNCLOSED_HTML = /<[?!]/g
const BACKTICKS = /`+/g
/** What a link does not end in that nobody marked as one: looked at from each of its characters on. */
const TRAIL = /(?:[!"'),.*:;?_~\]]|&[a-z]*;?)+/gi
/** Each begins a construct inside a paragraph, or might; links that nobody marked take twice as long as others. */
const INLINES = /[`\\&<_]|\]\(/g
const LITERAL_LINKS = /@|www\.|https?:/gi
const count = (line: string, pattern: RegExp): number => line.match(pattern)?.length ?? 0

/** Quotes and list items that begin on the line, or that its indent says it goes on with. */
const countContainers = (text: string, isInside: boolean): number => {
  const markers = count(MARKERS.exec(text)?.[0] ?? "", MARKER)
  const indent = /^[ \t]*/.exec(text)?.[0].replaceAll("\t", "    ").length ?? 0
  return markers + (isInside ? Math.min(indent / 4, MAX_CONTAINERS) : 0)
}

const isStructure = ({ text }: Line): boolean =>
  MARKERS.test(text) || HEADING.test(text) || UNDERLINE.test(text) || DEFINITION.test(text) || text.includes("|")

/** What a parser spends on a construct, against an item of a list that has more of them. */
const OUTER_CONTAINER = 3
const QUOTE = 2
const SETEXT_HEADING = 2
const LINK_DEFINITION = 4
const FOOTNOTE = 10

const weigh = (text: string, containers: number): number => {
  const quotes = count(/^[\s>]*/.exec(text)?.[0] ?? "", />/g)
  const heading = UNDERLINE.test(text) ? SETEXT_HEADING : Number(HEADING.test(text))
  const definition = FOOTNOTE_DEFINITION.test(text) ? FOOTNOTE : DEFINITION.test(text) ? LINK_DEFINITION : 0
  return containers + quotes * (QUOTE - 1) + heading + definition
}

interface Measure {
  /** Containers, headings, definitions and cells, each as heavy as it is. */
  structures: number
  /** Lines that may end containers of lines before them: each is paid for by all that follow. */
  lines: number
}

const measureBlock = (lines: Line[]): Measure => {
  const sum: Measure = { structures: 0, lines: 0 }
  let isInside = false
  for (const { text } of lines) {
    const containers = countContainers(text, isInside)
    sum.structures += weigh(text, containers) + (containers > 0 && !isInside ? OUTER_CONTAINER : 0)
    isInside ||= containers > 0
    if (isInside) sum.lines += 1
  }
  const tables = group(lines, isBlank)
  sum.structures += tables.reduce((cells, rows) => cells + countTable(rows), 0)
  return sum
}

const squares = (lengths: number[]): number => lengths.reduce((sum, length) => sum + length ** 2, 0)

/** What one paragraph may cost, by what causes it: markers are compared with each other, some openers read on to its end. */
const PARAGRAPH_WORK: [cause: string, work: (text: string) => number][] = [
  ["*, _, ~ or brackets", (text) => 2 * count(text, DELIMITERS) ** 2],
  ["<? or <!", (text) => count(text, UNCLOSED_HTML) * text.length],
  [
    "runs of backticks of different lengths",
    (text) => new Set(text.match(BACKTICKS)?.map((run) => run.length)).size * text.length,
  ],
  [
    "punctuation marks behind an address",
    (text) => (AUTOLINK.test(text) ? squares(text.match(TRAIL)?.map((run) => run.length) ?? []) : 0),
  ],
]

/** @returns the most costly cause and what all of them come to */
const paragraphWork = (lines: Line[]): { cause: string; work: number } => {
  const text = lines.map((line) => line.text).join("\n")
  const all = PARAGRAPH_WORK.map(([cause, work]) => ({ cause, work: work(text) }))
  const [worst] = all.toSorted((a, b) => b.work - a.work)
  return { cause: worst?.cause ?? "", work: all.reduce((sum, { work }) => sum + work, 0) }
}

const at = ([line]: Line[]): string => `Line ${line?.number ?? 1}`

/**
 * Whether Markdown can be parsed in reasonable time.
 * @returns a sentence that names the construct of which there is too much and where it begins, or null
 */
export const tooMuchToParse = (markdown: string): string | null => {
  if ((markdown.match(LINE_ENDING)?.length ?? 0) >= MAX_BODY_LINES) return `It has more than ${MAX_BODY_LINES} lines.`
  const lines = linesOutsideCode(markdown)
  const deep = lines.find(({ text }) => count(MARKERS.exec(text)?.[0] ?? "", MARKER) > MAX_CONTAINERS)
  if (deep) return `${at([deep])} is in more than ${MAX_CONTAINERS} quotes and lists.`
  let [structures, work, inlines] = [0, 0, 0]
  for (const block of group(lines, (text, before) => isBlank(before) && BEGINS_BLOCK.test(text))) {
    const own = measureBlock(block)
    structures += own.structures
    work += (own.structures + own.lines) ** 2
    if (structures > MAX_STRUCTURES || work > MAX_PARSER_WORK)
      return `${at(block.filter(isStructure))}: with what begins here there are too many list items, quotes, headings, definitions or table cells.`
    const rows = tableRows(block)
    for (const paragraph of group(block, (text, _, line) => rows.has(line) || BEGINS_PARAGRAPH.test(text))) {
      const dense = paragraphWork(paragraph)
      work += dense.work
      if (work > MAX_PARSER_WORK) return `${at(paragraph)}: the paragraph that begins here has too many ${dense.cause}.`
    }
    for (const line of block) {
      inlines += count(line.text, INLINES) + 2 * count(line.text, LITERAL_LINKS)
      if (inlines > MAX_INLINES)
        return `${at([line])}: up to here there are more than ${MAX_INLINES} of \`, \\, &, <, @, _ and links.`
    }
  }
  return null
}
