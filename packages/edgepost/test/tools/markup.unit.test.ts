import { describe, expect, it } from "vitest"

import { NO_TOOL, TOOLS } from "../../src/tools/index.ts"
import { htmlOf } from "../markdown/service.ts"
import { convertText, converted } from "../markdown/texts.ts"

// What readers get of the markup that a tool draws: made by the real tool where the row says so, else by its documentation.

type Name = keyof typeof TOOLS

/** The configurations of tools that draw blocks by indentation only if they are told to. */
const DATA: Partial<Record<Name, object>> = {
  pelican: { MARKDOWN: { extension_configs: { "markdown.extensions.admonition": {} } } },
  nikola: { MARKDOWN_EXTENSIONS: ["markdown.extensions.admonition"] },
}

const optionsOf = (tool: Name, file: string, data: object = DATA[tool] ?? {}) => ({
  file,
  theme: { settings: { ...NO_TOOL, data: { ...data }, tool: TOOLS[tool] } },
})

/** Converts a text as one of a tool. @returns its body without blank lines, and its findings */
const shownIn = (tool: Name, text: string, file = "posts/a.md"): string =>
  converted(text, optionsOf(tool, file))
    .replaceAll(/ is left out: .*/g, " -")
    .split("\n")
    .filter((line) => !/^[ \t>]*$/.test(line))
    .map((line) => line.trimEnd())
    .join("\n")

describe("blocks by indentation (Python-Markdown 3.4.1, pymdownx 9.5)", () => {
  it.each(["pelican", "nikola"] as const)("stay text in %s without the extension", (tool) => {
    const text = "!!! wow this is great\n\n??? why not"
    expect(converted(text, optionsOf(tool, "posts/a.md", {}))).toBe(text)
  })

  it.each([
    [
      "notices, one with a blank line before its text",
      '!!! warning "Low water"\n    The bar is **dry**.\n\n    Wait.\n\n!!! note\n\n    A [text](https://e.example/).\n\nEnd.',
      "> [!WARNING]\n> **Low water**\n> The bar is **dry**.\n> Wait.\n> [!NOTE]\n> A [text](https://e.example/).\nEnd.",
    ],
    [
      "a notice in a paragraph, with classes",
      'a\n!!! tip inline end "B *c*"\n    d\ne',
      "a\n> [!TIP]\n> **B *c***\n> d\ne",
    ],
    ["a kind of another name", "!!! seealso\n    a", "> [!NOTE]\n> **Seealso**\n> a"],
    ["a notice without its title", '!!! note ""\n    a', "> [!NOTE]\n> a"],
    ["a notice with tabs", "!!! note\n\ta\n\n\t\tcode", "> [!NOTE]\n> a\n>     code"],
    ["a quote", '!!! quote "Ann"\n    a', "> **Ann**\n> a"],
    ["a text that is not indented", "!!! note\na", "> [!NOTE]\na"],
    [
      "folds",
      '??? tip\n    a\n\n???+ note "Open `b`"\n    c',
      "<details><summary>Tip</summary>\na\n</details>\n<details><summary>\nOpen `b`\n</summary>\nc\n</details>",
    ],
    [
      "tabs with a fence",
      '## A\n\n=== "Py"\n    ```py\n    def f():\n        return 1\n    ```\n\n===! "B"\n    b\n\nEnd',
      "## A\n### Py\n```py\ndef f():\n    return 1\n```\n### B\nb\nEnd",
    ],
    [
      "a notice in an item",
      "- a\n\n    !!! note\n        b\n\n        c\n\n    d\n- e",
      "- a\n    > [!NOTE]\n    > b\n    > c\n    d\n- e",
    ],
    [
      "a notice in a fold in an item",
      "1. a\n\n    ??? b\n\n        - c\n\n            !!! tip\n                d",
      "1. a\n    <details><summary>B</summary>\n    - c\n        > [!TIP]\n        > d\n    </details>",
    ],
    [
      "a notice in a notice",
      '!!! note\n    a\n\n    !!! tip "B"\n        c\n\n    d\n\ne',
      "> [!NOTE]\n> a\n> > [!TIP]\n> > **B**\n> > c\n> d\ne",
    ],
  ])("%s: as readers of the tool see it", (_, text, expected) => {
    for (const tool of ["mkdocs", "pelican", "nikola"] as const) expect(shownIn(tool, text)).toBe(expected)
  })

  it.each([
    ["code", "```\n!!! note\n    a\n```"],
    ["code by indentation", "    !!! note\n        a"],
    ["a title in other quotes", "!!! note 'a'\n    b"],
    ["words after the title", '!!! note "a" b\n    c'],
    ["an underline", "A\n===\nb"],
    ["signs of prose", "a !!! note\n\n??? \n    b"],
  ])("%s stays", (_, text) => expect(shownIn("mkdocs", text)).toBe(shownIn("hugo", text)))

  it("other tools show it as it is written", () => expect(shownIn("hugo", "!!! note\n    a")).toBe("!!! note\n    a"))
})

