import { describe, expect, it } from "vitest"

import { NO_TOOL, TOOLS } from "../../src/tools/index.ts"
import { converted } from "./texts.ts"

const shortcodes = {
  private: "",
  file: "keep",
  pen: "[CodePen](https://codepen.io/{{0}}/pen/{{ id }})",
  box: '<div title="{{title}}">\n\n{{content}}\n\n</div>',
  said: "**{{0}}** by {{by}}",
  "code-block": "> {{content}}",
  note: "!",
  first: "{{0}}",
  Demo: "demo {{name}}",
}

describe("a template of the author", () => {
  it.each([
    ["an empty one", "a{{< private >}}b{{< /private >}}c", "ac"],
    ["an empty one of a tag without an end", "a {{< private x=1 />}}b {{< /x >}}", "a b {{< /x >}}\n! 1 {{< x >}}"],
    ["an empty one around code", "{% private %}\n{{< x >}}\n\n    {{ y }}\n{% endprivate %}\nc", "\nc"],
    ["an empty one before a pair", "{{< private >}}\na {{< private >}}b{{< /private >}}", "\na "],
    ["keep", "{{< file a.js >}}*b* {{< vimeo 1 >}}{{< /file >}}", "*b* <https://vimeo.com/1>"],
    ["keep without an end", "a{% file b %}", "a"],
    ["a number and a name", '{{< pen ann ID="b c" >}}', "[CodePen](https://codepen.io/ann/pen/b%20c)"],
    ["a missing argument", "{% pen ann %}", "[CodePen](https://codepen.io/ann/pen/)"],
    ["Markdown", "{{% said `[a](b) <i>` by='\"*c*\"\nd' %}}", "**\\[a\\](b) \\<i>** by &quot;\\*c\\*&quot; d"],
    ["a heading", "{{< first `# a` >}}\n{{< first `1. b` >}}", "\\# a\n1\\. b"],
    ["an argument that is an address", "{{< said https://e.x/a_b >}}", "**https://e.x/a_b** by "],
    ["HTML", "{{< box title='a \"b\" <c>' >}}d{{< /box >}}", '<div title="a &quot;b&quot; &lt;c&gt;">\n\nd\n\n</div>'],
    ["lines in a quote", "> {{< box >}}d{{< /box >}}", '> <div title="">\n> \n> d\n> \n> </div>'],
    ["a name in another spelling", "{{< codeBlock >}}a{{< /codeBlock >}}", "> a"],
    ["a name in the folder of a theme", "{% include a/pen.html id=1 %}", "[CodePen](https://codepen.io//pen/1)"],
    ["a name that edgepost knows", "{{% note %}}a{{% /note %}}", "!"],
    ["a container", "::: file\n\na | b\n:::", "\n\na | b\n"],
    ["a component", '<Demo name="a_b" x={1} /> c', "demo a_b c"],
    ["a component around text", "<Demo>\na\n</Demo> <Demo/>", "demo  demo "],
    ["a closing tag too many", "a{{< /file >}}", "a{{< /file >}}\n! 1 {{< file >}}"],
    ["nine open tags", `${"{{< file >}}".repeat(9)}a{{< /file >}}`, "{{< file >}}a{{< /file >}}\n! 1 {{< file >}}"],
  ])("with %s replaces a tag or a pair", (_, text, expected) =>
    expect(converted(text, { theme: { shortcodes } })).toBe(expected),
  )
})

describe("a value of the theme", () => {
  const variables = { "release.url.gz": "https://e.x/gz", 'a | date: "%Y"': "*2024*", "site.url": "https://own.x" }
  const data = { title: "A *b*", params: { deep: { n: 7 } }, list: [1], toc: true, link: "https://e.x/a_(b)" }
  const site = { name: "B_c", url: "https://site.x", license: { url: "/c d" } }
  const config = { ...site, data: { v: 1.5 }, params: { base: "/x y", Cap: "D" } }

  it.each([
    ["a variable", "jekyll", "{{ release.url.gz }} {{release.url.gz | escape}}", "https://e.x/gz https://e.x/gz"],
    ["a variable in a link", "jekyll", "[a]({{ release.url.gz }})", "[a](https://e.x/gz)"],
    ["an expression", "jekyll", '{{ a | date: "%Y" }}', "*2024*"],
    ["a variable that edgepost knows", "jekyll", "{{- site.url -}}/a", "https://own.x/a"],
    ["the page", "jekyll", "{{ page.title }} {{ page.params.deep.n }}", "A \\*b\\* 7"],
    ["the site", "jekyll", "{{ site.name }} [a]({{ site.license.url }}) {{ site.data.v }}", "B_c [a](/c%20d) 1.5"],
    ["an attribute", "jekyll", '<b title="{{ site.name }}">', '<b title="B_c">'],
    ["an address in the text", "jekyll", "{{ page.link }}", "https://e.x/a_%28b%29"],
    ["Eleventy's data", "eleventy", "{{ title }} {{ license.url }}", "A \\*b\\* /c d"],
    ["a parameter of the page", "hugo", "{{% param deep.n %}} {{< param title >}}", "7 A \\*b\\*"],
    ["a parameter of the site", "hugo", '[a]({{< param "base" >}}) {{% param cap %}}', "[a](/x%20y) D"],
  ] as const)("is inserted for %s in a blog of %s", (_, tool, text, expected) =>
    expect(
      converted(text, { data, theme: { variables, settings: { ...NO_TOOL, tool: TOOLS[tool], data: config } } }),
    ).toBe(expected),
  )

  it.each<["eleventy" | "hugo" | "jekyll", string, string, string?]>([
    ["jekyll", "a list", "{{ page.list }}"],
    ["jekyll", "a flag", "{{ page.toc }}"],
    ["jekyll", "an unknown name", "{{ page.constructor }}"],
    ["jekyll", "a filtered name", "{{ page.title | upcase }}"],
    ["eleventy", "a variable of Liquid", "{{ page.title }}"],
    ["hugo", "an unknown parameter", "{{% param none %}}", "{{% param %}}"],
  ])("in a blog of %s is not inserted for %s: %s is reported", (tool, _, text, reported = text) =>
    expect(
      converted(text, { data, theme: { variables, settings: { ...NO_TOOL, tool: TOOLS[tool], data: config } } }),
    ).toBe(`${text}\n! 1 ${reported}`),
  )

  it("is inserted for an expression of MDX", () =>
    expect(
      converted("{frontMatter.title} {props.a}", { file: "a.mdx", data, theme: { variables: { "props.a": "c" } } }),
    ).toBe("A \\*b\\* c"))
})
