import { expect, test } from "vitest"

import { readPosts } from "../../src/folder/posts.ts"
import { readTool, TOOLS } from "../../src/tools/index.ts"
import type { Addressed } from "../../src/tools/tool.ts"
import { folderOf, OPTIONS } from "../folder/folder.ts"

// VitePress, VuePress, Nuxt Content and Gatsby: their configurations are code, of which only texts are read.

const POST = "---\ntitle: A\ndate: 2024-01-02\n---\n\nText.\n"

/** Makes files with the same post. */
const posts = (...files: string[]): Record<string, string> => Object.fromEntries(files.map((file) => [file, POST]))

const VITEPRESS = ".vitepress/config.mts"
const VUEPRESS = ".vuepress/config.ts"
const NUXT = { "nuxt.config.ts": "export default defineNuxtConfig({ modules: ['@nuxt/content'] })" }
const CONTENT = "content.config.ts"
const GATSBY = "gatsby-config.js"

test.each<[string, Record<string, string>, string[]]>([
  ["VitePress", { [VITEPRESS]: "", ...posts("a.md", "b.mdx", "c.markdown", "[d].md", "e/[f]/g.md") }, ["a.md"]],
  [
    "VitePress with `srcExclude`",
    {
      [VITEPRESS]: 'export default { srcExclude: ["old/**", "**/{x,y}.md", \'**/*.local.md\'], title: "**/" }',
      ...posts("a.md", "old/b.md", "x.md", "c/y.md", "d.local.md", "c/old/e.md"),
    },
    ["a.md", "c/old/e.md"],
  ],
  [
    "VitePress with `srcDir`",
    { [VITEPRESS]: "export default { srcDir: './src' }", ...posts("a.md", "src/b.md") },
    ["src/b.md"],
  ],
  [
    "VitePress with remarks and backticks",
    {
      [VITEPRESS]:
        "// It's ours.\nexport default { url: 'https://e.x', srcExclude: [\n  `old/**`, // don't\n  'x.md', /* x */\n] }",
      ...posts("a.md", "old/b.md", "x.md"),
    },
    ["a.md"],
  ],
  ["VitePress in a folder", { [`docs/${VITEPRESS}`]: "", ...posts("a.md", "docs/b.md") }, ["docs/b.md"]],
  ["VuePress", { [VUEPRESS]: "", ...posts("a.md", "b.mdx", "c/d.md") }, ["a.md", "c/d.md"]],
  [
    "VuePress with `pagePatterns`",
    {
      [VUEPRESS]: 'export default { pagePatterns: ["blog/**/*.md", "!**/_*.md"] }',
      ...posts("a.md", "blog/b.md", "blog/c/_d.md"),
    },
    ["blog/b.md"],
  ],
  [
    "Nuxt Content, which may be version 2",
    {
      ...NUXT,
      ...posts(
        "a.md",
        ...["b.md", "c/d.md", "e.mdx", "-f.md", "_g/h.md", "i.draft.md"].map((name) => `content/${name}`),
      ),
    },
    ["content/b.md", "content/c/d.md"],
  ],
  [
    "Nuxt Content with collections",
    {
      ...NUXT,
      [CONTENT]: `import { defineCollection, defineContentConfig } from '@nuxt/content'
      export default defineContentConfig({ collections: {
        blog: defineCollection({ type: 'page', source: { exclude: ['blog/{old,wip}/**'], include: 'blog/**/*.md' } }),
        pages: defineCollection({ type: "page", source: "pages/*.md" }),
        more: defineCollection({ type: "page", source: [{ include: "x/*.md", exclude: ["x/b.md"] }, { include: "y/*.md" }] }),
        data: defineCollection({ type: 'data', source: 'authors/**' }) } })`,
      ...posts(
        ...[
          "a",
          "blog/b",
          "blog/old/c",
          "blog/wip/d",
          "pages/e",
          "pages/f/g",
          "authors/h",
          "x/a",
          "x/b",
          "y/a",
          "y/b",
        ].map((name) => `content/${name}.md`),
      ),
    },
    ["content/blog/b.md", "content/pages/e.md", "content/x/a.md", "content/y/a.md", "content/y/b.md"],
  ],
  [
    "Nuxt Content with a collection in code",
    { ...NUXT, [CONTENT]: "defineCollection({ type: 'page', source: sourceOf('blog') })", ...posts("content/a.md") },
    ["content/a.md"],
  ],
  [
    "Nuxt Content of version 3",
    {
      ...NUXT,
      [CONTENT]: "defineCollection({ type: 'page', source: '**' })",
      ...posts("content/-a.md", "content/_b.md", "content/c.draft.md"),
    },
    ["content/-a.md", "content/_b.md"],
  ],
  [
    "Gatsby",
    {
      [GATSBY]: `const options = { path: path.join(__dirname, "content", "notes") }
        module.exports = { plugins: [
          { resolve: "gatsby-source-filesystem", options: { name: "a", path: \`\${__dirname}/content/blog/\`, ignore: ["**/old/**"] } },
          { resolve: \`gatsby-source-filesystem\`, options: { path: path.resolve(__dirname, 'notes') } },
          { resolve: 'gatsby-source-filesystem', options: { path: "./more" } } ] }`,
      ...posts(
        "a.md",
        "content/b.md",
        "content/blog/c.md",
        "content/blog/old/d.md",
        "notes/e.md",
        "more/f.md",
        "src/pages/g.mdx",
      ),
    },
    ["content/blog/c.md", "more/f.md", "notes/e.md", "src/pages/g.mdx"],
  ],
  [
    "Gatsby with a source in code",
    {
      [GATSBY]: 'module.exports = { plugins: [{ resolve: "gatsby-source-filesystem", options: { path: folder } }] }',
      ...posts("a.md", "b/c.md"),
    },
    ["a.md", "b/c.md"],
  ],
])("%s: what makes no page is left out", async (_, files, expected) => {
  const folder = folderOf(files)
  const read = await readPosts(folder, { ...OPTIONS, settings: await readTool(folder, null) })
  expect(read.posts.map(({ source }) => source.file)).toEqual(expected)
})

