import { describe, expect, it } from "vitest"

import { NO_TOOL, TOOLS } from "../../src/tools/index.ts"
import { htmlOf } from "./service.ts"
import { converted } from "./texts.ts"

type Tool = keyof typeof TOOLS

/** Converts a text of a blog. @param data of its configuration @param page the front matter */
const of = (tool: Tool, text: string, data: Record<string, unknown> = {}, page: Record<string, unknown> = {}): string =>
  converted(text, { data: page, theme: { settings: { ...NO_TOOL, tool: TOOLS[tool], data } } })

/** Returns what the service shows, in one line. */
const shown = (...call: Parameters<typeof of>): string => htmlOf(of(...call)).replaceAll(/\n */g, "")

describe("Markdown in HTML", () => {
  it.each<[Tool, string, string]>([
    [
      "jekyll",
      '<div class="box" markdown="1">\nThe bar is **dry**.\n\n- one\n- two\n</div>\n\nEnd.',
      "<div><p>The bar is <strong>dry</strong>.</p><ul><li>one</li><li>two</li></ul></div><p>End.</p>",
    ],
    [
      "jekyll",
      '<details markdown="1">\n<summary>More *x*</summary>\nText with *stress*.\n</details>\nEnd.',
      "<details><summary>More *x*</summary><p>Text with <em>stress</em>.</p></details><p>End.</p>",
    ],
    [
      "jekyll",
      "text\n<div markdown='block'>**a** b</div>\nafter *b*",
      "<p>text</p><div><p><strong>a</strong> b</p></div><p>after <em>b</em></p>",
    ],
    ["jekyll", '<p markdown="1">\n**a**\n</p>', "<div><p><strong>a</strong></p></div>"],
    ["jekyll", '<div markdown="1">\n<div>\n**a**\n</div>\n</div>', "<div><div>**a**</div></div>"],
    ["jekyll", '<div markdown="0">\n**a**\n</div>', "<div>**a**</div>"],
    ["jekyll", "<div>\n**a**\n</div>", "<div>**a**</div>"],
    [
      "jekyll",
      '<table>\n  <tr>\n    <td markdown="1">\n**a**\n    </td>\n    <td>b</td>\n  </tr>\n</table>\n',
      "<table><tbody><tr><td><p><strong>a</strong></p></td><td>b</td></tr></tbody></table>",
    ],
    [
      "jekyll",
      '- a\n\n  <div markdown="1">\n  **b**\n  </div>\n\n- c',
      "<ul><li><p>a</p><div><p><strong>b</strong></p></div></li><li><p>c</p></li></ul>",
    ],
    [
      "jekyll",
      '> <div markdown="1">\n> **b**\n> </div>\n\nc',
      "<blockquote><div><p><strong>b</strong></p></div></blockquote><p>c</p>",
    ],
    [
      "jekyll",
      '<div markdown="1">\n<pre>\n<div> *a*</div>\n</pre>\n*b*\n</div>',
      "<div><pre><div> *a*</div></pre><p><em>b</em></p></div>",
    ],
    [
      "mkdocs",
      '<figure markdown="span">\n  ![A](/mine.png)\n  <figcaption>c</figcaption>\n</figure>',
      '<figure><p><img src="/mine.png" alt="A" width="3" height="2" loading="lazy"></p><figcaption>c</figcaption></figure>',
    ],
    ["folder", "<div class='grid' markdown>\n\n- **a**\n\n</div>", "<div><ul><li><strong>a</strong></li></ul></div>"],
    ["hugo", '<div markdown="1">\n**a**\n</div>', "<div>**a**</div>"],
  ])("%s: %j is shown as there", (tool, text, expected) =>
    expect(shown(tool, text, { markdown_extensions: ["attr_list", "md_in_html"] })).toBe(expected),
  )
  it.each([
    [
      "<div>\n**a**\n<p>*b*</p>\n<pre>*c*</pre></div>\n",
      "<div><p><strong>a</strong></p><div><p><em>b</em></p></div><pre>*c*</pre></div>",
    ],
    ['<div markdown="0">\n**a**\n</div>', "<div>**a**</div>"],
    ["<section>\n<h2>A *b*</h2>\n*c*\n</section>", '<section><h2 id="a-b">A *b*</h2><p><em>c</em></p></section>'],
    ["<ul>\n  <li>**a**</li>\n</ul>", "<ul><li>**a**</li></ul>"],
  ])("parse_block_html of kramdown: %j", (text, expected) =>
    expect(shown("jekyll", text, { kramdown: { parse_block_html: true } })).toBe(expected),
  )
  it.each([
    [
      '<figure>{% image "/mine.png", "A *kite*" %}</figure>',
      '<figure><img src="/mine.png" alt="A *kite*" width="3" height="2" loading="lazy"></figure>',
    ],
    ["<table><tr><td>{% youtube a1 %}</td></tr></table>", "https://www.youtube.com/watch?v=a1</a></td>"],
    ["<div>\n{% highlight js %}\na < b\n\nc\n{% endhighlight %}\n</div>\n\nd", "</code></pre></div><p>d</p>"],
    ["<div>\n{% note %}\n**a**\n{% endnote %}\n</div>\nd", '<div class="alert alert-note"'],
    ['<a href="{% link /a.pdf %}">b</a>', ">b</a>"],
  ])("a tag in HTML is HTML: %s", (text, expected) => {
    const html = shown("eleventy", text)
    expect(html).toContain(expected)
    expect(html).not.toMatch(/!\[|```|\[!|{%/)
  })
})

const table = (head: string, ...rows: string[]): string =>
  `<table>${head && `<thead><tr>${head}</tr></thead>`}<tbody>${rows.map((row) => `<tr>${row}</tr>`).join("")}</tbody></table>`

describe("kramdown", () => {
  it.each([
    ["| a | b |\n| c | d |", "|  |  |\n| --- | --- |\n| a | b |\n| c | d |"],
    ["|---|--:|\n| a | b |", "|  |  |\n| --- | ---: |\n| a | b |"],
    [
      "| a | b |\n|---|---|\n| c | d |\n|---|---|\n| e | f |\n|===|===|\n| g | h |",
      "| a | b |\n| --- | --- |\n| c | d |\n| e | f |\n| g | h |",
    ],
    [
      "|---+---|\n| a | b |\n|:--+--:|\n| c | d |\n|===+===|\n| e | f |\n|---+---|",
      "| a | b |\n| :--- | ---: |\n| c | d |\n| e | f |",
    ],
    ["a | b\n--|--\nc | d\n==|==\ne | f", "| a | b |\n| --- | --- |\n| c | d |\n| e | f |"],
    ["| a |\n| b | c |\n|---|\n| d |", "| a |  |\n| --- | --- |\n| b | c |\n| d |"],
    ["| a `x|y` | b \\| c |", "|  |  |\n| --- | --- |\n| a `x\\|y` | b \\| c |"],
    ["> | a | b |\n> | c | d |\n\ne", "> |  |  |\n> | --- | --- |\n> | a | b |\n> | c | d |\n\ne"],
    ["| a | b |\n| c | d |\n{: .x}\n", "|  |  |\n| --- | --- |\n| a | b |\n| c | d |\n"],
    ["* a\n^\n* b", "* a\n<!-- -->\n* b"],
    ["para\n^\nmore", "para\n<!-- -->\nmore"],
    ["> text\n> more\n{: .prompt-tip }\nafter", "> [!TIP]\n> text\n> more\n\nafter"],
    ["text\nmore\n{: .notice--info}", "> [!NOTE]\n> text\n> more\n"],
    ["{: .warning }\na *b*\n\nc", "> [!WARNING]\n> a *b*\n\nc"],
    ["{: .note-title }\n> A\n>\n> b", "> [!NOTE]\n> A\n>\n> b\n"],
    ["a $$x_1$$ b, $$ y\nz $$.", "a $x_1$ b, $y z$."],
    ["*[HTML]: Hyper\n\nHTML", "\n\nHTML"],
  ])("%j becomes %j", (text, expected) => expect(of("jekyll", text)).toBe(expected))
  it.each(
    [
      [
        "| a | b |\n|---|:-:|\n| c | d |",
        "a | b",
        "intro\n| a | b |",
        "| a | b |\nafter",
        "```\n| a |\n```",
        "- | a | b |",
      ],
      ["a\n ^\nb", "a ^ b", "```\n^\n```", "$$a$$", "$$\na\n$$", "x\n$$\na\n$$\ny", "`$$a$$ b`", "a $$x$$2"],
    ].flat(),
  )("%j stays", (text) => expect(of("jekyll", text)).toBe(text))
  it.each(["| a | b |\n| c | d |", "* a\n^\n* b", "a $$x$$ b"])("%j stays in a blog of Hugo", (text) =>
    expect(of("hugo", text)).toBe(text),
  )
  it("a table is one for the service, and lists are two", () => {
    expect(shown("jekyll", "Prices:\n\n| tea | 2 |\n| milk | 1 |\n\nEnd.")).toBe(
      `<p>Prices:</p>${table("<th></th><th></th>", "<td>tea</td><td>2</td>", "<td>milk</td><td>1</td>")}<p>End.</p>`,
    )
    expect(shown("jekyll", "* a\n^\n* b")).toBe("<ul><li>a</li></ul><ul><li>b</li></ul>")
  })
  it("kramdown's blocks stay in a blog of Jekyll with another Markdown", () =>
    expect(of("jekyll", "| a | b |\n| c | d |", { markdown: "CommonMark" })).toBe("| a | b |\n| c | d |"))
})

describe("formulas", () => {
  const passthrough = {
    markup: {
      goldmark: {
        extensions: {
          passthrough: {
            enable: true,
            delimiters: {
              block: [
                ["\\[", "\\]"],
                ["$$", "$$"],
              ],
              inline: [["\\(", "\\)"]],
            },
          },
        },
      },
    },
  }
  it.each<[Tool, string, string]>([
    ["jekyll", "a \\\\( h = \\frac{a}{b\\_1} \\\\) b", "a $h = \\frac{a}{b_1}$ b"],
    ["jekyll", "\\\\[ x_1 +\nx_2 \\\\]", "$$\nx_1 +\nx_2\n$$"],
    ["jekyll", "- \\\\[ x_1 \\\\]\n", "- $$\n  x_1\n  $$\n"],
    ["jekyll", "a \\\\[ x_1 \\\\] b", "a $$x_1$$ b"],
    [
      "hexo",
      "\\begin{align}\na &= b \\\\\\\\\nc &= d\n\\end{align}\n\nEnd.",
      "$$\n\\begin{align}\na &= b \\\\\nc &= d\n\\end{align}\n$$\n\nEnd.",
    ],
    [
      "hugo",
      "\\begin{equation*}\na \\\\\nb\n\\end{equation*}",
      "$$\n\\begin{equation*}\na \\\\\nb\n\\end{equation*}\n$$",
    ],
    ["hugo", "a \\(E=mc^2\\) b \\(x\\)", "a $E=mc^2$ b $x$"],
    ["hugo", "\\[ a \\, b \\]", "$$\na \\, b\n$$"],
    ["mkdocs", "a \\(x_1\\) b", "a $x_1$ b"],
    ["folder", "a \\( h = \\frac{a}{b} \\) b", "a $h = \\frac{a}{b}$ b"],
  ])("%s: %j becomes %j", (tool, text, expected) =>
    expect(
      of(tool, text, { ...passthrough, markdown_extensions: [{ "pymdownx.arithmatex": { generic: true } }] }),
    ).toBe(expected),
  )
  it.each<[Tool, string]>([
    ["jekyll", "\\( x \\) and \\(E=mc^2\\)"],
    ["jekyll", "use \\\\(foo\\\\) or \\\\(a\\|b\\\\) for groups"],
    ["jekyll", "`\\\\( x \\\\)`\n\n    \\\\[ x \\\\]\n"],
    ["jekyll", "\\\\( x\n\ny \\\\)"],
    ["jekyll", "$$\n\\begin{align}\na\n\\end{align}\n$$"],
    ["jekyll", "\\begin{code}\na\n\\end{code}"],
    ["folder", "see \\(1\\) and \\[a\\](b)"],
    ["eleventy", "a \\( h = \\frac{a}{b} \\) b"],
  ])("%s: %j stays", (tool, text) => expect(of(tool, text)).toBe(text))
  it("formulas are ones for the service", () => {
    const html = htmlOf(
      of("jekyll", "a \\\\( h = \\frac{a}{b} \\\\)\n\n\\begin{align}\na &= b \\\\\\\\\nc &= d\n\\end{align}\n"),
    )
    expect(html.match(/<math/g)?.length).toBe(2)
    expect(html).not.toContain("merror")
  })
})

describe("braces", () => {
  it.each<[Tool, Record<string, unknown>, string]>([
    ["jekyll", { render_with_liquid: false }, "{{ page.title }} {% if a %} {% youtube abc %} {{< b >}}"],
    ["hexo", { disableNunjucks: true }, "{{ page.title }} and {% youtube abc %}"],
    ["hugo", { title: "T" }, "{{ page.title }} {{ .Title }}"],
    ["folder", { title: "T" }, "{{ page.title }} {{ date }}"],
    ["vitepress", { title: "T" }, "<span v-pre>{{ page.title }}</span>"],
  ])("%s, %j: %s stays", (tool, page, text) => expect(of(tool, text, {}, page)).toBe(text))
  it("a container without evaluation is removed, and its braces stay", () =>
    expect(of("vitepress", "::: v-pre\n{{ page.title }} {% a %}\n:::\n\n:::note\na\n:::", {}, { title: "T" })).toBe(
      "\n{{ page.title }} {% a %}\n\n\n> [!NOTE]\n> a\n",
    ))
  it.each<[Tool, Record<string, unknown>, string, string]>([
    ["jekyll", { render_with_liquid: true, title: "T" }, "{{ page.title }}", "T"],
    ["hexo", { title: "T" }, "{{ page.title }}", "T"],
    ["jekyll", { render_with_liquid: false }, "a{% comment %}SECRET{% endcomment %}", "a"],
    ["folder", {}, "[a]({{ site.baseurl }}/b/)", "[a](/b/)"],
  ])("%s, %j: %s becomes %s", (tool, page, text, expected) => expect(of(tool, text, {}, page)).toBe(expected))
})

describe("sizes of images", () => {
  it.each([
    [
      "![[a.png|A boat|300x200]] ![a|300](b.png)",
      '<img src="a.png" alt="A boat" width="300" height="200"> <img src="b.png" alt="a" width="300">',
    ],
    ["![[a b.PNG|300]]", '<img src="a b.PNG" alt="" width="300">'],
    [
      "![x](my photo.png =300x200) ![x](b.png =300x)",
      '<img src="my photo.png" alt="x" width="300" height="200"> <img src="b.png" alt="x" width="300">',
    ],
    ['![*A* \\[b\\]](<a b.png> "T"){ width=300px .c }', '<img src="a b.png" alt="A [b]" title="T" width="300">'],
    ['![a](b_(1).png){: .left width="50%"}', '<img src="b_(1).png" alt="a" width="50%">'],
    ["[![a](b.png){width=9}](c.md)", '[<img src="b.png" alt="a" width="9">](c.md)'],
    [
      "![a](b.png){: w='700' h='400' }\n_Caption_",
      '<img src="b.png" alt="a" width="700" height="400"><!-- -->\n_Caption_',
    ],
    [
      '![a]({{ "/b.png" | relative_url }}){: style="width: 50%; float: left"}',
      '<img src="/b.png" alt="a" width="50%">',
    ],
    ['<img src="b.png" style="width:50%" alt="a">', '<img src="b.png" width="50%" alt="a">'],
    ["<img style='float: left; height: 20px' src='b.png'/>", "<img height=\"20\" style='float: left' src='b.png'/>"],
    ["| ![[a.png\\|300]] |\n|---|", '| <img src="a.png" alt="" width="300"> |\n|---|'],
  ])("%s becomes %s", (text, expected) => expect(of("eleventy", text)).toBe(expected))
  it.each([
    "![a](b.png)",
    "`![a|300](b.png)`",
    '<img src="b.png" width="300">',
    "![a|b](c.png)",
    '<img style="border: 0" src="a">',
    "![a](b.png =)",
  ])("%s stays", (text) => expect(of("eleventy", text)).toBe(text))
})

describe("words in brackets and abbreviations", () => {
  it.each<[Tool, string, string]>([
    ["eleventy", "[Small *caps*]{.smallcaps} [a]{.b}", "Small *caps* a"],
    ["eleventy", "[a]{.b} ![c]{.d} [e][f]{.g}\n\n[a]: /h\n[f]: /i", "[a] ![c] [e][f]\n\n[a]: /h\n[f]: /i"],
    ["jekyll", "[a]{: .b}", "[a]"],
    ["pelican", "*[HTML]: Hyper\n\nHTML", "\n\nHTML"],
    ["hugo", "*[HTML]: Hyper\n\nHTML", "*[HTML]: Hyper\n\nHTML"],
  ])("%s: %s becomes %s", (tool, text, expected) => expect(of(tool, text)).toBe(expected))
})

describe("what is hidden stays hidden", () => {
  it.each([
    '<div hidden markdown="1">\nSECRET\n\n</div>',
    '<p style="display:none" markdown="1">SECRET</p>\nb',
    '<div markdown="1">\n<p class="hidden">\nSECRET</p></div>',
    'a <!-- <div markdown="1">SECRET</div> --> b',
    "a <!-- ![SECRET|3](b.png)\n^\n--> b",
    "a\n\n<!-- SECRET\n{: .note}\n\n| SECRET |\n\n-->",
    '<div markdown="1">a <!-- SECRET\n</div> -->b</div>',
    "{% comment %}<div markdown='1'>SECRET</div>{% endcomment %}",
    '{::comment}\n<div markdown="1">SECRET</div>\n{:/comment}',
    "[//]: # (![SECRET](b){width=3})",
    "a <!--\\\\( x_SECRET \\\\)--> b",
    "<!--\n> SECRET -->\n{: .note}",
    "*[SECRET]: SECRET",
  ])("%j", (text) => {
    for (const data of [{}, { kramdown: { parse_block_html: true } }]) {
      expect(of("jekyll", text, data)).not.toContain("SECRET")
      expect(of("jekyll", text, data, { render_with_liquid: false })).not.toContain("SECRET")
    }
  })
})
