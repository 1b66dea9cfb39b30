// Tables from which blogs are drawn: how each tool keeps its posts, and the kinds of posts that public blogs have.
// `{name}`, `{title}`, `{date}`, `{y}`, `{m}` and `{d}` are drawn for each post; `{stem}` is its path without the ending.

/** How a tool keeps posts. */
export interface Base {
  /** Its configuration. */
  files: Record<string, string>
  path: string
  /** The lines that give a post its title and its date. */
  head: string
  /** The time of day that `head` gives, in UTC. */
  time?: string
  /** What stands before and after the fields, if it is no line of three dashes. */
  fence?: string
}

const DATED = "title: {title}\ndate: {date}\n"

export const BASES: Record<string, Base> = {
  hugo: {
    files: {
      "hugo.toml": `baseURL = "https://drawn.example/"
ignoreFiles = ['\\.wip\\.md$', '/inbox/']
[languages.fr]
weight = 1
[languages.en]
weight = 2
[languages.de]
disabled = true
[taxonomies]
category = "categories"
tag = "tags"
`,
    },
    path: "content/posts/{name}.md",
    head: DATED,
  },
  jekyll: {
    files: {
      "_config.yml": `url: https://drawn.example
exclude: [_posts/inbox/]
collections:
  notes: { output: false }
  staff:
  recipes: { output: true }
defaults:
  - scope: { path: _posts/far }
    values: { category: Far East }
`,
    },
    path: "_posts/{date}-{name}.md",
    head: "title: {title}\n",
  },
  hexo: {
    files: {
      "_config.yml": `url: https://drawn.example
timezone: UTC
language: en
ignore: ["**/*.skip.md"]
skip_render: ["_posts/raw/**"]
`,
    },
    path: "source/_posts/{name}.md",
    head: "title: {title}\ndate: {date} 10:00:00\n",
    time: "10:00:00",
  },
  eleventy: {
    files: {
      "eleventy.config.js": `export default (config) => {
  config.ignores.add("content/blog/notes/**")
  return { dir: { input: "content" } }
}
`,
      ".eleventyignore": "content/shed/**\n",
      "content/hidden/hidden.json": '{ "permalink": false }\n',
    },
    path: "content/blog/{name}.md",
    head: DATED,
  },
  astro: {
    files: {
      "astro.config.mjs": 'export default { site: "https://drawn.example" }\n',
      "src/content.config.ts": `import { glob } from "astro/loaders"
import { defineCollection } from "astro:content"
export const collections = {
  blog: defineCollection({ loader: glob({ pattern: "**/[^_]*.{md,mdx}", base: "./src/content/blog" }) }),
}
`,
    },
    path: "src/content/blog/{name}.md",
    head: "title: {title}\npubDate: {date}\n",
  },
  docusaurus: {
    files: {
      "docusaurus.config.js": `module.exports = {
  title: "Drawn",
  url: "https://drawn.example",
  baseUrl: "/",
  i18n: { defaultLocale: "en", locales: ["en", "fr"] },
  presets: [["classic", { blog: { exclude: ["**/secret/**"] } }]],
}
`,
      "blog/tags.yml": "rel:\n  label: Release notes\n",
    },
    path: "blog/{date}-{name}.md",
    head: "title: {title}\n",
  },
  vitepress: {
    files: {
      ".vitepress/config.mts": 'export default { title: "Drawn", lang: "en", srcExclude: ["drafts/**"] }\n',
    },
    path: "posts/{name}.md",
    head: DATED,
  },
  vuepress: {
    files: { "docs/.vuepress/config.js": 'module.exports = { title: "Drawn", lang: "en", base: "/pond/" }\n' },
    path: "docs/posts/{name}.md",
    head: DATED,
  },
  nuxt: {
    files: {
      "nuxt.config.ts":
        'export default defineNuxtConfig({ modules: ["@nuxt/content"], site: { url: "https://drawn.example" } })\n',
    },
    path: "content/blog/{name}.md",
    head: DATED,
  },
  gatsby: {
    files: {
      "gatsby-config.js": 'module.exports = { siteMetadata: { title: "Drawn", siteUrl: "https://drawn.example" } }\n',
    },
    path: "content/blog/{name}/index.md",
    head: DATED,
  },
  pelican: {
    files: {
      "pelicanconf.py": `SITENAME = 'Drawn'
SITEURL = 'https://drawn.example'
PATH = 'content'
TIMEZONE = 'UTC'
DEFAULT_LANG = 'en'
`,
    },
    path: "content/{name}.md",
    head: "Title: {title}\nDate: {date} 10:20\n",
    time: "10:20:00",
    fence: "",
  },
  nanoc: {
    files: { "nanoc.yaml": "base_url: https://drawn.example\n" },
    path: "content/posts/{name}.md",
    head: "title: {title}\ncreated_at: {date}\nkind: article\n",
  },
}

