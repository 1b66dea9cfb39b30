import { readFileSync } from "node:fs"

import { describe, expect, it } from "vitest"

import { TooComplex } from "../../src/markdown/budget.ts"
import { headingIdsIn } from "../../src/markdown/headings.ts"
import { render } from "../../src/markdown/render.ts"
import { complaintsOn, find, htmlOf, renderAll, showNone, textOf, treeOf } from "./html.ts"

const linkTo = (href: string, text = "a") => `<a rel="nofollow ugc noopener" href="${href}">${text}</a>`
const warningsOf = (markdown: string) => renderAll(markdown).warnings
const codesOf = (markdown: string): string[] => warningsOf(markdown).map(({ code }) => code)
const messageOf = (markdown: string, code: string): string =>
  warningsOf(markdown).find((warning) => warning.code === code)?.message ?? ""

describe("Markdown", () => {
  it.each([
    [
      "CommonMark",
      "# One\n\n*two* **three** `four`",
      '<h1 id="one">One</h1>\n<p><em>two</em> <strong>three</strong> <code>four</code></p>',
    ],
    ["hard breaks", "one\\\ntwo", "<p>one<br>\ntwo</p>"],
    [
      "tasks",
      "- [x] one",
      '<ul class="contains-task-list">\n<li class="task-list-item"><input type="checkbox" checked disabled> one</li>\n</ul>',
    ],
    ["tables", "| a |\n|:-:|", '<table>\n<thead>\n<tr>\n<th align="center">a</th>\n</tr>\n</thead>\n</table>'],
    ["a fence with a language", "```foo\na\n```", '<pre><code class="language-foo">a\n</code></pre>'],
    ["text between two tildes", "~~one~~", "<p><del>one</del></p>"],
    ["text between single tildes", "~one~", "<p>~one~</p>"],
    ["raw HTML", "<b onclick=x>one</b> x<sup>2</sup>", "<p><b>one</b> x<sup>2</sup></p>"],
    ["a comment", "a <!-- one --> b", "<p>a  b</p>"],
    ["code with special characters", '`<i>"&amp;`', '<p><code>&lt;i>"&amp;amp;</code></p>'],
    [
      "details around Markdown",
      "<details><summary>a</summary>\n\n**b**\n\n</details>",
      "<details><summary>a</summary>\n<p><strong>b</strong></p>\n</details>",
    ],
    ["emphasis beside CJK punctuation", "**注意：**请看", "<p><strong>注意：</strong>请看</p>"],
    ["an empty body", "", ""],
    ["a byte order mark", "\uFEFF# a", '<h1 id="a">a</h1>'],
  ])("Markdown renders to the expected HTML: %s", (_, markdown, expected) => {
    expect(htmlOf(markdown)).toBe(expected)
  })
})

