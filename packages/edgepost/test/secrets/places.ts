// The places in which each tool shows nothing of a text. `§` stands for a secret, `¶` for a word that readers see.

export interface Dialect {
  /** Path of a post by its name. */
  path: (name: string) => string
  /** Files that make the folder one of this tool. */
  files?: Record<string, string>
  /** Whole front matters in TOML. */
  toml?: string[]
  /** Comments in a line. */
  inline: string[]
  /** Comments over lines without a blank line, in a paragraph or alone. */
  lines?: string[]
  /** Comments that are blocks. */
  blocks?: string[]
  /** Blocks in which the marks of a comment are code or text. */
  shown?: string[]
  /** The comments are removed before Markdown is read, so they may stand in the text of an image. */
  isBeforeMarkdown?: boolean
  /** Front matters of files that are not rendered. */
  fields?: string[]
  /** Files of which those with an empty text are posts that are not rendered. */
  folders?: Record<string, string>[]
}

const HTML = "<!-- § -->"
const HTML_LINES = "<!-- §\n§ -->"
const HTML_BLOCKS = ["<!--\n§\n\n- §\n-->", "<!-- § -->", "[//]: # (§)", '[comment]: <> "§"', "[_]: # '§'"]
const ELEMENTS = ["<i hidden>§\n§</i>", '<i style="display : none">§</i>', `<i title="a > b" class='a hidden'>§</i>`]
const LIQUID = ["{% comment %}§{% endcomment %}", "{%- comment -%} § {%- endcomment -%}"]
const LIQUID_LINES = ["{% comment %}§\n§{% endcomment %}", "{% comment %}\n§\n{% endcomment %}"]
const LIQUID_BLOCK = "{% comment %}\n§\n\n{% include § %}\n\n## §\n{% endcomment %}"
const NUNJUCKS = "{# § #}"
const MDX = ["{/* § */}", "{/* § **§** */}"]
const MDX_LINES = ["{/* §\n§ */}"]
const MDX_BLOCKS = ["{/*\n§\n\n§\n*/}", "{/* § */}"]

export const DIALECTS: Record<string, Dialect> = {
  plain: {
    path: (name) => `posts/${name}.md`,
    inline: [HTML, "<!--§-->"],
    lines: [HTML_LINES, ...ELEMENTS],
    blocks: HTML_BLOCKS,
    fields: ["password: §", "private: true", "hidden: true", "visibility: private"],
  },
  hugo: {
    path: (name) => `content/posts/${name}.md`,
    files: { "hugo.toml": 'title = "T"\n' },
    toml: [
      'title = "¶" # §\ndate = 2024-01-02\n# §\nnotes = """\n§\n"""\n[params]\nsecret = "§"',
      'title = "¶ <!-- § -->"',
    ],
    inline: [HTML, "{{< comment >}}§{{< /comment >}}", "{{% comment %}} § {{% /comment %}}", "{{/* § */}}"],
    lines: [HTML_LINES, "{{< comment >}}\n§\n{{< /comment >}}"],
    blocks: [...HTML_BLOCKS, "{{< comment >}}\n§\n\n{{< § >}}\n\n> §\n{{< /comment >}}", "{{/*\n§\n*/}}"],
    isBeforeMarkdown: true,
    fields: [
      "build: {render: never}",
      "_build:\n  render: never",
      "build:\n  render: false",
      "headless: true",
      "expiryDate: 2020-01-01",
    ],
    folders: [
      { "content/a/_index.md": "---\ncascade:\n  draft: true\n---\n", "content/a/x.md": "" },
      { "content/a/_index.md": "---\ncascade:\n  build: {render: never}\n---\n", "content/a/b/x.md": "" },
      { "content/a/_index.md": "+++\n[[cascade]]\nheadless = true\n+++\n", "content/a/x.md": "" },
      { "content/posts/leaf/index.md": "---\ntitle: ¶\n---\n\n¶\n", "content/posts/leaf/x.md": "" },
    ],
  },
  jekyll: {
    path: (name) => `_posts/2024-01-02-${name}.md`,
    files: { "_config.yml": "title: T\nexclude: [left]\n" },
    inline: [HTML, ...LIQUID, "{::comment}§{:/comment}", "{::comment}§{:/}"],
    lines: [HTML_LINES, ...LIQUID_LINES],
    blocks: [...HTML_BLOCKS, LIQUID_BLOCK, "{::comment}\n§\n\n§\n{:/comment}", "{::comment}\n§\n{:/}"],
    fields: ["published: false"],
    folders: [{ "left/_posts/2024-01-02-x.md": "" }],
  },
  eleventy: {
    path: (name) => `src/posts/${name}.md`,
    files: { ".eleventy.js": "" },
    inline: [HTML, ...LIQUID, NUNJUCKS],
    lines: [HTML_LINES, ...LIQUID_LINES],
    blocks: [...HTML_BLOCKS, LIQUID_BLOCK],
    isBeforeMarkdown: true,
    fields: ["permalink: false"],
    folders: [
      { "src/a/a.json": '{"permalink": false}', "src/a/x.md": "" },
      { "src/a/a.11tydata.json": '{"permalink": false}', "src/a/b/x.md": "" },
    ],
  },
  hexo: {
    path: (name) => `source/_posts/${name}.md`,
    files: { "_config.yml": "title: T\n" },
    inline: [HTML, NUNJUCKS],
    lines: [HTML_LINES, "{# §\n§ #}"],
    blocks: [...HTML_BLOCKS, "{#\n§\n\n§\n#}"],
    isBeforeMarkdown: true,
    fields: ["published: false", "hidden: true", "password: §"],
  },
  astro: {
    path: (name) => `src/content/blog/${name}.mdx`,
    files: { "astro.config.mjs": "" },
    inline: MDX,
    lines: [...MDX_LINES, '<b className="hidden">§\n§</b>'],
    blocks: MDX_BLOCKS,
    shown: ["`{/* ¶ */}`", "```js\n{/* ¶ */}\n```"],
    fields: ["isDraft: true"],
  },
  docusaurus: {
    path: (name) => `blog/${name}.mdx`,
    files: { "docusaurus.config.js": "" },
    inline: [HTML, ...MDX],
    lines: MDX_LINES,
    blocks: [...MDX_BLOCKS, HTML],
    fields: ["unlisted: true"],
  },
  obsidian: {
    path: (name) => `Notes/${name}.md`,
    files: { ".obsidian/app.json": "{}" },
    inline: [HTML, "%%§%%", "%% § %%"],
    lines: [HTML_LINES, "%%§\n§%%", "%% § `a §`\n§ %%"],
    blocks: [...HTML_BLOCKS, "%%\n§\n\n§\n%%", "%%\n§\n\n```\n§\n```\n\n- §\n%%", "%% §\n\n§ %%"],
    shown: ["`%%¶%%`", "1%% ¶ 2%%. ¶", "1%% ¶ 2%% ¶ %%§%% ¶", "```\n%%\n¶\n%%\n```"],
    fields: ["publish: false", "share: false", "dg-publish: false"],
  },
}

