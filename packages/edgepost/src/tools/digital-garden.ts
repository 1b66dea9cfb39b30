import { filesIn, outsideRule } from "./configuration.ts"
import { codeOfNotes, NOTE_CODE } from "./shown-code.ts"
import type { Tool } from "./tool.ts"

// By its documentation, dg-docs.ole.dev: the pages stand after the rules.

export const digitalGarden: Tool = {
  name: "Digital Garden",
  // The template of a site, whose title and address stand in a file that is never read; a vault has no configuration.
  read: async (site) =>
    filesIn(site, /^src\/site\/notes\//).length === 0
      ? null
      : { title: null, url: null, timezone: null, languages: [], contentFolder: "src/site/notes", data: {} },
  // A file outside of the notes of a site.
  skipsFile: (_, settings) => outsideRule(settings),
  // `dg-publish` (getting-started/02-commands, note-settings).
  publishesBy: () => ["dg-publish"],
  // Notices in fences, and no queries, as in vaults.
  shownCode: { sign: NOTE_CODE, of: codeOfNotes },
  // Yes: the configuration of its template says so.
  breaksLines: true,
  // All of them.
  comments: ["%%", "^", "{#", "{/*"],
}
