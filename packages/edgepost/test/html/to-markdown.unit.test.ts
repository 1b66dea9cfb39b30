import * as fc from "fast-check"
import GithubSlugger from "github-slugger"
import type { Element, Nodes } from "hast"
import { describe, expect, it } from "vitest"

import { searchProperty } from "../../../../test/search.ts"
import { parseHtml } from "../../src/html/parse.ts"
import { simplifyHtml } from "../../src/html/simplify.ts"
import { writeMarkdown } from "../../src/html/to-markdown.ts"
import { findTag } from "../../src/html/tree.ts"
import { replaceCard } from "../../src/import/cards.ts"
import { htmlOf } from "../markdown/service.ts"
import { rewritten } from "../markdown/texts.ts"

const markdownOf = (html: string): string =>
  writeMarkdown(simplifyHtml(parseHtml(html), replaceCard).tree, new GithubSlugger())

const escape = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

/** Texts that Markdown, the service's dialect or another tool could take for markup. */
const SIGNS =
  "* ** _ __ ` ``` ~ ~~ # ## > - + 1. 1) [ ] ( ) ![ [a](b) [^1] [!NOTE] [toc] < <b> </b> <!-- --> <T /> & &amp; &#38; \\ \\* | || --- === == ==a== %% %%a%% {{ {{a}} {{<a>}} {% {a} {.a} {#a} {: ::: :::note $ $a$ $$ $5 ! : @ a@b.example www.a.example http://a.example https://a.example/b_c_d ' \" / ="
const WORDS = "sea tide a I word_word snake_case_ 日本語 「重点」、 한국어 Ünïcode 🎉 é import export from".split(" ")

const word = fc.oneof(fc.constantFrom(...WORDS), fc.constantFrom(...SIGNS.split(" ")))
const text = fc
  .array(word, { minLength: 1, maxLength: 6 })
  .chain((words) => fc.constantFrom(" ", "", " ").map((gap) => escape(words.join(gap))))
const address = fc.constantFrom(
  "https://e.example/a",
  "https://e.example/a_(b)?c=d&e==f#g",
  "https://e.example/*a*_b_/~c~/[d]",
  "https://e.example/%7Ba%7D/é",
  "mailto:ann@e.example",
  "/about/",
  "#the-end",
)
const image = fc
  .tuple(fc.constantFrom("/mine/a.png", "/mine/b%20(c).png", "/mine/d_e_.webp"), text)
  .map(([src, alt]) => `<img src="${src}" alt="${alt}">`)

const { inline } = fc.letrec<{ inline: string; part: string }>((tie) => ({
  inline: fc
    .array(tie("part"), { minLength: 1, maxLength: 4 })
    .chain((parts) => fc.constantFrom(" ", "").map((gap) => parts.join(gap))),
  part: fc.oneof(
    { maxDepth: 3 },
    text,
    image,
    text.map((code) => `<code>${code}</code>`),
    fc.constant("<br>"),
    fc
      .tuple(
        fc.constantFrom("b", "strong", "i", "em", "s", "del", "u", "mark", "sub", "sup", "kbd", "span"),
        tie("inline"),
      )
      .map(([tag, inner]) => `<${tag}>${inner}</${tag}>`),
    fc.tuple(address, text).map(([href, inner]) => `<a href="${escape(href)}">${inner}</a>`),
    address.map((href) => `<a href="${escape(href)}">${escape(href)}</a>`),
  ),
}))

const { blocks } = fc.letrec<{ blocks: string; block: string }>((tie) => ({
  blocks: fc.array(tie("block"), { minLength: 1, maxLength: 4 }).map((all) => all.join("\n")),
  block: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    inline.map((inner) => `<p>${inner}</p>`),
    fc.tuple(fc.constantFrom("h1", "h2", "h4"), inline).map(([tag, inner]) => `<${tag}>${inner}</${tag}>`),
    text.map((code) => `<pre><code class="language-js">${code}\n\n  ${code}</code></pre>`),
    fc.constant("<hr>"),
    fc.tuple(image, inline).map(([img, caption]) => `<figure>${img}<figcaption>${caption}</figcaption></figure>`),
    fc
      .tuple(
        fc.constantFrom("td", "th"),
        fc.array(fc.array(inline, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 3 }),
      )
      .map(
        ([tag, rows]) =>
          `<table>${rows.map((cells) => `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`).join("")}</table>`,
      ),
    tie("blocks").map((inner) => `<blockquote>${inner}</blockquote>`),
    fc
      .tuple(fc.constantFrom("ul", "ol"), fc.array(fc.oneof(inline, tie("blocks")), { minLength: 1, maxLength: 3 }))
      .map(([tag, items]) => `<${tag}>${items.map((item) => `<li>${item}</li>`).join("")}</${tag}>`),
    fc
      .tuple(inline, tie("blocks"))
      .map(([summary, inner]) => `<details><summary>${summary}</summary>${inner}</details>`),
    tie("blocks").map((inner) => `<div>${inner}</div>`),
  ),
}))