describe("tabs, folds and boxes of components", () => {
  it.each<[string, Name, string, string]>([
    [
      "tabs with text that is indented",
      "docusaurus",
      '<Tabs groupId="a">\n  <TabItem value="a" label="Apple" default>\n    An apple\n\n    ```js\n      x\n    ```\n\n    - a\n      - b\n  </TabItem>\n  <TabItem value="b">In *b*.</TabItem>\n</Tabs>\n\n    end',
      "## Apple\nAn apple\n```js\n  x\n```\n- a\n  - b\n## b\nIn *b*.\n    end",
    ],
    [
      "tabs in an item",
      "docusaurus",
      '- a\n  <Tabs>\n    <TabItem label="A">\n    b\n    </TabItem>\n  </Tabs>\n- c',
      "- a\n  ## A\n  b\n- c",
    ],
    [
      "code in tabs",
      "vitepress",
      "- a\n\n  ::: code-group\n  ```sh [npm*]\n  b\n  ```\n  ```sh\n  c\n  ```\n  :::",
      "- a\n  **npm\\***\n  ```sh [npm*]\n  b\n  ```\n  ```sh\n  c\n  ```",
    ],
    [
      "code in tabs in a notice",
      "vitepress",
      ":::: tip\na\n\n::: code-group\n```sh [npm]\nb\n\nc\n```\n:::\n::::",
      "> [!TIP]\n> a\n> **npm**\n> ```sh [npm]\n> b\n> c\n> ```",
    ],
    ["code in tabs of components", "nuxt", "::code-group\n```sh [npm]\na\n```\n::", "**npm**\n```sh [npm]\na\n```"],
    ["tabs of a container", "vitepress", "# T\n\n:::: tabs\n::: tab A\na\n:::\n::::", "# T\n## A\na"],
    [
      "tabs without a name",
      "docusaurus",
      "<Tabs>\n<TabItem value={a}>\nb\n</TabItem>\n</Tabs>",
      "<TabItem value={a}>\nb\n</TabItem>\n! 2 <TabItem>",
    ],
    [
      "a notice and a fold with titles",
      "vuepress",
      "::: tip A *b*\nc\n:::\n::: details D\ne\n:::",
      "> [!TIP]\n> **A *b***\n> c\n<details><summary>D</summary>\ne\n</details>",
    ],
    ["words in a box", "vitepress", 'a <Badge text="new"/> <Badge type="tip">old</Badge>', "a new old"],
    ["a card that is a link", "astro", '<LinkCard title="A b" href="/c" />', "[A b](/c)"],
    [
      "words beside a title",
      "astro",
      '<Card title="A" description="B c" />',
      '<Card title="A" description="B c" />\n! 1 <Card>',
    ],
    ["words in an expression", "astro", '<Steps items={["a b"]} />', '<Steps items={["a b"]} />\n! 1 <Steps>'],
    ["a box around words", "astro", "<Card>\na\n</Card>", "<Card>\na\n</Card>\n! 1 <Card>"],
  ])("%s in a blog of %s", (_, tool, text, expected) => expect(shownIn(tool, text, "blog/a.mdx")).toBe(expected))

  it.each([
    [
      "components",
      "<Sponsor />\n\na <Contents maxLevel={2} /> <Sponsor></Sponsor>",
      "a\n! 1 <Sponsor> -\n! 3 <Contents> -",
    ],
    ["an element with an own name", 'a <my-el b="c d"></my-el> <my-el>e</my-el>', "a  <my-el>e</my-el>\n! 1 <my-el> -"],
    [
      "a video",
      '<YouTubeEmbed id="a1" /> <lite-youtube videoid="b2"></lite-youtube>',
      "<https://www.youtube.com/watch?v=a1> <https://www.youtube.com/watch?v=b2>",
    ],
    ["an image", '<R2Image src="a/b" alt="A heron" /> <Hero src="c.png" alt />', "![A heron](a/b) ![](c.png)"],
    ["an image of an expression", "<HeroImage src={a} />", "<HeroImage src={a} />\n! 1 <HeroImage>"],
    ["a tag that nothing ends", "Press <Esc> and List<T>", "Press <Esc> and List<T>\n! 1 <Esc>"],
  ])("%s without words: left out with one warning a name, unless it shows something", (_, text, expected) =>
    expect(shownIn("gatsby", text)).toBe(expected),
  )

  it("the id of a heading may stand in a comment (Docusaurus 3.10)", () =>
    expect(shownIn("docusaurus", "## A {/* #b */}\n\n## C {/* #d e */}\n\nf {/* #g */}")).toBe("## A {#b}\n## C\nf"))
})

