import type { Judged } from "../../oracle/judged.ts"
import { EVERYWHERE, OF_FOLDER, HEADING, LATER, SLUG } from "../../oracle/reasons.ts"

const TITLED = "A post has a title."

export const gatsby: Judged = {
  package: "gatsby",
  command: ["gatsby", "build", "--prefix-paths"],
  env: { GATSBY_TELEMETRY_DISABLED: "1" },
  site: "public",
  place: (name) => `content/blog/${name}`,
  frame: { "gatsby-config.js": "module.exports = {}\n" },
  posts: {},
  differences: {
    "gatsby-drawn": {
      "content/blog/drawn-gatsby.md": [["words", "Notes have numbers, not their names.", "notelow", "note1"]],
    },
    gatsby: {
      "content/blog/2024-03-04-owl-dated.md": [["slug", SLUG, "2024-03-04-", ""]],
      "content/blog/owl-ahead.md": [LATER],
      "content/blog/owl-barn/index.md": [["slug", SLUG, "owl-barn", "owl-barn-2024"]],
      "content/blog/owl-draft.md": [EVERYWHERE],
      "content/blog/owl-heading.md": [
        ["title", TITLED, "", "The heading"],
        ["words", HEADING, "The heading ", ""],
      ],
      "content/blog/owl-path.md": [["slug", SLUG, "owl-own-path", "owl-path"]],
      "content/blog/owl-unpublished.md": [EVERYWHERE],
      "content/notes/old/owl-barn.md": [["categories", OF_FOLDER, "", "old"]],
    },
    "gatsby-pages": {
      "src/pages/2024-05-01-bar-first/index.md": [["slug", SLUG, "lighthouse-of-the-bay", "bar-first"]],
      "src/pages/2024-05-02-bar-second/index.md": [["slug", SLUG, "bar-at-low-water", "bar-second"]],
    },
  },
}
