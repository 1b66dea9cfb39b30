import type { Tool } from "./tool.ts"

// By its documentation, enveloppe.github.io: the pages stand after the rules.

export const enveloppe: Tool = {
  name: "Enveloppe",
  // `share` (getting-started, front matter settings).
  publishesBy: () => ["share"],
  // Yes.
  hidesByShare: true,
  // All of them.
  comments: ["%%", "^", "{#", "{/*"],
}
