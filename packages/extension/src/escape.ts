import { escapeText as escapeMarkdown } from "../../edgepost/src/escape.ts"

// Escapes text and addresses of pages for Markdown.

/** Returns Markdown that reads as a text of a page, without the three characters that separate links, cells and rows in this package. */
export const escapeText = (text: string): string =>
  // Matches characters for private use, of which pages make icons alone. Does not match `a`.
  escapeMarkdown(text.replaceAll(/[\uE000-\uE002]/g, ""), "", "")

/** Returns an address that ends neither at a blank nor at a bracket. */
export const escapeAddress = (address: string): string =>
  address
    .replaceAll(
      /[\s<>|\\()]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
    )
    .replaceAll(/&(?=#?\w+;)/g, "&amp;")
