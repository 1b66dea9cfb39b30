import anyAscii from "any-ascii"

import { MAX_SLUG_CHARS, RESERVED_SLUGS } from "../../../src/limits.ts"

/** Letters that German readers expect as two; others lose their mark. */
const TWO_LETTERS: Record<string, string> = { ä: "ae", ö: "oe", ü: "ue" }

// Matches a Chinese character, and text in Japanese letters. Does not match Korean, which has spaces.
const WORD = /\p{Script=Han}|[\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu

/** Makes the slug of a title, as the command line does. Returns an empty text for a title without letters or digits. */
export const slugOf = (title: string): string => {
  const german = title.normalize("NFC").replaceAll(/[äöü]/gi, (letter) => TWO_LETTERS[letter.toLowerCase()] ?? letter)
  const latin = anyAscii(german.replaceAll(WORD, " $& ")).toLowerCase()
  const slug = latin
    .replaceAll(/['’]/g, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
  const short = slug.slice(0, MAX_SLUG_CHARS).replace(/-$/, "")
  return RESERVED_SLUGS.includes(short) ? `post-${short}` : short
}