describe("components of Nuxt Content (remark-mdc)", () => {
  it.each([
    [
      "notices",
      '::alert{type="warning"}\nA *b*\n::\n\n::callout{icon="i"}\nc\n::\n\n::tip[D]\ne\n::',
      "> [!WARNING]\n> A *b*\n> [!NOTE]\n> c\n> [!TIP]\n> **D**\n> e",
    ],
    [
      "components in components",
      '::card-group\n  :::card{title="A" icon="i"}\n  b\n\n    c\n  :::\n::\nd',
      "**A**\nb\nc\nd",
    ],
    ["components of as many colons", "::a\n::note\nb\n::\n::", "> [!NOTE]\n> b"],
    ["a component without an end", "::tip\na\n\nb", "> [!TIP]\n> a\n> b"],
    ["fields and slots", "::hero\n---\ntitle: A b\nlist:\n  - c\n---\nd\n\n#description\ne\n::", "**A b**\nd\ne"],
    ["tabs", '::tabs\n  :::tabs-item{label="A" icon="i"}\n  a\n  :::\n::', "## A\na"],
    ["a component in an item", "- a\n  ::note\n  b\n  ::", "- a\n  > [!NOTE]\n  > b"],
    [
      "words in a line",
      'a :badge[B *c*]{.x} [d]{.e} :u-button[Go]{to="/f"} :badge{label="g"} :br',
      "a B *c* d [Go](</f>) g <br>",
    ],
    ["an image", ':nuxt-img{src="/a.png" alt="A lake"}', "![A lake](/a.png)"],
    ["a link", '::u-button{label="Go on" to="/a"}\n::', "[Go on](/a)"],
    [
      "components without words",
      '::read-more{to="/a"}\n::\n\nb :icon{name="c"} :d-e',
      "b\n! 1 :::read-more -\n! 4 <Icon> -\n! 4 <d-e> -",
    ],
    ["words in fields", '::quiz{question="Who is it?"}\n::', ':::quiz{question="Who is it?"}\n:::\n! 1 :::quiz'],
    ["code", "`:badge[a]`\n```\n::note\n:b[c]\n```", "`:badge[a]`\n```\n::note\n:b[c]\n```"],
    [
      "prose",
      '10:30 :toString: a:b ":bb" C::d :D ::\n::note A b\nc\n::',
      '10:30 :toString: a:b ":bb" C::d :D ::\n::note A b\nc\n::',
    ],
  ])("%s", (_, text, expected) => expect(shownIn("nuxt", text)).toBe(expected))
})

const inFence = (text: string): string => `> \`\`\`js title="a" {1}\n> ${text.replaceAll("\n", "\n> ")}\n> \`\`\`\n\nb`

