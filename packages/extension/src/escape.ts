import { escapeText as escapeMarkdown } from "../../edgepost/src/escape.ts"

// Escapes text and addresses of pages for Markdown.

/** Returns Markdown that reads as a text of a page. */
export const escapeText = (text: string): string => escapeMarkdown(text, "", "")

/** Returns an address that ends neither at a blank nor at a bracket. */
export const escapeAddress = (address: string): string =>
  address
    .replaceAll(
      /[\s<>|\\()]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
    )
    .replaceAll(/&(?=#?\w+;)/g, "&amp;")
