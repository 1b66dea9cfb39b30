// Markup that each tool draws. `¶` stands for a word that readers see.

export interface Drawing {
  /** Path of a post by its name. */
  path: (name: string) => string
  /** Files that make the folder one of this tool, and those that its texts name. */
  files: Record<string, string>
  blocks: string[]
}

const PARTS = { "x.md": "¶ **¶**\n", "x.js": "one()\n", "a.png": "a" }
const TASKS = "```dataview\nLIST\n```"
const LIQUID = ["{{ page.title }} ¶", "{% note %}\n¶\n{% endnote %}", "{% tide at='six' %}", "{{ tide | upcase }}"]
const JSX = [
  "<img src={require('./a.png').default} alt='¶' />",
  "¶ <img src={useBaseUrl('/a.png')} /> ¶",
  'import a from "./a.png"\n\n<img src={a} />',
  "<img src={tide()} />",
  '<b style={{color: "red"}}>¶</b>',
  "<Tide at={6} />",
  '<Tabs>\n<TabItem value="¶">\n\n¶\n\n</TabItem>\n</Tabs>',
  "## ¶ {/* #low */}",
  "<details>\n  <summary>**¶**</summary>\n\n  ¶\n</details>",
]
const BOXES = [":::note\n¶\n:::", ":::tip[¶]\n¶\n:::", "::: details ¶\n¶\n:::", ":::tide\n¶\n:::", ":::{note}\n¶\n:::"]
const HTML = ['<div markdown="1">\n**¶** [¶](https://x.example/)\n</div>', "<figure markdown>\n![¶](a.png)\n</figure>"]
const MARKED = (mark: string): string => `\`\`\`js\none()\n${mark}\ntwo()\n\`\`\``