test.each<[name: string, files: Record<string, string>, unread: string[]]>([
  [
    "VitePress",
    { [VITEPRESS]: 'export default { srcExclude: [...more, "old/**"], srcDir: folder }' },
    ["srcDir", "srcExclude"],
  ],
  ["VitePress", { [VITEPRESS]: 'const srcExclude = ["a"].concat(more)' }, ["srcExclude"]],
  ["VitePress", { [VITEPRESS]: "export default { srcDir: `${root}/a`, srcExclude }" }, ["srcDir", "srcExclude"]],
  ["VitePress", { [VITEPRESS]: 'export default { "srcExclude": ["a/**",], srcDir: "a" } // srcExclude: b' }, []],
  ["VitePress", { [VITEPRESS]: 'srcExclude: []; config.srcExclude.push("a/**")' }, ["srcExclude"]],
  ["VitePress", { [VITEPRESS]: 'config.srcExclude = ["a/**"]' }, ["srcExclude"]],
  ["VuePress", { [VUEPRESS]: "export default { pagePatterns: patterns }" }, ["pagePatterns"]],
  ["Docusaurus", { "docusaurus.config.js": 'blog: { exclude: [...defaults, "old/**"] }' }, ["exclude"]],
  ["Docusaurus", { "docusaurus.config.js": 'blog: { exclude: ["old/**", // old\n ] }' }, []],
  [
    "Nuxt Content",
    { ...NUXT, [CONTENT]: "defineCollection({ source: { include: '**', exclude: old } })" },
    ["exclude"],
  ],
  ["Nuxt Content", { ...NUXT, [CONTENT]: "defineCollection({ source: sourceOf('blog') })" }, ["source"]],
  ["Nuxt Content", { ...NUXT, [CONTENT]: "defineCollection({ source: '**' })" }, []],
  [
    "Astro",
    { "astro.config.mjs": "", "src/content.config.ts": "glob({ pattern: PATTERNS, base: `./${BASE}` })" },
    ["pattern", "base"],
  ],
  [
    "Astro",
    {
      "astro.config.mjs": "",
      "src/content.config.ts": 'const B = "a"; glob({ pattern: ["**/*.md", // all\n "!old/**"], base: `./${B}` })',
    },
    [],
  ],
  ["Gatsby", { [GATSBY]: "{ ignore: [/private/] }" }, ["ignore"]],
  ["Gatsby", { [GATSBY]: '{ resolve: "gatsby-source-filesystem", options: { path: folder } }' }, ["path"]],
  ["Gatsby", { [GATSBY]: "{ ignore: [`**/private/**`] }" }, []],
  ["Eleventy", { "eleventy.config.js": "c.ignores.add(old); return { dir: { input } }" }, ["ignores", "input"]],
  ["Eleventy", { "eleventy.config.js": "c.ignores.add('old/**'); return { dir: { input: 'a' } }" }, []],
  ["Quartz", { "quartz.config.ts": "{ ignorePatterns: [...old] }" }, ["ignorePatterns"]],
  [
    "Pelican",
    {
      "pelicanconf.py":
        "ARTICLE_EXCLUDES = ['private'] + EXTRA\nDEFAULT_METADATA = dict(status='draft')\nAUTHOR = NAME",
    },
    ["ARTICLE_EXCLUDES", "DEFAULT_METADATA"],
  ],
  [
    "Pelican",
    { "pelicanconf.py": "IGNORE_FILES = ['a']\nif OLD:\n    IGNORE_FILES += ['b']\nPAGE_EXCLUDES.append('c')" },
    ["IGNORE_FILES", "PAGE_EXCLUDES"],
  ],
  ["Pelican", { "pelicanconf.py": "# PATH = b\nPATH = 'a'\nARTICLE_PATHS = ('b',)\n" }, []],
  ["Nikola", { "conf.py": "POSTS = posts()\nPAGES = (('a/*.md', 'a'),)" }, ["POSTS"]],
])("%s asks about settings in code that hide files: %j", async (name, files, unread) => {
  const { question, tool } = await readTool(folderOf(files), null)
  expect(tool.name).toBe(name)
  expect(question === null).toBe(unread.length === 0)
  expect(question ?? "").toContain(unread.map((one) => `\`${one}\``).join(", "))
  const as = Object.entries(TOOLS).find(([, one]) => one === tool)?.[0] ?? null
  expect((await readTool(folderOf(files), as)).question).toBeNull()
})

