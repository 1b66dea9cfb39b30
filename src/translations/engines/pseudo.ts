import type { Answer, Engine, EngineRequest } from "./engine.ts"

/** Matches a tag `<g id="1">`, a character reference `&amp;` or a word; not digits and punctuation. */
const TAG_OR_WORD = /<[^>]*>|&(?:#\d+|#[xX][0-9a-fA-F]+|[0-9A-Za-z]+);|\p{L}[\p{L}\p{M}]*/gu

const mark = (text: string, to: string): string =>
  // `<g>` and `&amp;` stay; `house` does not.
  text.replaceAll(TAG_OR_WORD, (part) => (/^[<&]/.test(part) ? part : `${part}·${to}`))

/** Returns a pattern of a marked term in any case, each word with up to two letters more: `boats·fr`. */
const markedForms = (term: string, to: string): RegExp =>
  new RegExp(RegExp.escape(mark(term, to)).replaceAll("·", String.raw`\p{L}{0,2}·`), "giu")

/**
 * Marks every word with the target language: `house` becomes `house·fr`. Terms become their translations. For development and
 * tests; it calls no service.
 */
export const pseudo = {
  name: "pseudo",
  batch: { segments: 50, chars: 5000 },
  followsTerms: true,
  translate: async ({ segments, to, terms = [] }: EngineRequest): Promise<Answer> => ({
    texts: segments.map((segment) =>
      terms.reduce(
        (text, { term, translation }) => text.replaceAll(markedForms(term, to), () => translation),
        mark(segment, to),
      ),
    ),
  }),
} satisfies Engine
