import { describe, expect, it } from "vitest"

import type { LocalPost } from "../../src/folder/post.ts"
import { converter } from "../../src/markdown/convert-once.ts"
import { buildLinkIndex } from "../../src/markdown/links.ts"
import { NO_THEME } from "../../src/markdown/theme.ts"
import { OPTIONS, readFront } from "../folder/folder.ts"
import { rewritten, shown, textOf } from "./texts.ts"

const PLAIN: LocalPost = { ...(await readFront("title: T")), published_at: null, oldPaths: [], findings: [] }

const NO_PATHS = { addresses: [], namedPaths: [] }

const post = (
  slug: string,
  file: string,
  { body = "## A head\n", fr, oldPaths = [] }: { body?: string; fr?: string; oldPaths?: string[] } = {},
): LocalPost => ({
  ...PLAIN,
  slug,
  source: { ...textOf(body, { file, title: `Title of *${slug}*` }), ...NO_PATHS },
  translations: fr === undefined ? {} : { fr: { ...textOf("## Un titre\n", { file: fr }), ...NO_PATHS } },
  oldPaths,
})

const POSTS = [
  post("first", "posts/a.md", { fr: "posts/a.fr.md" }),
  post("other", "posts/2020-01-02-other.md", {
    oldPaths: ["/2020/01/other", "/old/one.html"],
    fr: "fr/2020-01-02-other.md",
  }),
  post("bundle", "content/docs/My Bundle/index.md"),
  post("new-slug", "posts/2021-02-03-old-name.md"),
  post("deep-1", "en/x/deep.md"),
  post("deep-2", "en/y/deep.md"),
  post("same-1", "x/same.md"),
  post("same-2", "y/same.mdx"),
  post("cafe", "Notes/Café crème.md", { body: "# Un, deux!\n\n## 1. Trois\n\n## Quatre {#4}\n" }),
]
const SECRET = post("secret", "posts/secret.md", { oldPaths: ["/2020/secret"] })
const BLOG = {
  username: "ann",
  siteUrl: null,
  now: OPTIONS.now,
  unrendered: [],
  convertOnce: converter(NO_THEME, false),
}
const findPost = buildLinkIndex(POSTS, { ...BLOG, siteUrl: "https://www.old.example/blog/", unrendered: [SECRET] })
const context = { findPost, findImage: () => "https://e.x/b.png" }

const link = (body: string, file = "posts/a.md") => shown(body, context, { file })

