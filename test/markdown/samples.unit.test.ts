import { describe, expect, it } from "vitest"

import { find, htmlOf, renderAll, showMine, textOf, treeOf } from "./html.ts"

// Markdown of real blogs that once rendered wrongly, each with five similar texts.

const link = (href: string, text: string) => `<a rel="nofollow ugc noopener" href="${href}">${text}</a>`
const words = (markdown: string, language = "en") => textOf(treeOf(htmlOf(markdown, { language })))
const codesOf = (markdown: string) => renderAll(markdown).warnings.map(({ code }) => code)
const messagesOf = (markdown: string) => renderAll(markdown).warnings.map(({ message }) => message)

describe("raw HTML of a blog", () => {
  const body = `A line<br>broken by hand, a key <kbd>Ctrl</kbd>, x<sup>2</sup>, a <a href="https://example.com/">link</a>.

<figure><img src="/mine.webp" alt="A red square"><figcaption>A caption</figcaption></figure>

<details><summary>More</summary>

Hidden **text**.

</details>

<table><tr><td>one</td><td>two</td></tr></table>

<!-- more -->

<iframe src="https://example.com/embed/1"></iframe>

<video src="/a.mp4" controls></video>
`

  it("a post with raw HTML shows allowed elements, and html_removed lists the others with their lines", () => {
    const html = htmlOf(body)
    expect(html).toContain(
      `<p>A line<br>broken by hand, a key <kbd>Ctrl</kbd>, x<sup>2</sup>, a ${link("https://example.com/", "link")}.</p>`,
    )
    expect(html).toContain(
      '<figure><img src="/mine.webp" alt="A red square" width="3" height="2" loading="lazy"><figcaption>A caption</figcaption></figure>',
    )
    expect(html).toContain("<details><summary>More</summary>\n<p>Hidden <strong>text</strong>.</p>\n</details>")
    expect(html).toContain("<td>one</td><td>two</td>")
    expect(html).toContain(link("https://example.com/embed/1", "https://example.com/embed/1"))
    expect(html).not.toMatch(/more -->|video|iframe|mp4/)
    expect(messagesOf(body)).toEqual([
      "Readers do not get this HTML: iframe, now a link (line 15), video and its content (line 17). Use Markdown or allowed elements, and close every tag.",
    ])
  })

  it.each([
    ["H<sub>2</sub>O and <mark>this</mark>", "<p>H<sub>2</sub>O and <mark>this</mark></p>"],
    ['<div align="center">\n\n**a**\n\n</div>', '<div align="center">\n<p><strong>a</strong></p>\n</div>'],
    [
      '<abbr title="a b">ab</abbr>, <u>c</u>, <small>d</small>',
      '<p><abbr title="a b">ab</abbr>, <u>c</u>, <small>d</small></p>',
    ],
    ["<dl><dt>a</dt><dd>b</dd></dl>", "<dl><dt>a</dt><dd>b</dd></dl>"],
    ["<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>", "<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby></p>"],
  ])("the raw HTML %j in a post is shown without a warning", (markdown, html) => {
    expect(htmlOf(markdown)).toBe(html)
    expect(codesOf(markdown)).toEqual([])
  })

  it.each([
    '<picture><source srcset="https://e.test/a.avif 2x" type="image/avif"><img src="/mine.png" alt="a"></picture>',
    '<img src="/mine.png" srcset="https://e.test/a.png 2x" sizes="100vw">',
    '<picture><source srcset="//e.test/a.png"></picture>',
    '<p style="background:url(https://e.test/a.png)">a</p>',
    '<link rel="stylesheet" href="https://e.test/a.css"><style>@import "https://e.test/b.css"</style>',
    '<table background="https://e.test/a.png"><tr><td background="https://e.test/b.png">a</table>',
  ])("raw HTML in a post loads nothing from other sites: %s", (raw) => {
    expect(htmlOf(raw)).not.toContain("e.test")
    expect(find(htmlOf(raw)).flatMap(({ properties }) => Object.keys(properties))).not.toContain("srcSet")
  })
})