/** Lines of a front matter. */
export const TITLES = ["title: ¶", "title: ¶ # §", 'title: "¶ <!-- § --> ¶"', "title: >-\n  ¶\n  ¶"]
export const NOTES = ["# §", "notes: §", "internal: {a: [§]}", "todo: |\n  §\n\n  §", "reviewer: §  # §"]
export const DESCRIPTIONS = ["", 'description: "¶ <!-- § --> ¶"', "summary: ¶ # §"]

/** Blocks of which readers see all. */
const SHOWN = [
  "¶ ¶",
  "100 % ¶, 5 < 6 & ¶",
  "- ¶\n- ¶",
  "```html\n<!-- ¶ -->\n```",
  "`<!-- ¶ -->`",
  "> ¶",
  "## ¶",
  "* * *",
]

const prefix = (text: string, first: string, other = first): string => first + text.replaceAll("\n", `\n${other}`)

const inLines = (comment: string): string[] => [
  `¶ ${comment} ¶`,
  `¶${comment}¶ ¶`,
  `${comment} ¶`,
  `¶ ${comment}`,
  `- ¶ ${comment}\n- ${comment} ¶\n- ¶`,
  `1. ¶\n   ${comment}\n   ¶`,
  `> ¶ ${comment} ¶\n> ${comment}`,
  `> - ¶ ${comment}`,
  `| ¶ ${comment} | ¶ |\n| --- | --- |\n| ${comment} | ¶${comment} |`,
  `## ¶ ${comment} ¶`,
  `¶ ${comment}\n---`,
  `**¶ ${comment}** ¶ *${comment}¶*`,
  `[¶ ${comment}](https://x.example/) ¶`,
  `[[Note|¶ ${comment}]] ¶`,
  `> [!note] ¶ ${comment}\n> ¶ ${comment}`,
  `:::note[¶ ${comment}]\n¶ ${comment}\n:::`,
  `<div>\n¶ ${comment} ¶\n</div>`,
  `- [ ] ¶ ${comment}\n\n  > > ¶ ${comment}\n  > ¶`,
  `<details><summary>¶</summary>\n\n¶ ${comment}\n\n</details>`,
]

const overLines = (comment: string): string[] => [
  `¶ ${comment} ¶`,
  `¶${comment}\n¶`,
  prefix(`¶ ${comment} ¶`, "> "),
  `${prefix(`¶ ${comment} ¶`, "- ", "  ")}\n- ¶`,
]

const asBlocks = (comment: string): string[] => [
  comment,
  prefix(comment, "> "),
  prefix(`¶\n\n${comment}\n\n¶`, "> "),
  `${prefix(`¶\n\n${comment}\n\n¶`, "- ", "  ")}\n- ¶`,
]

/** Returns all blocks of a dialect: each comment in each of its places, and those without one. */
export const blocksOf = ({ inline, lines = [], blocks = [], shown = [], isBeforeMarkdown }: Dialect): string[] => [
  ...inline.flatMap(inLines),
  ...inline
    .filter((comment) => isBeforeMarkdown && !comment.startsWith("<"))
    .map((comment) => `![¶ ${comment}](https://x.example/a.png) ¶`),
  ...lines.flatMap(overLines),
  ...blocks.flatMap(asBlocks),
  ...SHOWN,
  ...shown,
]
