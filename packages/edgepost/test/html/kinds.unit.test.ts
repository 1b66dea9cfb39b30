import GithubSlugger from "github-slugger"
import { describe, expect, it } from "vitest"

import { cpuSecondsOf } from "../../../../test/cpu.ts"
import { parseHtml } from "../../src/html/parse.ts"
import { simplifyHtml } from "../../src/html/simplify.ts"
import { writeMarkdown } from "../../src/html/to-markdown.ts"
import { htmlOf } from "../markdown/service.ts"

const markdownOf = (html: string): string =>
  writeMarkdown(simplifyHtml(parseHtml(html)).tree, new GithubSlugger()).trim()

const fenced = (code: string, lang = ""): string => `\`\`\`${lang}\n${code}\n\`\`\``

const gistRow = (code: string, n = 1): string =>
  `<tr><td class="blob-num js-line-number" data-line-number="${n}"></td><td class="blob-code js-file-line">${code}</td></tr>`

describe("code that pages show in other elements than `pre` and `code`", () => {
  it.each([
    [
      "GitHub's gists",
      `<table class="highlight">${gistRow("<b>def</b> f(x):")}${gistRow("    return x | 1", 2)}${gistRow("\n", 3)}${gistRow("f(2)", 4)}</table>`,
      fenced("def f(x):\n    return x | 1\n\nf(2)"),
    ],
    [
      "highlightjs-line-numbers",
      '<pre><code class="language-sh"><table><tr><td class="hljs-ln-numbers">1</td><td class="hljs-ln-code">a</td></tr><tr><td class="hljs-ln-numbers">2</td><td class="hljs-ln-code">  b</td></tr></table></code></pre>',
      fenced("a\n  b", "sh"),
    ],
    [
      "SyntaxHighlighter",
      '<div class="syntaxhighlighter js"><table><tr><td class="gutter"><div class="line">1</div><div class="line">2</div></td><td class="code"><div class="container"><div class="line"><code class="keyword">var</code> <code>x</code></div><div class="line"><code>&nbsp;&nbsp;y</code></div></div></td></tr></table></div>',
      fenced("var x\n  y"),
    ],
    [
      "Rouge",
      '<div class="language-rb"><table><tr><td class="rouge-gutter gl"><pre>1\n2</pre></td><td class="rouge-code"><pre>a\n  b</pre></td></tr></table></div>',
      fenced("a\n  b", "rb"),
    ],
    [
      "Hugo's Chroma",
      '<table class="lntable"><tr><td class="lntd"><pre><code><span class="lnt">1\n</span></code></pre></td><td class="lntd"><pre><code class="language-go" data-lang="go"><span class="line"><span class="cl">a\n</span></span><span class="line"><span class="cl">b\n</span></span></code></pre></td></tr></table>',
      fenced("a\nb", "go"),
    ],
    [
      "a table of data, which stays one",
      "<table><tr><th>a</th></tr><tr><td>b</td></tr></table>",
      "| a |\n| - |\n| b |",
    ],
    [
      "spans that are lines",
      '<pre><code class="language-js"><span style="display:block">let a = 1</span><span style="display:block">  let b = 2</span></code></pre>',
      fenced("let a = 1\n  let b = 2", "js"),
    ],
    [
      "an element `code` for each line",
      "<pre><code>a</code><code>  b</code><code></code><code>c</code></pre>",
      fenced("a\n  b\n\nc"),
    ],
    [
      "items of a list",
      "<pre><ol><li><code>a = 1</code></li><li><code>  b = 2</code></li></ol></pre>",
      fenced("a = 1\n  b = 2"),
    ],
    [
      "elements `div`, one empty",
      '<pre class="language-c"><div>a</div><div></div><div>b</div></pre>',
      fenced("a\n\nb", "c"),
    ],
    [
      "lines of Shiki",
      '<pre><code><span class="line">a</span>\n<span class="line"></span>\n<span class="line">b</span></code></pre>',
      fenced("a\n\nb"),
    ],
    [
      "a label and a button",
      '<pre><div><span>bash</span><button>Copy</button></div><code class="language-bash">a\n</code><span>Copied!</span></pre>',
      fenced("a", "bash"),
    ],
    [
      "a file's name",
      '<pre><span class="name">main.go</span><code class="language-go">package main</code></pre>',
      `main.go\n\n${fenced("package main", "go")}`,
    ],
    ["a prompt", "<pre><span>$ </span><code>ls</code></pre>", fenced("$ ls")],
    ["an answer", "<pre><span>Run</span><code>ls\n</code><samp>a b</samp></pre>", fenced("Runls\na b")],
    ["words around code", "<pre>say <code>ls</code> here</pre>", fenced("say ls here")],
    ["breaks and a button", "<pre><button>Copy</button>a<br>  b</pre>", fenced("a\n  b")],
    [
      "`code` with white-space: pre",
      '<div><code style="white-space:pre">\n[a]\n  [b]\n</code></div>',
      fenced("[a]\n  [b]"),
    ],
    [
      "a paragraph with white-space: pre-wrap",
      '<p style="white-space:pre-wrap">one\n  two\nthree</p>',
      "one\\\n\u00A0 two\\\nthree",
    ],
    [
      "bold within lines of a paragraph",
      '<p style="white-space:pre-wrap">Hello <b>bold</b> world\n<i>b</i></p>',
      "Hello **bold** world\\\n*b*",
    ],
    [
      "not a table of commands",
      '<table><tr><th>List</th><td class="code"><code>ls</code></td></tr><tr><th>Remove</th><td class="code"><code>rm</code></td></tr></table>',
      "| List | `ls` |\n| - | - |\n| Remove | `rm` |",
    ],
    ["not a page's language", '<div lang="de"><pre>ls</pre></div>', fenced("ls")],
    ["`xmp`", '<xmp class="language-html">\n<b>\n</xmp>', fenced("<b>", "html")],
    ["a class around it", '<div class="highlight-source-shell"><pre>ls *</pre></div>', fenced("ls *", "shell")],
    ["breaks in code of a line", "<p>a <code>b<br>c</code></p>", "a `b`\\\n`c`"],
    [
      "breaks in code of a cell",
      "<table><tr><th>a</th><th><code>b<br>c</code></th></tr></table>",
      "| a | `b`<br>`c` |\n| - | - |",
    ],
    [
      "the blanks of a verse",
      '<pre class="wp-block-verse">Roses  are <b>red</b>\n   or not</pre>',
      "Roses\u00A0 are **red**\\\n\u00A0\u00A0 or not",
    ],
  ])("%s become a block", (_, html, markdown) => {
    expect(markdownOf(html)).toBe(markdown)
  })
})

