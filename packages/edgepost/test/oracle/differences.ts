import type { Difference } from "./compare.ts"

// The differences that we want between a tool's page and that of edgepost, with their reasons. All others are bugs.
// A row replaces a part of the tool's answer, so that the rest of the page stays compared.

const EMBEDS = ["https://www.youtube.com/watch?v=abc", "https://vimeo.com/12345", "https://gist.github.com/user/123abc"]

type Row = [field: Difference["field"], reason: string, tool?: string, edgepost?: string]

const DAY: Row = ["day", "A day alone is that day in UTC."]
const SITE_PAGE: Row = ["page", "It is a page of the site, not a post of the blog."]
const LATER: Row = ["page", "A date ahead schedules the post."]
const BLOCKED: Row = ["page", "Unknown syntax that readers would see blocks the post."]
const IN_CODE: Row = ["page", "Code of the blog decides about it, and edgepost runs none."]
const QUOTE = "The source of a quote stands before it, with its address."
const ALERT = "A notice has a title. The tool of this version or the empty theme shows none."
const FRAME = "A frame or a script of another site becomes a link."
const BROKEN = "The old site's link is broken, and edgepost knows the file."
const GUESSED = "The tool finds no image there, and edgepost knows the file."
const COMMENT = "A comment is hidden in every tool, also where this one shows it."
const NO_FILES = "Files that are no images are not on the service, and links to images lead nowhere there."
const NOT_YET: Row = ["page", "Debian's Hugo 0.111 knows `_build`, not yet `build`."]
const PLUGIN = "The blog needs a plugin of its tool, which the oracle does not run."
const KRAMDOWN = "kramdown's own blocks stay text or are left out: definitions, abbreviations, contents."
const LATER_LINK = "The page of a draft has its address already."
const TEXT_LINK = "A link to a file that was left out becomes text."
const NOTE: Row = ["page", "A file without front matter is a note."]
const EVERYWHERE: Row = ["page", "A field that hides a page or makes it a draft counts in every tool."]
const UNLISTED: Row = ["page", "A page in no list is left out."]
const TITLE = "A title is plain text, as it is written."
const LIQUID = "Variables in code are shown as they stand: edgepost runs no Liquid."

const ONE_WORD = "A `{% link %}` of a path leads to that page of the old site, and one of a single word to dev.to."
const BARE = "A link without a text shows its address."
const PATH = "The path of a post is written as the name of its file, which a link needs."

/** `[//]: # (…)` with text after it is no definition: a link to the page's own start. */
const NO_DEFINITION = (file: string): Row[] => [
  ["words", COMMENT, " //: # (SECRET27 (with) parens) //: # SECRET28"],
  ["links", COMMENT, `${file}\n${file}`],
]
const ODD: Row[] = [["words", COMMENT, "and SECRET? 22 -->", "and"]]

