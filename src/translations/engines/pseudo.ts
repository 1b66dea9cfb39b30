import type { Answer, Engine, EngineRequest } from "./engine.ts"

/** Matches a tag `<g id="1">`, a character reference `&amp;` or a word; not digits and punctuation. */
const TAG_OR_WORD = /<[^>]*>|&(?:#\d+|#[xX][0-9a-fA-F]+|[0-9A-Za-z]+);|\p{L}[\p{L}\p{M}]*/gu

/** Marks every word with the target language: `house` becomes `house·fr`. For development and tests; it calls no service. */
export const pseudo = {
  name: "pseudo",
  batch: { segments: 50, chars: 5000 },
  translate: async ({ segments, to }: EngineRequest): Promise<Answer> => ({
    // `<g>` and `&amp;` stay; `house` does not.
    texts: segments.map((segment) =>
      segment.replaceAll(TAG_OR_WORD, (part) => (/^[<&]/.test(part) ? part : `${part}·${to}`)),
    ),
  }),
} satisfies Engine