describe("formulas become the TeX that they were made of", () => {
  const annotation = String.raw`<annotation encoding="application/x-tex">\frac{a}{b}</annotation>`
  const math = `<math><semantics><mfrac><mi>a</mi><mi>b</mi></mfrac>${annotation}</semantics></math>`
  it.each([
    [
      "KaTeX",
      `<p>F <span class="katex"><span class="katex-mathml">${math}</span><span class="katex-html" aria-hidden="true">ab</span></span>.</p>`,
      String.raw`F $\frac{a}{b}$.`,
    ],
    [
      "KaTeX in a line of its own",
      `<p><span class="katex-display"><span class="katex">${math}</span></span></p>`,
      String.raw`$$\frac{a}{b}$$`,
    ],
    [
      "MathJax 2",
      '<p>F <span class="MathJax_Preview"></span><span class="MathJax"><nobr>x2</nobr><span class="MJX_Assistive_MathML"><math><msup><mi>x</mi><mn>2</mn></msup></math></span></span><script type="math/tex">x^2</script>.</p>',
      "F $x^2$.",
    ],
    [
      "MathJax 2, displayed",
      '<div class="MathJax_Display"><span class="MathJax">x2</span></div><script type="math/tex; mode=display">x^2</script>',
      "$$x^2$$",
    ],
    [
      "Wikipedia",
      String.raw`<p>F <span class="mwe-math-element"><span class="mwe-math-mathml-inline" style="display: none;"><math alttext="{\displaystyle x^2}"><mi>x</mi></math></span><img src="/x.svg" class="mwe-math-fallback-image-inline" alt="{\displaystyle x^2}"></span>.</p>`,
      "F $x^2$.",
    ],
    [
      "MathJax with a comment, alone in a paragraph",
      '<p><script type="math/tex">% <![CDATA[\nx^2 %]]></script></p>',
      "$x^2$",
    ],
    [
      "braces around a part",
      String.raw`<p><span class="mwe-math-element"><img alt="{\displaystyle a}+{b}"></span></p>`,
      String.raw`${"$"}{\displaystyle a}+{b}${"$"}`,
    ],
    ["MathML with its TeX", `<p>F ${math}.</p>`, String.raw`F $\frac{a}{b}$.`],
    ["MathML without TeX, as text once", "<p>A <math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>.</p>", "A ab."],
    [
      "MathJax 3 without TeX, as text once",
      '<p>F <mjx-container class="MathJax"><mjx-math aria-hidden="true"></mjx-math><mjx-assistive-mml><math><mi>x</mi></math></mjx-assistive-mml></mjx-container>.</p>',
      "F x.",
    ],
  ])("%s", (_, html, markdown) => {
    expect(markdownOf(html)).toBe(markdown)
    expect(htmlOf(markdown).includes("<math")).toBe(markdown.includes("$"))
  })
})

