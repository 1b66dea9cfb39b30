import { isDataOfFolder, readDataOfFolders } from "./eleventy.ts"
import { readCascades } from "./hugo.ts"
import { looksLikeBlocks } from "./ia-writer.ts"
import { skipToDo } from "./joplin.ts"
import { mdxBlocks } from "./lines.ts"
import { TEX_SIGNS } from "./markup.ts"
import { leaveOutOfOrg } from "./org.ts"
import { looksLikePandoc } from "./pandoc.ts"
import { codeOfMyst, codeOfNotes } from "./shown-code.ts"
import type { Tool } from "./tool.ts"
import { pathBelowRoot } from "./typora.ts"

/** Stands for the tool of a folder without a configuration: notes, or a part of a blog. */
export const folder: Tool = {
  name: "folder",
  // As Hugo and Eleventy. A file of data that cannot be read gives none: `a/a.json` may be anything here.
  givenFields: async (files, settings) => {
    const given = await readDataOfFolders(files, files.files.filter(isDataOfFolder))
    return [...(await readCascades(files, settings)), ...given.filter(({ fields }) => !(fields instanceof Error))]
  },
  // To-dos of Joplin.
  skipsNote: skipToDo,
  // Any file.
  isDatedByCommit: () => true,
  // Yes: of a note it says that it is not shared. In themes of tools it only hides buttons.
  hidesByShare: true,
  // Yes, but not below `_posts` and `_drafts`.
  hasDailyNotes: true,
  // `/a.png` below `typora-root-url`, as Typora.
  pathOfLink: pathBelowRoot,
  // The contents that Org writes are not shown; in `.mdx` blanks between tags make no code.
  blocks: (body, file) => (file.endsWith(".mdx") ? mdxBlocks(body, file) : leaveOutOfOrg(body)),
  // Notices in fences of notes and of MyST, and no queries of notes.
  shownCode: {
    sign: /(?:`{3}|~{3})[ \t]*(?:ad-|dataview|tasks|\{[a-z])|`[ \t]*\$?=/,
    of: (source) => codeOfNotes(source) ?? codeOfMyst(source),
  },
  // A warning names what looks like syntax of pandoc and of iA Writer.
  lacks: (body) => [...looksLikePandoc(body), ...looksLikeBlocks(body)],
  // All of them.
  comments: ["%%", "^", "{#", "{/*"],
  // What is unmistakable: HTML with the attribute `markdown`, and `\(a\)` and `\[a\]` with commands of TeX. Braces of values stay.
  markup: () => ({
    markdownInHtml: "marked",
    // Matches `\frac`. Does not match `\_`.
    formulas: TEX_SIGNS.map((signs) => ({ ...signs, sign: /\\[a-z]{2}/i })),
    literalBraces: "values",
  }),
}
