import { folder } from "./folder.ts"
import type { Tool } from "./tool.ts"

// By its documentation, wiki.dendron.so, and by a public vault.

export const dendron: Tool = {
  name: "Dendron",
  isOfNotes: true,
  // Days of its journal, if not all notes are for readers.
  skipsNote: (_, file, publishesAll) =>
    !publishesAll && /(?:^|\/|\.)journal\.\d{4}\.\d\d\.\d\d\.md$/.test(file) ? "a day of the journal" : null,
  // All of them.
  comments: ["%%", "^", "{#", "{/*"],
  // Links begin with their text, `[[text|note]]`; else as in a folder without a configuration.
  markup: (data, page) => ({ ...folder.markup?.(data, page), linksBeginWithText: true }),
}
