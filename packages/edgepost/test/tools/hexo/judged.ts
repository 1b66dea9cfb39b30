import { type Judged, COMMON } from "../../oracle/judged.ts"
import {
  ALERT,
  BLOCKED,
  COMMA,
  DAY,
  EVERYWHERE,
  FRAME,
  GUESSED,
  NO_DEFINITION,
  ODD,
  OFF,
  OF_FOLDER,
  SELF_LINK,
  SLUG,
  TIE,
  UNTITLED,
} from "../../oracle/reasons.ts"

const HANT = "The author's configuration gives the language."
const QUOTE = "The source of a quote stands before it, with its address."
const ONE_WORD = "A `{% link %}` of a path leads to that page of the old site, and one of a single word to dev.to."
const BARE = "A link without a text shows its address."
const PATH = "The path of a post is written as the name of its file, which a link needs."

export const hexo: Judged = {
  package: "hexo",
  command: ["hexo", "generate"],
  site: "public",
  place: (name) => `source/_posts/hexo-${name}`,
  frame: { "_config.yml": "url: https://blog.example\n" },
  samples: ["hexo", "hexo-link"],
  posts: { comments: [...COMMON, "hexo-hide.md"] },
  edits: {
    "sample-hexo": [["_config.yml", "", "post_asset_folder: true\n"]],
    "sample-hexo-link": [
      ["source/_posts/hl-link.md", "{% include_code lang:js a.js %}", "code"],
      ["source/_posts/hl-other.md", "", "---\ntitle: Other\ndate: 2024-03-10\n---\nOther.\n"],
      ["edgepost.config.yaml", "", "site_url: http://example.com\n"],
    ],
  },
  differences: {
    "hexo-drawn": {
      "source/_posts/drawn-hexo.md": [
        ["links", SELF_LINK, "\nsource/_posts/drawn-hexo.md#Harbour", ""],
        ["words", QUOTE, "A quoted text. Ann Keel, TidesA book", "Ann Keel, Tides A book A quoted text."],
      ],
    },
    "hexo-traps-name": {
      "source/_posts/2024-07-01-hexo-name-date.md": [["slug", SLUG, "none", "hexo-name-date"]],
      "source/_posts/2024-07-02-hexo-name-field.md": [["slug", SLUG, "9f3c21aa", "hexo-name-field"]],
      "source/_posts/2024-07-03-hexo-name-category.md": [["slug", SLUG, "4a17b156", "hexo-name-category"]],
    },
    "hexo-traps": {
      "source/_posts/hexo-blank-before.md": [OFF],
      "source/_posts/hexo-five-dashes.md": [OFF],
      "source/_posts/hexo-json.md": [OFF],
      "source/_posts/hexo-no-fence.md": [OFF],
      "source/_posts/hexo-published-null.md": [EVERYWHERE],
      "*": [DAY, ["language", HANT, "zh-TW", "zh-Hant"]],
      "source/_posts/2024-06-02-hexo-dated.md": [["slug", SLUG, "2024-06-02-hexo-dated", "hexo-dated"]],
      "source/_posts/hexo-dir/index.md": [["slug", SLUG, "index", "hexo-dir"]],
      "source/_posts/hexo-draft-field.md": [EVERYWHERE],
      "source/_posts/hexo-inbox/hexo-later.md": [["categories", OF_FOLDER, "", "hexo-inbox"]],
      "source/_posts/hexo-numbers.md": [["tags", "A label is as it is written.", "3.1", "3.10"]],
      "source/_posts/hexo-published-text.md": [EVERYWHERE],
      "source/_posts/hexo-slug.md": [["slug", SLUG, "hexo-slug", "hexo-own"]],
      "source/_posts/hexo-text-labels.md": [
        ["categories", COMMA, "p, q", "p\nq"],
        ["tags", COMMA, "a, b", "a\nb"],
      ],
      "source/_posts/hexo-title-none.md": [["title", UNTITLED, "", "hexo title none"]],
      "source/_posts/hexo-zulu.md": [
        ["date", "A date with its zone is of that zone in every tool.", "2024-06-08T02:00:00Z", "2024-06-08T10:00:00Z"],
      ],
      "source/_posts/sub/hexo-sub.md": [["categories", OF_FOLDER, "", "sub"]],
      "source/hexo-about/index.md": [["slug", SLUG, "index", "hexo-about"]],
    },
    hexo: {
      "*": [["language", HANT, "zh-TW", "zh-Hant"]],
      "source/_posts/綠茶.md": [["words", ALERT, "不要用", "警告 不要用"]],
      "source/_posts/烏龍茶的沖泡.md": [["words", "A file name above code is left out.", " brew.js"]],
    },
    "sample-hexo-link": {
      "*": [TIE],
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
      "*": [TIE],
      "source/_posts/hexo-hidden.md": [EVERYWHERE],
      "source/_posts/hexo-password.md": [EVERYWHERE],
    },
    "sample-hexo": {
      "source/_posts/my-post.md": [
        ["words", GUESSED, " ![](a b.png)"],
        ["images", GUESSED, "a b.png", "a b.png\nsource/_posts/my-post/a b.png\nsource/_posts/my-post/a b.png"],
        ["words", QUOTE, "引用 Author, Sourcex.example", "Author, Source https://x.example 引用"],
        ["words", ALERT, "提示", "Note 提示"],
        ["links", QUOTE, "https://x.example/", "https://x.example"],
      ],
    },
    "hexo-comments": {
      "*": [TIE],
      "source/_posts/hexo-html-odd.md": ODD,
      "source/_posts/hexo-md-refcomment.md": NO_DEFINITION("source/_posts/hexo-md-refcomment.md"),
      "source/_posts/hexo-hexo-hide.md": [BLOCKED],
      "source/_posts/hexo-toml-cmt.md": [BLOCKED],
    },
  },
}