describe("links", () => {
  it.each([
    ["[a](https://e.x)", "https://e.x", "a"],
    ["<https://e.x>", "https://e.x", "https://e.x"],
    ["https://e.x", "https://e.x", "https://e.x"],
    ["www.e.x", "http://www.e.x", "www.e.x"],
    ["[a]\n\n[a]: https://e.x", "https://e.x", "a"],
    ["[a](mailto:me@e.x)", "mailto:me@e.x", "a"],
    ["me@e.x", "mailto:me@e.x", "me@e.x"],
    ["[a](tel:+1555)", "tel:+1555", "a"],
    ["<tel:+1555>", "tel:+1555", "tel:+1555"],
    ["[a](sms:+1)", "sms:+1", "a"],
    ["[a](xmpp:a@b)", "xmpp:a@b", "a"],
    ["[a](irc://e.x/c)", "irc://e.x/c", "a"],
    ["[a](ircs://e.x/c)", "ircs://e.x/c", "a"],
    ["[a](HTTPS://e.x)", "https://e.x", "a"],
    ["[a](//e.x/u)", "//e.x/u", "a"],
    ["[a](/@ann/p)", "/@ann/p", "a"],
    ["[a](/media/x.webp)", "/media/x.webp", "a"],
    ['[a](https://e.x/"onclick="x)', "https://e.x/%22onclick=%22x", "a"],
    ['<a href="https://e.x">a</a>', "https://e.x", "a"],
  ])("the Markdown link %s renders to a link with the address %s and no warning", (markdown, href, text) => {
    expect(htmlOf(markdown)).toBe(`<p>${linkTo(href, text)}</p>`)
    expect(warningsOf(markdown)).toEqual([])
  })

  it("a Markdown link to a place on the same page has no rel attribute and no warning", () => {
    expect(htmlOf("[a](#x)")).toBe('<p><a href="#x">a</a></p>')
    expect(warningsOf("[a](#x)")).toEqual([])
  })

  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java&#x73;cript:alert(1)",
    "&#106;avascript:alert(1)",
    "javascript&colon;alert(1)",
    "java&Tab;script:x",
    "java&NewLine;script:x",
    "vbscript:x",
    "data:text/html,x",
    "data:image/png;base64,AA",
    "blob:https://e.x/a",
    "file:///etc/passwd",
    "about:blank",
    "ftp://e.x/a",
    "a:b.md",
    "intent://e.x",
  ])("a Markdown link to %s is shown as text, with the warning unsupported_link", (address) => {
    expect(htmlOf(`[a](${address})`)).toBe("<p>a</p>")
    expect(codesOf(`[a](${address})`)).toEqual(["unsupported_link"])
    expect(htmlOf(`[a]\n\n[a]: <${address}>`)).toBe("<p>a</p>")
    expect(htmlOf(`<a href="${address}">a</a>`)).toBe("<p>a</p>")
  })

  it.each(["a.html", "../other/", "./a.md#end", "?q", "a/b", "", "#", "“https://e.x”"])(
    "a Markdown link to %j is shown as text, with the warning relative_link",
    (address) => {
      expect(htmlOf(`[a](<${address}>)`)).toBe("<p>a</p>")
      expect(codesOf(`[a](<${address}>)`)).toEqual(["relative_link"])
    },
  )

  it.each(["/x", "/docs/setup/", "/", "/a:b"])(
    "a Markdown link to the path %s stays a link, with the warning root_link",
    (address) => {
      expect(htmlOf(`[a](${address})`)).toBe(`<p>${linkTo(address)}</p>`)
      expect(codesOf(`[a](${address})`)).toEqual(["root_link"])
    },
  )

  it.each([
    ['<a href="https://e.x/t">https://e.x/s</a>', linkTo("https://e.x/t", "https://e.x/s")],
    [
      '<A title="a" HREF="https://e.x/t">*me@e.x*</A> b@e.x',
      `${linkTo("https://e.x/t", "<em>me@e.x</em>").replace(" href", ' title="a" href')} ${linkTo("mailto:b@e.x", "b@e.x")}`,
    ],
    ['<a id="b"></a> https://e.x/s', `<a id="b"></a> ${linkTo("https://e.x/s", "https://e.x/s")}`],
    ['<a id="b"> https://e.x/s', `<a id="b"> </a>${linkTo("https://e.x/s", "https://e.x/s")}`],
  ])("an address inside an HTML link does not become a second link: %s", (markdown, expected) => {
    expect(htmlOf(markdown)).toBe(`<p>${expected}</p>`)
  })

  it.each([
    ['<a href="https://e.x"><iframe src="https://e.x/1"></iframe></a>', linkTo("https://e.x", "https://e.x/1")],
    ['[a <iframe src="https://e.x/1"></iframe>](/@u)', linkTo("/@u", "a https://e.x/1")],
    ["[a[^1]](/@u)\n\n[^1]: b", linkTo("/@u", "a<sup>1</sup>")],
  ])("a link inside a Markdown link becomes its text: %s", (markdown, expected) => {
    expect(htmlOf(markdown)).toContain(`<p>${expected}</p>`)
  })

  it("link warnings for a Markdown text list each address once, with its first line", () => {
    const markdown = "[a](b.html) [c](b.html)\n\n[d](ftp://e.x)\n\n[f](/g) [h][i]\n\n[i]: ../j"
    expect(messageOf(markdown, "relative_link")).toContain("b.html (line 1), ../j (line 5)")
    expect(messageOf(markdown, "unsupported_link")).toContain("ftp://e.x (line 3)")
    expect(messageOf(markdown, "root_link")).toContain("/g (line 5)")
  })

  it("the warning about a link in raw HTML names the line of the link", () => {
    expect(messageOf('a\n\n<div>\n<a href="b.html">c</a>\n</div>', "relative_link")).toContain("b.html (line 4)")
  })

  it("the example of a warning in docs/markdown.md is the warning about a relative Markdown link in line 12", () => {
    const message = messageOf(`${"\n".repeat(11)}[a](other.md)`, "relative_link")
    expect(readFileSync("docs/markdown.md", "utf8")).toContain(`"message": "${message}"`)
  })

  it("Markdown links and images with an unusable address never get an empty href", () => {
    const addresses = ["", "#", " ", "javascript:x", "x", "ftp:x", "&#0;", "%00", "\\", "//", "http:", "mailto:"]
    for (const address of addresses)
      for (const markdown of [`[a](<${address}>)`, `<a href="${address}">a</a>`, `![a](<${address}>)`])
        expect(complaintsOn(htmlOf(markdown))).toEqual([])
  })
})

const idsOf = (html: string) => find(html).flatMap(({ properties: { id } }) => (id === undefined ? [] : [id]))
const headingIds = (markdown: string, headingIdsOfSource?: string[]) =>
  find(htmlOf(markdown, { ...(headingIdsOfSource && { headingIds: headingIdsOfSource }) })).flatMap(
    ({ tagName, properties: { id } }) => (/^h\d$/.test(tagName) ? [id] : []),
  )

