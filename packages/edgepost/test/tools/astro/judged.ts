import { type Judged, COMMON } from "../../oracle/judged.ts"
import {
  ALERT,
  BLOCKED,
  BROKEN,
  COMMA,
  EVERYWHERE,
  IN_CODE,
  LATER,
  LATER_LINK,
  NO_DEFINITION,
  ODD,
  OFF,
  OF_FOLDER,
  SINGULAR,
  SLUG,
} from "../../oracle/reasons.ts"

export const astro: Judged = {
  package: "astro",
  command: ["astro", "build", "--config", "oracle.config.js"],
  site: "dist",
  place: (name) => `src/content/blog/astro-${name}`,
  frame: { "astro.config.mjs": 'export default { site: "https://blog.example" }\n' },
  posts: { comments: COMMON },
  differences: {
    "astro-traps": {
      "src/content/authors/astro-ann.md": [IN_CODE],
      "src/content/blog/_astro-folder/astro-in-folder.md": [IN_CODE],
      "src/content/blog/astro-ending.markdown": [IN_CODE],
      "src/content/blog/astro-blank-before.md": [OFF],
      "src/content/blog/2024-05-05-astro-dated.md": [["slug", SLUG, "2024-05-05-astro-dated", "astro-dated"]],
      "src/content/blog/Astro Deep/Sub Dir/x.md": [["categories", OF_FOLDER, "", "astro deep"]],
      "src/content/blog/astro v1.2 released.md": [["slug", SLUG, "astro-v12-released", "astro-v1-2-released"]],
      "src/content/blog/astro-labels.md": [["tags", COMMA, "sea food, boats", "boats\nsea food"]],
      "src/content/blog/astro-singular.md": [
        ["categories", SINGULAR, "", "ice cream"],
        ["tags", SINGULAR, "", "sea food"],
      ],
      "src/content/blog/astro-status.md": [EVERYWHERE],
    },
    astro: {
      "src/content/blog/cider.mdx": [["words", ALERT, "[!WARNING]", "Warning"]],
      "src/content/blog/first-apples.md": [
        ["links", BROKEN, "https://orchard.example/blog/first-apples/cider.mdx", "src/content/blog/cider.mdx"],
      ],
    },
    "astro-unrendered": {
      "src/content/notes/astro-notes-one.md": [IN_CODE],
      "src/content/blog/astro-future.md": [LATER],
      "src/content/blog/astro-shown.md": [
        ["links", LATER_LINK, "https://orchard.example/blog/astro-draft/", "src/content/blog/astro-draft.md"],
      ],
    },
    "astro-comments": {
      "src/content/blog/astro-html-odd.md": ODD,
      "src/content/blog/astro-md-refcomment.md": NO_DEFINITION("src/content/blog/astro-md-refcomment.md"),
      "src/content/blog/astro-toml-cmt.md": [BLOCKED],
    },
  },
}
