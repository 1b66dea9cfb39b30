// The rules that read a folder otherwise than the commit of `commit.txt`: for each a blog of 30 posts on which they disagree, or may.

/** Posts of each blog. */
export const POSTS = 30

type Files = Record<string, string>

export interface Rule {
  name: string
  /** The files of the blog beside its posts. */
  files?: Files
  /** Returns the files of a post. @param i from 0. `KEY` stands for a word that no other rule has: a slug is one of the whole service. */
  filesOf: (i: number) => Files
  /** The posts are blocked, each with an error: they stay on the service as they are. */
  isBlocked?: true
}

const two = (number: number): string => String(number).padStart(2, "0")

/** Returns the day of a post. */
const dayOf = (i: number, year = 2023): string => `${year}-01-${two(i + 1)}`

/** Returns the text of a file with its fields. */
const page = (i: number, ...fields: string[]): string =>
  ["---", `title: Post ${i}`, ...fields, "---", "", `Words of post ${i}, enough for a description.`, ""].join("\n")

const HUGO = { "hugo.toml": 'baseURL = "https://old.example/"\n' }
const JEKYLL = { "_config.yml": "title: A\nurl: https://old.example\ntimezone: America/New_York\n" }
const HEXO = {
  "_config.yml": "title: A\nurl: https://old.example\ntheme: landscape\n",
  "package.json": '{"dependencies": {"hexo": "8.0.0"}}',
}
const ELEVENTY = { "eleventy.config.js": "export default () => ({})\n" }
const DOCUSAURUS = { "docusaurus.config.js": 'export default { title: "A", url: "https://old.example" }\n' }
const ASTRO = { "astro.config.mjs": 'export default { site: "https://old.example" }\n' }
const PELICAN = { "pelicanconf.py": "SITENAME = 'A'\nPATH = 'content'\nTIMEZONE = 'America/New_York'\n" }

/** A blog whose posts have a field each, in files of one name. */
const withFields = (name: string, files: Files, path: string, fields: (i: number) => string[]): Rule => ({
  name,
  files,
  filesOf: (i) => ({ [path.replace("#", `KEY-${i}`).replace("DAY", dayOf(i))]: page(i, ...fields(i)) }),
})

const dated = (i: number): string => `date: ${dayOf(i)}`

/** Values of `status`, as people write them and as they slip. */
const STATUSES = (
  "PB DF publish published public live draft Draft DRAFT private pending unpublished Published PUBLISHED " +
  "finished done ready review in-review hidden inbox seedling evergreen wip todo archived scheduled idea 完成 未発表"
).split(" ")

