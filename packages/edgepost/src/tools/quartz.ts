import { anyRule, byConfiguration, globRule, outsideRule, readCode, textsAt } from "./configuration.ts"
import { codeOfNotes, NOTE_CODE } from "./shown-code.ts"
import type { Tool } from "./tool.ts"
import { literal, literals, unreadNames } from "./values.ts"

// By its documentation, quartz.jzhao.xyz: the pages stand after the rules.

export const quartz: Tool = {
  name: "Quartz",
  read: async ({ folder, file }) => {
    const code = await readCode(folder, [file])
    const url = literal(code, "baseUrl")
    return {
      title: literal(code, "pageTitle"),
      url: url && `https://${url}`,
      timezone: null,
      languages: [literal(code, "locale") ?? ""],
      contentFolder: "content",
      data: { ignorePatterns: literals(code, "ignorePatterns"), isExplicit: /\bExplicitPublish\(/.test(code) },
      // Only with the plugin (plugins/HardLineBreaks).
      breaksLines: /\bHardLineBreaks\(/.test(code),
      unread: unreadNames(code, "ignorePatterns"),
    }
  },
  // A file outside of `content`; `ignorePatterns` (features/private-pages).
  skipsFile: (_, settings) => {
    const patterns = textsAt(settings.data, "ignorePatterns")
    return anyRule(
      outsideRule(settings),
      globRule(byConfiguration("ignorePatterns"), patterns, [settings.contentFolder ?? ""]),
    )
  },
  // Any file (plugins/CreatedModifiedDate).
  isDatedByCommit: () => true,
  // `publish`, if the filter `ExplicitPublish` is there (plugins/ExplicitPublish).
  publishesBy: ({ data }) => (data["isExplicit"] === true ? ["publish"] : null),
  // `draft` and `publish` (plugins/RemoveDrafts, plugins/ExplicitPublish).
  hidesBy: ["draft", "publish"],
  // Notices in fences, and no queries, as in vaults.
  shownCode: { sign: NOTE_CODE, of: codeOfNotes },
  // `%%` and `^` of Obsidian (features/Obsidian-compatibility).
  comments: ["%%", "^"],
  // Of braces those of values stay: it evaluates none.
  markup: () => ({ literalBraces: "values" }),
}
