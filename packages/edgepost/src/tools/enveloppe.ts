import { codeOfNotes, NOTE_CODE } from "./shown-code.ts"
import type { Tool } from "./tool.ts"

// By its documentation, enveloppe.github.io: the pages stand after the rules.

export const enveloppe: Tool = {
  name: "Enveloppe",
  // `share` (getting-started, front matter settings).
  publishesBy: () => ["share"],
  // Yes.
  hidesByShare: true,
  // Notices in fences, and no queries, as in vaults.
  shownCode: { sign: NOTE_CODE, of: codeOfNotes },
  // All of them.
  comments: ["%%", "^", "{#", "{/*"],
  // Of braces those of values stay: it evaluates none.
  markup: () => ({ literalBraces: "values" }),
}
