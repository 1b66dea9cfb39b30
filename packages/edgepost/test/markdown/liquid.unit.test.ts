import { describe, expect, it } from "vitest"

import { NO_TOOL, TOOLS } from "../../src/tools/index.ts"
import { converted } from "./texts.ts"

const figure = '<figure><img src="a" alt="A"><figcaption>B</figcaption></figure>'

describe("Liquid and Nunjucks tags", () => {
  it.each([
    ["<https://www.youtube.com/watch?v=a1>", ["{% youtube a1 %}", "{%- youtube 'a1' -%}"]],
    ["<https://www.youtube.com/watch?v=a1>", ['{% include youtube.html id="a1" %}']],
    ["<https://www.youtube.com/watch?v=a1>", ["{% include embed/youtube.html id='a1' %}"]],
    ["<https://gist.github.com/ann/7a1>", ["{% gist ann/7a1 %}", "{% gist https://gist.github.com/ann/7a1 %}"]],
    ["<https://x.com/i/status/12>", ["{% twitter 12 %}"]],
    ["<https://codepen.io/ann/pen/b>", ["{% codepen https://codepen.io/ann/pen/b %}"]],
    ["<https://e.x/a>", ["{% embed https://e.x/a %}"]],
    ["<https://dev.to/ann>", ["{% user ann %}"]],
    ["<https://dev.to/ann/a-1>", ["{% link https://dev.to/ann/a-1 %}", "{% link ann/a-1 %}"]],
    ["[Docs](https://e.x/d)", ["{% link Docs https://e.x/d %}", '{% link "Docs" https://e.x/d true "Title" %}']],
    ["[all my \\*docs\\*](/local/page)", ["{% link all my *docs* /local/page false %}"]],
    ["[ann](_posts/b.md)", ["{% link ann _posts/b.md %}"]],
    ["<https://vimeo.com/a1>", ['{% include video id="a1" provider="vimeo" %}']],
    ["[/a.mp4](/a.mp4)", ['{% video "/a.mp4" %}']],
  ])("the link %s comes from the embeds %j", (expected, texts) =>
    expect(texts.map((text) => converted(text))).toEqual(texts.map(() => expected)),
  )

  it.each([
    ["{% asset_img a.png %} {% asset_img a.png 'A boat' %}", "![](a.png) ![A boat](a.png)"],
    ["{% asset_img a.png A boat %}", '![boat](a.png "A")'],
    ["{% asset_img left a.png 300 200 'T' 'A' %}", '![A](a.png "T")'],
    [`{% img left /a.png 300 200 '"T" "A"' %}`, '![A](/a.png "T")'],
    ['{% image "a.png", "A" %} {% image src="a.png", alt="A" %}', "![A](a.png) ![A](a.png)"],
    ['{% include figure.html image_path="a" alt="A" caption="B" %}', figure],
  ])("the image %s becomes %s", (text, expected) => expect(converted(text)).toBe(expected))

  it.each([
    ["[a]({% post_url 2020-01-02-b %}) [a]({% link /a.pdf %})", "[a](2020-01-02-b.md) [a](/a.pdf)"],
    ["[a]({{ site.baseurl }}{% post_url c/2020-01-02-b %})", "[a](c/2020-01-02-b.md)"],
    ["[a]({% link _posts/2020-01-02-b.md %}#c)", "[a](/_posts/2020-01-02-b.md#c)"],
    ["[a]({{ site.url }}/b/) [a]({{ site.url }}{{ site.baseurl }}/b/)", "[a](/b/) [a](/b/)"],
    ["[a]({{ site.baseurl }})", "[a](/)"],
    ["![a]({{ \"/b.png\" | relative_url }}) ![a]({{ 'b.png' | absolute_url }})", "![a](/b.png) ![a](/b.png)"],
    ['[a]({{ "/b/" | url }}) [a]({{ "/b/" | prepend: site.baseurl | prepend: site.url }})', "[a](/b/) [a](/b/)"],
    ['<img src="{{ site.baseurl }}/a.png">', '<img src="/a.png">'],
    ["{{ 'c' | escape | safe }} {{ \"A 'b'\" }}", "c A 'b'"],
    ["{% post_link b %} {% post_link b 'A *b*' %}", "[](b.md) [A \\*b\\*](b.md)"],
    ["[a]({% post_path b %}) [a]({% asset_path b.pdf %}) {% asset_link b.pdf B %}", "[a](b.md) [a](b.pdf) [B](b.pdf)"],
  ])("the reference %s becomes %s", (text, expected) => expect(converted(text)).toBe(expected))

  it.each([
    ["{% highlight ruby linenos %}\n{{ a }}\n{% endhighlight %}", "```ruby\n{{ a }}\n```"],
    ["{% codeblock lang:js a.js %}\na\n{% endcodeblock %}", "```js\na\n```"],
    ["{% codeblock A title lang:js %}\na\n{% endcodeblock %}", "```js\na\n```"],
    ["{%- highlight js -%}\na\n{%- endhighlight -%}", "```js\na\n```"],
    ["{% raw %}{{ a }} {% b %}{% endraw %} c", "{{ a }} {% b %} c"],
    ["{% raw %}\n```yaml\n{{ a }}\n```\n{% endraw %}", "\n```yaml\n{{ a }}\n```\n"],
    ["a{% comment %}{% b %}{% endcomment %}c", "ac"],
    ["{% note %}\na\n{% endnote %}", "> [!NOTE]\n> a\n"],
    ["{% note danger no-icon %}\na\n{% endnote %}", "> [!CAUTION]\n> a\n"],
    ["{% blockquote Ann, A Book %}\na\n{% endblockquote %}\nb", "> **Ann, A Book**\n>\n> a\n\nb"],
    ["{% blockquote Ann https://e.x/ A, b %}\na\n{% endblockquote %}", "> **Ann [A, b](https://e.x/)**\n>\n> a\n"],
    ["{% pullquote left %}\na\n{% endpullquote %}", ">\n> a\n"],
    ["{% quote %}\na\n{% endquote %}", ">\n> a\n"],
    ["{% details Why not %}\na\n{% enddetails %}", "<details><summary>Why not</summary>\n\na\n\n</details>"],
    ["{% toc %}", ""],
  ])("the pair %j becomes %j", (text, expected) => expect(converted(text)).toBe(expected))

  it.each([
    ["{% if a %}\nb\n{% endif %}", ["1 {% if %}"]],
    ["{% gallery 'a' %}", ["1 {% gallery %}"]],
    ["a {{ page.title }}", ["1 {{ page.title }}"]],
    ["a {{ site.url }} b", ["1 {{ site.url }}"]],
    ["{% link a b %}", ["1 {% link %}"]],
    ['{{ "a" | append: b }}', ['1 {{ "a" | append: b }}']],
    ['{{ "a" | upcase }}', ['1 {{ "a" | upcase }}']],
    ["{{ page.url | relative_url }}", ["1 {{ page.url | relative_url }}"]],
    ["{% include nav.html %}", ["1 {% include nav %}"]],
    ["\n{% % %}", ["2 {% % %}"]],
    ["costs $5 {{ a }} and $6", ["1 {{ a }}"]],
    ["$$ a\n\n{{ a }} $$", ["3 {{ a }}"]],
  ])("%j is reported and stays", (text, expected) =>
    expect(converted(text, { theme: { settings: { ...NO_TOOL, tool: TOOLS.jekyll } } }).split("\n! ")).toEqual([
      text,
      ...expected,
    ]),
  )

  it.each([
    ["code", ["`{% youtube a %}` and `{{ a }}`", "<code>{{ a }}</code>"]],
    ["formulas", ["$\\frac{{a}}{{b}}$ and $$x_{{a}}$$", "$$\n{{a}}\n\n{{b}}\n$$"]],
    ["escaped tags, and those of other tools", ["\\{% a %} and \\{{ a }}", "${{ secrets.KEY }}"]],
    ["open tags", ["a { b } {{ c", "a {% b"]],
  ])("%s stay", (_, texts) => expect(texts.map((text) => converted(text))).toEqual(texts))
})