export const RULES: Rule[] = [
  // Dates
  withFields("Hugo: date before publishDate", HUGO, "content/posts/#.md", (i) => [
    dated(i),
    `publishDate: ${dayOf(i, 2022)}`,
  ]),
  withFields("Hugo: lastmod alone", HUGO, "content/posts/#.md", (i) => [`lastmod: ${dayOf(i)}`]),
  withFields(
    "Hugo: [frontmatter] date",
    { "hugo.toml": `${HUGO["hugo.toml"]}[frontmatter]\ndate = ["made", ":default"]\n` },
    "content/posts/#.md",
    (i) => [dated(i), `made: ${dayOf(i, 2021)}`],
  ),
  withFields("Hugo: a name with a date", HUGO, "content/posts/DAY-#.md", () => []),
  withFields(
    "Hugo: pages in no section",
    { ...HUGO, "content/posts/KEY.md": page(99, dated(1)) },
    "content/#.md",
    (i) => (i === 0 ? [dated(i)] : []),
  ),
  withFields("Jekyll: a timestamp of YAML", JEKYLL, "_posts/DAY-#.md", (i) => [`date: ${dayOf(i)} 09:00:00`]),
  withFields("Hexo: updated alone", HEXO, "source/_posts/#.md", (i) => [`updated: ${dayOf(i)}`]),
  withFields(
    "Hexo: a page beside the posts",
    { ...HEXO, "source/_posts/KEY.md": page(99, dated(1)) },
    "source/#/index.md",
    () => [],
  ),
  withFields("Eleventy: a date in a folder", ELEVENTY, "posts/DAY/#.md", () => []),
  withFields("Eleventy: the date of the file", ELEVENTY, "posts/#.md", () => ["date: git Created"]),
  {
    name: "Docusaurus: a date in folders",
    files: DOCUSAURUS,
    filesOf: (i) => ({ [`blog/2023/01/${two(i + 1)}/KEY-${i}.md`]: page(i) }),
  },
  withFields("Docusaurus: the first commit", DOCUSAURUS, "blog/#.md", () => []),
  withFields("Docusaurus: pages", { ...DOCUSAURUS, "blog/KEY.md": page(99, dated(1)) }, "src/pages/#.md", () => []),
  withFields("Astro: pages", { ...ASTRO, "src/content/blog/KEY.md": page(99, dated(1)) }, "src/pages/#.md", () => []),
  withFields("Astro: updated beside pubDate", ASTRO, "src/content/blog/#.md", (i) => [
    `pubDate: ${dayOf(i)}`,
    `updated: ${dayOf(i, 2024)}`,
  ]),
  withFields("a folder: created before modified", {}, "#.md", (i) => [
    `created_at: ${dayOf(i)}`,
    `modified: ${dayOf(i, 2024)}`,
  ]),
  withFields("a folder: the first commit", {}, "#.md", () => []),
  withFields("a folder: a name without a day", {}, "2023-01-#.md", () => []),
  withFields("a folder: a release ahead", {}, "#.md", (i) => [dated(i), "published: 2027-01-01"]),

  // Labels
  withFields("Jekyll: a category of two words", JEKYLL, "_posts/DAY-#.md", () => [
    "category: Ice cream",
    "tags: one two",
  ]),
  withFields("Jekyll: folders above the posts", JEKYLL, "sea/_posts/DAY-#.md", () => ["categories: [Boats]"]),
  withFields(
    "Hugo: names of taxonomies",
    { "hugo.toml": `${HUGO["hugo.toml"]}[taxonomies]\ncategory = "topics"\ntag = "words"\n` },
    "content/posts/#.md",
    (i) => [dated(i), "topics: [Sea]", "words: [boat]", "categories: [Air]"],
  ),
  withFields("Hexo: categories below each other", HEXO, "source/_posts/#.md", (i) => [
    dated(i),
    "categories: [[Sea, Boats], [Air]]",
  ]),
  withFields(
    "Eleventy: tags of a folder",
    { ...ELEVENTY, "posts/posts.json": '{"tags": ["posts", "sea"]}' },
    "posts/#.md",
    (i) => [dated(i), "tags: [boat]"],
  ),
  withFields(
    "Docusaurus: tags.yml",
    { ...DOCUSAURUS, "blog/tags.yml": "boat:\n  label: Boats of the sea\n" },
    "blog/DAY-#.md",
    () => ["tags: [boat]"],
  ),

  // Slugs
  withFields("two endings of a name", {}, "#.html.markdown", (i) => [dated(i)]),
  {
    name: "Middleman: two endings of a name",
    files: {
      "config.rb": 'activate :blog do |blog|\n  blog.sources = "blog/{year}-{month}-{day}-{title}.html"\nend\n',
    },
    filesOf: (i) => ({ [`source/blog/${dayOf(i)}-KEY-${i}.html.markdown`]: page(i) }),
  },
  withFields(
    "Nuxt: numbers before names",
    {
      "nuxt.config.ts": "export default defineNuxtConfig({ modules: ['@nuxt/content'] })\n",
      "package.json": '{"dependencies": {"@nuxt/content": "3.0.0", "nuxt": "4.0.0"}}',
    },
    "content/blog/1.#.md",
    (i) => [dated(i)],
  ),
  withFields("Hugo: bundles with numbers", HUGO, "content/posts/DAY-#/index.md", () => []),

  // Hidden
  withFields("values of status", {}, "#.md", (i) => [dated(i), `status: ${STATUSES[i]}`]),
  withFields("Hugo: values of status", HUGO, "content/posts/#.md", (i) => [dated(i), `status: ${STATUSES[i]}`]),
  withFields("Jekyll: values of published", JEKYLL, "_posts/DAY-#.md", (i) => [
    `published: ${["true", "yes", "1", '"true"', "on", "2023-01-01"][i % 6]}`,
  ]),
  withFields("values of draft", {}, "#.md", (i) => [
    dated(i),
    `draft: ${["false", "no", "off", '"false"', "true", "yes", "on", '"true"'][i % 8]}`,
  ]),
  withFields(
    "Hugo: ignoreFiles",
    { "hugo.toml": `ignoreFiles = ["old-.*"]\n${HUGO["hugo.toml"]}`, "content/posts/KEY.md": page(99, dated(1)) },
    "content/posts/old-#.md",
    (i) => [dated(i)],
  ),
  withFields(
    "Eleventy: .eleventyignore",
    { ...ELEVENTY, ".eleventyignore": "old/\n", "posts/KEY.md": page(99, dated(1)) },
    "old/#.md",
    (i) => [dated(i)],
  ),
  withFields(
    "Docusaurus: exclude",
    {
      "docusaurus.config.js":
        'export default { title: "A", url: "https://old.example", presets: [["classic", { blog: { exclude: ["**/old-*"] } }]] }\n',
      "blog/2023-01-01-KEY.md": page(99),
    },
    "blog/old-#.md",
    (i) => [dated(i)],
  ),
  withFields(
    "Hexo: exclude",
    {
      ...HEXO,
      "_config.yml": `${HEXO["_config.yml"]}exclude:\n  - _posts/old-*\n`,
      "source/_posts/KEY.md": page(99, dated(1)),
    },
    "source/_posts/old-#.md",
    (i) => [dated(i)],
  ),
  withFields("a folder of notes: a field for readers", { ".obsidian/app.json": "{}" }, "#.md", (i) => [
    dated(i),
    `publish: ${i % 2 === 0}`,
  ]),
  withFields(
    "a folder of notes: no field for readers",
    { ".obsidian/app.json": "{}", "KEY.md": page(99, dated(1), "publish: true") },
    "#.md",
    (i) => [dated(i)],
  ),
  withFields("a folder without a tool: share", {}, "#.md", (i) => [dated(i), `share: ${i % 3 !== 0}`]),
  withFields("published without a value", {}, "#.md", (i) => [dated(i), "published:"]),
  withFields("password without a value", {}, "#.md", (i) => [dated(i), "password:"]),
  {
    name: "a blank line before the fields",
    filesOf: (i) => ({ [`${dayOf(i)}-KEY-${i}.md`]: `\n${page(i, dated(i))}` }),
    isBlocked: true,
  },
  {
    name: "copies that a sync made",
    filesOf: (i) =>
      Object.fromEntries(["", " (conflicted copy 2023-01-01)"].map((end) => [`KEY-${i}${end}.md`, page(i, dated(i))])),
  },
  {
    name: "Logseq: daily notes",
    files: { "logseq/config.edn": "{}", "pages/KEY.md": page(99, dated(1)) },
    filesOf: (i) => ({ [`journals/2023_01_${two(i + 1)}.md`]: page(i, dated(i)) }),
  },

  // Pelican, and languages by the configuration
  {
    name: "Pelican: fields without lines around them",
    files: PELICAN,
    filesOf: (i) => ({
      [`content/${dayOf(i)}-KEY-${i}.md`]: `Title: Post ${i}\nDate: ${dayOf(i)} 10:00\nCategory: Ice cream\n\nWords of post ${i}.\n`,
    }),
  },
  withFields("Pelican: fields between lines", PELICAN, "content/#.md", (i) => [dated(i), "category: Ice cream"]),
  {
    name: "Hugo: contentDir of languages",
    files: {
      "hugo.toml": `${HUGO["hugo.toml"]}defaultContentLanguage = "en"\n[languages.en]\ncontentDir = "content/en"\n[languages.fr]\ncontentDir = "content/fr"\n`,
    },
    filesOf: (i) => ({
      [`content/en/posts/KEY-${i}.md`]: page(i, dated(i)),
      [`content/fr/posts/KEY-${i}.md`]: page(i, dated(i)).replace("Words of", "Mots de"),
    }),
  },
  {
    name: "Docusaurus: i18n",
    files: DOCUSAURUS,
    filesOf: (i) => ({
      [`blog/${dayOf(i)}-KEY-${i}.md`]: page(i),
      [`i18n/fr/docusaurus-plugin-content-blog/${dayOf(i)}-KEY-${i}.md`]: page(i).replace("Words of", "Mots de"),
    }),
  },

  // Tools that had no rules of their own
  withFields(
    "Zola: a name with a date",
    { "config.toml": 'base_url = "https://old.example"\n' },
    "content/DAY-#.md",
    () => [],
  ),
  {
    name: "Nikola: fields after two points",
    files: {
      "conf.py":
        "BLOG_TITLE = 'A'\nSITE_URL = 'https://old.example/'\nPOSTS = (('posts/*.md', 'posts', 'post.tmpl'),)\n",
    },
    filesOf: (i) => ({
      [`posts/${dayOf(i)}-KEY-${i}.md`]: `.. title: Post ${i}\n.. date: ${dayOf(i)} 10:00:00\n\nWords of post ${i}.\n`,
    }),
  },
  withFields(
    "Nanoc: posts and pages",
    { "nanoc.yaml": "site_name: A\nbase_url: https://old.example\n", "content/posts/KEY.md": page(99, dated(1)) },
    "content/#.md",
    (i) => [`created_at: ${dayOf(i)}`],
  ),
  withFields(
    "MkDocs: dates below each other",
    { "mkdocs.yml": "site_name: A\nplugins: [blog]\n" },
    "docs/blog/posts/#.md",
    (i) => ["date:", `  created: ${dayOf(i)}`, `  updated: ${dayOf(i, 2024)}`],
  ),
  withFields(
    "VitePress: srcExclude",
    {
      ".vitepress/config.js": "export default { srcExclude: ['old/**'] }\n",
      "package.json": '{"devDependencies": {"vitepress": "1.6.4"}}',
      "posts/KEY.md": page(99, dated(1)),
    },
    "old/#.md",
    (i) => [dated(i)],
  ),
  withFields(
    "VuePress: a name with a date",
    {
      ".vuepress/config.js": "export default {}\n",
      "package.json": '{"devDependencies": {"vuepress": "2.0.0-rc.26"}}',
    },
    "posts/DAY-#.md",
    () => [],
  ),
  withFields(
    "Gatsby: posts in folders",
    { "gatsby-config.js": "module.exports = { siteMetadata: { title: 'A' } }\n" },
    "content/blog/#/index.md",
    (i) => [dated(i)],
  ),
  withFields(
    "Quartz: notes without a date",
    {
      "quartz.config.ts": 'export default { configuration: { baseUrl: "old.example", ignorePatterns: ["private"] } }\n',
    },
    "content/#.md",
    () => [],
  ),
  withFields("Digital Garden: dg-publish", { ".obsidian/plugins/digitalgarden/data.json": "{}" }, "#.md", (i) => [
    dated(i),
    ...(i % 2 === 0 ? ["dg-publish: true"] : []),
  ]),
  withFields("Notion: names with ids", {}, "# 0123456789abcdef0123456789abcdef.md", (i) => [dated(i)]),
  withFields("two endings of a name, without a date", {}, "#.html.md", () => []),
]
