import { type Judged, COMMON, TODAY } from "../../oracle/judged.ts"
import {
  ALERT,
  BLOCKED,
  BROKEN,
  COMMA,
  COMMENT,
  DAY,
  DRAFTS,
  EVERYWHERE,
  FORMULA,
  FRAME,
  GUESSED,
  LABEL,
  LATER_LINK,
  NAMED_DAY,
  NOTE,
  NO_DEFINITION,
  OFF,
  OF_FOLDER,
  SINGULAR,
  SLUG,
  TIE,
  TITLE,
  UNLISTED,
  UNTITLED,
} from "../../oracle/reasons.ts"

const EMBEDS = ["https://www.youtube.com/watch?v=abc", "https://vimeo.com/12345"]
const PLAYER = "?autoplay=0&controls=1&end=0&loop=0&mute=0&start="
const NO_FILES = "Files that are no images are not on the service, and links to images lead nowhere there."
const WEIGHT = "A weight puts a page before newer ones: edgepost lists by date."
/** Files with a name that Hugo stops at since 0.145. */
const WITH_OLD_BUILD = [
  "hugo.toml",
  "content/hidden/_index.md",
  ...["never-listed", "underscore-build", "toml", "build-false", "build-link"].map(
    (name) => `content/posts/hugo-${name}.md`,
  ),
]

/** Front matter that the tool builds, which stops at a file that it cannot read. */
const FRONT_MATTER =
  "go-date go-date2 title-alias title-html title-multiline toml-bigint toml-day toml-local toml-off unix-date bom-crlf comment-fm blank-first draft-empty draft-string yaml-float-title yaml-big-int-title yaml-date-title yaml-hash-title yaml-merge yaml-true-title yaml-null-title"
    .split(" ")
    .map((name) => `posts/${name}.md`)