test.each<[string, Record<string, string>, Partial<Addressed> & { file: string }, string[]]>([
  ["VitePress", { [VITEPRESS]: "" }, { file: "posts/Big Name.md" }, ["/posts/Big Name"]],
  ["VitePress", { [VITEPRESS]: "" }, { file: "posts/a/index.md" }, ["/posts/a/"]],
  ["VitePress", { [VITEPRESS]: "" }, { file: "index.md" }, ["/"]],
  ["VitePress", { [VITEPRESS]: 'export default { srcDir: "src" }', "src/b.md": "" }, { file: "src/a.md" }, ["/a"]],
  ...(
    [
      ["posts/a.md", "/blog/a"],
      ["posts/b/a.md", "/posts/b/a"],
      ["packages/ui/src/deep/a.md", "/ui/deep/a"],
      ["old/b/c.md", "/new/b/c"],
      ["v1.0.md", "/one"],
      ["v1x0.md", "/v1x0"],
    ] as const
  ).map(([file, path]): [string, Record<string, string>, { file: string }, string[]] => [
    "VitePress with `rewrites`",
    {
      [VITEPRESS]: `export default { rewrites: { "posts/:slug.md": "blog/:slug.md", 'packages/:pkg/src/:path*': ':pkg/:path*',
        'old/(.*)': 'new/:0', "v1.0.md": "one.md" } }`,
    },
    { file },
    [path],
  ]),
  [
    "VitePress with a path of more parts than are compared",
    { [VITEPRESS]: `export default { rewrites: { ":a-:b-:c-:d-:e": "x" } }` },
    { file: `${"long-name-".repeat(10)}.md` },
    [`/${"long-name-".repeat(10)}`],
  ],
  [
    "VitePress with `rewrites` in code",
    { [VITEPRESS]: "export default { rewrites: (id) => id }" },
    { file: "a.md" },
    ["/a"],
  ],
  ["VuePress", { [VUEPRESS]: "" }, { file: "a/README.md" }, ["/a/"]],
  ["VuePress", { [VUEPRESS]: "" }, { file: "a/2024-06-b.md" }, ["/a/2024-06-b"]],
  [
    "VuePress with a pattern",
    {
      [VUEPRESS]:
        'export default { permalinkPattern: "/:year/:month/:day/:slug.html", locales: { "/de/": { lang: "de" } } }',
    },
    { file: "de/2024-06-b.md", date: "2024-06-01T00:00:00" },
    ["/de/2024/06/01/b.html"],
  ],
  [
    "VuePress with a pattern of the page",
    { [VUEPRESS]: 'export default { permalinkPattern: "/:slug" }' },
    { file: "a/b.md", date: "2024-06-01T00:00:00", data: { permalinkPattern: "/:year/:raw" } },
    ["/2024/a/b"],
  ],
  [
    "VuePress without a pattern by the page",
    { [VUEPRESS]: 'export default { permalinkPattern: "/:slug" }' },
    { file: "a/b.md", data: { permalinkPattern: null } },
    ["/a/b"],
  ],
  ["Nuxt Content", { ...NUXT, "content/a.md": "" }, { file: "content/2.blog/01.Big Name.md" }, ["/blog/big-name"]],
  ["Nuxt Content", { ...NUXT, "content/a.md": "" }, { file: "content/3.island/0.index.md" }, ["/island/"]],
  ["Nuxt Content", { ...NUXT, "content/a.md": "" }, { file: "content/1.2/3.14.md" }, ["/1.2/3.14"]],
  ["Nuxt Content", { ...NUXT, "content/a.md": "" }, { file: "content/a.md", data: { path: "/own" } }, ["/own"]],
  [
    "Nuxt Content with a prefix",
    {
      ...NUXT,
      "content/a.md": "",
      [CONTENT]: 'defineCollection({ type: "page", source: { include: "2.blog/*.md", prefix: "/b" } })',
    },
    { file: "content/2.blog/3.c.md" },
    ["/b/c"],
  ],
  ["Gatsby", { [GATSBY]: "" }, { file: "posts/a/index.md", slug: "own" }, ["/own", "/posts/a"]],
  [
    "Gatsby with a source",
    { [GATSBY]: '{ resolve: "gatsby-source-filesystem", options: { path: "./posts" } }', "posts/a.md": "" },
    { file: "posts/2024-05-01-a.md", data: { path: "/own/" } },
    ["/own/", "/2024-05-01-a"],
  ],
])("%s: a page has its address", async (_, files, page, expected) => {
  const settings = await readTool(folderOf(files), null)
  const whole = { lang: null, title: "A", slug: null, date: null, categories: [], tags: [], data: {}, ...page }
  expect(settings.tool.addressesOf?.(whole, settings, new Set())).toEqual(expected)
})

