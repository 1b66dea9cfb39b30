import type { Judged } from "../../oracle/judged.ts"
import { DAY, EVERYWHERE, FORMULA, HEADLESS, LATER, SLUG } from "../../oracle/reasons.ts"

const BOTH = "Fields in a file are never text, and win over those beside it."
const HEADING = "A post without a title has that of its heading."

export const nanoc: Judged = {
  package: "nanoc",
  helper: "ruby-kramdown",
  command: ["nanoc", "compile"],
  site: "output",
  place: (name) => `content/${name}`,
  frame: { "nanoc.yaml": "base_url: https://blog.example\n" },
  posts: {},
  differences: {
    "nanoc-drawn": {
      "content/posts/drawn-nanoc.md": [
        ["tables", HEADLESS, "7 m\nDover", "7 m\n | \nDover"],
        ["words", FORMULA, String.raw` \(a_1 * b_1\) in a line. \[\sum_{i=1}^{n} i\]`, " in a line."],
      ],
    },
    nanoc: {
      "*": [DAY],
      "content/index.md": [["page", "The old home page is that of the blog."]],
      "content/posts/2024-03-01-rope.md": [["slug", SLUG, "2024-03-01-rope", "rope"]],
      "content/posts/ahead.md": [LATER],
      "content/posts/blank.md": [["page", "Front matter begins on the first line. The file is left out and named."]],
      "content/posts/both.md": [
        ["title", BOTH, "Of the file beside it", "Of the file"],
        ["words", BOTH, "title: Of the file --- "],
      ],
      "content/posts/dashes.md": [
        ["page", "Front matter stands between three dashes. The file is left out and named."],
      ],
      "content/posts/stowed.md": [EVERYWHERE],
      "content/posts/below-deck.md": [EVERYWHERE],
      "content/posts/quoted.md": [
        ["date", "A time in quotes is one without quotes.", "2024-03-06T09:00:00Z", "2024-03-06T10:00:00Z"],
      ],
      "content/posts/unpublished.md": [EVERYWHERE],
      "content/posts/untitled.md": [
        ["title", HEADING, "", "The heading is its title"],
        ["words", HEADING, "The heading is its title "],
      ],
      "content/posts/web.html": [["page", "Pages in HTML are not read, and the plan says so."]],
    },
  },
}