/** A kind of posts: how it differs from a plain one, and what readers must see of it. */
export interface Kind {
  name: string
  /** The tools that have it; without them, all. */
  tools?: string
  path?: string
  /** Lines of the front matter below those of the tool, or in place of them. */
  fields?: string
  head?: string
  fence?: string
  /** What stands below the words of the text. */
  text?: string
  /** No reader may see its words. */
  hidden?: true
  title?: string
  /** RFC 3339 in UTC; null if the tool shows none. */
  date?: string | null
  categories?: string[]
  tags?: string[]
  language?: string
  /** A second file with the same front matter, and whether readers must see its words. */
  twin?: { path: string; hidden: boolean }
}

const hidden = (name: string, tools: string | undefined, more: Partial<Kind>): Kind => ({
  name,
  ...(tools !== undefined && { tools }),
  hidden: true,
  ...more,
})

/** Fields by which an author clearly wishes to hide a post. */
const WISHES =
  "draft: true|published: false|publish: false|status: draft|status: unpublished|state: pending|private: true|hidden: true|password: tide|visibility: private|unlisted: true|expiryDate: 2020-01-01"

const LONG = `transcript:\n${Array.from({ length: 1500 }, (_, i) => `  - line ${i} of a talk about leaves and rain`).join("\n")}`

