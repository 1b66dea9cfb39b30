// The places in which each tool shows nothing of a text. `§` stands for a secret, `¶` for a word that readers see.

/** Settings that keep files off the site. */
export interface Setting {
  /** Texts that are added to those of files with these paths. */
  files: Record<string, string>
  /** Paths of posts that are not rendered. */
  left: string[]
}

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
  /** Settings of the configuration, in the order in which they may stand. */
  settings?: Setting[]
  /** The line of a front matter that posts need to be rendered. */
  mark?: string
  /** Settings of edgepost. */
  config?: { publish_by: string }
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
    settings: [
      {
        files: { "hugo.toml": 'ignoreFiles = ["\\\\.wip\\\\.md$", "/inbox/"]\n' },
        left: ["content/x.wip.md", "content/inbox/a/x.md"],
      },
      { files: { "hugo.toml": 'disableLanguages = ["fr"]\n' }, left: ["content/posts/x.fr.md"] },
      {
        files: { "hugo.toml": '[languages.en]\n[languages.de]\ndisabled = true\ncontentDir = "texte"\n' },
        left: ["texte/x.md", "content/x.de.md"],
      },
      {
        files: {
          "hugo.toml": '[[module.mounts]]\nsource = "content"\ntarget = "content"\nexcludeFiles = ["shed/**"]\n',
        },
        left: ["content/shed/x/y.md", "notes/x.md"],
      },
      { files: {}, left: ["notes/y.md"] },
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
    fields: ["published: false", "published:", "published: ~"],
    folders: [{ "left/_posts/2024-01-02-x.md": "" }],
    settings: [
      {
        files: { "_config.yml": "collections: {crew: {output: false}, log: , boats: {output: true}}\n" },
        left: ["_crew/x.md", "_log/x.md", "_boats/_x.md", "_boats/a/_x.md"],
      },
      { files: { "_config.yml": "include: [.a]\n" }, left: ["vendor/bundle/a/_posts/2024-01-02-x.md"] },
      { files: {}, left: ["notes/x.md", "_posts/x.md", "_other/2024-01-02-x.md"] },
    ],
  },
  eleventy: {
    path: (name) => `src/posts/${name}.md`,
    files: { ".eleventy.js": "" },
    inline: [HTML, ...LIQUID, NUNJUCKS],
    lines: [HTML_LINES, ...LIQUID_LINES],
    blocks: [...HTML_BLOCKS, LIQUID_BLOCK],
    isBeforeMarkdown: true,
    fields: ["permalink: false"],
    settings: [
      { files: { ".gitignore": "src/wip/\n" }, left: ["src/wip/x.md"] },
      { files: { ".eleventyignore": "/src/shed\nsrc/own/*.md\n" }, left: ["src/shed/a/x.md", "src/own/x.md"] },
      { files: { ".eleventy.js": 'c.ignores.add("src/notes/**")\n' }, left: ["src/notes/x.md"] },
      { files: { "src/posts/z.data.json": '{"permalink": false}' }, left: ["src/posts/z.md"] },
    ],
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
    fields: ["published: false", 'published: ""', "hidden: true", "password: §"],
    settings: [
      {
        files: { "_config.yml": 'ignore: ["**/*.skip.md", "**/inbox/**"]\n' },
        left: ["source/_posts/x.skip.md", "source/_posts/inbox/x.md"],
      },
      { files: { "_config.yml": "skip_render: [_posts/raw/**]\n" }, left: ["source/_posts/raw/a/x.md"] },
      { files: {}, left: ["notes/x.md", "source/_posts/_x.md"] },
    ],
  },
  astro: {
    path: (name) => `src/content/blog/${name}.mdx`,
    files: { "astro.config.mjs": "" },
    inline: MDX,
    lines: [...MDX_LINES, '<b className="hidden">§\n§</b>'],
    blocks: MDX_BLOCKS,
    shown: ["`{/* ¶ */}`", "```js\n{/* ¶ */}\n```"],
    fields: ["isDraft: true"],
    settings: [
      {
        files: {
          "src/content.config.ts": 'a({ loader: glob({ pattern: "**/[^_]*.{md,mdx}", base: "./src/data/blog" }) })\n',
        },
        left: ["src/data/blog/_x.md", "src/data/blog/a/_x.md"],
      },
      {
        files: { "src/content.config.ts": "b({ loader: glob({ base: 'src/notes', pattern: ['*.md', '!b*'] }) })\n" },
        left: ["src/notes/bx.md", "src/notes/a/x.md"],
      },
      { files: {}, left: ["src/content/blog/_x.md"] },
    ],
  },
  docusaurus: {
    path: (name) => `blog/${name}.mdx`,
    files: { "docusaurus.config.js": "" },
    inline: [HTML, ...MDX],
    lines: MDX_LINES,
    blocks: [...MDX_BLOCKS, HTML],
    fields: ["unlisted: true"],
    settings: [
      {
        files: { "docusaurus.config.js": 'x({ blog: { exclude: ["**/inbox/**", "*.wip.md"] } })\n' },
        left: ["blog/inbox/x.md", "blog/x.wip.md"],
      },
      { files: {}, left: ["blog/_x.md", "blog/__tests__/x.md"] },
    ],
  },
  zola: {
    path: (name) => `content/posts/${name}.md`,
    files: { "config.toml": 'base_url = "https://e.x"\n' },
    inline: [HTML],
    lines: [HTML_LINES],
    blocks: HTML_BLOCKS,
    fields: ["draft: true", "render: false"],
    settings: [
      {
        files: { "config.toml": 'ignored_content = ["*.wip.md", "shed/*"]\n' },
        left: ["content/a/x.wip.md", "content/shed/x.md"],
      },
      {
        files: { "content/inbox/_index.md": "+++\ndraft = true\n+++\n" },
        left: ["content/inbox/x.md", "content/inbox/a/x.md"],
      },
      { files: {}, left: ["notes/x.md"] },
    ],
  },
  obsidian: {
    path: (name) => `Notes/${name}.md`,
    files: { ".obsidian/app.json": "{}" },
    inline: [HTML, "%%§%%", "%% § %%"],
    lines: [HTML_LINES, "%%§\n§%%", "%% § `a §`\n§ %%"],
    blocks: [...HTML_BLOCKS, "%%\n§\n\n§\n%%", "%%\n§\n\n```\n§\n```\n\n- §\n%%", "%% §\n\n§ %%"],
    shown: ["`%%¶%%`", "1%% ¶ 2%%. ¶", "1%% ¶ 2%% ¶ %%§%% ¶", "```\n%%\n¶\n%%\n```"],
    fields: ["publish: false", "share: false", "dg-publish: false", "publish:", "status: private"],
    config: { publish_by: "all" },
  },
  vault: {
    path: (name) => `Notes/${name}.md`,
    inline: ["%%§%%"],
    fields: ["publish: false", "publish:", "publish: maybe", "x: y"],
    mark: "publish: true",
    settings: [{ files: {}, left: ["Daily/2024-05-02.md", "a/b.md"] }],
  },
  garden: {
    path: (name) => `${name}.md`,
    inline: [HTML],
    fields: ["public: false", "publish: true", "x: y"],
    mark: "public: yes",
    config: { publish_by: "public" },
  },
}

/** Begins of files whose front matter is not read as one. */
export const STARTS = ["\n", " ", "\uFEFF\n", "\u200B", "<!-- a -->\n", "--"]

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
