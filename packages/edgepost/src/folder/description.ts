import { escapeText } from "../escape.ts"
import { convert, type Converted } from "../markdown/convert.ts"
import { readWords } from "../markdown/document.ts"
import { NO_THEME, type Theme } from "../markdown/theme.ts"
import { cutAtWord } from "./first-words.ts"
import type { LocalText } from "./post.ts"
import { clean } from "./values.ts"

// Makes titles and descriptions: plain text, without what readers do not see.

/** Characters of a given text that are looked at. The time to parse them may grow with their square. */
const MAX_LOOKED_AT = 4000

type Source = Pick<LocalText, "file" | "data" | "body">

const convertBody = (text: Source, theme: Theme): Converted =>
  convert({ ...text, title: "", meta_description: null, changed_at: null, bodyLine: 1, isStored: false }, theme)

/** Returns the words of the first heading of level 1 that readers would see; null without one. */
export const firstHeading = (text: Source, theme: Theme): string | null => convertBody(text, theme).document.title

/** Matches what may be markup, HTML, an entity or a comment. Does not match `A boat, at sea.` */
const MARKUP = /[*_`~[\]<>&\\{%=]/
/** Matches names of Python, `__init__`. Does not match `__two words__`. */
const DUNDER = /(?<!\w)__(\w+?)__(?!\w)/g

/** Returns a title or a description as plain text: without markup, HTML tags and comments, with entities decoded. */
export const plainText = (text: string): string => {
  if (!MARKUP.test(text)) return text
  // The first sign keeps the text a paragraph: `1. Start` is no list, and `import a` is a sentence.
  const body = `. ${text.slice(0, MAX_LOOKED_AT).replaceAll(DUNDER, String.raw`\_\_$1\_\_`)}`
  return clean(readWords(convertBody({ file: "", data: {}, body }, NO_THEME).body).slice(1))
}

/**
 * Writes a plain text for front matter: as it is, unless it would be read as another text.
 * @param read reads what is written
 */
export const writePlain = (text: string, read: (written: string) => string | undefined = plainText): string => {
  const escaped = escapeText(text)
  // Labels without such a sign are read as they are, with each backslash.
  return [text, escaped].find((written) => read(written) === text) ?? `<!---->${escaped}`
}

/** Writes a plain text of at most `max` characters for front matter; null without words. */
export const writeWords = (text: string | null | undefined, max: number): string | null =>
  writePlain(cutAtWord(clean(text ?? ""), max)) || null