describe("shortcodes", () => {
  const body = `{{< youtube abc123 >}}

{{< img src="pic.png" title="Two boats" >}}

{{< code lang="js" title="a.js" >}}
let a = b * c * d
{{< /code >}}

See [the other]({{< ref "other.md" >}}) and [this one]({% post_url 2020-01-01-other %}).

{% youtube abc123 %}

{% user somebody %}
`

  it("a post with Hugo and Liquid shortcodes shows them as text, with one warning", () => {
    expect(words(body).trim()).toBe(body.trim().replaceAll("\n\n", "\n"))
    expect(messagesOf(body)).toEqual([
      "Readers see markup of another tool as plain text: a Hugo shortcode (line 1), a Liquid tag (line 9). Write it as Markdown.",
    ])
  })

  it.each([
    '{{< figure src="a.png" >}}',
    "{{% notice tip %}}",
    "{% raw %}a{% endraw %}",
    "{% include a.html b='c' %}",
    'Text {{< tweet user="a" id="1" >}} goes on.',
  ])("the shortcode %j in a post stays as text, with the warning foreign_syntax", (markdown) => {
    expect(words(markdown)).toBe(markdown)
    expect(codesOf(markdown)).toEqual(["foreign_syntax"])
  })
})

describe("admonitions, ids and attributes", () => {
  const body = `## Start { #begin }

Back to [the start](#begin).

:::note Mind this

Some advice.

:::

> [!TIP]
> An alert.

![Alt](https://example.com/a.png){: .wide }

Term
: its definition

A rocket :rocket: and ==marked== words.

\`\`\`mermaid
graph LR; a-->b
\`\`\`

\`\`\`js {1,3} title="a.js"
const x = 1
\`\`\`

Formula: $$a_{1} \\, b\\\\c$$
`

  it("a post with admonitions, ids and attributes renders the supported ones and warns about the others", () => {
    const html = htmlOf(body)
    expect(html).toContain('<h2 id="begin">Start</h2>\n<p>Back to <a href="#begin">the start</a>.</p>')
    expect(html).toContain("<p>:::note Mind this</p>\n<p>Some advice.</p>\n<p>:::</p>")
    expect(html).toMatch(
      /<div class="alert alert-tip" role="note"><p class="alert-title">Tip<\/p><p>An alert.<\/p>\s*<\/div>/,
    )
    expect(html).toContain(link("https://example.com/a.png", "Alt"))
    expect(html).toContain("A rocket :rocket: and ==marked== words.")
    expect(html).toContain('<pre><code class="language-mermaid">graph LR; a-->b\n</code></pre>')
    expect(html).toContain('<code class="language-js"><span class="hljs-keyword">const</span>')
    expect(html).toMatch(/Formula: <math display="block">.*<msub><mi>a<\/mi><mn>1<\/mn><\/msub>/)
    expect(messagesOf(body)).toEqual([
      "Readers see markup of another tool as plain text: a ::: directive (line 5). Write it as Markdown.",
    ])
  })

  it.each([
    ["### Das Ende {#ende}", '<h3 id="ende">Das Ende</h3>'],
    ["Ende {#ende}\n===", '<h1 id="ende">Ende</h1>'],
    ["> [!CAUTION]\n> a", '<p class="alert-title">Caution</p>'],
    ["```python {2}\npass\n```", '<code class="language-python"><span class="hljs-keyword">pass</span>'],
    ["$$\\frac{1}{2}$$", "<mfrac><mn>1</mn><mn>2</mn></mfrac>"],
  ])("the Markdown %j renders to HTML with %s", (markdown, html) => {
    expect(htmlOf(markdown)).toContain(html)
    expect(codesOf(markdown)).toEqual([])
  })
})