describe("links between posts", () => {
  it.each([
    ["its file", "/@ann/other/", ["2020-01-02-other.md", "./2020-01-02-other.md", "../posts/2020-01-02-other.md"]],
    ["its page", "/@ann/other/", ["2020-01-02-other", "2020-01-02-other.html", "2020-01-02-other/"]],
    ["its place", "/@ann/other/", ["../2020-01-02-other/", "/posts/2020-01-02-other.md"]],
    ["its old path", "/@ann/other/", ["/2020/01/other/", "/2020/01/other", "/2020/01/other/index.html"]],
    ["another old path", "/@ann/other/", ["/old/one.html", "/blog/old/one", "/blog/2020/01/other/?utm=1"]],
    ["its name", "/@ann/other/", ["other.md", "other", "Other", "../other/", "/en/somewhere/other"]],
    ["its address", "/@ann/other/", ["https://old.example/blog/2020/01/other/", "//www.old.example/2020/01/other"]],
    ["its address by HTTP", "/@ann/other/", ["http://www.old.example/blog/2020/01/other"]],
    ["the folder of a bundle", "/@ann/bundle/", ["/docs/my%20bundle/", "../content/docs/My%20Bundle"]],
    ["the file of a bundle", "/@ann/bundle/", ["<../content/docs/My Bundle/index.md>"]],
    ["one of two files of a name", "/@ann/same-1/", ["../x/same.md"]],
    ["the other of two files of a name", "/@ann/same-2/", ["/y/same"]],
    ["a name of a file, or a slug", "/@ann/new-slug/", ["/2021/old-name.html", "/somewhere/new-slug"]],
    ["an end of a path", "/@ann/deep-1/", ["/x/deep/"]],
    ["an end of a path after dots", "/@ann/deep-2/", ["../../y/deep/"]],
    ["a name in Unicode", "/@ann/cafe/", ["Caf%C3%A9%20cr%C3%A8me.md", "<Cafe\u0301 crème>"]],
    ["its own file", "/@ann/first/", ["a.md"]],
    ["the home page", "/@ann/", ["/", "/blog/", "https://old.example/blog"]],
    ["a heading", "/@ann/other/#a-head", ["2020-01-02-other.md#a-head", "2020-01-02-other.md#A_Head"]],
    ["the text of a heading", "/@ann/cafe/#un-deux", ["<Café crème#Un, deux!>"]],
    ["the text of a heading without its number", "/@ann/cafe/#1-trois", ["<Café crème#Trois>"]],
    ["the text of a heading with an id", "/@ann/cafe/#4", ["<Café crème#quatre>"]],
    ["an empty fragment", "/@ann/other/#", ["other#"]],
    ["a translation", "/@ann/other/fr/", ["../fr/2020-01-02-other.md"]],
  ])("a link by %s leads to %s", (_, address, hrefs) =>
    expect(hrefs.map((href) => [href, link(`[a](${href})`)])).toEqual(hrefs.map((href) => [href, `[a](${address})`])),
  )

  it.each([
    ["posts/a.fr.md", "[a](other.md) [b](../x/same.md)", "[a](/@ann/other/fr/) [b](/@ann/same-1/)"],
    ["posts/a.fr.md", "[a](../posts/2020-01-02-other.md#un-titre)", "[a](/@ann/other/fr/#a-head)"],
    ["posts/a.fr.md", "## Un titre\n\n[a](#un-titre)", "## Un titre\n\n[a](#a-head)"],
    ["x/same.md", "[a](same.md) [b](../y/same/)", "[a](/@ann/same-1/) [b](/@ann/same-2/)"],
    ["posts/2020-01-02-other.md", "[a](one.html)", "[a](/@ann/other/)"],
  ])("in %s, %j becomes %j", (file, body, expected) => expect(link(body, file)).toBe(expected))

  it.each([
    ["[a](other.md 'T') [b]( other.md )", "[a](/@ann/other/ 'T') [b]( /@ann/other/ )"],
    ['[a](<other.md> "T") [a\\]*b*](other.md)', '[a](/@ann/other/ "T") [a\\]*b*](/@ann/other/)'],
    ["[![a](https://e.x/b.png)](other.md)", "[![a](https://e.x/b.png)](/@ann/other/)"],
    ["[a][b] [b] [c]\n\n[b]: other.md 'T'\n[c]: //e.x", "[a][b] [b] [c]\n\n[b]: /@ann/other/ 'T'\n[c]: //e.x"],
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
  ])("the link %j becomes %j", (body, expected) => expect(rewritten(body, context).body).toBe(expected))

  it.each([
    ["links to other sites", ["[a](https://e.x/other/)", "[a](mailto:a@b.example)", "[a](//e.x/other)"]],
    ["links to the service", ["[a](/@ann/other/)", "[a](/media/ann/blog_img/a.webp)"]],
    ["links to other pages of the site", ["[a](https://old.example/blog/about/)", "[a](https://old.example/)"]],
    ["links to a post's name outside the blog's folder", ["[a](https://old.example/team/other/)"]],
    ["links without a path", ["[a](<>) [a]() [b](#) [c](#top) [d](#:~:text=e)", "## A head\n\n[a](#a-head)"]],
    ["links in code, and escaped ones", ["`[a](other.md)`", "```\n[a](other.md)\n```", "\\[a](other.md)"]],
  ])("%s stay", (_, bodies) => expect(bodies.map((body) => link(body))).toEqual(bodies))

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
    ["> [   > a](none.md)", ">  \\> a", "missing_link"],
    ["[1986. A *year*](none.md)", "1986\\. A *year*", "missing_link"],
    ["[1.](none.md) 2", "1\\. 2", "missing_link"],
    ["a\n[===](none.md)", "a\n\\===", "missing_link"],
    ["*[a](none.md)* - b", "*a* - b", "missing_link"],
    ["*[](none.md)* a", "** a", "missing_link"],
    ["## A head\n\n[a](#b)", "## A head\n\n[a](#b)", "missing_anchor"],
    ["[a][b], [b] and [c][B]\n\n[b]: none.md", "a, b and c\n\n[b]: none.md", "missing_link"],
    ["b\n[a](other.md#none)", "b\n[a](/@ann/other/#none)", "missing_anchor"],
  ])("%j is reported, and becomes %j", (body, expected, code) =>
    expect(link(body)).toBe(`${expected}\n! ${body.split("\n").length} warning ${code}`),
  )

  it("the text of a link that leads nowhere begins no block", () => {
    const texts = ["# a", "- a", "* * *", "~~~ a", "[a]: b"]
    const found = texts.map((text) => link(`[${text}](none.md)`))
    expect(found).toEqual(texts.map((text) => `\\${text}\n! 1 warning missing_link`))
    expect(link("[*a*](none.md)")).toBe("*a*\n! 1 warning missing_link")
  })

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
    const body = "[a](other.md)\n[a](none.md)\n[a](../x/same.md)\n[a](b.pdf)\n[a](https://e.x/)"
    expect(shown(body, { findPost: buildLinkIndex(posts, BLOG) }).split("\n! ")).toEqual([
      "a\na\n[a](/@ann/same-1/)\na\n[a](https://e.x/)",
      "1 warning unreadable_link",
      "2 warning missing_link",
      "4 warning unhosted_file",
    ])
  })

  it.each<[string, Partial<LocalPost>, Partial<LocalPost>, boolean]>([
    ["a draft", { status: "DF" }, {}, true],
    ["a post that appears later", { published_at: "2026-12-24T00:00Z" }, { published_at: "2026-12-01T00:00Z" }, true],
    ["a post that appears before", { published_at: "2026-12-01T00:00Z" }, { published_at: "2026-12-24T00:00Z" }, false],
    ["a post that appeared after", { published_at: "2024-12-01T00:00Z" }, { published_at: "2020-01-01T00:00Z" }, false],
    ["a draft, in a draft", { status: "DF" }, { status: "DF" }, false],
    ["a post without a time", {}, {}, false],
  ])("a link to %s is a warning only if readers could not follow it", (_, target, own, isWarned) => {
    const posts = POSTS.map((one) => ({ ...one, ...(one.slug === "other" ? target : one.slug === "first" ? own : {}) }))
    const warning = isWarned ? "\n! 1 warning hidden_link" : ""
    const found = shown("[a](other.md#a-head)", { findPost: buildLinkIndex(posts, BLOG) })
    expect(found).toBe(`[a](/@ann/other/#a-head)${warning}`)
  })

  it("without a site and without a text of the index, links in the text still lead to its headings", () =>
    expect(shown("## Über\n\n[a](#uber) [b](https://old.example/a)", { findPost: buildLinkIndex([], BLOG) })).toBe(
      "## Über\n\n[a](#über) [b](https://old.example/a)",
    ))
})
