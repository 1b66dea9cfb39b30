import type { Engine } from "./engine.ts"

/** A character reference (its letters are no word), or a word. */
const REFERENCE_OR_WORD = /&(?:#\d+|#[xX][0-9a-fA-F]+|[0-9A-Za-z]+);|\p{L}[\p{L}\p{M}]*/gu

/** Marks every word with the language it would be in: `house` becomes `house·fr`. For development and tests. */
export const pseudo: Engine = {
  name: "pseudo",
  translate: async (segments, _from, to) =>
    segments.map((segment) =>
      segment.replaceAll(REFERENCE_OR_WORD, (part) => (part.startsWith("&") ? part : `${part}·${to}`)),
    ),
}
