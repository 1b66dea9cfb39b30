import GithubSlugger from "github-slugger"
import { describe, expect, test } from "vitest"

import { parseHtml } from "../../src/html/parse.ts"
import { simplifyHtml } from "../../src/html/simplify.ts"
import { writeMarkdown } from "../../src/html/to-markdown.ts"

const markdownOf = (html: string): string =>
  writeMarkdown(simplifyHtml(parseHtml(html)).tree, new GithubSlugger()).trim()

const card = (word: string, more = ""): string =>
  `<p>${word}<sup class="footnote-ref"><a href="#fn1" id="fnref1">[1]</a></sup>.</p>\n<hr class="footnotes-sep">\n<section class="footnotes">\n<ol class="footnotes-list">\n<li id="fn1" class="footnote-item"><p>Note of ${word}. <a href="#fnref1" class="footnote-backref">↩︎</a></p>\n</li>${more}\n</ol>\n</section>`

describe("footnotes", () => {
  test.each([
    [
      "a link around raised text",
      '<p>a<a href="#n1" id="b1"><sup>1</sup></a></p><ol><li id="n1">b <a href="#b1">↩</a></li></ol>',
      "a[^1]\n\n[^1]: b",
    ],
    [
      "roles of DPUB-ARIA",
      '<p>a<a href="#n1" role="doc-noteref" id="b1">1</a></p><section role="doc-endnotes"><h2>Notes</h2><ol><li id="n1" role="doc-endnote"><p>b <a href="#b1" role="doc-backlink">↩</a></p></li></ol></section>',
      "a[^1]\n\n## Notes\n\n[^1]: b",
    ],
    [
      "an aside",
      '<p>a<sup><a href="#fn1" role="doc-noteref" id="r1">1</a></sup></p><p>c</p><aside role="doc-footnote" id="fn1"><p>1. b <a href="#r1">back</a></p></aside>',
      "a[^1]\n\nc\n\n[^1]: b",
    ],
    [
      "an aside without a number and a link back",
      '<p>a<a href="#fn1" role="doc-noteref">*</a></p><aside role="doc-footnote" id="fn1"><p>b</p><p>c</p></aside>',
      "a[^1]\n\n[^1]: b\n\n    c",
    ],
    [
      "Sphinx",
      '<p>a<a class="footnote-reference brackets" href="#id2" id="id1" role="doc-noteref"><span class="fn-bracket">[</span>1<span class="fn-bracket">]</span></a></p><aside class="footnote-list brackets"><aside class="footnote brackets" id="id2" role="doc-footnote"><span class="label"><span class="fn-bracket">[</span><a role="doc-backlink" href="#id1">1</a><span class="fn-bracket">]</span></span><p>b</p></aside></aside>',
      "a[^1]\n\n[^1]: b",
    ],
    [
      "AsciiDoctor",
      '<p>a<sup class="footnote">[<a id="_footnoteref_1" class="footnote" href="#_footnotedef_1" title="View footnote.">1</a>]</sup></p><div id="footnotes"><hr>\n<div class="footnote" id="_footnotedef_1">\n<a href="#_footnoteref_1">1</a>. b\n</div>\n<div class="footnote" id="_footnotedef_2">\n<a href="#_footnoteref_2">2</a>. c\n</div></div>',
      "a[^1]\n\n[^1]: b\n\n[2](#_footnoteref_2). c",
    ],
    [
      "Substack",
      '<p>a<a class="footnote-anchor" id="footnote-anchor-1-9" href="#footnote-1-9">1</a></p><div class="footnote"><a id="footnote-1-9" href="#footnote-anchor-1-9" class="footnote-number">1</a><div class="footnote-content"><p>b</p><p>c</p></div></div>',
      "a[^1]\n\n[^1]: b\n\n    c",
    ],
    [
      "Word",
      '<p class="MsoNormal">a<a href="#_ftn1" name="_ftnref1" title=""><span class="MsoFootnoteReference"><span>[1]</span></span></a>, b<a href="#_ftn2" name="_ftnref2">[2]</a></p><div><hr align="left" size="1" width="33%"><div id="ftn1"><p class="MsoFootnoteText"><a href="#_ftnref1" name="_ftn1" title=""><span>[1]</span></a> (c) d</p><p>e</p></div><div id="ftn2"><p><a href="#_ftnref2" name="_ftn2">[2]</a> 10 f</p></div></div>',
      "a[^1], b[^2]\n\n[^1]: (c) d\n\n    e\n\n[^2]: 10 f",
    ],
    [
      "endnotes of Word, pasted as paragraphs",
      '<p>a<a href="#_edn1" name="_ednref1">[i]</a></p><p>b</p><p><a href="#_ednref1" name="_edn1">[i]</a> c</p>',
      "a[^1]\n\nb\n\n[^1]: c",
    ],
    [
      "LibreOffice",
      '<p>a<a class="sdfootnoteanc" name="sdfootnote1anc" href="#sdfootnote1sym"><sup>1</sup></a></p><div id="sdfootnote1"><p class="sdfootnote"><a class="sdfootnotesym" name="sdfootnote1sym" href="#sdfootnote1anc">1</a>b</p>\n<p>c</p></div>',
      "a[^1]\n\n[^1]: b\n\n    c",
    ],
    [
      "paragraphs with ids",
      '<p>a<sup><a href="#fn1">1</a></sup> b<sup><a href="#fn2">2</a></sup></p><hr><p id="fn1">1. c</p><p id="fn2">[2] d</p>',
      "a[^1] b[^2]\n\n[^1]: c\n\n[^2]: d",
    ],
    [
      "several numbers in one raised text, and one number twice",
      '<p>a<sup><a href="#n1">1</a>, <a href="#n2">2</a></sup> b<sup><a href="#n1">1</a></sup></p><ol><li id="n1">c</li><li id="n2">d</li></ol>',
      "a[^1], [^2] b[^1]\n\n[^1]: c\n\n[^2]: d",
    ],
    [
      "cards of one post that use the same ids",
      `${card("One")}<p>Between</p>${card("Two", '<li id="fn2"><p>Unused</p></li>')}<p>End</p>`,
      "One[^1].\n\n[^1]: Note of One.\n\nBetween\n\nTwo[^2].\n\n***\n\n1. Unused\n\n[^2]: Note of Two.\n\nEnd",
    ],
  ])("%s", (_, html, markdown) => {
    expect(markdownOf(html)).toBe(markdown)
  })

  test.each([
    [
      "a raised link to a paragraph that is none",
      '<p>a<sup><a href="#b">b</a></sup></p><p id="b">c</p>',
      'a<sup>[b](#b)</sup>\n\n<a id="b"></a>c',
    ],
    [
      "a contents with links back",
      '<p><a href="#b" id="t">One</a></p><p id="b"><a href="#t">One</a> c</p>',
      '<a id="t"></a>[One](#b)\n\n<a id="b"></a>[One](#t) c',
    ],
    [
      "a raised link to its paragraph",
      '<p>a<sup><a href="#b">1</a></sup> b <a name="b"></a>c</p>',
      'a<sup>[1](#b)</sup> b <a id="b"></a>c',
    ],
    ["a line between parts", "<p>a</p><hr><p>b</p>", "a\n\n***\n\nb"],
  ])("%s stays as it is", (_, html, markdown) => {
    expect(markdownOf(html)).toBe(markdown)
  })
})

