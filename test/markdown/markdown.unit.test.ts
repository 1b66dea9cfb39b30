import { readFileSync } from "node:fs"

import { describe, expect, it } from "vitest"

import { TooComplex } from "../../packages/edgepost/src/parser/budget.ts"
import { headingIdsIn } from "../../src/markdown/headings.ts"
import { render } from "../../src/markdown/render.ts"
import { complaintsOn, find, htmlOf, linkTo, renderAll, textOf, treeOf, words } from "./html.ts"

const warningsOf = (markdown: string) => renderAll(markdown).warnings
const codesOf = (markdown: string): string[] => warningsOf(markdown).map(({ code }) => code)
const messageOf = (markdown: string, code: string): string =>
  warningsOf(markdown).find((warning) => warning.code === code)?.message ?? ""
const shownText = (markdown: string): string => textOf(treeOf(htmlOf(markdown)))

type Row = [markdown: string, html: string, ...warnings: string[]]
const resultOf = (markdown: string): string[] => [htmlOf(markdown), ...codesOf(markdown)]

const fence = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\`\n`
const TASK = '<li class="task-list-item"><input type="checkbox" checked disabled> one</li>'

it.each<Row>([
  [
    "# One\n\n*two* **three** `four`",
    '<h1 id="one">One</h1>\n<p><em>two</em> <strong>three</strong> <code>four</code></p>',
  ],
  ["one\\\ntwo", "<p>one<br>\ntwo</p>"],
  ["- [x] one", `<ul class="contains-task-list">\n${TASK}\n</ul>`],
  ["| a |\n|:-:|", '<table>\n<thead>\n<tr>\n<th align="center">a</th>\n</tr>\n</thead>\n</table>'],
  ["```foo\na\n```", '<pre><code class="language-foo">a\n</code></pre>'],
  ["```mermaid\ngraph LR; a-->b\n```", '<pre><code class="language-mermaid">graph LR; a-->b\n</code></pre>'],
  ["~~one~~", "<p><del>one</del></p>"],
  ["<b onclick=x>one</b> x<sup>2</sup>", "<p><b>one</b> x<sup>2</sup></p>", "html_removed"],
  ["a <!-- one --> b", "<p>a  b</p>"],
  ['`<i>"&amp;`', '<p><code>&lt;i>"&amp;amp;</code></p>'],
  ["", ""],
  ["\uFEFF# a", '<h1 id="a">a</h1>'],
  // Headings with ids
  ["## The end {#fin}", '<h2 id="fin">The end</h2>'],
  ["### Das Ende {#ende}", '<h3 id="ende">Das Ende</h3>'],
  ["Ende {#ende}\n===", '<h1 id="ende">Ende</h1>'],
  ["## Start { #begin }\n\n[a](#begin)", '<h2 id="begin">Start</h2>\n<p><a href="#begin">a</a></p>'],
  // Raw HTML
  ["H<sub>2</sub>O, <mark>a</mark> and <kbd>b</kbd>", "<p>H<sub>2</sub>O, <mark>a</mark> and <kbd>b</kbd></p>"],
  ['<div align="center">\n\n**a**\n\n</div>', '<div align="center">\n<p><strong>a</strong></p>\n</div>'],
  [
    '<abbr title="a b">ab</abbr>, <u>c</u>, <small>d</small>',
    '<p><abbr title="a b">ab</abbr>, <u>c</u>, <small>d</small></p>',
  ],
  ["<dl><dt>a</dt><dd>b</dd></dl>", "<dl><dt>a</dt><dd>b</dd></dl>"],
  ["<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>", "<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby></p>"],
  [
    "<details><summary>a</summary>\n\n**b**\n\n</details>",
    "<details><summary>a</summary>\n<p><strong>b</strong></p>\n</details>",
  ],
  ["a <x-y>*b*</x-y> c", "<p>a <em>b</em> c</p>", "html_removed"],
  // Markup of other tools
  ["<div>{{<name>}} {{< a >}}</div>", "<div>{{&lt;name>}} {{&lt; a >}}</div>", "foreign_syntax"],
  [":::note Mind\n\nAdvice.\n\n:::", "<p>:::note Mind</p>\n<p>Advice.</p>\n<p>:::</p>", "foreign_syntax"],
  // Chinese, Japanese and Korean text
  ["**注意：**请看", "<p><strong>注意：</strong>请看</p>"],
  ["含**「重点」**内容", "<p>含<strong>「重点」</strong>内容</p>"],
  ["**「引用」**と**強調。**です", "<p><strong>「引用」</strong>と<strong>強調。</strong>です</p>"],
  ["**`code`**后 中**`code`**文", "<p><strong><code>code</code></strong>后 中<strong><code>code</code></strong>文</p>"],
  ["**강조(x)**는", "<p><strong>강조(x)</strong>는</p>"],
  ["이것은 **“중요”**합니다", "<p>이것은 <strong>“중요”</strong>합니다</p>"],
  ["中~~（删）~~文", "<p>中<del>（删）</del>文</p>"],
  ["*「a」*は", "<p><em>「a」</em>は</p>"],
  ["他说**“好。”**然后", "<p>他说<strong>“好。”</strong>然后</p>"],
  ["**《书名》**出版", "<p><strong>《书名》</strong>出版</p>"],
  ["***注意！***请看", "<p><em><strong>注意！</strong></em>请看</p>"],
  ["见https://e.x/a。请", `<p>见${linkTo("https://e.x/a")}。请</p>`],
  ["https://e.x/a，请", `<p>${linkTo("https://e.x/a")}，请</p>`],
  ["https://e.x（请）", `<p>${linkTo("https://e.x")}（请）</p>`],
  ["www.e.x、请", `<p>${linkTo("http://www.e.x", "www.e.x")}、请</p>`],
  ["“https://e.x/a”请", `<p>“${linkTo("https://e.x/a")}”请</p>`],
  ["https://e.x/a“请”", `<p>${linkTo("https://e.x/a")}“请”</p>`],
  ["https://e.x/中文/a", `<p>${linkTo("https://e.x/%E4%B8%AD%E6%96%87/a", "https://e.x/中文/a")}</p>`],
])("the Markdown %j renders to %j", (markdown, html, ...warnings) => {
  expect(resultOf(markdown)).toEqual([html, ...warnings])
})

