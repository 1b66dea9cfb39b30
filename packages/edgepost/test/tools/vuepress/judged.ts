import type { Judged } from "../../oracle/judged.ts"
import { EVERYWHERE, HEADING, LATER, NO_TEXT, SLUG } from "../../oracle/reasons.ts"

export const vuepress: Judged = {
  package: "vuepress",
  command: [
    "sh",
    "-c",
    "vuepress build $([ -d docs ] && echo docs || echo .) --config oracle.config.js --dest dist --temp .temp --cache .cache",
  ],
  site: "dist",
  place: (name) => `vuepress-${name}`,
  frame: { ".vuepress/config.js": "export default {}\n" },
  posts: {},
  differences: {
    vuepress: {
      "docs/de/posts/pond-field.md": [["categories", "A translation has its post's labels.", "", "frogs"]],
      "docs/README.md": [NO_TEXT],
      "docs/posts/2020-01-01-pond-both.md": [["slug", SLUG, "2020-01-01-", ""]],
      "docs/posts/2024-06-15-pond-day.md": [["slug", SLUG, "2024-06-15-", ""]],
      "docs/posts/2024-06-pond-month.md": [
        ["slug", SLUG, "2024-06-", ""],
        ["words", HEADING, "A month in the name ", ""],
      ],
      "docs/posts/2024-7-pond-short.md": [["slug", SLUG, "2024-7-", ""]],
      "docs/posts/pond-ahead.md": [LATER],
      "docs/posts/pond-draft.md": [EVERYWHERE],
      "docs/posts/pond-heading.md": [["words", HEADING, "The toad and spawn ", ""]],
    },
    "vuepress-permalinks": {
      "blog/2024-08-pattern-raw.md": [["slug", SLUG, "2024-08-", ""]],
    },
  },
}
