import { type Judged, type Row, COMMON } from "../../oracle/judged.ts"
import {
  BLOCKED,
  COMMA,
  COMMENT,
  DAY,
  EVERYWHERE,
  FORMULA,
  HEADLESS,
  LABEL,
  LATER,
  LATER_LINK,
  NOTE,
  ODD,
  OFF,
  OF_FOLDER,
  PLUGIN,
  SLUG,
  TITLE,
} from "../../oracle/reasons.ts"

const SITE_PAGE: Row = ["page", "It is a page of the site, not a post of the blog."]
const KRAMDOWN = "kramdown's own blocks stay text or are left out: definitions and contents."
const LIQUID = "Variables in code are shown as they stand: edgepost runs no Liquid."

/** Front matter that the tool builds, which stops at a file that it cannot read. */
const FRONT_MATTER =
  "yaml-dots-end yaml-dup yaml-float-title yaml-date-title yaml-hash-title yaml-true-title go-date hour-date ampm-date zone-name-date bom-crlf comment-fm title-alias title-html title-multiline yaml-merge"
    .split(" ")
    .map((name) => `posts/${name}.md`)

export const jekyll: Judged = {
  package: "jekyll",
  command: ["jekyll", "build", "--config", "_config.yml,_oracle.yml"],
  site: "_site",
  place: (name) => `_posts/2024-03-10-jekyll-${name}`,
  frame: { "_config.yml": "url: https://blog.example\n" },
  samples: ["jekyll"],
  unrendered: ["_posts/", "edgepost"],
  posts: { comments: [...COMMON, "kram-comment-block.md", "kram-comment-short.md"], fm: FRONT_MATTER },
  edits: {
    jekyll: [["_posts/2021-03-14-morse-code.markdown", 'puts "{% raw %}" # a Liquid tag in code', 'puts "..." # dots']],
    "sample-jekyll": [
      ["_config.yml", "", "url: https://old.example\n"],
      ["_posts/2024-01-15-jk-kram.md", " and \\{{ curly.", "."],
    ],
  },
  differences: {
    "jekyll-drawn": {
      "_posts/2024-05-01-drawn-jekyll.md": [
        ["tables", HEADLESS, "7 m\nDover", "7 m\n | \nDover"],
        ["words", FORMULA, String.raw` \(a_1 * b_1\) in a line. \[\sum_{i=1}^{n} i\]`, " in a line."],
      ],
    },
    "jekyll-traps-config": {
      "src/all/_posts/2024-03-03-jekyll-config-unpublished.md": [EVERYWHERE],
      "src/all/_posts/2024-03-04-jekyll-config-ending.mkd": [
        ["page", "Markdown has one of three endings: `.md`, `.mdx`, `.markdown`."],
      ],
      "src/all/_posts/2099-03-05-jekyll-config-ahead.md": [LATER],
      "src/all/_posts/2024-03-01-jekyll-config-shown.md": [
        ["slug", SLUG, "2024-03-01-jekyll-config-shown", "jekyll-config-shown"],
      ],
      "src/all/_posts/2024-03-02-jekyll-config-none.md": [
        ["slug", SLUG, "2024-03-02-jekyll-config-none", "jekyll-config-none"],
      ],
    },
    "jekyll-traps": {
      "_posts/2024-01-21-jekyll-blank-before.md": [OFF],
      "_posts/24-01-10-jekyll-two-digits.md": [["page", "A year has four digits."]],
      "jekyll-about.md": [SITE_PAGE],
      "posts/2024-02-03-jekyll-elsewhere.md": [SITE_PAGE],
      "*": [DAY],
      "_posts/2024-01-05-jekyll-published-text.md": [EVERYWHERE],
      "_posts/2024-01-06-jekyll-draft-true.md": [EVERYWHERE],
      "_posts/2024-01-12-jekyll-über-uns.md": [["title", TITLE, "Jekyll Über Uns", "jekyll über uns"]],
      "_posts/2024-01-14-jekyll-permalink.md": [["slug", SLUG, "14", "jekyll-permalink"]],
      "_posts/2024-01-26-jekyll-comma.md": [
        ["categories", COMMA, "a,\nb", "a\nb"],
        ["tags", COMMA, "c,\nd", "c\nd"],
      ],
      "_recipes/cakes/jekyll-tart.md": [["categories", OF_FOLDER, "", "cakes"]],
      "_posts/sub/2024-01-31-jekyll-sub.md": [["categories", OF_FOLDER, "", "sub"]],
    },
    "unrendered-jekyll": {
      "_posts/2024-01-01-u-textile.textile": [["page", "Textile is not read, and the plan says so."]],
    },
    jekyll: {
      "*": [DAY],
      "_posts/2020-12-31-flags.md": [
        ["links", PLUGIN, "https://lamp.example/old/morse/", "_posts/2021-03-14-morse-code.markdown"],
      ],
      "_posts/2021-03-14-morse-code.markdown": [["words", KRAMDOWN, "TOC "]],
      "about.md": [SITE_PAGE],
    },
    "jekyll-unrendered": {
      "_posts/2024-05-06-jekyll-no-front-matter.md": [NOTE],
      "_posts/2024-05-01-jekyll-shown.md": [
        [
          "links",
          LATER_LINK,
          "https://lamp.example/2024/05/02/jekyll-unpublished.html",
          "_posts/2024-05-02-jekyll-unpublished.md",
        ],
      ],
      "_posts/2024-05-02-jekyll-draft-field.md": [EVERYWHERE],
    },
    "sample-jekyll": {
      "*": [DAY],
      "_posts/2024-01-18-same.md": [["slug", "A slug that another post has gets its year.", "same", "same-2024"]],
      "_posts/2024-02-02-perm-pretty.md": [["slug", SLUG, "pretty", "perm-pretty"]],
      "_posts/2024-02-11-🎉.md": [["slug", SLUG, "02", "tada"]],
      "_posts/2024-01-15-jk-kram.md": [
        ["words", KRAMDOWN, "Head with id Head", "Head"],
        ["words", LIQUID, "def a end", "def a {{ not liquid }} end"],
        ["words", LIQUID, "inline text", "inline {{ code }} text"],
        ["words", "A formula is MathML, not words.", " \\(x_1\\) inline and \\[y = 2\\]", " inline and"],
        ["words", "Unknown HTML elements are removed, with a warning.", "<<guillemets>>", "<>"],
        ["links", KRAMDOWN, "_posts/2024-01-15-jk-kram.md#custom\n"],
        ["code", LIQUID, "\ndef a\n  \n", "def a\n  {{ not liquid }}\n"],
      ],
      "_posts/2024-02-05-no-title-here.md": [["title", TITLE, "No Title Here", "no title here"]],
      "_posts/2024-02-06-no-fm.md": [NOTE],
      "_posts/2024-02-07-var.md": [BLOCKED],
    },
    "jekyll-fm": {
      "*": [DAY],
      "_posts/2024-03-10-jekyll-title-html.md": [
        ["title", TITLE, "<b>bold</b> &amp; *stars* `code`", "bold & stars code"],
      ],
      "_posts/2024-03-10-jekyll-yaml-float-title.md": [["title", TITLE, "1.1", "1.10"], LABEL],
      "_posts/2024-03-10-jekyll-yaml-true-title.md": [["title", TITLE, "true", "jekyll yaml true title"]],
    },
    "jekyll-comments": {
      "_posts/2024-03-10-jekyll-html-in-list.md": [["words", COMMENT, " <!-- SECRET23 -->"]],
      "_posts/2024-03-10-jekyll-html-odd.md": ODD,
      "_posts/2024-03-10-jekyll-toml-cmt.md": [BLOCKED],
    },
  },
}
