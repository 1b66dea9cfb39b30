import { type Judged } from "../../oracle/judged.ts"
import { ALERT, EVERYWHERE, LATER, NO_DEFINITION, OF_FOLDER, TIE, TITLE, UNLISTED } from "../../oracle/reasons.ts"

const MARKS = "Comments that mark lines are no code. The empty theme shows them."

export const docusaurus: Judged = {
  package: "@docusaurus/core",
  command: ["docusaurus", "build", "--no-minify", "--config", "oracle.config.js"],
  env: { DOCUSAURUS_NO_DUPLICATE_TITLE_WARNING: "true" },
  site: "build",
  place: (name) => `blog/docusaurus-${name}`,
  frame: { "docusaurus.config.js": 'export default { url: "https://blog.example", baseUrl: "/" }\n' },
  posts: { comments: ["md-refcomment.md", "mdx.mdx", "truncate.md"] },
  edits: {
    docusaurus: [
      ["blog/authors.yml", "mia:", "Jo:\n  name: Jo\nmia:"],
      ["blog/2022-03-03-glazes.md", "<details><summary>Why?</summary>", "<details>\n<summary>Why?</summary>"],
    ],
    "docusaurus-comments": [["blog/x.js", "", "export default 1\n"]],
  },
  differences: {
    "docusaurus-drawn": {
      "blog/2024-05-01-drawn-docusaurus.md": [
        ["words", ALERT, "note A title", "Note A title"],
        ["words", ALERT, "tip Outside. danger", "Tip Outside. Caution"],
        ["words", MARKS, "// highlight-next-line const", "const"],
        ["words", MARKS, "/* highlight-start */ const flow = 3 /* highlight-end */", "const flow = 3"],
        ["code", MARKS, "// highlight-next-line\n"],
        ["code", MARKS, "\n/* highlight-start */\nconst flow = 3\n/* highlight-end */", "\nconst flow = 3"],
      ],
    },
    "docusaurus-traps": {
      "blog/2024-06-15-docusaurus-no-title.md": [["title", TITLE, "docusaurus-no-title", "docusaurus no title"]],
      "blog/2024-06-17-docusaurus-status.md": [EVERYWHERE],
      "blog/2024-06-18-docusaurus-published.md": [EVERYWHERE],
      "blog/_wip/2024-06-18-docusaurus-wip.md": [
        ["page", "A name with an underscore hides, also where an `exclude` takes the place of that rule."],
      ],
      "blog/talks/2024-06-07-docusaurus-deep.md": [["categories", OF_FOLDER, "", "talks"]],
    },
    docusaurus: {
      "blog/2022-02-02-first-firing/index.mdx (fr)": [
        ["page", "A page without a translation is shown in one language."],
      ],
      "blog/2022-02-02-first-firing/index.mdx": [
        ["words", ALERT, "Cones", "Tip Cones"],
        ["words", ALERT, "danger", "Caution"],
      ],
    },
    "docusaurus-unrendered": {
      "blog/2024-05-02-docusaurus-unlisted.md": [UNLISTED],
      "blog/2099-05-02-docusaurus-future.md": [LATER],
    },
    "docusaurus-comments": {
      "*": [TIE],
      "blog/docusaurus-md-refcomment.md": NO_DEFINITION("blog/docusaurus-md-refcomment.md"),
    },
  },
}
