import { readDocument } from "../markdown/document.ts"

// Makes a description of the first words of a text. Free of Node: the service does the same.

const MAX_CHARS = 160
/** A description of whole sentences may be as short as this; a shorter one is filled up with words. */
const MIN_CHARS = 120
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

/** Makes a description of the first paragraph of a text: at most 160 characters, whole sentences if they are long enough. */
export const describeWords = (first: string): string => {
  if (lengthOf(first) <= MAX_CHARS) return first
  const whole = fill(first, MAX_CHARS, sentences).trim()
  return lengthOf(whole) >= MIN_CHARS ? whole : cutAtWord(first, MAX_CHARS)
}

/** Makes a description of the first words of a converted text. Empty if it has none. */
export const describeText = (body: string): string => describeWords(readDocument(body).words)