describe("heading ids", () => {
  it.each([
    ["# One Two", ["one-two"]],
    ["## The end", ["the-end"]],
    ["# One\n\n## One\n\nOne\n===", ["one", "one-1", "one-2"]],
    ["# a\n\n# A\n\n# a 1\n\n# a", ["a", "a-1", "a-1-1", "a-2"]],
    ["# *One* `two` [three](https://e.x) ![four](/f)", ["one-two-three-four"]],
    ['# <b>one</b> & "two"', ["one--two"]],
    ["> # Quoted\n\n- # Listed", ["quoted", "listed"]],
    ["# One[^1] two\n\n[^1]: a", ["one-two", "ep-footnotes"]],
    ["### Ünï 日本 語!", ["ünï-日本-語"]],
    ["#### العربية هنا", ["العربية-هنا"]],
    ["# constructor\n\n# __proto__ x", ["constructor", "proto-x"]],
    ["# ep-x\n\n# fn-1\n\n# fnref-1", ["ep-x-1", "fn-1-1", "fnref-1-1"]],
    ["## The end {#fin}", ["fin"]],
    ["## Start { #begin }", ["begin"]],
    ["Setext {#a}\n---", ["a"]],
    ["## A {#x}\n\n## B {#x}", ["x", "b"]],
    ["## A {#fn-1}\n\n## B {#ep-1}", ["fn-1-1", "ep-1-1"]],
    ["## Fin\n\n## Other {#fin}", ["fin-1", "fin"]],
    ['<h2 id="x">A</h2>\n\n## X', ["x", "x-1"]],
    ['<a id="x"></a>\n\n## X', ["x-1"]],
    ["## A {#x} b", ["a-x-b"]],
    ["## A `{#x}`", ["a-x"]],
    ["## A \\{#x}", ["a-x"]],
    ["## A {#x\\}", ["a-x"]],
    ["## A &#123;#x}", ["a-x"]],
    ["## A \\\\{#x}", ["x"]],
    ["## A {#x\\_y}", ["x_y"]],
  ])("Markdown headings in %j get the ids %j", (markdown, ids) => {
    expect(headingIds(markdown)).toEqual(ids)
  })

  it("a Markdown heading with an explicit {#id} gets this id and does not show it", () => {
    expect(htmlOf("## The end {#fin}")).toBe('<h2 id="fin">The end</h2>')
  })

  it.each(["", "!?", "😀", "<br>"])("three Markdown headings without words (%j) get three different ids", (words) => {
    const ids = headingIds(`# ${words}\n\n# ${words}\n\n# ${words}`)
    expect(ids).toHaveLength(3)
    expect(new Set(ids).size).toBe(3)
    expect(ids).not.toContain("")
  })

  it.each([
    ["as many headings", "# Un\n\n## Deux\n\n## Trois", ["one", "two", "two-1"], ["one", "two", "two-1"]],
    ["as many headings on other levels", "# Un\n\n### Deux", ["one", "two"], ["one", "two"]],
    ["as many headings and a footnote", "# Un[^1]\n\n[^1]: b", ["one"], ["one", "ep-footnotes"]],
  ])("a translation with %s gets the heading ids of the source text", (_, markdown, ofSource, ids) => {
    expect(headingIds(markdown, ofSource)).toEqual(ids)
  })

  it.each([
    ["one heading more", "# Un\n\n## Deux", ["one"], ["un", "deux"]],
    ["one heading less", "# Un", ["one", "two"], ["un"]],
    ["an explicit id", "# Un {#premier}\n\n## Deux", ["one", "two"], ["premier", "two"]],
    ["an explicit id that the source text has", "# Un {#two}\n\n## Deux", ["one", "two"], ["two", "deux"]],
  ])("a translation with %s does not get all heading ids of the source text", (_, markdown, ofSource, ids) => {
    expect(headingIds(markdown, ofSource)).toEqual(ids)
  })

  it("heading ids with special characters pass unchanged from stored HTML to a translation", () => {
    const source = headingIdsIn(htmlOf("# EP 1\n\n## R&D {#r&d}\n\n## `fn-1`\n\n## A {#\"<'`>}"))
    expect(source).toEqual(["ep-1-1", "r&d", "fn-1-1", "\"<'`>"])
    const translated = htmlOf("# Un\n\n## Deux\n\n## Trois\n\n## Quatre", { headingIds: source })
    expect(headingIdsIn(translated)).toEqual(source)
  })

  it("headings in raw HTML sections and footnotes of a translation get the ids of the source text", () => {
    const markdown = "<section data-footnotes>\n\n# one\n\n</section>\n\n# two[^1]\n\n[^1]: # three"
    const source = headingIdsIn(htmlOf(markdown))
    expect(source).toEqual(["one", "two", "three"])
    const translated = htmlOf(markdown.replaceAll(/[a-z]+(?=\n|\[|$)/g, "a"), { headingIds: source })
    expect(headingIdsIn(translated)).toEqual(source)
  })

  it("headingIdsIn returns the heading ids of stored HTML in order, without that of the footnote heading", () => {
    expect(headingIdsIn(htmlOf("# One[^1]\n\n## `<h2>` {#x}\n\n```\n<h3 id=no>\n```\n\n[^1]: a"))).toEqual(["one", "x"])
  })

  it("headingIdsIn reads the id of a heading after an attribute with angle brackets", () => {
    expect(headingIdsIn('<h2 title="a > b" id="c">d</h2>')).toEqual(["c"])
  })
})

const targetsOf = (html: string) =>
  find(html).flatMap(({ properties: { href, ariaDescribedBy } }) => [
    ...(typeof href === "string" && href.startsWith("#") ? [decodeURIComponent(href.slice(1))] : []),
    ...(Array.isArray(ariaDescribedBy) ? ariaDescribedBy.map(String) : []),
  ])

describe("footnotes", () => {
  const markdown = "One[^1] two[^n] three[^1].\n\n[^1]: Note.\n[^n]: Other."

  it("Markdown footnotes have unique ids, and link to their references and back", () => {
    const html = htmlOf(markdown)
    const ids = idsOf(html)
    expect(ids.toSorted()).toEqual(["ep-footnotes", "fn-1", "fn-n", "fnref-1", "fnref-1-2", "fnref-n"])
    expect(targetsOf(html)).toHaveLength(9) // 3 calls, each described and led back to
    expect(targetsOf(html).filter((id) => !ids.includes(id))).toEqual([])
  })

  it.each([
    ...["Footnote label", "fn-1", "fnref-1", "ep-footnotes"].map((heading) => `# ${heading}\n\na[^1]\n\n[^1]: b`),
    '<a id="fn-1">x</a> <a id="fnref-1">y</a> a[^1]\n\n[^1]: b',
    "a[^label] b[^footnotes]\n\n[^label]: c\n[^footnotes]: d",
  ])("ids in rendered Markdown are unique whatever the names of headings, links and footnotes: %j", (text) => {
    const ids = idsOf(htmlOf(text))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each([
    ["en", "Footnotes", "Back to text"],
    ["de", "Fußnoten", "Zurück zum Text"],
    ["de-AT", "Fußnoten", "Zurück zum Text"],
    ["zh", "脚注", "返回正文"],
    ["zh-TW", "註腳", "返回正文"],
    ["nb", "Fotnoter", "Tilbake til teksten"],
    ["nn", "Fotnoter", "Tilbake til teksten"],
    ["no", "Fotnoter", "Tilbake til teksten"],
    ["xx", "Footnotes", "Back to text"],
  ])("Markdown footnotes have labels in the language %s: %s, %s", (language, label, back) => {
    const html = htmlOf(markdown, { language })
    expect(html).toContain(`<h2 class="sr-only" id="ep-footnotes">${label}</h2>`)
    expect(html).toContain(`aria-label="${back}"`)
  })

  it.each([
    ['<ul><li id="fn-1">x</li></ul>', ["fnref-1", "ep-footnotes", "fn-1"]],
    ['<a id="fnref-1" data-footnote-ref>x</a>', ["fnref-1-1", "fnref-1", "ep-footnotes", "fn-1"]],
    ['<h2 id="ep-footnotes">x</h2>', ["ep-footnotes-1", "fnref-1", "ep-footnotes", "fn-1"]],
    ['<h2 id="fn-1-1">x</h2>', ["fn-1-1-1", "fnref-1", "ep-footnotes", "fn-1"]],
    ["## X {#ep-footnotes}", ["ep-footnotes-1", "fnref-1", "ep-footnotes", "fn-1"]],
    [
      '<section data-footnotes><h2 id="footnote-label">My own words</h2></section>',
      ["footnote-label", "fnref-1", "ep-footnotes", "fn-1"],
    ],
  ])("raw HTML that looks like a footnote is not treated as a footnote: %s", (html, ids) => {
    const made = htmlOf(`${html}\n\na[^1]\n\n[^1]: b`)
    expect(idsOf(made)).toEqual(ids)
    expect(made).not.toMatch(/data-made/)
    expect(made.split("data-footnote")).toHaveLength(5)
    expect(made.split("Footnotes")).toHaveLength(2)
    expect(textOf(treeOf(made))).toContain(textOf(treeOf(htmlOf(html))).trim())
  })

  it("raw HTML that looks like a footnote makes no footnote section if the text has no footnotes", () => {
    const html = `<section data-footnotes><h2 id="footnote-label">a</h2></section>
<a data-footnote-ref aria-describedby="footnote-label" data-footnote-backref href="#b">c</a>`
    expect(htmlOf(html)).not.toMatch(/data-footnote|Footnotes|ep-footnotes/)
  })

  it("inline code that looks like a footnote's id stays unchanged", () => {
    expect(htmlOf('` id="footnote-label"`[^1]\n\n[^1]: x')).toContain('<code> id="footnote-label"</code>')
  })
})

const imagesOf = (markdown: string) => {
  const rendered = render(markdown)
  if (rendered instanceof TooComplex) throw rendered
  return rendered.images
}

describe("images", () => {
  it.each([
    ["![a](/m/1.webp) ![b](/m/2.webp 'title')", ["/m/1.webp", "/m/2.webp"]],
    ["![a]\n\n[a]: /m/1.webp", ["/m/1.webp"]],
    ["[![a](/m/1.webp)](/u)", ["/m/1.webp"]],
    ["| ![a](/m/1.webp) |\n|---|", ["/m/1.webp"]],
    ["`![a](/m/1.webp)` \\![a](/m/1.webp)", []],
    ["```\n![a](/m/1.webp)\n```", []],
    ['<img src="/m/1.webp" alt="a" />', ["/m/1.webp"]],
    ['<figure><img src="/m/1.webp"></figure>', ["/m/1.webp"]],
    ['<template><img src="/m/1.webp"></template> <!-- <img src="/m/2.webp"> -->', []],
    ["![a](https://e.x/a.png?x=1&y=2)", ["https://e.x/a.png?x=1&y=2"]],
    ["![a](/m/&amp;amp;.webp)", ["/m/&amp;.webp"]],
  ])("render lists the images in the Markdown %j as %j", (markdown, sources) => {
    expect(imagesOf(markdown)).toEqual(sources)
  })

  it.each([
    ["![words](/other.webp)", `<p>${linkTo("/other.webp", "words")}</p>`],
    ["![](/other.webp)", `<p>${linkTo("/other.webp", "/other.webp")}</p>`],
    ['![a < "b"](/other.webp)', `<p>${linkTo("/other.webp", 'a &lt; "b"')}</p>`],
    ["[![words](/other.webp)](/@u)", `<p>${linkTo("/@u", "words")}</p>`],
    ["![words](javascript:x)", "<p>words</p>"],
    ["[![words](https://e.x/a.png)](b.md)", `<p>${linkTo("https://e.x/a.png", "words")}</p>`],
    ['<a id="b">![words](/other.webp)</a>', '<p><a id="b">words</a></p>'],
    ["![words](other.png)", "<p>words</p>"],
  ])("a Markdown image that may not be shown becomes a link or its alt text: %s", (markdown, expected) => {
    expect(htmlOf(markdown)).toBe(expected)
  })

  it("a Markdown image that may be shown gets its size and lazy loading", () => {
    expect(htmlOf('![kept](/mine.webp "b")')).toBe(
      '<p><img src="/mine.webp" alt="kept" title="b" width="3" height="2" loading="lazy"></p>',
    )
  })
})

describe("alerts", () => {
  it.each([
    ["NOTE", "note", "Note"],
    ["TIP", "tip", "Tip"],
    ["IMPORTANT", "important", "Important"],
    ["WARNING", "warning", "Warning"],
    ["CAUTION", "caution", "Caution"],
    ["note", "note", "Note"],
  ])(
    "a Markdown quote that starts with [!%s] becomes a block of class alert-%s with the title %s",
    (name, kind, title) => {
      expect(htmlOf(`> [!${name}]\n> a *b*`).replaceAll("\n", "")).toBe(
        `<div class="alert alert-${kind}" role="note"><p class="alert-title">${title}</p><p>a <em>b</em></p></div>`,
      )
    },
  )

  it.each([
    ["de", "Warnung"],
    ["ja", "警告"],
    ["pt-BR", "Aviso"],
    ["xx", "Warning"],
  ])("a Markdown alert has its title in the language %s: %s", (language, title) => {
    expect(htmlOf("> [!WARNING]\n> a", { language })).toContain(`<p class="alert-title">${title}</p>`)
  })

  it.each(["> [!NOTE]\\\n> a<br>b", "> [!NOTE]  \n> a<br>b"])(
    "the Markdown alert %j has no line break before its text",
    (markdown) => {
      expect(htmlOf(markdown).replaceAll("\n", "")).toContain('<p class="alert-title">Note</p><p>a<br>b</p>')
    },
  )

  it.each(["> [!NOTE] a", "> a [!NOTE]", "> [!OTHER]\n> a", "> [!NOTE]*a*", "[!NOTE]\na", "> `[!NOTE]`\n> a"])(
    "the Markdown %j does not render to an alert",
    (markdown) => {
      expect(htmlOf(markdown)).not.toContain("alert")
    },
  )
})

const isHighlighted = (html: string) => html.includes('class="hljs-')
const fence = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\`\n`

describe("syntax highlighting", () => {
  it.each([
    ["js", "const a = 1"],
    ["ts", "const a: number = 1"],
    ["python", "def a(): pass"],
    ["bash", "if true; then echo a; fi"],
    ["sql", "SELECT 1"],
    ["json", '{"a": 1}'],
    ["yaml", "a: true"],
    ["css", "a { color: red }"],
    ["html", "<b>a</b>"],
    ["diff", "-a\n+b"],
    ["JS", "const a = 1"],
  ])("Markdown code in %s gets highlighting classes and keeps its text", (language, code) => {
    const html = htmlOf(fence(language, code))
    expect(isHighlighted(html)).toBe(true)
    expect(html).toMatch(new RegExp(`^<pre><code class="language-${language}">`))
    expect(textOf(treeOf(html))).toBe(`${code}\n`)
    expect(complaintsOn(html)).toEqual([])
  })

  it.each(["js{1,3}", "js:title=a.js", "js{1}:b"])("Markdown code in %s is highlighted as js", (language) => {
    const html = htmlOf(fence(language, "const a = 1"))
    expect(isHighlighted(html)).toBe(true)
    expect(html).toContain('<code class="language-js">')
  })

  it.each(["", "foo", "text", "mermaid", "constructor", "{r}"])(
    "Markdown code with the language %j is not highlighted",
    (language) => {
      expect(isHighlighted(htmlOf(fence(language, "const a = 1")))).toBe(false)
    },
  )

  const line = "const a = 1\n"
  it.each([
    ["a block of up to 8 KB is highlighted", "js", line.repeat(680), true],
    ["a block of more than 8 KB is not highlighted", "js", line.repeat(690), false],
    ["markup of up to 2 KB is highlighted", "html", "<b>a</b>\n".repeat(220), true],
    ["markup of more than 2 KB is not highlighted", "html", "<b>a</b>\n".repeat(235), false],
    ["SVG of more than 2 KB is not highlighted", "svg", "<b>a</b>\n".repeat(235), false],
    ["20 nested templates are highlighted", "js", "`${".repeat(20), true],
    ["200 nested templates are not highlighted", "js", "`${".repeat(200), false],
    ["a template with 20 script tags is highlighted", "js", "html`<script>a</script>`\n".repeat(20), true],
    ["a template with 60 script tags is not highlighted", "js", "html`<script>a</script>`\n".repeat(60), false],
    ["scripts in short markup are highlighted", "html", "<script>a</script>\n<style>b</style>\n".repeat(10), true],
    ["255 scripts in markup of 2 KB are not highlighted", "html", "<script>".repeat(255), false],
  ])("syntax highlighting of a Markdown code block depends on its size: %s", (_, language, code, expected) => {
    expect(isHighlighted(htmlOf(fence(language, code)))).toBe(expected)
  })

  it("at most 64 KB of a post's code are highlighted, and the rest is plain", () => {
    const blocks = find(htmlOf(fence("js", line.repeat(600)).repeat(12)), "code")
    const highlighted = blocks.filter(({ children }) => children.some((child) => child.type === "element"))
    expect([blocks.length, highlighted.length]).toEqual([12, 9])
  })

  it("code in Markdown is not highlighted if the HTML of the post would be longer than 512 KB", () => {
    const markdown = `${fence("js", line.repeat(100))}\n${"&".repeat(100_000)}`
    expect(isHighlighted(htmlOf(markdown))).toBe(true)
    expect(isHighlighted(htmlOf(`${markdown}${"&".repeat(8000)}`))).toBe(false)
  })
})

describe("math", () => {
  it.each([
    "Costs $5 and $6.",
    "From $5 to $6.",
    "a $ b$ c",
    "a $b $ c",
    "$a$5",
    "\\$a$",
    "$a\nb$",
    "`$a$`",
    "US$5, CA$6",
  ])("the Markdown %j contains no math formula", (markdown) => {
    expect(htmlOf(markdown)).not.toContain("<math")
    expect(warningsOf(markdown)).toEqual([])
  })

  it.each(["$a$", "a $x+1$.", "($b$)", "$5$", "$a\\$b$", "$20,000 and USD$ x $y$"])(
    "the Markdown %j contains a math formula",
    (markdown) => {
      expect(htmlOf(markdown)).toContain("<math")
    },
  )

  it.each([
    ["between two dollars", "$$a_{1}$$"],
    ["between lines of two dollars", "$$\na_{1}\n$$"],
    ["in a fence named math", "```math\na_{1}\n```"],
  ])("a math formula %s is rendered in display mode", (_, markdown) => {
    const html = htmlOf(markdown)
    expect(html).toContain('<math display="block"')
    expect(html).not.toMatch(/\$|style=/)
    expect(complaintsOn(html)).toEqual([])
    expect(codesOf(markdown)).toEqual([])
  })

  it.each([
    ["$$\\begin{align}\na &= b\n\\end{align}$$\n\n# c", '<p>MATH</p>\n<h1 id="c">c</h1>'],
    ["$$ a\n$$\n\nb\n\n$$ c\n= d\n$$\n\n- e", "<p>MATH</p>\n<p>b</p>\n<p>MATH</p>\n<ul>\n<li>e</li>\n</ul>"],
    ["$$\na\n$$.\n\n- b\n\n$$\nc\n$$", "<p>MATH.</p>\n<ul>\n<li>b</li>\n</ul>\nMATH"],
    ["a\n$$\nb\n+ c\n$$\nd", "<p>a</p>\nMATH\n<p>d</p>"],
    ["> $$ a\n> $$\n>\n> b", "<blockquote>\n<p>MATH</p>\n<p>b</p>\n</blockquote>"],
    ["- $$\n  a\n  - b\n  $$\n- c", "<ul>\n<li>\nMATH\n</li>\n<li>c</li>\n</ul>"],
    ["$$\ta\nb\n$$", "<p>MATH</p>"],
  ])("all text before, in and after the math formula in %j is shown", (markdown, expected) => {
    expect(htmlOf(markdown).replaceAll(/<math[^]*?<\/math>/g, "MATH")).toBe(expected)
    expect(codesOf(markdown)).toEqual([])
  })

  it.each([
    ["$$ a\n\nb", "<p>$$ a</p>\n<p>b</p>"],
    ["$$\na\n\n- b", "<p>$$\na</p>\n<ul>\n<li>b</li>\n</ul>"],
    ["> $$\n> a\n\nb", "<blockquote>\n<p>$$\na</p>\n</blockquote>\n<p>b</p>"],
    ["a\n$$\nb", "<p>a\n$$\nb</p>"],
  ])("two dollars without a second pair do not start a math formula: %j", (markdown, expected) => {
    expect(htmlOf(markdown)).toBe(expected)
  })

  it.each(["\\frac{a", "\\foo", "{".repeat(900), "}"])(
    "a math formula with an error stays as text, with the warning unreadable_math: %j",
    (tex) => {
      expect(textOf(treeOf(htmlOf(`a $${tex}$ b`)))).toBe(`a $${tex}$ b`)
      expect(codesOf(`a $${tex}$ b`)).toEqual(["unreadable_math"])
      expect(textOf(treeOf(htmlOf(`$$\n${tex}\n$$`)))).toContain(tex)
    },
  )

  it("the warning unreadable_math names each math formula that failed, with its first line", () => {
    const markdown = "a\r\n\r\n$\\foo$ $\\foo$\r\n\r\n$$\r\n\\qux\r\nb\r\n$$\r\n\r\n```math\r\n\\baz\r\n```"
    expect(messageOf(markdown, "unreadable_math")).toContain("\\foo (line 3), \\qux b (line 5), \\baz (line 10)")
  })

  it("a math formula of more than 2 KB stays as text, with the warning unreadable_math", () => {
    expect(htmlOf(`$${"a".repeat(2048)}$`)).toContain("<math")
    expect(htmlOf(`$${"a".repeat(2049)}$`)).not.toContain("<math")
    expect(codesOf(`$${"a".repeat(2049)}$`)).toEqual(["unreadable_math"])
  })

  it.each([
    ["different", 1],
    ["equal", 0],
  ])("%s math formulas beyond 256 KB of MathML in a post stay as text, with the warning unreadable_math", (_, step) => {
    const expanded = `\\def\\a{${"x".repeat(64)}}${"\\a ".repeat(20)}`
    const markdown = Array.from({ length: 60 }, (_formula, i) => `$${expanded}${i * step}$ `).join("")
    const html = htmlOf(markdown)
    const shown = html.split("</math>").length - 1
    expect(shown).toBeGreaterThan(10)
    expect(shown).toBeLessThan(30)
    expect(html.length).toBeLessThan(300_000)
    expect(codesOf(markdown)).toEqual(["unreadable_math"])
  })

  it.each([
    "\\href{javascript:__xss()}{a}",
    "\\url{javascript:__xss()}",
    "\\includegraphics{https://e.test/a.png}",
    "\\class{x}{a}",
    "\\id{x}{a}",
    "\\style{color:red}{a}",
    "\\data{x=y}{a}",
    "\\text{<img src=x onerror=__xss()>}",
    "\\color{red} a",
    "\\def\\a{\\a\\a}\\a",
  ])("a math formula cannot add elements or attributes outside of the allow-list: %s", (tex) => {
    const html = htmlOf(`$$${tex}$$ and $${tex}$`)
    expect(complaintsOn(html)).toEqual([])
    expect(html).not.toMatch(/<img|<a |style=/)
  })

  it("backslashes and underscores in a math formula are not read as Markdown", () => {
    expect(htmlOf("$a_b\\,c_d$")).not.toContain("<em>")
  })
})

describe("front matter", () => {
  it.each([
    ["YAML", "---\ntitle: a\n---\n\nText."],
    ["TOML", "+++\ntitle = 'a'\n+++\n\nText."],
    ["YAML after a byte order mark", "\uFEFF---\ntitle: a\n---\n\nText."],
    ["YAML after comments and blank lines", "---\n# a\n\n  # b\ntitle: c\n---\n\nText."],
    ["TOML after a comment, with CRLF", "+++\r\n# a\r\ntitle = 'a'\r\n+++\r\nText."],
    ["YAML with a Chinese field", "---\n标题: a\n---\n\nText."],
    ["YAML with an accent", "---\ntítulo: a\n---\n\nText."],
    ["YAML with a quoted field of two words", '---\n"my title": a\n---\n\nText.'],
    ["YAML with a list", "---\ntags:\n- a\n---\n\nText."],
    ["TOML that starts with a table", "+++\n[a]\nb = 1\n+++\n\nText."],
    ["YAML with CRLF", "---\r\ntitle: a\r\n---\r\n\r\nText."],
  ])("front matter in %s at the start of a post body is not shown, with the warning front_matter", (_, markdown) => {
    expect(htmlOf(markdown)).toBe("<p>Text.</p>")
    expect(codesOf(markdown)).toEqual(["front_matter"])
  })

  it.each([
    ["text between two rules", "---\n\nHello there.\n\n---\n\nText."],
    ["a heading between two rules", "---\n\n# My post\n\nHello text.\n\n---\n\nMore."],
    ["a heading alone between two rules", "---\n# My post\n---\nMore."],
    ["headings between two rules", "---\n# One\n\n## Two\n\n---"],
    ["a list between two rules", "---\n- a\n---\nb"],
    ["an address between two rules", "---\nhttp://example.com\n---\nb"],
    ["a link between two rules", "---\n[a](/@ann/b)\n---\nb"],
    ["a sentence with a colon between two rules", "---\n\nMind this: a\n\n---\nb"],
    ["a field that does not start the body", "a\n\n---\nb: c\n---\n"],
    ["a field without a closing rule", "---\ntitle: a\n\nText."],
  ])("a post body without front matter is rendered in full and without a warning: %s", (_, markdown) => {
    expect(codesOf(markdown)).toEqual([])
    expect(htmlOf(markdown)).toContain("<hr>")
  })
})

describe("markup of other tools", () => {
  it.each([
    ["{{< youtube abc >}}", "a Hugo shortcode"],
    ["{{% note %}}a{{% /note %}}", "a Hugo shortcode"],
    ["{% youtube abc %}", "a Liquid tag"],
    [":::note Mind this\n\nAdvice.\n\n:::", "a ::: directive"],
    ["> :::tip\n> Advice.\n> :::", "a ::: directive"],
    ["- :::tip\n  Advice.\n  :::", "a ::: directive"],
    ["<Tabs>\n\na\n\n</Tabs>", "a JSX component"],
    ['<Script src="b" />\n\nc', "a JSX component"],
    ["<Video src=b />\n\nc", "a JSX component"],
    ["<Select options={b} />\n\nc", "a JSX component"],
    ["<Style>{a}</Style>", "a JSX component"],
    ["Vec<T> b", "a JSX component"],
    ["<X />\n\nc", "a JSX component"],
    ["<TOC label='words' />\n\nc", "a JSX component"],
  ])("the markup %j of another tool stays as text, and foreign_syntax names %s and its line", (markdown, kind) => {
    const text = textOf(treeOf(htmlOf(markdown)))
    // Readers do not see the marker of a quote or list. Matches `> `, not `a > `.
    expect(text).toContain(markdown.split("\n")[0]?.replace(/^[>-] /, ""))
    expect(codesOf(markdown)).toEqual(["foreign_syntax"])
    expect(messageOf(`a\n\n${markdown}`, "foreign_syntax")).toContain(`${kind} (line 3)`)
  })

  it.each(["`{{< a >}}`", "```\n{% a %}\n:::b\n```", "{{ user.name }}", "a ::: b", "${count} %s {0} :rocket:", "$a$"])(
    "the post body %j gives no warning about markup of other tools",
    (markdown) => {
      expect(codesOf(markdown)).toEqual([])
    },
  )

  it.each([
    ["<TABLE><TR><TD>a</TABLE> <B>b</B>", []],
    ["<SCRIPT>a</SCRIPT>", ["html_removed"]],
    ["<VIDEO src=a></VIDEO>", ["html_removed"]],
  ])("HTML in capitals is not taken for a JSX component: %s", (markdown, codes) => {
    expect(codesOf(markdown)).toEqual(codes)
    expect(htmlOf(markdown)).not.toContain("&lt;")
  })

  it.each(["Script", "Style", "Textarea", "Video"])("Markdown after the JSX component <%s> is rendered", (name) => {
    expect(htmlOf(`<${name} src="b" />\n\n# *c*`)).toContain("<em>c</em>")
    expect(htmlOf(`<${name}>\n\n# *c*\n\n</${name}>\n\n*d*`)).toContain("<em>d</em>")
  })

  it.each(["<!-- {% a %} -->", "b <!-- {{< a >}} --> c", "<div>\n<!--\n:::a\n--></div>"])(
    "markup of other tools in an HTML comment of a post gives no warning: %j",
    (markdown) => {
      expect(codesOf(markdown)).toEqual([])
    },
  )

  it("a Hugo shortcode in an HTML block of a post stays as text, with the warning foreign_syntax", () => {
    const markdown = "<div>{{<name>}} {{< a >}}</div>"
    expect(htmlOf(markdown)).toBe("<div>{{&lt;name>}} {{&lt; a >}}</div>")
    expect(codesOf(markdown)).toEqual(["foreign_syntax"])
  })

  it("several kinds of markup of other tools give one warning, with the first line of each kind", () => {
    const markdown = "{{< a >}}\n\n{% b %}\n\n{{< c >}}"
    expect(codesOf(markdown)).toEqual(["foreign_syntax"])
    expect(messageOf(markdown, "foreign_syntax")).toContain("a Hugo shortcode (line 1), a Liquid tag (line 3)")
  })
})

describe("the warning html_removed", () => {
  it.each([
    ["<video src=a></video>", "video and its content (line 3)"],
    ["<script>a</script>", "script and its content (line 3)"],
    ["<font color=red>b</font>", "font (line 3)"],
    ["<picture><img src=/mine></picture>", "picture (line 3)"],
    ["<input type=text>", "input (line 3)"],
    ['<p style="color:red">b</p>', "style (line 3)"],
    ["<b onclick=x>b</b>", "onclick (line 3)"],
    ['<div id="x">b</div>', "id of div (line 3)"],
    ['<a name="x"></a>', "name of a (line 3)"],
    ['<iframe src="https://e.x/1"></iframe>', "iframe, now a link (line 3)"],
    ['<iframe src="/x"></iframe>', "iframe (line 3)"],
    ["<div>\n<center>b</center>", "center (line 4)"],
    ["[12:01] <anna> b\n[12:02] <ben> c", "anna (line 3), ben (line 4)"],
    ["<!-- b", "all text after an unclosed comment (line 3)"],
  ])("the raw HTML %j in a post gives the warning html_removed with %j", (html, told) => {
    expect(codesOf(`a\n\n${html}`)).toEqual(["html_removed"])
    expect(messageOf(`a\n\n${html}`, "html_removed")).toContain(told)
  })

  it.each([
    "<b>a</b>",
    "<!-- more -->",
    "<figure>a</figure>",
    "`<script>`",
    "<!-- <script> -->",
    "a <b",
    "<https://e.x>",
    '<h2 id="b">a</h2><a id="c">d</a>',
  ])("the post body %j loses no HTML and gives no warning", (markdown) => {
    expect(codesOf(markdown)).toEqual([])
  })

  it.each([
    ["<video src=a controls />\n\nb", "all text after an unclosed video (line 3)"],
    ['<iframe src="https://e.x/1" />\n\nb', "all text after an unclosed iframe (line 3)"],
    ["<video></video>\n\n<video>", "all text after an unclosed video (line 5)"],
    ["<script>\n\nb", "all text after an unclosed script (line 3)"],
  ])("the unclosed raw HTML %j gives the warning html_removed with %j", (html, told) => {
    expect(messageOf(`a\n\n${html}`, "html_removed")).toContain(told)
  })

  it.each([
    "<video>\n\nb\n\n</video>",
    "<svg />",
    "b <video>c</video> d",
    "<script>b</script>",
    "<script>\n\nb</script>",
  ])("the closed raw HTML %j gives the warning html_removed, which names no lost text after it", (html) => {
    expect(messageOf(html, "html_removed")).toMatch(/^(?!.*after)/)
  })

  it("the warning html_removed names each removed element once, with its first line", () => {
    const markdown = "<video></video>\n\n<audio></audio>\n\n<video></video>"
    expect(messageOf(markdown, "html_removed")).toBe(
      "Readers do not get this HTML: video and its content (line 1), audio and its content (line 3). Use Markdown or allowed elements, and close every tag.",
    )
  })

  it("the warning html_removed does not name the content of a removed element", () => {
    const shapes = "circle defs ellipse g line path polygon rect text use".replaceAll(/\w+/g, "<$&></$&>")
    const markdown = `<svg>${shapes}</svg>\n\n<video><a href="b.md">c</a></video>\n\n<font>d</font>`
    expect(codesOf(markdown)).toEqual(["html_removed"])
    expect(messageOf(markdown, "html_removed")).toContain(
      ": svg and its content (line 1), video and its content (line 3), font (line 5).",
    )
  })

  it("a raw HTML element with an unknown name is removed and its content stays", () => {
    expect(htmlOf("a <x-y>*b*</x-y> c")).toBe("<p>a <em>b</em> c</p>")
  })

  it("an iframe in raw HTML becomes a link to its address", () => {
    expect(htmlOf('<iframe src="https://e.x/1"></iframe>', { show: showNone })).toBe(
      linkTo("https://e.x/1", "https://e.x/1"),
    )
  })
})

describe("Chinese, Japanese and Korean text", () => {
  it.each([
    ["**注意：**请看", "<strong>注意：</strong>请看"],
    ["含**「重点」**内容", "含<strong>「重点」</strong>内容"],
    ["**`code`**后 中**`code`**文", "<strong><code>code</code></strong>后 中<strong><code>code</code></strong>文"],
    ["**강조(x)**는", "<strong>강조(x)</strong>는"],
    ["中~~（删）~~文", "中<del>（删）</del>文"],
    ["价格10~20元，3~5件", "价格10~20元，3~5件"],
    ["见https://e.x/a。请", `见${linkTo("https://e.x/a", "https://e.x/a")}。请`],
    ["https://e.x/a，请", `${linkTo("https://e.x/a", "https://e.x/a")}，请`],
    ["https://e.x（请）", `${linkTo("https://e.x", "https://e.x")}（请）`],
    ["www.e.x、请", `${linkTo("http://www.e.x", "www.e.x")}、请`],
    ["“https://e.x/a”请", `“${linkTo("https://e.x/a", "https://e.x/a")}”请`],
    ["https://e.x/a“请”", `${linkTo("https://e.x/a", "https://e.x/a")}“请”`],
    ["https://e.x/中文/a", linkTo("https://e.x/%E4%B8%AD%E6%96%87/a", "https://e.x/中文/a")],
  ])("the Chinese, Japanese or Korean Markdown %s renders to %s", (markdown, expected) => {
    expect(htmlOf(markdown)).toBe(`<p>${expected}</p>`)
  })
})