const TABLE: Record<string, Record<string, Row[]>> = {
  hugo: {
    "content/posts/mending-nets/index.md": [
      ["words", ALERT, "Wet", "Tip Wet"],
      ["words", FRAME, "first. ", "first. https://www.youtube.com/watch?v=dQw4w9WgXcQ "],
      ["links", FRAME, "/embed/", "/watch?v="],
      ["links", BROKEN, "#The-table", "#the-table"],
    ],
    "content/posts/mending-nets/index.pt.md": [
      ["links", BROKEN, "https://harbour.example/pt/posts/reading-tides/", "content/posts/reading-tides.md"],
    ],
    "content/posts/reading-tides.md": [["links", NO_FILES, "https://harbour.example/posts/reading-tides/chart.pdf\n"]],
  },
  "hugo-unrendered": {
    "*": [DAY],
    "content/hugo-no-front-matter.md": [NOTE],
    "content/hugo-no-title.md": [["title", "A post has a title.", "", "hugo no title"]],
    "content/posts/hugo-build-never.md": [NOT_YET],
    "content/posts/hugo-never-listed.md": [UNLISTED],
    "content/posts/hugo-page.html": [["page", "Pages of Hugo in HTML are left out and named."]],
    "content/posts/hugo-shown.md": [
      ["links", LATER_LINK, "https://lists.example/posts/hugo-draft/", "content/posts/hugo-draft.md"],
    ],
  },
  "unrendered-hugo": {
    "content/posts/u-build-never.md": [NOT_YET],
    "content/posts/u-hidden.md": [EVERYWHERE],
    "content/posts/u-password.md": [EVERYWHERE],
    "content/posts/u-private.md": [EVERYWHERE],
    "content/posts/u-isdraft.md": [EVERYWHERE],
    "content/posts/u-state.md": [EVERYWHERE],
  },
  "unrendered-jekyll": {
    "_posts/2024-01-01-u-textile.textile": [["page", "Textile is not read, and the plan says so."]],
  },
  "sample-hugo": {
    "*": [DAY],
    "content/posts/norender.md": [NOT_YET],
    "content/posts/trip/index.md": [
      ["words", GUESSED, " ![space raw](photo 1.png)"],
      ["words", "An image without `src` is its alternative text.", "Cap x", "Cap x only srcset"],
      ["words", FRAME, "mail", `mail ${EMBEDS.join(" ")}`],
      ["words", ALERT, "inner md [!WARNING]+", "More inner md Warning"],
      ["words", "`==text==` is marked text in every tool.", "==mark==", "mark"],
      ["links", NO_FILES, "content/posts/trip/photo 1.png\n"],
      ["links", NO_FILES, "https://hugo.example/blog/2024/trip-the-best/doc.pdf\n"],
      ["links", "The old home page is that of the blog.", "https://hugo.example/\n", "/@or-sample-hugo/\n"],
      ["links", FRAME, "https://www.youtube.com/embed/abc\nhttps://player.vimeo.com/video/12345", EMBEDS.join("\n")],
      ["links", BROKEN, "https://hugo.example/blog/2024/second/", "content/posts/second.md"],
      ["links", BROKEN, "https://hugo.example/posts/second/#", "content/posts/second.md#"],
      ["links", BROKEN, "https://hugo.example/blog/2024/trip-the-best/second.md", "content/posts/second.md"],
      ["links", BROKEN, "https://hugo.example/2024/second-slug/", "content/posts/second.md"],
      ["links", BROKEN, "https://hugo.example/blog/2024/sec/", "content/posts/sec/index.md"],
      ["links", LATER_LINK, "content/posts/trip/index.md", "content/posts/drafty.md"],
      ["images", GUESSED, "", "content/posts/trip/photo 1.png\n"],
      ["images", GUESSED, "https://hugo.example/blog/2024/trip-the-best/upper.png", "content/posts/trip/UPPER.PNG"],
    ],
    "content/posts/second.de.md": [
      ["date", "A translation has its post's date.", "2024-02-04T05:00:00Z", "2024-02-05T03:00:00Z"],
    ],
  },
  "hugo-comments": {
    "content/posts/hugo-html-odd.md": [["words", COMMENT, " <!--- SECRET 21 ---> and <!--> SECRET? 22 -->", " and"]],
    "content/posts/hugo-md-refcomment.md": NO_DEFINITION("content/posts/hugo-md-refcomment.md"),
    "content/posts/hugo-truncate.md": [["words", COMMENT, " {/* truncate */}"]],
    "content/posts/hugo-toml-cmt.md": [BLOCKED],
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
    "_posts/2024-01-15-jk-kram.md": [
      ["words", KRAMDOWN, "Head with id Head", "Head"],
      ["words", LIQUID, "def a end", "def a {{ not liquid }} end"],
      ["words", LIQUID, "inline text", "inline {{ code }} text"],
      ["words", KRAMDOWN, "Term Definition one Definition", "Term : Definition one : Definition"],
      ["words", KRAMDOWN, "Footnote1.", "Footnote1. *[HTML]: Hyper Text"],
      ["words", "A formula is MathML, not words.", " \\(x_1\\) inline and \\[y = 2\\]", " inline and"],
      ["words", "Unknown HTML elements are removed, with a warning.", "<<guillemets>>", "<>"],
      ["words", KRAMDOWN, "_ under.", "_ under. ^"],
      ["links", KRAMDOWN, "_posts/2024-01-15-jk-kram.md#custom\n"],
      ["code", LIQUID, "def a\n  \n", "def a\n  {{ not liquid }}\n"],
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
    "_posts/2024-03-10-jekyll-yaml-float-title.md": [["title", TITLE, "1.1", "1.10"]],
    "_posts/2024-03-10-jekyll-yaml-true-title.md": [["title", TITLE, "true", "jekyll yaml true title"]],
  },
  "hugo-fm": {
    "*": [DAY],
    "content/posts/hugo-blank-first.md": [
      ["page", "Front matter begins on the first line. The file is left out and named."],
    ],
    "content/posts/hugo-unix-date.md": [["page", "A number is no date: the post is blocked, with its line."]],
    "content/posts/hugo-title-html.md": [["title", TITLE, "<b>bold</b> &amp; *stars* `code`", "bold & stars code"]],
    "content/posts/hugo-yaml-float-title.md": [["title", TITLE, "1.1", "1.10"]],
    "content/posts/hugo-yaml-null-title.md": [["title", TITLE, "", "Null"]],
    "content/posts/hugo-zone-name-date.md": [["date", "Hugo 0.111 reads no `EST`.", "", "2024-03-10T14:00:00Z"]],
    "content/posts/hugo-yaml-true-title.md": [["title", TITLE, "true", "hugo yaml true title"]],
  },
  "jekyll-comments": {
    "_posts/2024-03-10-jekyll-html-in-list.md": [["words", COMMENT, " <!-- SECRET23 -->"]],
    "_posts/2024-03-10-jekyll-html-odd.md": ODD,
    "_posts/2024-03-10-jekyll-toml-cmt.md": [BLOCKED],
  },
  eleventy: {
    "content/blog/Crossing_the_fjord.md": [
      ["words", PLUGIN, " { #times }"],
      ["words", PLUGIN, " {.lead}"],
      ["links", PLUGIN, "#timetable", "#times"],
    ],
    "content/blog/gallery.njk.md": [BLOCKED],
    "content/blog/winter.md": [
      ["words", PLUGIN, ":::warning", "Warning"],
      ["words", PLUGIN, " :::"],
    ],
  },
  "eleventy-unrendered": {
    "content/ignored/eleventy-ignored-one.md": [IN_CODE],
    "eleventy-outside.md": [IN_CODE],
    "content/posts/eleventy-future.md": [LATER],
    "content/drafts/eleventy-drafts-own.md": [["page", "Files in a folder of drafts are drafts in every tool."]],
    "content/from-eleventyignore/eleventy-from-eleventyignore-one.md": [
      ["page", "Files whose names begin with a dot, such as `.eleventyignore`, are never read."],
    ],
    "content/posts/eleventy-excluded.md": [UNLISTED],
    "content/posts/eleventy-shown.md": [["links", TEXT_LINK, "https://blog.example/posts/eleventy-permalink-false/"]],
  },
  "eleventy-comments": {
    "posts/eleventy-html-odd.md": ODD,
    "posts/eleventy-md-refcomment.md": NO_DEFINITION("posts/eleventy-md-refcomment.md"),
    "posts/eleventy-toml-cmt.md": [BLOCKED],
  },
  hexo: {
    "*": [["language", "The author's configuration gives the language.", "zh-TW", "zh-Hant"]],
    "source/_posts/綠茶.md": [["words", ALERT, "不要用", "警告 不要用"]],
    "source/_posts/烏龍茶的沖泡.md": [["words", "A file name above code is left out.", " brew.js"]],
  },
  "sample-hexo-link": {
    "source/_posts/hl-link.md": [
      ["words", ONE_WORD, "text /local/page D user/article", "text D https://dev.to/user/article"],
      ["words", BARE, "E F Other", "E https://x.example/only F Other"],
      ["words", PATH, "/2024/03/10/hl-other/ I", "hl-other.md I https://www.youtube.com/watch?v=abc"],
      ["words", BARE, "K L M", "K https://e.example L https://gist.github.com/123 M a.png"],
      [
        "links",
        ONE_WORD,
        "source/_posts/hl-link.md\nsource/_posts/hl-link.md\n",
        "http://example.com/local/page\nhttps://dev.to/user/article\n",
      ],
      [
        "links",
        FRAME,
        "https://www.youtube.com/embed/abc\nhttps://e.example/",
        "https://www.youtube.com/watch?v=abc\nhttps://e.example\nhttps://gist.github.com/123",
      ],
    ],
  },
  "hexo-unrendered": {
    "source/_posts/hexo-hidden.md": [EVERYWHERE],
    "source/_posts/hexo-password.md": [EVERYWHERE],
  },
  "sample-hexo": {
    "source/_posts/my-post.md": [
      ["words", GUESSED, " ![](a b.png)"],
      ["images", GUESSED, "a b.png", "a b.png\nsource/_posts/my-post/a b.png\nsource/_posts/my-post/a b.png"],
      ["words", QUOTE, "引用 Author, Sourcex.example", "Author Source https://x.example 引用"],
      ["words", ALERT, "提示", "Note 提示"],
      ["links", QUOTE, "https://x.example/", "https://x.example"],
    ],
  },
  "hexo-comments": {
    "source/_posts/hexo-html-odd.md": ODD,
    "source/_posts/hexo-md-refcomment.md": NO_DEFINITION("source/_posts/hexo-md-refcomment.md"),
    "source/_posts/hexo-hexo-hide.md": [BLOCKED],
    "source/_posts/hexo-toml-cmt.md": [BLOCKED],
  },
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
  docusaurus: {
    "blog/2022-02-02-first-firing/index.mdx (fr)": [["page", "A page without a translation is shown in one language."]],
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
    "blog/docusaurus-md-refcomment.md": NO_DEFINITION("blog/docusaurus-md-refcomment.md"),
  },
}

/** Returns the wanted differences of a blog. */
export const differencesOf = (blog: string): Difference[] =>
  Object.entries(TABLE[blog] ?? {}).flatMap(([name, rows]) =>
    rows.map(([field, reason, tool = "", edgepost = ""]) => ({
      file: name === "*" ? null : name,
      field,
      reason,
      tool,
      edgepost,
    })),
  )