export const KINDS: Kind[] = [
  { name: "plain" },
  {
    name: "tags",
    tools: "hugo jekyll hexo eleventy astro docusaurus vuepress gatsby nanoc",
    fields: "tags: [Sea, Ice cream]",
    tags: ["Sea", "Ice cream"],
  },
  {
    name: "a field of the theme",
    tools: "hugo jekyll hexo eleventy astro docusaurus vitepress vuepress nuxt gatsby nanoc",
    fields: "status: Finished",
  },
  { name: "an image that is gone", text: "![A boat](/gone/{name}.png)" },
  {
    name: "a long front matter",
    tools: "hugo jekyll hexo eleventy astro vitepress vuepress nuxt gatsby",
    fields: LONG,
  },
  ...WISHES.split("|").map((fields) => hidden(`a clear wish: ${fields}`, undefined, { fields })),
  { name: "a copy of a sync tool", twin: { path: "{stem} (Ann's conflicted copy 2024-05-01).md", hidden: true } },
  hidden("a nested checkout", undefined, { path: "worktrees/fix/{path}" }),
  hidden("marks of a merge", undefined, { text: "<<<<<<< HEAD\nOne.\n=======\nTwo.\n>>>>>>> main" }),
  hidden("a draft after a blank line", undefined, { fence: "\n---\n", fields: "draft: true" }),

  hidden("`ignoreFiles`", "hugo", { path: "content/posts/{name}.wip.md" }),
  hidden("`ignoreFiles`, a folder", "hugo", { path: "content/inbox/{name}.md" }),
  hidden("a language that is off", "hugo", { path: "content/posts/{name}.de.md" }),
  hidden("until its day", "hugo", { fields: "publishDate: 2099-01-01" }),
  hidden("a headless bundle", "hugo", { path: "content/posts/{name}/index.md", fields: "headless: true" }),
  { name: "a language of the name", tools: "hugo", path: "content/posts/{name}.fr.md", language: "fr" },
  { name: "date and publishDate", tools: "hugo", fields: "publishDate: 2025-12-24" },
  { name: "lastmod alone", tools: "hugo", head: "title: {title}\nlastmod: {date}\n" },
  { name: "no date", tools: "hugo", path: "content/{name}.md", head: "title: {title}\n", date: null },
  {
    name: "the same slug in two sections",
    tools: "hugo",
    path: "content/posts/{name}-a.md",
    fields: "slug: {name}",
    twin: { path: "content/posts/more/{name}-b.md", hidden: false },
  },

  ...["", " ~", " no"].map((value) => hidden(`published:${value}`, "jekyll", { fields: `published:${value}` })),
  hidden("a collection without output", "jekyll", { path: "_notes/{name}.md" }),
  hidden("a collection without a word on output", "jekyll", { path: "_staff/{name}.md" }),
  hidden("an underscore in a collection", "jekyll", { path: "_recipes/_{name}.md" }),
  hidden("`exclude`", "jekyll", { path: "_posts/inbox/{date}-{name}.md" }),
  hidden("a gem's sample", "jekyll", { path: "vendor/bundle/a/_posts/{date}-{name}.md" }),
  hidden("a folder of drafts", "jekyll", { path: "_drafts/{name}.md" }),
  { name: "a page of a collection", tools: "jekyll", path: "_recipes/{name}.md", date: null },
  {
    name: "category",
    tools: "jekyll",
    fields: "category: Ice cream\ntag: Sea food",
    categories: ["Ice cream"],
    tags: ["Sea food"],
  },
  {
    name: "categories",
    tools: "jekyll",
    fields: "categories: ice cream\ntags: sea food",
    categories: ["ice", "cream"],
    tags: ["sea", "food"],
  },
  {
    name: "category and categories",
    tools: "jekyll",
    fields: "category: one more\ncategories: five six",
    categories: ["five", "six", "one more"],
  },
  { name: "`defaults`", tools: "jekyll", path: "_posts/far/{date}-{name}.md", categories: ["Far East"] },
  {
    name: "folders",
    tools: "jekyll",
    path: "travel/asia/_posts/{date}-{name}.md",
    fields: "category: food",
    categories: ["travel", "asia", "food"],
  },
  { name: "an offset of one digit", tools: "jekyll", fields: "date: {date} 14:00:00 -4", date: "{date}T18:00:00Z" },
  {
    name: "quotes over several lines",
    tools: "jekyll eleventy",
    fields: 'excerpt: "The first line goes on\nhere, and it says one thing: the rest\ncomes later."',
  },

  hidden("`ignore`", "hexo", { path: "source/_posts/{name}.skip.md" }),
  hidden("`skip_render`", "hexo", { path: "source/_posts/raw/{name}.md" }),
  hidden("a folder of drafts", "hexo", { path: "source/_drafts/{name}.md" }),
  hidden("an underscore", "hexo", { path: "source/_posts/_{name}.md" }),
  hidden('published: ""', "hexo", { fields: 'published: ""' }),
  hidden("a longer fence", "hexo", { fence: "-----\n", fields: "published: false" }),
  {
    name: "category",
    tools: "hexo",
    fields: "category: Ice cream\ntag: Sea food",
    categories: ["Ice cream"],
    tags: ["Sea food"],
  },
  { name: "a date in the name", tools: "hexo", path: "source/_posts/2011-01-01-{name}.md" },
  { name: "a page", tools: "hexo", path: "source/{name}/index.md" },

  hidden("`ignores.add`", "eleventy", { path: "content/blog/notes/{name}.md" }),
  hidden("`.eleventyignore`", "eleventy", { path: "content/shed/{name}.md" }),
  hidden("data of its folder", "eleventy", { path: "content/hidden/{name}.md" }),
  hidden("permalink: false", "eleventy", { fields: "permalink: false" }),
  { name: "a date in the name", tools: "eleventy", path: "content/blog/{date}-{name}.md", head: "title: {title}\n" },
  { name: "a date in a folder", tools: "eleventy", path: "content/blog/{date}/{name}.md", head: "title: {title}\n" },
  {
    name: "an offset of one digit",
    tools: "eleventy",
    head: "title: {title}\ndate: {date} 14:00:00 -4\n",
    date: "{date}T18:00:00Z",
  },
  { name: "a text of tags", tools: "eleventy", fields: "tags: Sea food, boats", tags: ["Sea food", "boats"] },

  hidden("an underscore", "astro", { path: "src/content/blog/_{name}.md" }),
  { name: "blanks and capitals in the name", tools: "astro", path: "src/content/blog/The {name} v1.2.md" },
  { name: "a folder of one post", tools: "astro", path: "src/content/blog/{name}/index.md" },

  hidden("`exclude`", "docusaurus", { path: "blog/secret/{date}-{name}.md" }),
  { name: "a date in folders", tools: "docusaurus", path: "blog/{y}/{m}/{d}/{name}.md" },
  { name: "a date in two folders", tools: "docusaurus", path: "blog/{y}/{m}-{d}/{name}.md" },
  { name: "a date in a folder and the name", tools: "docusaurus", path: "blog/{y}/{m}-{d}-{name}.md" },
  { name: "a file of tags", tools: "docusaurus", fields: "tags: [rel, Sea]", tags: ["Release notes", "Sea"] },
  hidden("a translation without its post", "docusaurus", {
    path: "i18n/fr/docusaurus-plugin-content-blog/{date}-{name}.md",
  }),

  hidden("`srcExclude`", "vitepress", { path: "drafts/{name}.md" }),
  {
    name: "a month in the name",
    tools: "vuepress",
    path: "docs/posts/{y}-{m}-{name}.md",
    head: "title: {title}\n",
    date: "{y}-{m}-01T00:00:00Z",
  },
  hidden("a dash before the name", "nuxt", { path: "content/blog/-{name}.md" }),
  { name: "a number before the name", tools: "nuxt", path: "content/blog/1.{name}.md" },

  hidden("Status: draft", "pelican", { fields: "Status: draft" }),
  hidden("Status: hidden", "pelican", { fields: "Status: hidden" }),
  hidden("outside of PATH", "pelican", { path: "notes/{name}.md" }),
  {
    name: "labels",
    tools: "pelican",
    fields: "Category: Garden work\nTags: bees, early spring",
    categories: ["Garden work"],
    tags: ["bees", "early spring"],
  },
  { name: "a date in the name", tools: "pelican", path: "content/{date}-{name}.md" },
]