describe("places to which links of the page lead", () => {
  const links = '<p><a href="#one">1</a> <a href="#two">2</a></p>'
  const linked = "[1](#one) [2](#two)\n\n"
  test.each([
    ["a name in a heading", '<h2><a name="one"></a>A</h2><h3 id="two">B</h3>', "## A {#one}\n\n### B {#two}"],
    [
      "an id in a heading",
      '<h2><span id="one">A</span></h2><h2><b>B <i id="two">c</i></b></h2>',
      "## A {#one}\n\n## **B *c*** {#two}",
    ],
    ["two ids of one heading", '<h2 id="one"><a id="two"></a>A</h2>', '## <a id="two"></a>A {#one}'],
    [
      "a name before a heading",
      '<p><a name="one"></a></p><h2>A</h2><div id="two"><h2>B</h2></div>',
      "## A {#one}\n\n## B {#two}",
    ],
    [
      "ids of paragraphs and items",
      '<p id="one">a</p><ul><li id="two">b</li></ul>',
      '<a id="one"></a>a\n\n- <a id="two"></a>b',
    ],
    [
      "ids within a line",
      '<p>a <b>b <span id="one">c</span></b> <a name="two">d</a></p>',
      'a <a id="one"></a>**b c** <a id="two"></a>d',
    ],
    [
      "a quote, and a cell",
      '<blockquote id="one"><p>a</p></blockquote><table><tr><th>b</th><td id="two">c</td></tr></table>',
      '> <a id="one"></a>a\n\n| b | <a id="two"></a>c |\n| - | - |',
    ],
    [
      "code and a figure",
      '<pre id="one">a</pre><figure id="two"><img src="/b.png" alt="b"><figcaption>c</figcaption></figure>',
      '<a id="one"></a>\n\n```\na\n```\n\n<a id="two"></a>\n\n<figure><img src="/b.png" alt="b"><figcaption>c</figcaption></figure>',
    ],
    [
      "an image, and the end",
      '<p><img id="one" src="/b.png" alt="b"></p><p id="two"></p>',
      '<a id="one"></a>![b](/b.png)\n\n<a id="two"></a>',
    ],
    [
      "an id that is there twice",
      '<p id="one">a</p><p id="one">b</p><p id="two">c</p>',
      '<a id="one"></a>a\n\nb\n\n<a id="two"></a>c',
    ],
  ])("%s", (_, html, markdown) => {
    expect(markdownOf(links + html)).toBe(linked + markdown)
  })

  test("ids that Word and other scripts have, and ids that are no words", () => {
    const html =
      '<p><a href="#_Toc1">a</a> <a href="#%C3%A9t%C3%A9">b</a> <a href="#x&quot;y">c</a></p><h2><a name="_Toc1"></a>A</h2><p id="été">B</p><p id="x&quot;y">C</p>'
    expect(markdownOf(html)).toBe(
      '[a](#_Toc1) [b](#%C3%A9t%C3%A9) [c](#x%22y)\n\n## <a id="_Toc1"></a>A\n\n<a id="été"></a>B\n\nC',
    )
  })

  test("ids without links are not kept", () => {
    expect(markdownOf('<p id="a">a</p><h2><a name="b"></a>B</h2>')).toBe("a\n\n## B")
  })
})