test.each([
  ["2024-06-15-a.md", "2024-06-15"],
  ["posts/2024-06-a.md", "2024-06-01"],
  ["2024-6-1-a.md", "2024-06-01"],
  ["2024/06/15/a.md", "2024-06-15"],
  ["posts/2024/6/a.md", "2024-06-01"],
  ["2023/01/2024-06-a.md", "2024-06-01"],
  ["2024/a.md", null],
  ["a-2024-06-01.md", null],
])("VuePress dates %s by its path", async (file, expected) => {
  const { tool } = await readTool(folderOf({ [VUEPRESS]: "" }), null)
  expect(tool.dateOfPath?.(file) ?? null).toBe(expected)
})

test("Nuxt Content: numbers that order names are in no slug, title and category", async () => {
  const folder = folderOf({
    ...NUXT,
    "content/2.blog/1.first.md": "---\ndate: 2024-01-01\n---\n\nText.\n",
    "content/3.news/02.second.md": POST,
    "content/3.news/4.island/0.index.md": POST,
  })
  const found = await readPosts(folder, { ...OPTIONS, settings: await readTool(folder, null) })
  expect(found.posts.map(({ slug, source, categories }) => [slug, source.title, ...categories])).toEqual([
    ["first", "first", "Blog"],
    ["second", "A", "news"],
    ["island", "A", "news"],
  ])
})