describe("styles and signs", () => {
  it.each([
    [
      "Google Docs' bold around all",
      '<b style="font-weight:normal"><p>a <span style="font-weight:700">b</span> <span style="font-style:italic">c</span></p></b>',
      "a **b** *c*",
    ],
    ["bold by a name", '<p><span style="color:red;font-weight:bold">a</span> b</p>', "**a** b"],
    ["struck by a style", '<p><span style="text-decoration:line-through">a</span> b</p>', "~~a~~ b"],
    ["italics taken back", '<p><em style="font-style:normal">a</em></p>', "a"],
    ["no style that means something", '<p><span style="font-weight:400;font-size:9pt">a</span></p>', "a"],
    [
      "Docusaurus' sign at a heading",
      '<h2 id="a-b">A b<a href="#a-b" class="hash-link" title="Direct link">\u200B</a></h2>',
      "## A b",
    ],
    ["VitePress' sign", '<h2 id="a">A <a class="header-anchor" href="https://e.x/#a">&#8203;</a></h2>', "## A"],
    ["a word as sign", '<h2 id="a">A <a href="#a">Permalink</a></h2>', "## A"],
    ["Sphinx' sign and a button", '<h2 id="a">A<a href="#a">¶</a><button>Copy link</button></h2>', "## A"],
    ["a heading that is a link", '<h2><a href="/b">A</a></h2>', "## [A](/b)"],
    [
      "task boxes",
      '<ul><li><input type="checkbox" checked disabled> a</li><li><input type="checkbox"> b</li></ul>',
      "- [x] a\n- [ ] b",
    ],
    ["adjacent emphasis", "<p><em>a</em><em>b</em> <strong>c</strong><strong>d</strong></p>", "*ab* **cd**"],
    ["bold beside words", "<p>word<strong>(x)</strong>word <em>e</em></p>", "word<strong>(x)</strong>word *e*"],
  ])("%s", (_, html, markdown) => {
    expect(markdownOf(html)).toBe(markdown)
  })
})

const TEX = (tex: string): string => `<math><annotation encoding="application/x-tex">${tex}</annotation></math>`

describe("hidden text", () => {
  it.each([
    "<pre hidden>S</pre>",
    '<pre style="display:none">S</pre>',
    "<pre>a<span style='display : none'>S</span></pre>",
    '<table hidden><tr><td class="blob-num">1<td class="blob-code">S</table>',
    "<table hidden><tr><td>S</table>",
    '<table><tr style="display:none"><td>S</tr><tr><td hidden>S</table>',
    '<div style="display:none;background:url(/S.png)">S</div>',
    `<span class="katex" hidden>${TEX("S")}</span>`,
    '<math style="display:none"><mi>S</mi></math>',
    '<picture style="display:none"><img src="/S.png"></picture>',
    '<noscript hidden><img src="/S.png"></noscript>',
    '<p>a<sup><a href="#m">1</a></sup></p><ol><li hidden id="m">S</li></ol>',
    "<textarea>S</textarea><dialog>S</dialog><p hidden='until-found'>S</p>",
    '<p style="VISIBILITY : hidden">S</p>',
  ])("of %s does not come out", (html) => {
    expect(markdownOf(html)).not.toContain("S")
  })
})

