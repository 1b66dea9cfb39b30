import type { Judged } from "../../oracle/judged.ts"
import {
  ABOUT,
  ALERT,
  EVERYWHERE,
  HEADING,
  LATER,
  NOTE,
  NO_TEXT,
  OF_FOLDER,
  SLUG,
  TITLE,
} from "../../oracle/reasons.ts"

export const vitepress: Judged = {
  package: "vitepress",
  command: [
    "sh",
    "-c",
    "if [ -d docs ]; then cp -r .vitepress/theme docs/.vitepress; vitepress build docs --outDir $PWD/dist; else vitepress build . --outDir $PWD/dist; fi",
  ],
  site: "dist",
  place: (name) => `vitepress-${name}`,
  frame: { ".vitepress/config.js": "export default {}\n" },
  posts: {},
  differences: {
    "vitepress-drawn": {
      "drawn-vitepress.md": [
        ["words", ALERT, "Low water The", "Warning Low water The"],
        ["words", "The title of a fold that has none is the browser's.", "Details A folded", "A folded"],
        ["words", ALERT, "TIP", "Tip"],
        ["words", "The theme draws a badge. The empty one has none.", "with an emoji", "new with an emoji"],
      ],
      "drawn-words.md": [["page", "A part of a page, without a title and a date, is a note."]],
    },
    vitepress: {
      "src/fleet/keel-heading.md": [["categories", OF_FOLDER, "", "fleet"]],
      "src/index.md": [NO_TEXT],
      "src/posts/2024-01-05-keel-dated-name.md": [["slug", SLUG, "2024-01-05-", ""]],
      "src/posts/README.md": [ABOUT],
      "src/posts/deep/keel-nested/index.md": [["categories", OF_FOLDER, "", "deep"]],
      "src/posts/index.md": [["slug", SLUG, "blog", "post-posts"]],
      "src/posts/keel-ahead.md": [LATER],
      "src/posts/keel-draft.md": [EVERYWHERE],
      "src/posts/keel-german.md": [["language", "A field names the language of its text.", "en-GB", "de"]],
      "src/posts/keel-heading.md": [
        ["slug", SLUG, "keel-heading", "keel-heading-2024"],
        ["words", HEADING, "The keel and rib ", ""],
      ],
      "src/posts/keel-note.md": [NOTE],
      "src/posts/keel-number.md": [["title", TITLE, "The year in numbers", "2024"]],
      "src/posts/keel-unpublished.md": [EVERYWHERE],
      "src/series/keel-ash/part-2.md": [
        ["categories", OF_FOLDER, "", "series"],
        ["slug", SLUG, "2", "part-2"],
      ],
      "src/series/keel-oak/part-1.md": [["slug", SLUG, "1", "part-1"]],
      "src/travel/2023/keel-kiel.md": [["categories", OF_FOLDER, "", "travel"]],
    },
  },
}