describe("code that the tool shows otherwise", () => {
  it.each<[string, Name, string, string]>([
    [
      "marks of Docusaurus 3.10",
      "docusaurus",
      "a() {\n  // highlight-next-line\n  b\n}\n/* highlight-start */\n# highlight-end\nc // highlight",
      "a() {\n  b\n}\nc // highlight",
    ],
    [
      "marks of shiki",
      "vitepress",
      "a // [!code --]\n// [!code hl:2]\nb /* [!code ++] */\nc // d [!code error]\n<e> <!-- [!code focus] -->\nf # [!code word:g]",
      "a\nb\nc // d\n<e>\nf # [!code word:g]",
    ],
    [
      "marks of gatsby-remark-prismjs",
      "gatsby",
      "a // highlight-line\n/* highlight-range{1-2} */\nb {/* highlight-line */}\nc",
      "a\nb\nc",
    ],
    [
      "lines that it hides",
      "gatsby",
      "a\n// hide-next-line\nSECRET\nb\n# hide-start\nSECRET\n\n# hide-end\nc\nSECRET // hide-line\n// hide-range{1,2}\nSECRET\nSECRET\nd\n// hide-start\nSECRET",
      "a\nb\nc\nd",
    ],
    [
      "marks of other tools",
      "hugo",
      "// highlight-next-line\na // [!code --]\n// hide-line",
      "// highlight-next-line\na // [!code --]\n// hide-line",
    ],
  ])("%s: the lines without them", (_, tool, code, expected) => {
    expect(convertText(inFence(code), optionsOf(tool, "a.md")).body).toBe(inFence(expected))
  })

  it.each<[string, Name, string, string]>([
    [
      "a notice",
      "quartz",
      "```ad-warning\ntitle: Low water\ncollapse: open\nThe **bar**.\n```",
      "> [!WARNING]\n> **Low water**\n> The **bar**.",
    ],
    [
      "a notice of an own kind, in an item",
      "folder",
      "- a\n  ```ad-boat\n  b\n  ```",
      "- a\n  > [!NOTE]\n  > **Boat**\n  > b",
    ],
    ["a notice in a notice", "folder", "````ad-note\n```ad-tip\na\n```\n````", "> [!NOTE]\n> ```ad-tip\n> a\n> ```"],
    ["a notice in another tool", "hugo", "```ad-note\na\n```", "```ad-note\na\n```"],
    ["a notice that is code", "folder", "    ```ad-note\n    a\n    ```", "    ```ad-note\n    a\n    ```"],
    [
      "queries",
      "enveloppe",
      'a\n\n```dataview\nFROM "SECRET"\n```\n\nb `= this.SECRET` `$= dv.page("SECRET")` `= 5`\n\n~~~tasks\nSECRET\n~~~',
      "a\nb   `= 5`\n! 3 ```dataview -\n! 7 `= -\n! 7 `$= -\n! 9 ~~~tasks -",
    ],
    ["MDX in a fence", "docusaurus", "```mdx-code-block\nA **b** <C/>\n```", "A **b**\n! 1 <C> -"],
    ["MDX in a fence in an item", "docusaurus", "1. a\n\n    ```mdx-code-block\n    **b**\n    ```", "1. a\n    **b**"],
    [
      "MyST: notices",
      "folder",
      "```{note}\n:class: x\nA **b**.\n```\n:::{tip} C\nd\n:::\n\n````{admonition} E\n```js\nf\n```\n````",
      "> [!NOTE]\n> A **b**.\n> [!TIP]\n> **C**\n> d\n> [!NOTE]\n> **E**\n> ```js\n> f\n> ```",
    ],
    [
      "MyST: folds and tabs",
      "folder",
      "```{dropdown} A\nb\n```\n::::{tab-set}\n:::{tab-item} C\nd\n:::\n::::",
      "<details><summary>A</summary>\nb\n</details>\n## C\nd",
    ],
    [
      "MyST: images, code and formulas",
      "folder",
      "```{figure} a.png\n:alt: A boat\n\nA *b*\n```\n```{code-block} js\n:linenos:\nc\n```\n```{math}\nd\n```",
      "![A boat](a.png)\nA *b*\n```js\nc\n```\n$$\nd\n$$",
    ],
    [
      "MyST: other names",
      "folder",
      "```{toctree}\na\n```\n\n```{python}\nb\n```\n\n:::{foo} c\nd\n:::",
      ":::{toctree}\na\n:::\n```{python}\nb\n```\n:::{foo} c\nd\n:::\n! 1 :::toctree\n! 9 :::foo",
    ],
    ["containers with attributes alone", "folder", '::: {#a layout-ncol=2}\nb\n:::\n::: {.c d="e"}\nf\n:::', "b\nf"],
  ])("%s in a blog of %s", (_, tool, text, expected) => expect(shownIn(tool, text)).toBe(expected))

  it("a kind without a name proposes none", () => {
    const { foreign, findings } = convertText("a\n:::")
    expect(foreign).toMatchObject([{ name: "", field: null }])
    expect(findings[0]?.message).not.toContain("shortcodes")
  })
})

