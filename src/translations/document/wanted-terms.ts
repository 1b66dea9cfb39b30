import type { Glossary, Term } from "../glossary.ts"
import type { Inlines } from "./segments.ts"

/** Stands for content that an engine does not see, which separates words. */
const HIDDEN = "\uFFFC"

/** Returns the words of inline content as one text; markup around them does not separate them. */
const wordsOf = (inlines: Inlines): string =>
  inlines
    .map((inline) => (typeof inline === "string" ? inline : inline.isGroup ? wordsOf(inline.children) : HIDDEN))
    .join("")

/** Lists the terms of a segment that have a translation, each once, in the order of the text. */
export const termsIn = (inlines: Inlines, { find }: Glossary): Term[] => [
  ...new Set(
    find(wordsOf(inlines))
      .map(({ term }) => term)
      .filter(({ translation }) => translation !== null),
  ),
]

/** Lists those of a segment's terms whose translation its translated content does not have. */
export const missingTerms = (terms: Term[], translated: Inlines, { hasTranslation }: Glossary): Term[] => {
  const words = terms.length > 0 ? wordsOf(translated) : ""
  return terms.filter((term) => !hasTranslation(words, term))
}