describe("what other pages have", () => {
  it.each([
    ["a heading that is a button", "<h3><button>What?</button></h3>", "### What?"],
    [
      "a flag where the address of a late image would be",
      '<img src="/a.png" data-lazy="true" alt="a">',
      "![a](/a.png)",
    ],
    ["a comment before noscript", '<img src="/a.png"><!-- c --><noscript><img src="/a.png"></noscript>', "![](/a.png)"],
    [
      "another image in noscript",
      '<figure><img src="/a.png"></figure><noscript><img src="/b.png"></noscript>',
      "![](/a.png)\n\n![](/b.png)",
    ],
    ["code with a background", '<pre style="background:url(/p.png)">a\n  b</pre>', fenced("a\n  b")],
    ["a bullet by a background", '<ul><li style="background:url(/d.gif)">a</li></ul>', "- a"],
    ["a background with a blank", `<div style="background:url('/a b.png')"></div>`, "![](/a%20b.png)"],
    ["a formula of Zhihu", '<p>F <span class="ztext-math" data-tex="x^2"><span></span></span>.</p>', "F $x^2$."],
    [
      "MathJax's CommonHTML",
      '<p><span class="mjx-chtml MathJax_CHTML"><span>x2</span></span><script type="math/tex">x^2</script></p>',
      "$x^2$",
    ],
    ["a formula with a comment", TEX("a % c\n + b"), "$a + b$"],
    [
      "a formula with bars in a cell",
      `<table><tr><th>${TEX("|x|")}</th><th>c</th></tr></table>`,
      "| $\\vert x\\vert $ | c |\n| - | - |",
    ],
    ["a formula before a digit", `<p>${TEX("x")}2</p>`, "`x`2"],
    ["two formulas side by side", `<p>${TEX("x")}${TEX("y")}</p>`, "`x`$y$"],
    ["a formula that ends with a backslash", `<p>${TEX("x\\")}</p>`, "`x\\`"],
    [
      "a task box of CKEditor",
      '<ul><li><label><input type="checkbox" checked><span>a</span></label></li></ul>',
      "- [x] a",
    ],
    ["a task box of Tiptap", '<ul><li><label><input type="checkbox"></label><div><p>b</p></div></li></ul>', "- [ ] b"],
    ["a box that opens a menu", '<p><input type="checkbox" id="t"><label for="t">Menu</label></p>', "Menu"],
    [
      "a footnote of an aside",
      '<p>A<sup><a href="#f" role="doc-noteref" id="r">1</a></sup></p><aside role="doc-footnote" id="f"><p>1. Note <a href="#r">back</a></p></aside>',
      "A[^1]\n\n[^1]: Note",
    ],
    [
      "a raised sign in a link to an endnote",
      '<p>A<a href="#n" role="doc-noteref" id="b"><sup>1</sup></a></p><ol><li id="n" role="doc-endnote"><p>Note <a href="#b">↩</a></p></li></ol>',
      "A[^1]\n\n[^1]: Note",
    ],
    [
      "a footnote of AsciiDoctor",
      '<p>A<sup class="footnote">[<a id="_r1" class="footnote" href="#_d1">1</a>]</sup></p><div id="footnotes"><hr><div class="footnote" id="_d1"><a href="#_r1">1</a>. Note 1.</div></div>',
      "A[^1]\n\n[^1]: Note 1.",
    ],
    [
      "a footnote of Substack",
      '<p>A<a class="footnote-anchor" id="a1" href="#f1">1</a></p><div class="footnote"><a id="f1" href="#a1" class="footnote-number">1</a><div><p>Note</p></div></div>',
      "A[^1]\n\n[^1]: Note",
    ],
    [
      "a footnote of docutils",
      '<p>A <a class="footnote-reference brackets" href="#n1" id="r1" role="doc-noteref"><span>[</span>1<span>]</span></a></p><aside class="footnote brackets" id="n1" role="note"><span class="label"><span>[</span><a role="doc-backlink" href="#r1">1</a><span>]</span></span><p>Note</p></aside>',
      "A [^1]\n\n[^1]: Note",
    ],
    [
      "footnotes of two parts with the same ids",
      '<p>A<sup><a href="#n1">1</a></sup></p><ol><li id="n1">One</li></ol><p>B<sup><a href="#n1">1</a></sup></p><ol><li id="n1">Two</li></ol>',
      "A[^1]\n\n[^1]: One\n\nB[^2]\n\n[^2]: Two",
    ],
    [
      "a link to a part, not to a note",
      '<p>A<sup><a href="#d">1</a></sup></p><div id="d"><p>Part</p></div>',
      'A<sup>[1](#d)</sup>\n\n<a id="d"></a>Part',
    ],
    [
      "a footnote in code",
      '<p><code>x<sup><a href="#n1">1</a></sup></code></p><ol><li id="n1">Note</li></ol>',
      '<code>x<sup>[1](#n1)</sup></code>\n\n1. <a id="n1"></a>Note',
    ],
    [
      "a step before the link to it",
      '<ol><li id="s1">first</li><li>second</li></ol><p>see<sup><a href="#s1">1</a></sup></p>',
      '1. <a id="s1"></a>first\n2. second\n\nsee<sup>[1](#s1)</sup>',
    ],
    ["a list from a huge number", '<ol start="99999999999"><li>a</li></ol>', "1. a"],
    [
      "a caption of paragraphs",
      "<table><caption><p>one</p><p>two</p></caption><tr><th>a</th></tr></table>",
      "one\\\ntwo\n\n| a |\n| - |",
    ],
    ["a line across in a cell", "<table><tr><th>a<hr>b</th></tr></table>", "| a<br>b |\n| - |"],
    [
      "Crayon",
      '<table><tr><td class="crayon-nums">1<br>2</td><td class="crayon-code"><div class="crayon-line">a</div><div class="crayon-line">  b</div></td></tr></table>',
      fenced("a\n  b"),
    ],
    ["a sign in words", '<h2>A <a href="#a"><span>Link to this section</span>#</a></h2>', "## A"],
    ["bold by a style with a blank", '<p><span style="font-weight : 700">a</span> b</p>', "**a** b"],
    ["bold instead of italics", '<p><em style="font-style:normal;font-weight:bold">a</em></p>', "**a**"],
    ["lines of an element div", '<div style="white-space:pre-wrap">one\n  two</div>', "one\\\n\u00A0 two"],
    ["blocks in a link", '<a href="/a"><ul><li>b</li></ul></a>', "- [b](/a)"],
    [
      "a table and a text in an item",
      "<ul><li><table><tr><th>a</th></tr></table>b</li></ul>",
      "- | a |\n  | - |\n\n  b",
    ],
  ])("%s becomes what it means", (_, html, markdown) => {
    expect(markdownOf(html)).toBe(markdown)
  })

  it.each([
    ["srcset", `<img srcset="${"a".repeat(500_000)} b">`],
    ["noscript", `<div>${"<b>a</b>".repeat(1000)}</div>${"<noscript></noscript>".repeat(10_000)}`],
    ["blanks of a verse", `<pre class="wp-block-verse">a${" ".repeat(500_000)}b</pre>`],
    ["breaks in a list", `<ul>${"<br>".repeat(100_000)}</ul>`],
    ["elements of code", `<pre>${"<code></code>".repeat(70_000)}</pre>`],
  ])("many of %s take less than five seconds of CPU time", async (_, html) => {
    expect(await cpuSecondsOf(() => simplifyHtml(parseHtml(html)))).toBeLessThan(5)
  })
})