describe("the service", () => {
  it.each<[Name, string]>([
    ["mkdocs", '??? "A `b`"\n    c\n\n    !!! tip\n        d\n\n=== "E"\n    f\n\nafter'],
    ["nuxt", "::note\na\n\n::tip\nb\n::\n\nc\n::\nafter"],
    ["folder", "```{note}\n- a\n```\nafter"],
  ])("shows what stands in blocks of %s, and the text after them outside", (tool, text) => {
    const html = htmlOf(convertText(text, optionsOf(tool, "a.md")).body)
    expect(html).not.toMatch(/\[!|:::|```|!!!|===/)
    expect(html).toMatch(/<p>after<\/p>$/)
  })
})

it.each<[Name, string]>([
  ["mkdocs", `${"!!! note\n    ".repeat(3)}${" ".repeat(50_000)}a\n!!! ${"a ".repeat(50_000)}"`],
  ["mkdocs", Array.from({ length: 300 }, (_, i) => `${" ".repeat(4 * i)}!!! note\n`).join("")],
  ["nuxt", ":aa[".repeat(25_000) + "`".repeat(25_000)],
  ["nuxt", "::a\n---\n".repeat(5000)],
  ["gatsby", `\`\`\`js\n${"// hide-start\n".repeat(8000)}\`\`\``],
  ["vitepress", `\`\`\`js\n${" ".repeat(100_000)}[!code x\n${"{ ".repeat(20_000)}\n\`\`\``],
  ["docusaurus", `highlight-start\n${"<Aa ".repeat(20_000)}\n${"<Tabs>\n".repeat(5000)}`],
  ["folder", `:::{note}\n${":a: b\n".repeat(9000)}${":::a\n\n\n".repeat(9000)}`],
])("long inputs of %s take little time", (tool, text) => {
  const start = performance.now()
  convertText(text, optionsOf(tool, "a.mdx"))
  expect(performance.now() - start).toBeLessThan(3000)
})

it("a container of another name with words beside its title blocks", () => {
  const text = '::card{title="A" description="These are words"}\nBody\n::'
  expect(converted(text, optionsOf("nuxt", "posts/a.md"))).toContain("! 1 :::card")
})

describe("what only looks like markup of a tool", () => {
  it.each<[what: string, tool: Name, text: string]>([
    ["hidden marks without a comment", "gatsby", '```html\n<p class="hide-start">a</p>\n<p>b</p>\n```'],
    ["marks in code in a line", "vitepress", "Write `[!code ++]` or `// [!code focus]`."],
    ["an attribute of HTML", "nuxt", '<a :href="/x" title="t">b</a>'],
    ["code by indentation", "nuxt", "a\n\n    a :hover { b }"],
    ["a comment", "nuxt", "<!--\n::note\nb\n-->\n\n#hashtag"],
    ["TeX in code by a tag", "jekyll", "<pre>\n\\\\(a\\\\)\n</pre>"],
  ])("%s stays as it is in %s: %j", (_, tool, text) => {
    const body = converted(text, optionsOf(tool, "posts/a.md"))
    expect(text.replaceAll(/<!--[^]*?-->/g, "").trim()).toBe(body.trim())
  })

  it.each<[what: string, tool: Name, text: string]>([
    ["an element in one whose braces are text", "vitepress", "<div v-pre>\n\n<p hidden>SECRET</p>\n\n</div>"],
    ["a comment in it", "obsidian" as Name, "<span v-pre>%%SECRET%%</span>"],
    ["an element in braces", "folder", "{{ a <span hidden>SECRET</span> }}"],
    ["a comment in braces", "folder", "{{ a | %%SECRET%% }}"],
    ["a container whose braces are text", "vitepress", ":::v-pre\n\n<p hidden>SECRET</p>\n\n:::"],
  ])("%s is hidden all the same", (_, tool, text) => {
    expect(converted(text, optionsOf(tool in TOOLS ? tool : "folder", "posts/a.md"))).not.toContain("SECRET")
  })

  it("a fence of many signs without an end takes no time", () => {
    expect(converted(`${"`".repeat(60_000)}\n${"a\n".repeat(60_000)}`, optionsOf("folder", "posts/a.md"))).toContain(
      "a",
    )
  }, 5000)
})

describe("lists of descriptions (kramdown 2.4, Goldmark 1.7, Python-Markdown 3.4.1)", () => {
  it.each([
    ["a term", "Buoy\n: A *float*.\n\nb", "<dl>\n<dt>\nBuoy\n</dt>\n<dd>\nA *float*.\n</dd>\n</dl>\nb"],
    [
      "two terms, two descriptions of several parts",
      "A\nB\n\n:   c\nd\n\n    - e\n\n: f",
      "<dl>\n<dt>\nA\n</dt>\n<dt>\nB\n</dt>\n<dd>\nc\nd\n- e\n</dd>\n<dd>\nf\n</dd>\n</dl>",
    ],
    [
      "two lists in one",
      "A\n: b\n\nC\n: d",
      "<dl>\n<dt>\nA\n</dt>\n<dd>\nb\n</dd>\n<dt>\nC\n</dt>\n<dd>\nd\n</dd>\n</dl>",
    ],
    [
      "code below a description",
      "A\n: b\n```sh\nc\n\nd\n```",
      "<dl>\n<dt>\nA\n</dt>\n<dd>\nb\n</dd>\n</dl>\n```sh\nc\nd\n```",
    ],
    ["a formula", "$$\nf\n: A\n$$", "$$\nf\n: A\n$$"],
    ["a tag around it", "<div hidden>\nA\n: SECRET\n</div>\nb", "\nb".trim()],
    [
      "a term in an item",
      "1. a\n\n   B\n   : c\n\n     d",
      "1. a\n   <dl>\n   <dt>\n   B\n   </dt>\n   <dd>\n   c\n   d\n   </dd>\n   </dl>",
    ],
    [
      "a heading, an item, code and prose",
      "## A\n: b\n\n- c\n: d\n\n```\nE\n: f\n```\ng :h",
      "## A\n: b\n- c\n: d\n```\nE\n: f\n```\ng :h",
    ],
  ])("%s", (_, text, expected) => {
    for (const tool of ["jekyll", "hugo", "nanoc"] as const) expect(shownIn(tool, text)).toBe(expected)
  })

  it.each<[Name, object]>([
    ["eleventy", {}],
    ["hugo", { markup: { goldmark: { extensions: { definitionList: false } } } }],
  ])("stay text in %s with %j", (tool, data) =>
    expect(converted("A\n: b", optionsOf(tool, "posts/a.md", data))).toBe("A\n: b"),
  )
})

describe("names of emoji", () => {
  it.each<[string, Name, object, string]>([
    ["a :tada: :+1:", "vitepress", {}, "a 🎉 👍"],
    ["a :tada:", "hugo", { enableEmoji: true }, "a 🎉"],
    ["a :tada:", "jekyll", { plugins: ["jemoji"] }, "a 🎉"],
    ["a :tada:", "hugo", {}, "a :tada:"],
    [
      "a :constructor: [b](https://e.x/?q=:tada:) <p title='a :tada: b'>",
      "nuxt",
      {},
      "a :constructor: [b](https://e.x/?q=:tada:) <p title='a :tada: b'>",
    ],
    ["`:tada:` 10:tada: [a](/:tada:) :none: \\:tada:", "nuxt", {}, "`:tada:` 10:tada: [a](/:tada:) :none: \\:tada:"],
  ])("%s in a blog of %s with %j", (text, tool, data, expected) =>
    expect(converted(text, optionsOf(tool, "posts/a.md", data))).toBe(expected),
  )
})

describe("Markdown in elements of MDX 3", () => {
  it.each<[Name, string]>([
    ["docusaurus", "blog/a.md"],
    ["astro", "blog/a.mdx"],
  ])("is Markdown in a blog of %s", (tool, file) =>
    expect(
      shownIn(tool, "<details>\n  <summary>a *b*</summary>\n\n  c\n</details>\n\n<div>d</div>\n\n<p>`e`</p>", file),
    ).toBe("<details>\n<summary>\na *b*\n</summary>\n  c\n</details>\n<div>d</div>\n<div>\n`e`\n</div>"),
  )

  it.each([
    ["what would be code", "<div>\n    a *b*\n</div>"],
    ["a cell", "| a | b |\n| - | - |\n| <div>`x`</div> | y |"],
    ["a number at the start", "<p>2020. A *year*</p>"],
    ["an attribute", '<div title="a > b">*x*</div>'],
  ])("%s stays", (_, text) => expect(shownIn("docusaurus", text)).toBe(text))

  it("is text in a file of Markdown", () => expect(shownIn("astro", "<div>a *b*</div>")).toBe("<div>a *b*</div>"))
})