const INLINE = new Set("a b strong i em s del u mark sub sup kbd span code img ins q small".split(" "))

/** Returns the text with a blank around each block. Highlighted code has elements in it. */
const textIn = (node: Nodes): string => {
  if (node.type === "text") return node.value
  if (!("children" in node)) return ""
  const inner = node.children.map(textIn).join("")
  return node.type === "element" && !INLINE.has(node.tagName) ? ` ${inner} ` : inner
}

const attributesIn = (tree: Parameters<typeof findTag>[0], tag: string, name: string): string[] =>
  findTag(tree, tag).map(({ properties }: Element) => decodeURI(String(properties[name]).replaceAll("%23", "%2523")))

/** Returns what must be the same before and after: the words, the addresses of links and images, the alternative texts. */
const contentOf = (html: string) => {
  const tree = parseHtml(html)
  return {
    words: textIn(tree).split(/\s+/).filter(Boolean),
    links: attributesIn(tree, "a", "href"),
    images: attributesIn(tree, "img", "src"),
    texts: findTag(tree, "img").map(({ properties }) => String(properties["alt"]).replaceAll(/\s+/g, " ").trim()),
  }
}

describe("HTML of editors", () => {
  it.each([
    ["an empty paragraph and heading", "<p>&nbsp;</p><h2></h2><p>a</p>", "a"],
    ["line breaks at the edges of bold text", "<p><b><br>a </b>b<br></p>", "**a** b"],
    ["a list as a child of a list", "<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n  - b"],
    ["the source of a quote", "<blockquote>a<cite>b</cite></blockquote>", "> a\n>\n> b"],
    [
      "a table within a table",
      "<table><tr><th>a</th></tr><tr><td><table><tr><td>b</td><td>c</td></tr></table></td></tr></table>",
      "a\n\n| | |\n| - | - |\n| b | c |",
    ],
    ["the caption of a table", "<table><caption>a</caption><tr><th>b</th></tr></table>", "a\n\n| b |\n| - |"],
    ["a script link", '<a href="javascript:a()">a</a>', "a"],
    ["scripts and styles", "<script>a</script><style>b</style><p>c</p>", "c"],
    [
      "a player of YouTube",
      '<iframe src="//www.youtube.com/embed/a1?rel=0"></iframe>',
      "<https://www.youtube.com/watch?v=a1>",
    ],
    [
      "a player of a list",
      '<iframe src="https://www.youtube.com/embed/videoseries?list=a"></iframe>',
      "<https://www.youtube.com/embed/videoseries?list=a>",
    ],
    ["a video", '<video><source src="https://e.example/a.mp4">old browser</video>', "<https://e.example/a.mp4>"],
    [
      "an image that is loaded late",
      '<img src="data:," data-src="/a.png" alt="b"><noscript><img src="/a.png"></noscript>',
      "![b](/a.png)",
    ],
    [
      "a link around a figure",
      '<a href="/a"><figure><img src="/b.png" alt=""><figcaption>c</figcaption></figure></a>',
      '<figure><a href="/a"><img src="/b.png" alt=""></a><figcaption>c</figcaption></figure>',
    ],
    [
      "two images in a figure",
      '<figure><img src="/a.png"><img src="/b.png"><figcaption>c</figcaption></figure>',
      "![](/a.png)![](/b.png)\n\nc",
    ],
    ["code with links", '<code>a<a href="/b">c</a></code>', "<code>a[c](/b)</code>"],
    ["the id of a heading", '<h2 id="b">A</h2><h2 id="c">C</h2>', "## A {#b}\n\n## C"],
    [
      "a post of a network",
      '<blockquote class="twitter-tweet"><p>a</p>b <a href="https://x.example/1">c</a></blockquote>',
      "> a\n>\n> b\n>\n> [c](https://x.example/1)",
    ],
    [
      "a gist",
      '<p>a</p><script src="https://gist.github.com/ann/0a1b.js?file=c.js"></script>',
      "a\n\n<https://gist.github.com/ann/0a1b>",
    ],
    [
      "a cover whose image is a background",
      '<div class="wp-block-cover" style="background-image:url(https://e.example/a.jpg)"><p>b</p></div>',
      "![](https://e.example/a.jpg)\n\nb",
    ],
    [
      "a background in quotes",
      `<div style="color: red; background-image: url('/a.jpg?b=1&amp;c=2')"></div>`,
      "![](/a.jpg?b=1\\&c=2)",
    ],
    [
      "the caption of a bookmark",
      '<figure class="kg-bookmark-card"><a href="https://e.example/"><div class="kg-bookmark-title">a</div></a><figcaption>b <a href="https://e.example/c">d</a></figcaption></figure>',
      "[a](https://e.example/)\n\nb [d](https://e.example/c)",
    ],
    [
      "the button of a file",
      '<div class="wp-block-file"><a href="/a.pdf">a</a><a href="/a.pdf" class="wp-block-file__button" download>Download</a></div>',
      "[a](/a.pdf)",
    ],
    [
      "a player between words",
      '<p>a<iframe src="https://e.example/b"></iframe>c<audio src="https://e.example/d"></audio>e</p>',
      "a\n\n<https://e.example/b>\n\nc\n\n<https://e.example/d>\n\ne",
    ],
    [
      "a player in a heading and in a cell",
      '<h2>a<iframe src="https://e.example/b"></iframe>c</h2><table><tr><th>a<video src="https://e.example/d"></video>e</th></tr></table>',
      "## a<br><https://e.example/b><br>c\n\n| a<br><https://e.example/d><br>e |\n| - |",
    ],
    ["code with blanks at its edges", "<p>a<code>git </code>now</p>", "a`git` now"],
    ["blocks within bold text", "<strong><p>a</p><ul><li>b</li></ul>c</strong>", "**a**\n\n- **b**\n\n**c**"],
    ["a block of code with a name", '<pre><a name="x"></a>a\n  b</pre>', "```\na\n  b\n```"],
    [
      "footnotes",
      '<p>a<sup id="r1"><a href="#n1">[1]</a></sup> b<sup><a href="#n2" id="r2">2</a></sup></p><h2 class="sr-only">Footnotes</h2><ol><li id="n1"><p>c <a href="https://e.example/">d</a> <a href="#r1">back</a></p></li><li id="n2">e<a href="#r2">↩</a></li></ol>',
      "a[^1] b[^2]\n\n[^1]: c [d](https://e.example/)\n\n[^2]: e",
    ],
    ["hidden text", '<p hidden>a</p><p style="display: none">b</p><p>c <span aria-hidden="true">d</span></p>', "c"],
    ["a block of code with a link", '<pre>a\n<a href="/b">c</a></pre>', "a\\\n[c](/b)"],
  ])("%s becomes plain Markdown", (_, html, markdown) => {
    expect(markdownOf(html).trim()).toBe(markdown)
  })

  it.each([
    ['<pre class="brush: js">a</pre>', "js"],
    ['<pre><code class="hljs lang-c++">a</code></pre>', "c++"],
    ['<pre data-lang="go">a</pre>', "go"],
    ['<pre class="slang-x">a</pre>', ""],
  ])("%s is code in the language %j", (html, language) => {
    expect(markdownOf(html)).toBe(`\`\`\`${language}\na\n\`\`\`\n`)
  })
})

describe("generated HTML", () => {
  it("has the same words, links and images once the service has rendered its Markdown", async () => {
    const property = fc.property(blocks, (html) => {
      const markdown = markdownOf(html)
      expect(contentOf(htmlOf(markdown)), markdown).toEqual(contentOf(html))
    })
    await searchProperty(200, property)
  })

  it("becomes Markdown in which publish finds no syntax of another tool", async () => {
    const context = { findPost: () => null, findImage: (url: string) => url }
    const property = fc.property(blocks, (html) => {
      const markdown = markdownOf(html)
      const { body, findings } = rewritten(markdown, context)
      expect(
        findings.filter(({ code }) => code !== "missing_anchor"),
        markdown,
      ).toEqual([])
      // A link to a heading may get another id, of which it is a spelling.
      const { links, ...content } = contentOf(html)
      expect(contentOf(htmlOf(body)), markdown).toMatchObject(content)
      expect(contentOf(htmlOf(body)).links).toHaveLength(links.length)
    })
    await searchProperty(100, property)
  })
})
