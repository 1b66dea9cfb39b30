import { convert } from "../markdown/convert.ts"
import { readDocument, readWords } from "../markdown/document.ts"
import { NO_THEME, type Theme } from "../markdown/theme.ts"
import type { LocalText } from "./post.ts"
import { clean } from "./values.ts"

// Makes titles and descriptions: plain text, without what readers do not see.

const MAX_CHARS = 160
/** A description of whole sentences may be as short as this; a shorter one is filled up with words. */
const MIN_CHARS = 120
/** Characters of a given text that are looked at. The time to parse them may grow with their square. */
const MAX_LOOKED_AT = 4000

const words = new Intl.Segmenter(undefined, { granularity: "word" })
const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" })

const lengthOf = (text: string): number => [...text].length

/** Returns the segments of a text that fit in `max` characters. */
const fill = (text: string, max: number, segmenter: Intl.Segmenter): string => {
  let filled = ""
  let length = 0
  for (const { segment } of segmenter.segment(text)) {
    length += lengthOf(segment)
    if (length > max) break
    filled += segment
  }
  return filled
}

/** Returns a text of at most `max` characters, cut after a word. */
export const cutAtWord = (text: string, max: number): string => {
  if (lengthOf(text) <= max) return text
  // Matches what no word ends with, `, `. Does not match `a`.
  const cut = fill(text, max - 1, words).replace(/[\s\p{P}]+$/u, "")
  return `${cut === "" ? [...text].slice(0, max - 1).join("") : cut}…`
}

/** Returns the first words of a converted text, at most 160 characters: whole sentences if they are long enough. Empty if it has none. */
export const describeText = (body: string): string => {
  const first = readDocument(body).words
  if (lengthOf(first) <= MAX_CHARS) return first
  const whole = fill(first, MAX_CHARS, sentences).trim()
  return lengthOf(whole) >= MIN_CHARS ? whole : cutAtWord(first, MAX_CHARS)
}

type Source = Pick<LocalText, "file" | "data" | "body">

const convertBody = (text: Source, theme: Theme): string =>
  convert({ ...text, title: "", meta_description: null, bodyLine: 1, isStored: false }, theme).body

/** Returns the words of the first heading of level 1 that readers would see; null without one. */
export const firstHeading = (text: Source, theme: Theme): string | null => readDocument(convertBody(text, theme)).title

/** Matches what may be markup, HTML, an entity or a comment. Does not match `A boat, at sea.` */
const MARKUP = /[*_`~[\]<>&\\{%=]/
/** Matches names of Python, `__init__`. Does not match `__two words__`. */
const DUNDER = /(?<!\w)__(\w+?)__(?!\w)/g

/** Returns a title or a description as plain text: without markup, HTML tags and comments, with entities decoded. */
export const plainText = (text: string): string => {
  if (!MARKUP.test(text)) return text
  // The first sign keeps the text a paragraph: `1. Start` is no list, and `import a` is a sentence.
  const body = `. ${text.slice(0, MAX_LOOKED_AT).replaceAll(DUNDER, String.raw`\_\_$1\_\_`)}`
  return clean(readWords(convertBody({ file: "", data: {}, body }, NO_THEME)).slice(1))
}