export const DRAWINGS: Record<string, Drawing> = {
  hugo: {
    path: (name) => `content/posts/${name}.md`,
    files: { "hugo.toml": 'baseURL = "https://old.example/"\n', "content/posts/a.png": "a" },
    blocks: [
      '{{< figure src="a.png" caption="¶" >}}',
      "{{% notice note %}}\n¶\n{{% /notice %}}",
      '{{< tide at="six" >}}',
      '[¶]({{< ref "b.md" >}})',
      "> [!TIP]+ ¶\n> ¶",
      "¶\n{.note}",
      "## ¶ {#low .note}",
      "¶\n: ¶",
    ],
  },
  jekyll: {
    path: (name) => `_posts/2024-01-02-${name}.md`,
    files: {
      "_config.yml": "title: T\n",
      "_includes/part.html": "<b>¶</b>\n",
      "_includes/if.html": "{% if a %}¶{% endif %}",
    },
    blocks: [
      ...LIQUID,
      ...HTML,
      "{% include part.html a='b' %}",
      "{% include if.html %}",
      "| ¶ | ¶ |\n| ¶ | ¶ |",
      "- ¶\n{: .note}",
      "* TOC\n{:toc}",
      "{::nomarkdown}<b>¶</b>{:/nomarkdown}",
      "¶\n¶\n\n: ¶\n\n    ¶\n: ¶",
    ],
  },
  hexo: {
    path: (name) => `source/_posts/${name}.md`,
    files: { "_config.yml": "source_dir: source\n" },
    blocks: [...LIQUID, "{% asset_img a.png ¶ %}", "{% codeblock lang:js %}\none()\n{% endcodeblock %}"],
  },
  eleventy: {
    path: (name) => `src/posts/${name}.md`,
    files: { ".eleventy.js": "" },
    blocks: [...LIQUID, '{% include "a.njk" %}'],
  },
  astro: {
    path: (name) => `src/content/blog/${name}.mdx`,
    files: { "astro.config.mjs": "", "src/content/blog/a.png": "a" },
    blocks: [...JSX, 'import a from "./a.png"\nimport { Image } from "astro:assets"\n\n<Image src={a} alt="¶" />'],
  },
  docusaurus: {
    path: (name) => `blog/${name}.md`,
    files: { "docusaurus.config.js": "module.exports = { url: 'https://old.example' }", "blog/a.png": "a" },
    blocks: [
      ...JSX,
      ...BOXES,
      "![¶](@site/blog/a.png)",
      "```mdx-code-block\n<Tide />\n```",
      MARKED("// highlight-next-line"),
    ],
  },
  vitepress: {
    path: (name) => `posts/${name}.md`,
    files: { ".vitepress/config.mts": "export default {}", ...PARTS },
    blocks: [
      ...BOXES,
      "¶ <!--@include: ../x.md--> ¶",
      "<!--@include: ../y.md-->\n\n¶",
      "<<< @/x.js{1}",
      "<<< @/y.js",
      '<Badge text="¶" />',
      "{{ $frontmatter.title }} ¶",
      "[[toc]]",
      ":tada: ¶",
      MARKED("two() // [!code --]"),
    ],
  },
  vuepress: {
    path: (name) => `posts/${name}.md`,
    files: { ".vuepress/config.js": "export default {}", ...PARTS },
    blocks: [...BOXES, "<!-- @include: ../x.md -->\n\n¶", "@[code{1-1} js](../x.js)", "@[code](../y.js)", "[[toc]]"],
  },
  nuxt: {
    path: (name) => `content/${name}.md`,
    files: { "nuxt.config.ts": 'export default { modules: ["@nuxt/content"] }' },
    blocks: ['::callout{icon="i"}\n¶\n::', "::tide\n¶\n\n#title\n¶\n::", "[¶]{.note} ¶", "![¶](a.png){width=9}"],
  },
  mkdocs: {
    path: (name) => `docs/blog/posts/${name}.md`,
    files: {
      "mkdocs.yml": "site_name: T\nmarkdown_extensions: [md_in_html, pymdownx.snippets]\n",
      "includes/x.md": "¶ **¶**\n",
    },
    blocks: [
      ...HTML,
      '!!! warning "¶"\n\n    ¶',
      '??? tip "¶"\n\n    ¶',
      '=== "¶"\n\n    ¶\n\n=== "¶"\n\n    ¶',
      '--8<-- "includes/x.md"',
      '--8<-- "includes/y.md"',
      "==¶==",
    ],
  },
  zola: {
    path: (name) => `content/posts/${name}.md`,
    files: { "config.toml": 'base_url = "https://old.example"\n', "content/posts/a.png": "a" },
    blocks: [
      '¶ {{ youtube(id="x") }}',
      '{% quote(author="¶") %}\n¶\n{% end %}',
      '{{ image(src="a.png", alt="¶") }}',
      '{{ tide(at="six") }}',
      "{% tide() %}\n¶\n{% end %}",
    ],
  },
  obsidian: {
    path: (name) => `Notes/${name}.md`,
    files: { ".obsidian/app.json": "{}" },
    blocks: ["==¶==", "![[Note]] ¶", "[[Note|¶]]", "> [!tip]- ¶\n> ¶", "%%\n¶\n%%\n¶", "```ad-note\n¶\n```", TASKS],
  },
}

/** Matches the signs of markup that a tool draws, in words. Does not match `a = b` and `a:b`. */
export const SIGN =
  /:::|^::\w|!!!|\?\?\? |=== "|\{\{|\{%|\{::|\{:|\{\/\*|\{[#.]\w|<<<|--8<--|@\[code|@include|require\(|useBaseUrl|@site|markdown="?1|==|\[\[|%%|\[![A-Z]|^\| .*\|$|<[A-Z]\w+|\]\{|\*\*\w|!?\[\w+\]|^: |:tada:/im

/** Matches the same in code. */
export const SIGN_IN_CODE = /\[!code|highlight-next-line|^LIST$|<Tide \/>|^\*\*|--8<--|<<</m