describe("attribute lists", () => {
  it.each([
    ['![a](b){: .c } [a](b){:target="_blank"} c', "![a](b) [a](b) c"],
    ['[a](b){target="_blank" rel="x y"} `a`{:.ruby} b', "[a](b) `a` b"],
    ["a\n{: .b #c d='e'}\n\nf", "a\n\nf"],
    ["{: .b}\na", "\na"],
    ["a\n{.b}", "a"],
    ["a b {.c}\nd", "a b\nd"],
    ["{::nomarkdown}\na\n{:/}", "\na"],
    ["* TOC\n{:toc}\n\na", "\n\na"],
    ["1. Contents\n{: toc}\n\na", "\n\na"],
    ["a\n{:.b}\n{:.c}\nd", "a\nd"],
    ["## A {: #b .c}", "## A {#b}"],
    ["## A {#b .c}", "## A {#b}"],
    ["## A {.c}\nb", "## A\nb"],
    ["## A\n{: #b}", "## A {#b}"],
    ["## A\n{: .no_toc }\nb", "## A\nb"],
    ["A {#b .c}\n===", "A {#b}\n==="],
  ])("%j becomes %j", (text, expected) => expect(converted(text)).toBe(expected))

  it.each([
    ["ids of headings", ["## A {#b}", "## A { #b }", "A {#b}\n---"]],
    ["braces after words", ["a {#b} c", "a {b} c", "a {.b} c", 'up{job="a"}', "the set {a=1}"]],
    ["lists after no block, and such without attributes", ["{:)}", "{.a}", "a\n\n{.b}"]],
    ["lists in code", ["`a {: .b}`", "```js {1,3}\na\n```"]],
  ])("%s stay", (_, texts) => expect(texts.map((text) => converted(text))).toEqual(texts))
})
