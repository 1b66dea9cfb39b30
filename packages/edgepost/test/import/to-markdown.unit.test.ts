import * as fc from "fast-check"
import type { Element, Nodes } from "hast"
import { describe, expect, it } from "vitest"

import { findTag, parseHtml } from "../../src/import/html.ts"
import { simplifyHtml } from "../../src/import/simplify.ts"
import { writeMarkdown } from "../../src/import/to-markdown.ts"
import { htmlOf } from "../markdown/service.ts"
import { rewritten } from "../markdown/texts.ts"

const markdownOf = (html: string): string => writeMarkdown(simplifyHtml(parseHtml(html)))

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

describe("generated HTML", () => {
  it("has the same words, links and images once the service has rendered its Markdown", () => {
    const property = fc.property(blocks, (html) => {
      const markdown = markdownOf(html)
      expect(contentOf(htmlOf(markdown)), markdown).toEqual(contentOf(html))
    })
    fc.assert(property, { seed: 7, numRuns: 200 })
  })

  it("becomes Markdown in which publish finds no syntax of another tool", () => {
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
    fc.assert(property, { seed: 8, numRuns: 100 })
  })
})