describe("links within a site", () => {
  const body = `[root](/docs/setup/), [sibling](../other-post/), [file](./2020-01-02-other.md#end), [bare](other.html).

![A diagram](/images/diagram.svg)
`

  it("a post with relative links shows their text instead of links, with warnings", () => {
    expect(htmlOf(body)).toBe(
      `<p>${link("/docs/setup/", "root")}, sibling, file, bare.</p>\n<p>${link("/images/diagram.svg", "A diagram")}</p>`,
    )
    expect(codesOf(body).toSorted()).toEqual(["relative_link", "root_link"])
    expect(messagesOf(body).join()).toContain(
      "../other-post/ (line 1), ./2020-01-02-other.md#end (line 1), other.html (line 1)",
    )
  })

  it.each([
    ["[a](../../b)", "<p>a</p>", ["relative_link"]],
    ["[a][b]\n\n[b]: c.md", "<p>a</p>", ["relative_link"]],
    ["[a](?page=2)", "<p>a</p>", ["relative_link"]],
    ["[a](/blog/)", `<p>${link("/blog/", "a")}</p>`, ["root_link"]],
    ["[a](/@ann/post/#end)", `<p>${link("/@ann/post/#end", "a")}</p>`, []],
  ])("the Markdown link %j renders to %s with the warnings %j", (markdown, html, codes) => {
    expect(htmlOf(markdown)).toBe(html)
    expect(codesOf(markdown)).toEqual(codes)
  })
})

describe("front matter of a blog", () => {
  const body = `---
title: カタカナの題
date: 2019-03-04T05:06:07Z
lastmod: 2020-01-01
draft: false
tags: [One, two]
author: somebody
cover: { image: cover.png }
series: [Part 1]
canonical_url: https://example.com/x
aliases: [/old/x/]
toc: true
---

Text.
`

  it("a post that begins with front matter does not show it and gets the warning front_matter", () => {
    expect(htmlOf(body)).toBe("<p>Text.</p>")
    expect(codesOf(body)).toEqual(["front_matter"])
  })

  it.each([
    "---\n# a comment\ntitle: a\n---\nText.",
    '---\n"title": "a"\n---\n\nText.',
    "---\n\ntitle: a\n---\n\nText.",
    "+++\ndate = 2020-01-01\n[params]\n  a = 1\n+++\n\nText.",
    "---\ntitle: a\ntags:\n  - b\n---\n\nText.",
  ])("front matter at the start of the post body %j is not shown, with the warning front_matter", (markdown) => {
    expect(htmlOf(markdown)).toBe("<p>Text.</p>")
    expect(codesOf(markdown)).toEqual(["front_matter"])
  })
})

describe("emphasis beside CJK punctuation", () => {
  it("emphasis beside Chinese and Japanese punctuation in a post is rendered", () => {
    const body = "**注意：**请看\n\n含**「重点」**内容\n\n**「引用」**と**強調。**です\n\n**`code`**后 中**`code`**文"
    expect(htmlOf(body, { language: "zh" })).toBe(
      [
        "<p><strong>注意：</strong>请看</p>",
        "<p>含<strong>「重点」</strong>内容</p>",
        "<p><strong>「引用」</strong>と<strong>強調。</strong>です</p>",
        "<p><strong><code>code</code></strong>后 中<strong><code>code</code></strong>文</p>",
      ].join("\n"),
    )
  })

  it.each([
    ["*「a」*は", "<em>「a」</em>は"],
    ["他说**“好。”**然后", "他说<strong>“好。”</strong>然后"],
    ["**《书名》**出版", "<strong>《书名》</strong>出版"],
    ["이것은 **“중요”**합니다", "이것은 <strong>“중요”</strong>합니다"],
    ["***注意！***请看", "<em><strong>注意！</strong></em>请看"],
  ])("the emphasis beside CJK punctuation in %s renders to %s", (markdown, html) => {
    expect(htmlOf(markdown)).toBe(`<p>${html}</p>`)
  })
})

