import anyAscii from "any-ascii"

import { MAX_SLUG_CHARS, RESERVED_SLUGS } from "../limits.ts"

/** Letters that German readers expect as two; others lose their mark. */
const TWO_LETTERS: Record<string, string> = { ä: "ae", ö: "oe", ü: "ue" }

/**
 * Matches a Chinese character, and text in Japanese letters. Does not match Korean, which has spaces.
 * Dictionaries would find longer words, but they differ between versions of Node, and a slug must not.
 */
const WORD = /\p{Script=Han}|[\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu

/** Returns a text in Latin letters, with blanks around words in Chinese and Japanese. */
export const toLatin = (text: string): string => anyAscii(text.replaceAll(WORD, " $& "))

/** Returns a text in lower-case Latin letters and digits, with hyphens between words; empty if it has none. */
export const slugify = (text: string): string => {
  const german = text.normalize("NFC").replaceAll(/[äöü]/gi, (letter) => TWO_LETTERS[letter.toLowerCase()] ?? letter)
  const latin = toLatin(german).toLowerCase()
  const slug = latin.replaceAll(/['’]/g, "").replaceAll(/[^a-z0-9]+/g, "-")
  return slug.replace(/^-/, "").slice(0, MAX_SLUG_CHARS).replace(/-$/, "")
}

/** Returns the slug of a text, with `post-` before a reserved one; empty if the text has no letters or digits. */
export const slugOf = (text: string): string => {
  const slug = slugify(text)
  return RESERVED_SLUGS.includes(slug) ? `post-${slug}` : slug
}
