import * as fc from "fast-check"
import { describe, expect, test } from "vitest"

import { htmlOf, textOf as textOfTree, treeOf } from "../../../test/markdown/html.ts"
import { searchProperty } from "../../../test/search.ts"
import { parseHtml } from "../../edgepost/src/html/parse.ts"
import { toMarkdown as write } from "../src/to-markdown.ts"

const toMarkdown = (html: string): string => write(parseHtml(html)).markdown

const textOf = (html: string): string => textOfTree(treeOf(html))

// The Markdown is rendered as the service does, and compared with the HTML that it was made from.

const encode = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

describe("text of a page never becomes markup", () => {
  test.each([
    ["emphasis", ["a * b * c, **bold**, _em_ and snake_case", "~~struck~~ and a ~ b", "中文，*強調*。「引用」"]],
    ["elements and characters", ["<b>bold</b> &amp; &copy; &#38; R&D AT&T;", "back\\slash \\* and \\"]],
    ["formulas", ["$x$ costs $5 and $$y$$"]],
    ["headings and rules", ["# no heading", "C #", "=== --- ***"]],
    ["lists and quotes", ["- no list", "+ no list", "1. May 2026", "12) no list", "> no quote"]],
    ["tables and fences", ["| a | b |", "```js", "~~~"]],
    ["links", ["[no](http://link.example) ![no](image.png) [^1] [x]", "Wow! [!NOTE] {#id} :-- | --"]],
    ["addresses", ["see https://a.example/b_c_d and www.a.example, or write to ann@a.example"]],
  ])("with the signs of %s: %j", (_, texts) => {
    for (const text of texts)
      for (const tag of ["p", "h2", "li", "blockquote"]) {
        const html = htmlOf(toMarkdown(`<${tag}>${encode(text)}</${tag}>`))
        expect(textOf(html).trim(), `in ${tag}: ${html}`).toBe(text)
        expect(html, `in ${tag}`).not.toMatch(/<(?:a|img|em|strong|code|del|table|math|pre|h1)\b/)
      }
  })

  test("random text of the characters of markup, in a paragraph, a heading and a cell", async () => {
    const signs = fc.constantFrom(..."*_`~<>[]()!#+-=|$\\&{}:.;/@1a b", "http://", "www.", "&amp;")
    const property = fc.property(fc.array(signs, { maxLength: 20 }), (characters) => {
      const text = characters.join("").replaceAll(/ +/g, " ").trim()
      for (const tag of ["p", "h2"]) {
        const markdown = toMarkdown(`<${tag}>${encode(text)}</${tag}>`)
        expect(textOf(htmlOf(markdown)).trim(), markdown).toBe(text)
      }
      const row = `<tr><td>x</td><td>${encode(text)}</td></tr>`
      const markdown = toMarkdown(`<table><tr><th>a</th><th>b</th></tr>${row}</table>`)
      expect(textOf(htmlOf(markdown)).replaceAll(/\s+/g, " ").trim(), markdown).toBe(`a b x ${text}`.trim())
    })
    await searchProperty(2000, property)
  })
})

const POWERS = "10<sup>3</sup> <kbd>Esc</kbd> H<sub>2</sub>O"

describe("HTML becomes Markdown", () => {
  test.each([
    ["a link after !", '<p>Wow!<a href="https://a.example/">b</a></p>', "Wow\\![b](https://a.example/)"],
    [
      "an address with brackets",
      '<a href="https://a.example/b_(c)?d=1&amp;lt;=2">x</a>',
      "[x](https://a.example/b_\\(c\\)?d=1\\&lt;=2)",
    ],
    ["a linked image", '<a href="https://a.example/"><img src="//b/c.png" alt="B *"></a>', "![B \\*](https://b/c.png)"],
    ["powers and keys", `<p>${POWERS}</p>`, POWERS],
    ["ruby", "<p><ruby>漢<rt>かん</rt></ruby></p>", "<ruby>漢<rt>かん</rt></ruby>"],
    ["struck text", "<p><s>old</s> <del>new</del></p>", "~~old~~ ~~new~~"],
    ["code with a language", '<pre><code class="language-js">a\n  b &lt; c</code></pre>', "```js\na\n  b < c\n```"],
    ["code with fences", "<pre>```\na\n```</pre>", "````\n```\na\n```\n````"],
    ["an element between digit and dot", "<p><span>1</span>. May</p>", "1\\. May"],
  ])("%s", (_, html, markdown) => {
    expect(toMarkdown(html)).toBe(markdown)
  })

  test("tables: alignment, spans, pipes, breaks and a missing head", () => {
    const html = `<table><caption>Tides</caption><thead><tr><th>Day</th><th style="text-align: right">Height</th></tr></thead>
      <tbody><tr><td><code>a|b</code></td><td>1<br>2</td></tr><tr><td colspan="2">none</td></tr></tbody></table>`
    expect(toMarkdown(html)).toBe("Tides\n\n| Day | Height |\n| - | -: |\n| `a\\|b` | 1<br>2 |\n| none | |")
    expect(toMarkdown("<table><tr><td>a</td><td>b</td></tr></table>")).toBe("| | |\n| - | - |\n| a | b |")
  })

  test("tables: a cell of several rows leaves its column empty below", () => {
    const html = `<table><tr><th>Day</th><th>Time</th><th>Height</th></tr><tr></tr>
      <tr><td rowspan="2">Monday</td><td>6</td><td rowspan="3" colspan="1">1</td></tr><tr><td>18</td></tr>
      <tr><td colspan="2">none</td></tr><tr><td rowspan="9">a</td><td>b</td><td>c</td></tr></table>`
    expect(toMarkdown(html).split("\n")).toEqual([
      "| Day | Time | Height |",
      "| - | - | - |",
      "| Monday | 6 | 1 |",
      "| | 18 | |",
      "| none | | |",
      "| a | b | c |",
    ])
  })

  test("a table for layout becomes its blocks", () => {
    expect(toMarkdown("<table><tr><td><h2>A</h2><p>b</p></td><td><p>c</p></td></tr></table>")).toBe("## A\n\nb\n\nc")
  })
})