describe("links with unusual addresses", () => {
  const body =
    "[call](tel:+1555) [sms](sms:+1) [ftp](ftp://x.example/a) [note](a:b.md) [smart](“https://x.example”) [code](`https://x.example`) <tel:+1555>"

  it("a post with links of unusual schemes shows them as links or as text, with warnings", () => {
    expect(htmlOf(body)).toBe(
      `<p>${link("tel:+1555", "call")} ${link("sms:+1", "sms")} ftp note smart code ${link("tel:+1555", "tel:+1555")}</p>`,
    )
    expect(codesOf(body).toSorted()).toEqual(["relative_link", "unsupported_link"])
  })

  it.each([
    ["[x](ftp://x.example)", ["unsupported_link"]],
    ["[x](file:///a)", ["unsupported_link"]],
    ["<ftp://x.example>", ["unsupported_link"]],
    ["[x](obsidian://open)", ["unsupported_link"]],
    ["[x]()", ["relative_link"]],
  ])("the Markdown link %s is shown as text, with the warning %j", (markdown, codes) => {
    expect(find(htmlOf(markdown), "a")).toEqual([])
    expect(codesOf(markdown)).toEqual(codes)
  })
})

describe("footnote labels", () => {
  it("footnotes of a Chinese post have Chinese labels", () => {
    const html = htmlOf("注[^1]\n\n[^1]: 一", { language: "zh" })
    expect(html).toContain(">脚注</h2>")
    expect(html).toContain('aria-label="返回正文"')
    expect(html).not.toMatch(/Footnotes|Back to/)
  })

  it.each([
    ["ja", "脚注"],
    ["ko", "각주"],
    ["fr-CA", "Notes de bas de page"],
    ["ar", "الحواشي"],
    ["uk", "Виноски"],
  ])("footnotes of a post in the language %s have the label %s", (language, label) => {
    expect(htmlOf("a[^1]\n\n[^1]: b", { language })).toContain(`>${label}</h2>`)
  })
})

describe("template placeholders", () => {
  it("a post with template placeholders such as {{ user.name }} shows them unchanged", () => {
    const body = "Hello {{ user.name }}, you have %s messages :rocket: in {0} and ${count}."
    expect(htmlOf(body)).toBe(`<p>${body}</p>`)
    expect(codesOf(body)).toEqual([])
  })

  it.each(["{{a_b}} and {{c_d}}", "%s of %d, %(name)s", "${a} $b ${c}", ":+1: :a_b:", "{{{ raw }}} {x}"])(
    "template placeholders in a post stay unchanged: %j",
    (markdown) => {
      expect(words(markdown)).toBe(markdown)
      expect(codesOf(markdown)).toEqual([])
    },
  )
})

describe("ranges with a tilde", () => {
  it("a Chinese post with number ranges such as 10~20 shows their tildes", () => {
    expect(htmlOf("价格10~20元，库存3~5件。", { language: "zh" })).toBe("<p>价格10~20元，库存3~5件。</p>")
  })

  it.each(["10~20元，3~5件", "~5 or ~6", "a~b~c", "(~1) and (~2)", "~/src and ~/lib"])(
    "single tildes in a post stay plain text: %s",
    (markdown) => {
      expect(htmlOf(markdown)).toBe(`<p>${markdown}</p>`)
    },
  )
})

describe("addresses beside underscores", () => {
  it("email addresses that begin with underscores become links as in micromark", () => {
    expect(htmlOf("_support@example.com to contact support_\n\n__a@b.example is bold__")).toBe(
      `<p>${link("mailto:_support@example.com", "_support@example.com")} to contact support_</p>\n` +
        `<p>${link("mailto:__a@b.example", "__a@b.example")} is bold__</p>`,
    )
  })

  it.each([
    ["*a@b.example*", `<em>${link("mailto:a@b.example", "a@b.example")}</em>`],
    ["**a@b.example** c", `<strong>${link("mailto:a@b.example", "a@b.example")}</strong> c`],
    ["_a_ b@c.example", `<em>a</em> ${link("mailto:b@c.example", "b@c.example")}`],
    ["_to a@b.example now_", `<em>to ${link("mailto:a@b.example", "a@b.example")} now</em>`],
    ["a_b@c.example", link("mailto:a_b@c.example", "a_b@c.example")],
  ])("the address in the Markdown %s renders to %s", (markdown, html) => {
    expect(htmlOf(markdown, { show: showMine })).toBe(`<p>${html}</p>`)
  })
})