describe("what Markdown cannot keep is named", () => {
  it.each([
    ["a formula without TeX", "<math><mi>x</mi></math>", ["formula_without_tex"]],
    ["a formula with TeX", '<span class="katex"><annotation encoding="application/x-tex">x</annotation></span>', []],
    ["a formula that is hidden", "<p hidden><math><mi>x</mi></math></p>", []],
    ["a list that counts down", "<ol reversed><li>a</li></ol>", ["list_numbers"]],
    ["an item with a number", '<ol><li value="7">a</li></ol>', ["list_numbers"]],
    ["a list that begins at 3", '<ol start="3"><li>a</li></ol>', []],
    [
      "a cell over two columns",
      '<table><tr><td colspan="2">a</td></tr><tr><td>b</td><td>c</td></tr></table>',
      ["joined_cells"],
    ],
    ["a cell over one row", '<table><tr><td rowspan="1">a</td><td>b</td></tr></table>', []],
    ["a quote in a cell", "<table><tr><td>a</td><td><blockquote>b</blockquote></td></tr></table>", ["table_of_blocks"]],
    ["a table for layout of one column", "<table><tr><td><h2>a</h2></td></tr></table>", []],
    ["a drawing", '<figure><svg><path d="M0"></path></svg></figure>', ["drawing"]],
    ["a drawing with words", "<p><svg><text>a</text></svg></p>", ["drawing"]],
    ["an icon", '<p><svg><path d="M0"></path></svg>a</p>', []],
    ["fields of a form", '<form><input type="email"><textarea></textarea></form>', ["form"]],
    ["a task box", '<ul><li><input type="checkbox">a</li></ul>', []],
  ])("%s", (_, html, codes) => {
    expect(simplifyHtml(parseHtml(html)).losses.map(({ code }) => code)).toEqual(codes)
  })
})

describe("images that come late", () => {
  const SVG = "data:image/svg+xml;utf8,%3Csvg%3E%3C/svg%3E"
  it.each([
    ["data-lazy-src", `<img data-lazy-src="/a.png" alt="a">`],
    ["amp-img", `<amp-img src="/a.png" alt="a"></amp-img>`],
    ["a stand-in before noscript", `<img src="${SVG}" alt="a"><noscript><img src="/a.png" alt="a"></noscript>`],
  ])("%s", (_, html) => {
    expect(markdownOf(html)).toBe("![a](/a.png)")
  })
})
