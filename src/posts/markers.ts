import { count } from "./characters.ts"

// What markers of emphasis and brackets are compared with, counted before a parser does it.

/** A long run opens or closes as many times as it has characters; `_` inside a word never does. */
const DELIMITERS = /[*~[\]]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu
/** What a parser, which reads UTF-16 units, takes for punctuation beyond ASCII, where none of it means anything. */
const OTHER_PUNCTUATION = String.raw`[\p{P}--[\x00-\x7F\u{10000}-\u{10FFFF}]]`
const LETTER = String.raw`[\p{L}\p{N}]`
/** Emphasis that is closed by the next marker, which finds the other one at once: neither opens and closes (CommonMark 6.2). */
const PAIR = new RegExp(
  String.raw`(?<=^|\s|${OTHER_PUNCTUATION})(\*{1,3}|_{1,3})(?=${LETTER})[^*_~\[\]\\&\r\n]{1,200}` +
    String.raw`(?:(?<=${LETTER})\1(?=[.,;:!?\)\s]|${OTHER_PUNCTUATION}|$)|(?<=\S)\1(?=\s|$))`,
  "gv",
)
/** Code, HTML and links may hold one marker of a pair and not the other. */
const MAY_PART_PAIRS = /[`<]|\]\(/
/** Of a pair, for each marker and line of its paragraph: all behind it is moved. */
const PAIRED = 0.05

/** Markers in pairs without doubt. */
const findPairs = (text: string): { pairs: number; markers: number } => {
  const found = MAY_PART_PAIRS.test(text) ? [] : [...text.matchAll(PAIR)]
  return { pairs: found.length, markers: found.reduce((sum, [, mark = ""]) => sum + 2 * mark.length, 0) }
}

/**
 * Steps of markers: each is compared with all before it, but for those that find the other one at once.
 * @param others what else they are compared with
 * @param mayPart whether the text has addresses, which may hold one marker of a pair and not the other
 */
export const markerSteps = (
  text: string,
  { others, lines, mayPart }: { others: number; lines: number; mayPart: boolean },
): number => {
  const all = count(text, DELIMITERS)
  const { pairs, markers } = mayPart ? { pairs: 0, markers: 0 } : findPairs(text)
  return (all - markers) * (2 * (all + markers) + others + 2 * lines) + PAIRED * pairs * (all + lines)
}
