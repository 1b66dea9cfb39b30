import { describe, expect, it } from "vitest"

import type { LocalPost } from "../../src/folder/post.ts"
import { buildLinkIndex } from "../../src/markdown/links.ts"
import { NO_THEME } from "../../src/markdown/theme.ts"
import { rewritten, shown, textOf } from "./texts.ts"

interface Sketch {
  file: string
  body?: string
  oldPaths?: string[]
  translations?: Record<string, string>
}

const post = (slug: string, { file, body = "## A head\n", oldPaths = [], translations = {} }: Sketch): LocalPost => ({
  isReadable: true,
  slug,
  isSlugDerived: true,
  status: "PB",
  published_at: null,
  categories: ["c"],
  tags: [],
  canonical_url: null,
  author_name: null,
  cover: null,
  coverLine: 1,
  primary_language: null,
  translation_languages: null,
  source: textOf(body, { file, title: `Title of *${slug}*` }),
  translations: Object.fromEntries(
    Object.entries(translations).map(([lang, translated]) => [lang, textOf("## Un titre\n", { file: translated })]),
  ),
  oldPaths,
  findings: [],
})

const POSTS = [
  post("first", { file: "posts/a.md", translations: { fr: "posts/a.fr.md" } }),
  post("other", {
    file: "posts/2020-01-02-other.md",
    oldPaths: ["/2020/01/other", "/old/one.html"],
    translations: { fr: "fr/2020-01-02-other.md" },
  }),
  post("bundle", { file: "content/docs/My Bundle/index.md" }),
  post("new-slug", { file: "posts/2021-02-03-old-name.md" }),
  post("deep-1", { file: "en/x/deep.md" }),
  post("deep-2", { file: "en/y/deep.md" }),
  post("same-1", { file: "x/same.md" }),
  post("same-2", { file: "y/same.mdx" }),
  post("cafe", { file: "Notes/Café crème.md", body: "# Un, deux!\n\n## 1. Trois\n\n## Quatre {#4}\n" }),
]
const NOW = new Date("2026-11-26T12:00:00Z")
const SECRET = post("secret", { file: "posts/secret.md", oldPaths: ["/2020/secret"] })
const findPost = buildLinkIndex(POSTS, {
  username: "ann",
  siteUrl: "https://www.old.example/blog/",
  now: NOW,
  theme: NO_THEME,
  unrendered: [SECRET],
})

const link = (body: string, file = "posts/a.md") => shown(body, { findPost }, { file })