export const hugo: Judged = {
  package: "hugo",
  command: ["hugo", "--clock", TODAY, "--theme", "oracle"],
  // Blogs with HTML in their posts switch it on.
  env: {
    HUGO_MARKUP_GOLDMARK_RENDERER_UNSAFE: "true",
    HUGO_SECURITY_ALLOWCONTENT: ".*",
    HUGO_REFLINKSERRORLEVEL: "WARNING",
    HUGO_MARKUP_HIGHLIGHT_NOCLASSES: "false",
    HUGO_DISABLEKINDS: "taxonomy term section home RSS sitemap 404",
  },
  site: "public",
  place: (name) => `content/posts/hugo-${name}`,
  frame: { "hugo.toml": 'baseURL = "https://blog.example/"\n' },
  samples: ["hugo"],
  unrendered: ["content/", "edgepost"],
  posts: { comments: [...COMMON, "hugo-cmt.md", "truncate.md"], fm: FRONT_MATTER },
  edits: {
    hugo: [["content/posts/mending-nets/index.md", "{{< not-a-shortcode >}}", "{{</* not-a-shortcode */>}}"]],
    "sample-hugo": [
      ["edgepost.config.yaml", "timezone: UTC", "timezone: America/New_York"],
      ["content/posts/trip/index.md", '{{< gist user 123abc "file.go" >}}', ""],
      ["hugo.toml", "[permalinks]", "[languages]\nen = {}\nde = {}\n[permalinks]"],
    ],
    "hugo-unrendered": WITH_OLD_BUILD.map((file) => [file, "_build", "build"]),
    "hugo-fm": [["hugo.toml", "", 'timeZone = "Europe/Berlin"\n']],
  },
  differences: {
    "hugo-traps-mounts": {
      "vault/public/hugo-mounts-moss.md": [["page", "A folder called `public` holds a site that is made."]],
    },
    "hugo-traps-config": {
      "content/english/notes/deep/2024-06-06-hugo-config-note.md": [
        ["categories", OF_FOLDER, "", "deep"],
        ["slug", SLUG, "2024-06-06-hugo-config-note", "hugo-config-note"],
      ],
      "content/english/other/hugo-config-plain.md": [["categories", OF_FOLDER, "", "other"]],
      "content/english/talks/deep/hugo-config-talk.md": [
        ["categories", OF_FOLDER, "", "talks"],
        ["slug", SLUG, "a-talk-of-the-sea", "hugo-config-talk"],
      ],
      "content/english/ugly/hugo-config-ugly.md": [["categories", OF_FOLDER, "", "ugly"]],
    },
    "hugo-traps": {
      "content/posts/hugo-blank-before.md": [OFF],
      "*": [DAY, TIE],
      "content/drafty/hugo-below-draft.md": [["categories", OF_FOLDER, "", "drafty"]],
      "content/posts/2024-06-01-hugo-name-date.md": [
        NAMED_DAY,
        ["slug", SLUG, "2024-06-01-hugo-name-date", "hugo-name-date"],
      ],
      "content/posts/hugo-no-zone.md": [["newer", WEIGHT, "content/posts/hugo-weight.md", ""]],
      "content/posts/hugo-dg-publish.md": [EVERYWHERE],
      "content/posts/hugo-draft-yes.md": [EVERYWHERE],
      "content/posts/hugo-lang-field.md": [
        ["language", "A language in the front matter counts in every tool.", "en", "fr"],
      ],
      "content/notes/hugo-twice-b.md": [
        ["slug", "A slug that another post has gets its year.", "hugo-twice", "hugo-twice-2024"],
      ],
      "content/posts/hugo-singular.md": [
        ["categories", SINGULAR, "", "ice cream"],
        ["tags", SINGULAR, "", "sea food"],
      ],
      "content/posts/hugo-status-draft.md": [EVERYWHERE],
      "content/posts/hugo-text-labels.md": [["categories", COMMA, "ice cream, boats", "boats\nice cream"]],
      "content/posts/hugo-title-none.md": [["title", UNTITLED, "", "hugo title none"]],
      "content/posts/hugo-visibility.md": [EVERYWHERE],
    },
    "hugo-drawn": {
      "content/posts/drawn-hugo/index.md": [
        ["words", FRAME, "Println(1) ", "Println(1) https://www.youtube.com/watch?v=dQw4w9WgXcQ "],
        ["links", FRAME, "/embed/", "/watch?v="],
        ["links", FRAME, `${PLAYER}0`, ""],
        ["words", ALERT, "[!WARNING]", "Warning"],
        ["words", FORMULA, String.raw` \(a_1 * b_1\) and a block: \[ \sum_{i=1}^{n} i \]`, " and a block:"],
      ],
    },
    hugo: {
      "content/posts/mending-nets/index.md": [
        ["words", ALERT, "Wet", "Tip Wet"],
        ["words", FRAME, "first. ", "first. https://www.youtube.com/watch?v=dQw4w9WgXcQ "],
        ["links", FRAME, "/embed/", "/watch?v="],
        ["links", FRAME, `${PLAYER}0`, ""],
        ["links", BROKEN, "#The-table", "#the-table"],
      ],
      "content/posts/mending-nets/index.pt.md": [
        ["categories", "A translation has its post's labels.", "", "work"],
        ["tags", "A translation has its post's labels.", "", "craft\nnets"],
        ["links", BROKEN, "https://harbour.example/pt/posts/reading-tides/", "content/posts/reading-tides.md"],
      ],
      "content/posts/reading-tides.md": [
        ["links", NO_FILES, "https://harbour.example/posts/reading-tides/chart.pdf\n"],
      ],
    },
    "hugo-unrendered": {
      "*": [DAY],
      "content/drafts/hugo-drafts-own.md": [DRAFTS],
      "content/hugo-no-front-matter.md": [NOTE],
      "content/hugo-no-title.md": [["title", UNTITLED, "", "hugo no title"]],
      "content/targets/hugo-new-list.md": [["categories", OF_FOLDER, "", "targets"]],
      "content/posts/hugo-never-listed.md": [UNLISTED],
      "content/posts/hugo-page.html": [["page", "Pages of Hugo in HTML are left out and named."]],
      "content/posts/hugo-shown.md": [
        ["links", LATER_LINK, "https://lists.example/posts/hugo-draft/", "content/posts/hugo-draft.md"],
      ],
    },
    "unrendered-hugo": {
      "content/posts/u-hidden.md": [EVERYWHERE],
      "content/posts/u-password.md": [EVERYWHERE],
      "content/posts/u-private.md": [EVERYWHERE],
      "content/posts/u-isdraft.md": [EVERYWHERE],
      "content/posts/u-state.md": [EVERYWHERE],
    },
    "sample-hugo": {
      "*": [DAY, TIE],
      "content/posts/typed.md": [["slug", SLUG, "cascade", "typed"]],
      "content/posts/sec/index.md": [["slug", SLUG, "sec-index", "sec"]],
      "content/posts/trip/index.md": [
        ["slug", SLUG, "trip-the-best", "trip"],
        ["words", GUESSED, " ![space raw](photo 1.png)"],
        ["words", "An image without `src` is its alternative text.", "Cap x", "Cap x only srcset"],
        ["words", FRAME, "mail", `mail ${EMBEDS.join(" ")}`],
        ["words", ALERT, "inner md [!WARNING]+", "More inner md Warning"],
        ["words", "One tilde deletes nothing.", "H2O", "H~2~O"],
        ["words", "`==text==` is marked text in every tool.", "==mark==", "mark"],
        ["links", NO_FILES, "content/posts/trip/photo 1.png\n"],
        ["links", NO_FILES, "https://hugo.example/blog/2024/trip-the-best/doc.pdf\n"],
        [
          "links",
          "The old home page is that of the blog.",
          "c++/\ncontent/posts/trip/index.md",
          "c++/\n/@or-sample-hugo/",
        ],
        [
          "links",
          FRAME,
          `https://www.youtube.com/embed/abc${PLAYER}30\nhttps://player.vimeo.com/video/12345?dnt=0`,
          EMBEDS.join("\n"),
        ],
        ["links", BROKEN, "https://hugo.example/blog/2024/second/", "content/posts/second.md"],
        ["links", BROKEN, "https://hugo.example/2024/second-slug/", "content/posts/second.md"],
        ["links", BROKEN, "https://hugo.example/blog/2024/sec/", "content/posts/sec/index.md"],
        ["links", LATER_LINK, "content/posts/trip/index.md", "content/posts/drafty.md"],
        ["images", GUESSED, "", "content/posts/trip/photo 1.png\n"],
      ],
      "content/posts/second.de.md": [
        ["date", "A translation has its post's date.", "2024-02-04T05:00:00Z", "2024-02-05T03:00:00Z"],
      ],
    },
    "hugo-comments": {
      "*": [TIE],
      "content/posts/hugo-html-odd.md": [["words", COMMENT, " SECRET? 22 -->", ""]],
      "content/posts/hugo-md-refcomment.md": NO_DEFINITION("content/posts/hugo-md-refcomment.md"),
      "content/posts/hugo-truncate.md": [["words", COMMENT, " {/* truncate */}"]],
      "content/posts/hugo-toml-cmt.md": [BLOCKED],
    },
    "hugo-fm": {
      "*": [DAY, TIE],
      "content/posts/hugo-blank-first.md": [
        ["page", "Front matter begins on the first line. The file is left out and named."],
      ],
      "content/posts/hugo-unix-date.md": [["page", "A number is no date: the post is blocked, with its line."]],
      "content/posts/hugo-title-html.md": [["title", TITLE, "<b>bold</b> &amp; *stars* `code`", "bold & stars code"]],
      "content/posts/hugo-toml-off.md": [["newer", WEIGHT, "content/posts/hugo-toml-bigint.md", ""]],
      "content/posts/hugo-yaml-float-title.md": [["title", TITLE, "1.1", "1.10"], LABEL],
      "content/posts/hugo-yaml-null-title.md": [["title", TITLE, "", "Null"]],
      "content/posts/hugo-yaml-true-title.md": [["title", TITLE, "true", "hugo yaml true title"]],
    },
  },
}
