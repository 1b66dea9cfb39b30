import { type Judged, COMMON } from "../../oracle/judged.ts"
import { LATER, BLOCKED, IN_CODE, ALERT, BROKEN, LATER_LINK, NO_DEFINITION, ODD } from "../../oracle/reasons.ts"

export const astro: Judged = {
  package: "astro",
  command: ["astro", "build", "--config", "oracle.config.js"],
  site: "dist",
  place: (name) => `src/content/blog/astro-${name}`,
  frame: { "astro.config.mjs": 'export default { site: "https://blog.example" }\n' },
  posts: { comments: COMMON },
  differences: {
    astro: {
      "src/content/blog/cider.mdx": [["words", ALERT, "[!WARNING]", "Warning"]],
      "src/content/blog/first-apples.md": [
        ["links", BROKEN, "https://orchard.example/blog/first-apples/cider.mdx", "src/content/blog/cider.mdx"],
      ],
      "src/content/blog/wasps.mdx": [BLOCKED],
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