describe("links between posts", () => {
  it.each([
    "2020-01-02-other.md",
    "./2020-01-02-other.md",
    "../posts/2020-01-02-other.md",
    "2020-01-02-other",
    "2020-01-02-other.html",
    "2020-01-02-other/",
    "../2020-01-02-other/",
    "/posts/2020-01-02-other.md",
    "/2020/01/other/",
    "/2020/01/other",
    "/2020/01/other/index.html",
    "/old/one.html",
    "/blog/old/one",
    "/blog/2020/01/other/?utm=1",
    "other.md",
    "other",
    "../other/",
    "/en/somewhere/other",
    "https://old.example/blog/2020/01/other/",
    "http://www.old.example/blog/2020/01/other",
    "//www.old.example/2020/01/other",
    "Other",
  ])("%s leads to the post", (href) => expect(link(`[a](${href})`)).toBe("[a](/@ann/other/)"))

  it.each([
    ["/docs/my%20bundle/", "/@ann/bundle/"],
    ["<../content/docs/My Bundle/index.md>", "/@ann/bundle/"],
    ["../content/docs/My%20Bundle", "/@ann/bundle/"],
    ["../x/same.md", "/@ann/same-1/"],
    ["/y/same", "/@ann/same-2/"],
    ["/2021/old-name.html", "/@ann/new-slug/"],
    ["/somewhere/new-slug", "/@ann/new-slug/"],
    ["/x/deep/", "/@ann/deep-1/"],
    ["../../y/deep/", "/@ann/deep-2/"],
    ["Caf%C3%A9%20cr%C3%A8me.md", "/@ann/cafe/"],
    ["<Cafe\u0301 crème>", "/@ann/cafe/"],
    ["a.md", "/@ann/first/"],
    ["/", "/@ann/"],
    ["/blog/", "/@ann/"],
    ["https://old.example/blog", "/@ann/"],
    ["2020-01-02-other.md#a-head", "/@ann/other/#a-head"],
    ["2020-01-02-other.md#A_Head", "/@ann/other/#a-head"],
    ["<Café crème#Un, deux!>", "/@ann/cafe/#un-deux"],
    ["<Café crème#Trois>", "/@ann/cafe/#1-trois"],
    ["<Café crème#quatre>", "/@ann/cafe/#4"],
    ["other#", "/@ann/other/#"],
    ["../fr/2020-01-02-other.md", "/@ann/other/fr/"],
  ])("%s leads to %s", (href, address) => expect(link(`[a](${href})`)).toBe(`[a](${address})`))

  it.each([
    ["posts/a.fr.md", "[a](other.md) [b](../x/same.md)", "[a](/@ann/other/fr/) [b](/@ann/same-1/)"],
    ["posts/a.fr.md", "[a](../posts/2020-01-02-other.md#un-titre)", "[a](/@ann/other/fr/#a-head)"],
    ["posts/a.fr.md", "## Un titre\n\n[a](#un-titre)", "## Un titre\n\n[a](#a-head)"],
    ["x/same.md", "[a](same.md) [b](../y/same/)", "[a](/@ann/same-1/) [b](/@ann/same-2/)"],
    ["posts/2020-01-02-other.md", "[a](one.html)", "[a](/@ann/other/)"],
  ])("in %s, %j becomes %j", (file, body, expected) => expect(link(body, file)).toBe(expected))

  it.each([
    ["[a](other.md 'T')", "[a](/@ann/other/ 'T')"],
    ['[a](<other.md> "T")', '[a](/@ann/other/ "T")'],
    ["[a]( other.md )", "[a]( /@ann/other/ )"],
    ["[a\\]*b*](other.md)", "[a\\]*b*](/@ann/other/)"],
    ["[![a](https://e.x/b.png)](other.md)", "[![a](https://e.x/b.png)](/@ann/other/)"],
    [
      "[a][b] [b] [c]\n\n[b]: other.md 'T'\n[c]: https://e.x",
      "[a][b] [b] [c]\n\n[b]: /@ann/other/ 'T'\n[c]: https://e.x",
    ],
    ["[^1]\n\n[^1]: [a](other.md)", "[^1]\n\n[^1]: [a](/@ann/other/)"],
    ["| [a](other.md) | `b|[c](other.md)` |\n|-|-|", "| [a](/@ann/other/) | `b|[c](other.md)` |\n|-|-|"],
    ["> - [a](other.md)\n>   [b](other.md)", "> - [a](/@ann/other/)\n>   [b](/@ann/other/)"],
    ['<a class="b" href="other.md">c</a>', '<a class="b" href="/@ann/other/">c</a>'],
    ["<p>\n<a\nhref=other.md>c</a></p>", '<p>\n<a\nhref="/@ann/other/">c</a></p>'],
    ["<https://old.example/blog/2020/01/other/>", "[https\\://old.example/blog/2020/01/other/](/@ann/other/)"],
    ["https://old.example/2020/01/other a", "[https\\://old.example/2020/01/other](/@ann/other/) a"],
    ["[](other.md)", "[Title of \\*other\\*](/@ann/other/)"],
    ["\uFEFF[a](other.md)", "\uFEFF[a](/@ann/other/)"],
    ["[[Other|a]] {% post_link other %}", "[a](/@ann/other/) [Title of \\*other\\*](/@ann/other/)"],
    ['[a]({{< ref "/posts/other.md#a head" >}})', "[a](/@ann/other/#a-head)"],
    ["[a]({{ site.baseurl }}{% post_url 2020-01-02-other %}#a-head)", "[a](/@ann/other/#a-head)"],
  ])("the link %j becomes %j", (body, expected) => {
    const { body: result } = rewritten(body, { findPost, findImage: () => "https://e.x/b.png" })
    expect(result).toBe(expected)
  })

  it.each([
    "[a](https://e.x/other/)",
    "[a](mailto:a@b.example)",
    "[a](//e.x/other)",
    "[a](/@ann/other/)",
    "[a](/media/ann/blog_img/a.webp)",
    "[a](https://old.example/blog/about/)",
    "[a](https://old.example/team/other/)",
    "[a](https://old.example/)",
    "[a](<>) [a]() [b](#) [c](#top) [d](#:~:text=e)",
    "`[a](other.md)`",
    "```\n[a](other.md)\n```",
    "\\[a](other.md)",
    "## A head\n\n[a](#a-head)",
  ])("%j stays", (body) => expect(link(body)).toBe(body))

  it.each([
    ["[a](/about/)", "[a](https://www.old.example/about/)", "missing_link"],
    ["[a](/blog/gone/?b#c)", "[a](https://www.old.example/blog/gone/?b#c)", "missing_link"],
    ["[a](/tags/other/)", "[a](https://www.old.example/tags/other/)", "missing_link"],
    ["[a](/files/other.pdf)", "[a](https://www.old.example/files/other.pdf)", "unhosted_file"],
    ["[a *b*](none.md 'T')", "a *b*", "missing_link"],
    ["[a](../same/)", "a", "missing_link"],
    ["[a](%E0%A4%A)", "a", "missing_link"],
    ["[a](big.zip?b)", "a", "unhosted_file"],
    ["[](none.md)", "", "missing_link"],
    ["[![a](https://e.x/b.png)](none.md)", "![a](https://e.x/b.png)", "missing_link"],
    ['<a href="none.md">a</a>', "<a >a</a>", "missing_link"],
    ["[secret](secret.md)", "secret", "left_out_link"],
    ["[a](https://old.example/blog/2020/secret/)", "a", "left_out_link"],
    ["<https://old.example/blog/2020/secret/>", "https\\://old.example/blog/2020/secret/", "left_out_link"],
    ["https://old.example/blog/2020/secret/ a", "https\\://old.example/blog/2020/secret/ a", "left_out_link"],
    ["[# a](none.md)", "\\# a", "missing_link"],
    ["> [   > a](none.md)", ">  \\> a", "missing_link"],
    ["[1986. A *year*](none.md)", "1986\\. A *year*", "missing_link"],
    ["[1.](none.md) 2", "1\\. 2", "missing_link"],
    ["[- a](none.md)", "\\- a", "missing_link"],
    ["a\n[===](none.md)", "a\n\\===", "missing_link"],
    ["[* * *](none.md)", "\\* * *", "missing_link"],
    ["[~~~ a](none.md)", "\\~~~ a", "missing_link"],
    ["[[a]: b](none.md)", "\\[a]: b", "missing_link"],
    ["[*a*](none.md)", "*a*", "missing_link"],
    ["*[a](none.md)* - b", "*a* - b", "missing_link"],
    ["*[](none.md)* a", "** a", "missing_link"],
    ["## A head\n\n[a](#b)", "## A head\n\n[a](#b)", "missing_anchor"],
  ])("%j is reported, and becomes %j", (body, expected, code) => {
    const context = { findPost, findImage: () => "https://e.x/b.png" }
    expect(shown(body, context, { file: "posts/a.md" })).toBe(
      `${expected}\n! ${body.split("\n").length} warning ${code}`,
    )
  })

  it("a definition that leads nowhere makes text of its links", () =>
    expect(link("[a][b], [b] and [c][B]\n\n[b]: none.md")).toBe("a, b and c\n\n[b]: none.md\n! 3 warning missing_link"))

  it("a link to a place that the other post does not have leads to the post, and is reported", () =>
    expect(link("b\n[a](other.md#none)")).toBe("b\n[a](/@ann/other/#none)\n! 2 warning missing_anchor"))

  it("messages say what is wrong, and what to do", () => {
    const { findings } = rewritten("[a](none.md) [b](b.pdf) [c](other#c)", { findPost })
    expect(findings.map(({ message }) => message)).toEqual([
      "No post of the folder is at none.md, so that the link becomes text. Correct the link, or write an address with https:.",
      "The service does not host b.pdf, so that the link becomes text. Put the file on another site, and link to it there.",
      "No heading has the id of other#c. Name an id of the page that it leads to.",
    ])
  })

  it("a link to a file that cannot be read becomes text, since its post's slug is unknown", () => {
    const posts = POSTS.map((one) => (one.slug === "other" ? { ...one, isReadable: false } : one))
    const find = buildLinkIndex(posts, { username: "ann", siteUrl: null, now: NOW, theme: NO_THEME, unrendered: [] })
    const links = ["[a](other.md)", "[a](none.md)", "[a](../x/same.md)", "[a](b.pdf)", "[a](https://e.x/)"]
    expect(links.map((body) => shown(body, { findPost: find }))).toEqual([
      "a\n! 1 warning unreadable_link",
      "a\n! 1 warning missing_link",
      "[a](/@ann/same-1/)",
      "a\n! 1 warning unhosted_file",
      "[a](https://e.x/)",
    ])
  })

  it.each([
    ["a draft", { status: "DF" as const }, {}, true],
    [
      "a post that appears later",
      { published_at: "2026-12-24T00:00:00Z" },
      { published_at: "2026-12-01T00:00:00Z" },
      true,
    ],
    [
      "a post that appears before it",
      { published_at: "2026-12-01T00:00:00Z" },
      { published_at: "2026-12-24T00:00:00Z" },
      false,
    ],
    [
      "a post that appeared after it",
      { published_at: "2024-12-01T00:00:00Z" },
      { published_at: "2020-01-01T00:00:00Z" },
      false,
    ],
    ["a draft, in a draft", { status: "DF" as const }, { status: "DF" as const }, false],
    ["a post without a time", {}, {}, false],
  ])("a link to %s is a warning only if readers could not follow it", (_, target, own, isWarned) => {
    const posts = POSTS.map((one) => ({ ...one, ...(one.slug === "other" ? target : one.slug === "first" ? own : {}) }))
    const find = buildLinkIndex(posts, { username: "ann", siteUrl: null, now: NOW, theme: NO_THEME, unrendered: [] })
    const warning = isWarned ? "\n! 1 warning hidden_link" : ""
    expect(shown("[a](other.md#a-head)", { findPost: find }, { file: "posts/a.md" })).toBe(
      `[a](/@ann/other/#a-head)${warning}`,
    )
  })

  it("without a site and without a text of the index, links in the text still lead to its headings", () => {
    const find = buildLinkIndex([], { username: "ann", siteUrl: null, now: NOW, theme: NO_THEME, unrendered: [] })
    expect(shown("## Über\n\n[a](#uber) [b](https://old.example/a)", { findPost: find })).toBe(
      "## Über\n\n[a](#über) [b](https://old.example/a)",
    )
  })
})