const SAME_TEXT = [
  ["~one~", "价格10~20元，3~5件", "~5 or ~6", "a~b~c", "(~1) and (~2)", "~/src and ~/lib", "a ::: b", "a ==b=="],
  ["Hello {{ user.name }}: {0}, ${count}", "{{a_b}} and {{c_d}}", "{{{ raw }}} {x}", "%s of %d, %(name)s"],
  [
    "${a} $b ${c}",
    "$20,000",
    "Costs $5 and $6.",
    "From $5 to $6.",
    "a $ b$ c",
    "a $b $ c",
    "$a$5",
    "$a\nb$",
    "US$5, CA$6",
  ],
  [":rocket: :+1: :a_b:", "$$\na\nb"],
].flat()
it.each(SAME_TEXT)("the Markdown %j renders to the same text without a warning", (text) => {
  expect(resultOf(text)).toEqual([`<p>${text}</p>`])
})

describe("links", () => {
  it.each<[markdown: string, href: string, text?: string]>([
    ["[a](https://e.x)", "https://e.x"],
    ["<https://e.x>", "https://e.x", "https://e.x"],
    ["https://e.x", "https://e.x", "https://e.x"],
    ["www.e.x", "http://www.e.x", "www.e.x"],
    ["[a]\n\n[a]: https://e.x", "https://e.x"],
    ["[a](mailto:me@e.x)", "mailto:me@e.x"],
    ["me@e.x", "mailto:me@e.x", "me@e.x"],
    ["[a](tel:+1555)", "tel:+1555"],
    ["<tel:+1555>", "tel:+1555", "tel:+1555"],
    ["[a](sms:+1)", "sms:+1"],
    ["[a](xmpp:a@b)", "xmpp:a@b"],
    ["[a](irc://e.x/c)", "irc://e.x/c"],
    ["[a](ircs://e.x/c)", "ircs://e.x/c"],
    ["[a](HTTPS://e.x)", "https://e.x"],
    ["[a](//e.x/u)", "//e.x/u"],
    ["[a](/@ann/p)", "/@ann/p"],
    ["[a](/@ann/p/#b)", "/@ann/p/#b"],
    ["[a](/media/x.webp)", "/media/x.webp"],
    ['[a](https://e.x/"onclick="x)', "https://e.x/%22onclick=%22x"],
    ['<a href="https://e.x">a</a>', "https://e.x"],
    ["a_b@c.e", "mailto:a_b@c.e", "a_b@c.e"],
  ])("the Markdown link %s renders to a link with the address %s and no warning", (markdown, href, text = "a") => {
    expect(resultOf(markdown)).toEqual([`<p>${linkTo(href, text)}</p>`])
  })

  it.each<Row>([
    ["[a](#x)", '<a href="#x">a</a>'],
    ["[a]()", "a", "relative_link"],
    ["[a](`https://e.x`)", "a", "relative_link"],
    ["[a][b]\n\n[b]: c.md", "a", "relative_link"],
    ["<ftp://e.x>", "ftp://e.x", "unsupported_link"],
    // An address inside a link
    ['<a href="https://e.x/t">https://e.x/s</a>', linkTo("https://e.x/t", "https://e.x/s")],
    ['<A title="b" HREF="/@u">*me@e.x*</A>', linkTo("/@u", "<em>me@e.x</em>", ' title="b"')],
    ['<a id="b"></a> https://e.x/s', `<a id="b"></a> ${linkTo("https://e.x/s")}`],
    ['<a id="b"> https://e.x/s', `<a id="b"> </a>${linkTo("https://e.x/s")}`],
    ['<a href="/@u"><iframe src="https://e.x/1"></iframe></a>', linkTo("/@u", "https://e.x/1"), "html_removed"],
    ['[a <iframe src="https://e.x/1"></iframe>](/@u)', linkTo("/@u", "a https://e.x/1"), "html_removed"],
    // Addresses beside underscores and stars
    ["_support@e.x to contact support_", `${linkTo("mailto:_support@e.x", "_support@e.x")} to contact support_`],
    ["__a@b.e is bold__", `${linkTo("mailto:__a@b.e", "__a@b.e")} is bold__`],
    ["*a@b.e*", `<em>${linkTo("mailto:a@b.e", "a@b.e")}</em>`],
    ["**a@b.e** c", `<strong>${linkTo("mailto:a@b.e", "a@b.e")}</strong> c`],
    ["_a_ b@c.e", `<em>a</em> ${linkTo("mailto:b@c.e", "b@c.e")}`],
    ["_to a@b.e now_", `<em>to ${linkTo("mailto:a@b.e", "a@b.e")} now</em>`],
  ])("the Markdown %j renders to a paragraph of %j", (markdown, html, ...warnings) => {
    expect(resultOf(markdown)).toEqual([`<p>${html}</p>`, ...warnings])
  })

  it("a footnote call inside a Markdown link becomes its text", () => {
    expect(htmlOf("[a[^1]](/@u)\n\n[^1]: b")).toContain(`<p>${linkTo("/@u", "a<sup>1</sup>")}</p>`)
  })

  it.each(
    words(`javascript:alert(1) JaVaScRiPt:alert(1) java&#x73;cript:alert(1) &#106;avascript:alert(1)
      javascript&colon;alert(1) java&Tab;script:x java&NewLine;script:x vbscript:x data:text/html,x
      data:image/png;base64,AA blob:https://e.x/a file:///etc/passwd about:blank ftp://e.x/a a:b.md intent://e.x`),
  )("a Markdown link to %s is shown as text, with the warning unsupported_link", (address) => {
    expect(resultOf(`[a](${address})`)).toEqual(["<p>a</p>", "unsupported_link"])
    expect(htmlOf(`[a]\n\n[a]: <${address}>`)).toBe("<p>a</p>")
    expect(htmlOf(`<a href="${address}">a</a>`)).toBe("<p>a</p>")
  })

  const RELATIVE = ["a.html", "../other/", "../../b", "./a.md#end", "?q", "a/b", "", "#", "“https://e.x”"]
  it.each(RELATIVE)("a Markdown link to %j is shown as text, with the warning relative_link", (address) => {
    expect(resultOf(`[a](<${address}>)`)).toEqual(["<p>a</p>", "relative_link"])
  })

  const ROOT = ["/x", "/docs/setup/", "/", "/a:b"]
  it.each(ROOT)("a Markdown link to the path %s stays a link, with the warning root_link", (address) => {
    expect(resultOf(`[a](${address})`)).toEqual([`<p>${linkTo(address, "a")}</p>`, "root_link"])
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
  it.each<[markdown: string, ...ids: string[]]>([
    ["# One Two", "one-two"],
    ["## The end", "the-end"],
    ["# One\n\n## One\n\nOne\n===", "one", "one-1", "one-2"],
    ["# a\n\n# A\n\n# a 1\n\n# a", "a", "a-1", "a-1-1", "a-2"],
    ["# *One* `two` [three](https://e.x) ![four](/f)", "one-two-three-four"],
    ['# <b>one</b> & "two"', "one--two"],
    ["> # Quoted\n\n- # Listed", "quoted", "listed"],
    ["# One[^1] two\n\n[^1]: a", "one-two", "ep-footnotes"],
    ["### Ünï 日本 語!", "ünï-日本-語"],
    ["#### العربية هنا", "العربية-هنا"],
    ["# constructor\n\n# __proto__ x", "constructor", "proto-x"],
    ["# ep-x\n\n# fn-1\n\n# fnref-1", "ep-x-1", "fn-1-1", "fnref-1-1"],
    ["Setext {#a}\n---", "a"],
    ["## A {#x}\n\n## B {#x}", "x", "b"],
    ["## A {#fn-1}\n\n## B {#ep-1}", "fn-1-1", "ep-1-1"],
    ["## Fin\n\n## Other {#fin}", "fin-1", "fin"],
    ['<h2 id="x">A</h2>\n\n## X', "x", "x-1"],
    ['<a id="x"></a>\n\n## X', "x-1"],
    ["## A {#x} b", "a-x-b"],
    ["## A `{#x}`", "a-x"],
    ["## A \\{#x}", "a-x"],
    ["## A {#x\\}", "a-x"],
    ["## A &#123;#x}", "a-x"],
    ["## A \\\\{#x}", "x"],
    ["## A {#x\\_y}", "x_y"],
  ])("Markdown headings in %j get the ids %j", (markdown, ...ids) => {
    expect(headingIds(markdown)).toEqual(ids)
  })

  it.each(["", "!?", "😀", "<br>"])("three Markdown headings without words (%j) get three different ids", (text) => {
    const ids = headingIds(`# ${text}\n\n# ${text}\n\n# ${text}`)
    expect([ids.length, new Set(ids).size, ids.includes("")]).toEqual([3, 3, false])
  })

  it.each([
    ["as many headings", "# Un\n\n## Deux\n\n## Trois", "one two two-1", "one two two-1"],
    ["as many headings on other levels", "# Un\n\n### Deux", "one two", "one two"],
    ["as many headings and a footnote", "# Un[^1]\n\n[^1]: b", "one", "one ep-footnotes"],
    ["one heading more", "# Un\n\n## Deux", "one", "un deux"],
    ["one heading less", "# Un", "one two", "un"],
    ["an explicit id", "# Un {#premier}\n\n## Deux", "one two", "premier two"],
    ["an explicit id that the source text has", "# Un {#two}\n\n## Deux", "one two", "two deux"],
  ])("a translation with %s (%j) of a source text with the heading ids %s gets %s", (_, markdown, ofSource, ids) => {
    expect(headingIds(markdown, words(ofSource))).toEqual(words(ids))
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
    // An attribute with an angle bracket before the id
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
    ["ja", "脚注", "本文に戻る"],
    ["ko", "각주", "본문으로 돌아가기"],
    ["fr-CA", "Notes de bas de page", "Retour au texte"],
    ["ar", "الحواشي", "العودة إلى النص"],
    ["uk", "Виноски", "Повернутися до тексту"],
    ["nb", "Fotnoter", "Tilbake til teksten"],
    ["nn", "Fotnoter", "Tilbake til teksten"],
    ["no", "Fotnoter", "Tilbake til teksten"],
    ["xx", "Footnotes", "Back to text"],
  ])("Markdown footnotes have labels in the language %s: %s, %s", (language, label, back) => {
    const html = htmlOf(markdown, { language })
    expect(html).toContain(`<h2 class="sr-only" id="ep-footnotes">${label}</h2>`)
    expect(html.match(/aria-label="[^"]*"/g)).toEqual(Array(3).fill(`aria-label="${back}"`))
  })

  it.each<[html: string, ...ids: string[]]>([
    ['<ul><li id="fn-1">x</li></ul>'],
    ['<a id="fnref-1" data-footnote-ref>x</a>', "fnref-1-1"],
    ['<h2 id="ep-footnotes">x</h2>', "ep-footnotes-1"],
    ['<h2 id="fn-1-1">x</h2>', "fn-1-1-1"],
    ["## X {#ep-footnotes}", "ep-footnotes-1"],
    ['<section data-footnotes><h2 id="footnote-label">My own words</h2></section>', "footnote-label"],
  ])("raw HTML that looks like a footnote is not treated as a footnote: %s gets the ids %j", (html, ...ids) => {
    const made = htmlOf(`${html}\n\na[^1]\n\n[^1]: b`)
    expect(idsOf(made)).toEqual([...ids, "fnref-1", "ep-footnotes", "fn-1"])
    expect(made).not.toMatch(/data-made/)
    expect(made.split("data-footnote")).toHaveLength(5)
    expect(made.split("Footnotes")).toHaveLength(2)
    expect(textOf(treeOf(made))).toContain(shownText(html).trim())
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
  it.each<[markdown: string, ...sources: string[]]>([
    ["![a](/m/1.webp) ![b](/m/2.webp 'title')", "/m/1.webp", "/m/2.webp"],
    ["![a]\n\n[a]: /m/1.webp", "/m/1.webp"],
    ["[![a](/m/1.webp)](/u)", "/m/1.webp"],
    ["| ![a](/m/1.webp) |\n|---|", "/m/1.webp"],
    ["`![a](/m/1.webp)` \\![a](/m/1.webp)"],
    ["```\n![a](/m/1.webp)\n```"],
    ['<img src="/m/1.webp" alt="a" />', "/m/1.webp"],
    ['<figure><img src="/m/1.webp"></figure>', "/m/1.webp"],
    ['<template><img src="/m/1.webp"></template> <!-- <img src="/m/2.webp"> -->'],
    ["![a](https://e.x/a.png?x=1&y=2)", "https://e.x/a.png?x=1&y=2"],
    ["![a](/m/&amp;amp;.webp)", "/m/&amp;.webp"],
  ])("render lists the images in the Markdown %j: %j", (markdown, ...sources) => {
    expect(imagesOf(markdown)).toEqual(sources)
  })

  it.each([
    ["![words](/other.webp)", linkTo("/other.webp", "words")],
    ["![](/other.webp)", linkTo("/other.webp", "/other.webp")],
    ['![a < "b"](/other.webp)', linkTo("/other.webp", 'a &lt; "b"')],
    ["![a](https://e.x/a.png){: .wide }", `${linkTo("https://e.x/a.png", "a")}{: .wide }`],
    ["[![words](/other.webp)](/@u)", linkTo("/@u", "words")],
    ["![words](javascript:x)", "words"],
    ["[![words](https://e.x/a.png)](b.md)", linkTo("https://e.x/a.png", "words")],
    ['<a id="b">![words](/other.webp)</a>', '<a id="b">words</a>'],
    ["![words](other.png)", "words"],
  ])("a Markdown image that may not be shown becomes a link or its alt text: %s", (markdown, expected) => {
    expect(htmlOf(markdown)).toBe(`<p>${expected}</p>`)
  })

  it("a Markdown image that may be shown gets its size and lazy loading", () => {
    const image = '<img src="/mine.webp" alt="kept" title="b" width="3" height="2" loading="lazy">'
    expect(htmlOf('![kept](/mine.webp "b")')).toBe(`<p>${image}</p>`)
    const figure = '<figure><img src="/mine.webp" alt="kept" title="b"><figcaption>c</figcaption></figure>'
    expect(htmlOf(figure)).toBe(`<figure>${image}<figcaption>c</figcaption></figure>`)
  })
})

describe("alerts", () => {
  it.each(["NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION", "note"])(
    "a Markdown quote that starts with [!%s] becomes an alert of this kind with its title",
    (name) => {
      const kind = name.toLowerCase()
      expect(htmlOf(`> [!${name}]\n> a *b*`).replaceAll("\n", "")).toBe(
        `<div class="alert alert-${kind}" role="note"><p class="alert-title">${name.charAt(0).toUpperCase()}${kind.slice(1)}</p><p>a <em>b</em></p></div>`,
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

  const WITH_BREAK = ["> [!NOTE]\\\n> a<br>b", "> [!NOTE]  \n> a<br>b"]
  it.each(WITH_BREAK)("the Markdown alert %j has no line break before its text", (markdown) => {
    expect(htmlOf(markdown).replaceAll("\n", "")).toContain('<p class="alert-title">Note</p><p>a<br>b</p>')
  })

  const NO_ALERTS = ["> [!NOTE] a", "> a [!NOTE]", "> [!OTHER]\n> a", "> [!NOTE]*a*", "[!NOTE]\na", "> `[!NOTE]`\n> a"]
  it.each(NO_ALERTS)("the Markdown %j does not render to an alert", (markdown) => {
    expect(htmlOf(markdown)).not.toContain("alert")
  })
})

const isHighlighted = (html: string) => html.includes('class="hljs-')

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
    ["js{1,3}", "const a = 1", "js"],
    ["js:title=a.js", "const a = 1", "js"],
    ["js{1}:b", "const a = 1", "js"],
    ['js {1,3} title="a.js"', "const a = 1", "js"],
  ])("Markdown code in %s gets highlighting classes and keeps its text: %s", (info, code, language = info) => {
    const html = htmlOf(fence(info, code))
    expect(isHighlighted(html)).toBe(true)
    expect(html).toMatch(new RegExp(`^<pre><code class="language-${language}">`))
    expect(textOf(treeOf(html))).toBe(`${code}\n`)
    expect(complaintsOn(html)).toEqual([])
  })

  const PLAIN = ["", "foo", "text", "mermaid", "constructor", "{r}"]
  it.each(PLAIN)("Markdown code with the language %j is not highlighted", (language) => {
    expect(isHighlighted(htmlOf(fence(language, "const a = 1")))).toBe(false)
  })

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

/** Writes MATH for each formula. */
const formulasIn = (html: string): string => html.replaceAll(/<math[^]*?<\/math>/g, "MATH")

describe("math", () => {
  it.each([
    ["\\$a$", "<p>$a$</p>"],
    ["`$a$`", "<p><code>$a$</code></p>"],
    ["$a$", "<p>MATH</p>"],
    ["a $x+1$.", "<p>a MATH.</p>"],
    ["($b$)", "<p>(MATH)</p>"],
    ["$5$", "<p>MATH</p>"],
    ["$a\\$b$", "<p>MATH</p>"],
    ["$20,000 and USD$ x $y$", "<p>MATH x MATH</p>"],
    ["$a_b\\,c_d$", "<p>MATH</p>"],
    ["$$\\begin{align}\na &= b\n\\end{align}$$\n\n# c", '<p>MATH</p>\n<h1 id="c">c</h1>'],
    ["$$ a\n$$\n\nb\n\n$$ c\n= d\n$$\n\n- e", "<p>MATH</p>\n<p>b</p>\n<p>MATH</p>\n<ul>\n<li>e</li>\n</ul>"],
    ["$$\na\n$$.\n\n- b\n\n$$\nc\n$$", "<p>MATH.</p>\n<ul>\n<li>b</li>\n</ul>\nMATH"],
    ["a\n$$\nb\n+ c\n$$\nd", "<p>a</p>\nMATH\n<p>d</p>"],
    ["> $$ a\n> $$\n>\n> b", "<blockquote>\n<p>MATH</p>\n<p>b</p>\n</blockquote>"],
    ["- $$\n  a\n  - b\n  $$\n- c", "<ul>\n<li>\nMATH\n</li>\n<li>c</li>\n</ul>"],
    ["$$\ta\nb\n$$", "<p>MATH</p>"],
    // Two dollars without a second pair
    ["$$ a\n\nb", "<p>$$ a</p>\n<p>b</p>"],
    ["$$\na\n\n- b", "<p>$$\na</p>\n<ul>\n<li>b</li>\n</ul>"],
    ["> $$\n> a\n\nb", "<blockquote>\n<p>$$\na</p>\n</blockquote>\n<p>b</p>"],
    ["a\n$$\nb", "<p>a\n$$\nb</p>"],
  ])("the Markdown %j, with its formulas as MATH, renders to %j without a warning", (markdown, expected) => {
    expect([formulasIn(htmlOf(markdown)), ...codesOf(markdown)]).toEqual([expected])
  })

  it.each([
    ["between two dollars", "$$a_{1}$$"],
    ["between two dollars after text", "Formula: $$a_{1}$$"],
    ["between lines of two dollars", "$$\na_{1}\n$$"],
    ["in a fence named math", "```math\na_{1}\n```"],
  ])("a math formula %s is rendered in display mode", (_, markdown) => {
    const html = htmlOf(markdown)
    expect(html).toMatch(/<math display="block".*<msub><mi>a<\/mi><mn>1<\/mn><\/msub>/)
    expect(html).not.toMatch(/\$|style=/)
    expect([...complaintsOn(html), ...codesOf(markdown)]).toEqual([])
  })

  it.each(["\\frac{a", "\\foo", "{".repeat(900), "}"])(
    "a math formula with an error stays as text, with the warning unreadable_math: %j",
    (tex) => {
      expect(shownText(`a $${tex}$ b`)).toBe(`a $${tex}$ b`)
      expect(codesOf(`a $${tex}$ b`)).toEqual(["unreadable_math"])
      expect(shownText(`$$\n${tex}\n$$`)).toContain(tex)
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

  const INJECTIONS = [
    ["\\href{javascript:__xss()}{a}", "\\url{javascript:__xss()}", "\\includegraphics{https://e.test/a.png}"],
    ["\\class{x}{a}", "\\id{x}{a}", "\\style{color:red}{a}", "\\data{x=y}{a}"],
    ["\\text{<img src=x onerror=__xss()>}", "\\color{red} a", "\\def\\a{\\a\\a}\\a"],
  ].flat()
  it.each(INJECTIONS)("a math formula cannot add elements or attributes outside of the allow-list: %s", (tex) => {
    const html = htmlOf(`$$${tex}$$ and $${tex}$`)
    expect(complaintsOn(html)).toEqual([])
    expect(html).not.toMatch(/<img|<a |style=/)
  })
})

describe("front matter", () => {
  it.each([
    "---\ntitle: a\n---\n\nText.",
    "+++\ntitle = 'a'\n+++\n\nText.",
    "\uFEFF---\ntitle: a\n---\n\nText.",
    "---\n# a\n\n  # b\ntitle: c\n---\n\nText.",
    "---\n# a comment\ntitle: a\n---\nText.",
    "---\n\ntitle: a\n---\n\nText.",
    "+++\r\n# a\r\ntitle = 'a'\r\n+++\r\nText.",
    "---\n标题: a\n---\n\nText.",
    "---\ntítulo: a\n---\n\nText.",
    '---\n"my title": a\n---\n\nText.',
    "---\ntags:\n- a\n---\n\nText.",
    "---\ntitle: a\ntags:\n  - b\n---\n\nText.",
    "---\ndate: 2019-03-04T05:06:07Z\ntags: [One, two]\ncover: { image: a.png }\ncanonical_url: https://e.x\n---\n\nText.",
    "+++\n[a]\nb = 1\n+++\n\nText.",
    "+++\ndate = 2020-01-01\n[params]\n  a = 1\n+++\n\nText.",
    "---\r\ntitle: a\r\n---\r\n\r\nText.",
  ])("front matter at the start of the post body %j is not shown, with the warning front_matter", (markdown) => {
    expect(resultOf(markdown)).toEqual(["<p>Text.</p>", "front_matter"])
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
    ['Text {{< tweet user="a" id="1" >}} goes on.', "a Hugo shortcode"],
    ['{{< code lang="js" title="a.js" >}}\nlet a = b * c * d\n{{< /code >}}', "a Hugo shortcode"],
    ['[a]({{< ref "b.md" >}}) and [c]({% post_url 2020-01-01-d %}).', "a Hugo shortcode (line 3), a Liquid tag"],
    ["{% youtube abc %}", "a Liquid tag"],
    ["{% raw %}a{% endraw %}", "a Liquid tag"],
    ["{% include a.html b='c' %}", "a Liquid tag"],
    [":::note Mind this", "a ::: directive"],
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
    // Readers do not see the marker of a quote or list, or blank lines. Matches `> ` and the second of two breaks.
    expect(shownText(markdown).trim()).toBe(markdown.replaceAll(/^(?:[>-] | {2})|\n(?=\n)/gm, ""))
    expect(codesOf(markdown)).toEqual(["foreign_syntax"])
    expect(messageOf(`a\n\n${markdown}`, "foreign_syntax")).toContain(`${kind} (line 3)`)
  })

  const QUIET = [
    ["`{{< a >}}`", "```\n{% a %}\n:::b\n```", "<!-- {% a %} -->", "b <!-- {{< a >}} --> c"],
    ["<div>\n<!--\n:::a\n--></div>"],
    // All HTML is allowed
    ["<b>a</b>", "<!-- more -->", "<figure>a</figure>", "`<script>`", "<!-- <script> -->", "a <b", "<https://e.x>"],
    ['<h2 id="b">a</h2><a id="c">d</a>'],
  ].flat()
  it.each(QUIET)("the post body %j gives no warning about HTML or markup of other tools", (markdown) => {
    expect(codesOf(markdown)).toEqual([])
  })

  it.each([
    ["<TABLE><TR><TD>a</TABLE> <B>b</B>"],
    ["<SCRIPT>a</SCRIPT>", "html_removed"],
    ["<VIDEO src=a></VIDEO>", "html_removed"],
  ])("HTML in capitals is not taken for a JSX component: %s", (markdown, ...codes) => {
    expect(codesOf(markdown)).toEqual(codes)
    expect(htmlOf(markdown)).not.toContain("&lt;")
  })

  it.each(["Script", "Style", "Textarea", "Video"])("Markdown after the JSX component <%s> is rendered", (name) => {
    expect(htmlOf(`<${name} src="b" />\n\n# *c*`)).toContain("<em>c</em>")
    expect(htmlOf(`<${name}>\n\n# *c*\n\n</${name}>\n\n*d*`)).toContain("<em>d</em>")
  })

  it("several kinds of markup of other tools give one warning, with the first line of each kind", () => {
    const markdown = "{{< a >}}\n\n{% b %}\n\n{{< c >}}"
    expect(warningsOf(markdown)).toMatchObject([{ code: "foreign_syntax" }])
    expect(messageOf(markdown, "foreign_syntax")).toBe(
      "Readers see markup of another tool as plain text: a Hugo shortcode (line 1), a Liquid tag (line 3). Write it as Markdown.",
    )
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
    ["<video src=a controls />\n\nb", "all text after an unclosed video (line 3)"],
    ['<iframe src="https://e.x/1" />\n\nb', "all text after an unclosed iframe (line 3)"],
    ["<video></video>\n\n<video>", "all text after an unclosed video (line 5)"],
    ["<script>\n\nb", "all text after an unclosed script (line 3)"],
  ])("the raw HTML %j in a post gives the warning html_removed with %j", (html, told) => {
    expect(codesOf(`a\n\n${html}`)).toEqual(["html_removed"])
    expect(messageOf(`a\n\n${html}`, "html_removed")).toContain(told)
  })

  const CLOSED = [
    "<video>\n\nb\n\n</video>",
    "<svg />",
    "b <video>c</video> d",
    "<script>b</script>",
    "<script>\n\nb</script>",
  ]
  it.each(CLOSED)(
    "the closed raw HTML %j gives the warning html_removed, which names no lost text after it",
    (html) => {
      expect(messageOf(html, "html_removed")).toMatch(/^(?!.*after)/)
    },
  )

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

  it("a post with raw HTML shows allowed elements, and html_removed lists the others with their lines", () => {
    const markdown = `A <kbd>b</kbd>.

<details><summary>More</summary>

Hidden **text**.

</details>

<table><tr><td>one</td></tr></table>

<!-- more -->

<iframe src="https://e.x/1"></iframe>

<video src="/a.mp4" controls></video>
`
    expect(htmlOf(markdown)).toBe(
      `<p>A <kbd>b</kbd>.</p>\n<details><summary>More</summary>\n<p>Hidden <strong>text</strong>.</p>\n</details>\n<table><tbody><tr><td>one</td></tr></tbody></table>\n\n${linkTo("https://e.x/1")}\n<p></p>`,
    )
    expect(messageOf(markdown, "html_removed")).toContain(
      ": iframe, now a link (line 13), video and its content (line 15).",
    )
  })
})
