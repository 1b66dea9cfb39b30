import type { Tool } from "./tool.ts"

// Its export as Markdown with front matter.

/** Matches the front matter that it writes. Does not match dates without seconds or without the `Z`. */
export const JOPLIN =
  /^---\n(?=(?:.+\n)*updated: \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ\n)(?=(?:.+\n)*created: \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ\n)/

/** Tells of a to-do, done or not, that it is one. */
export const skipToDo: Tool["skipsNote"] = ({ data }) => ("completed?" in data ? "a to-do" : null)

export const joplin: Tool = {
  name: "Joplin",
  isOfNotes: true,
  // None of them.
  comments: [],
  // Yes, by its own renderer.
  breaksLines: true,
}
