import { expect, test } from "vitest"

import { readTool, TOOLS } from "../../src/tools/index.ts"
import { objectsIn } from "../../src/tools/values.ts"
import { UsageError } from "../../src/usage-error.ts"
import { folderOf } from "../folder/folder.ts"

/** Describes the tool of a folder in one line. */
const found = async (files: Record<string, string>, as: string | null = null): Promise<string> => {
  const { tool, file, title, url, timezone, languages, contentFolder } = await readTool(folderOf(files), as)
  const id = Object.entries(TOOLS).find(([, one]) => one === tool)?.[0]
  return [id, file, title, url, timezone, languages.join("+"), contentFolder].join(" | ")
}

test.each<[string, Record<string, string>, string]>([
  [
    "Hugo with two languages by weight",
    {
      "hugo.yaml":
        "baseurl: https://e.x/a\ntimeZone: Europe/Berlin\ndefaultContentLanguage: fr\nlanguages: {en: {weight: 1}, fr: {weight: 2, title: Mer}, de: {disabled: true}}",
      "content/a.md": "",
    },
    "hugo | hugo.yaml | Mer | https://e.x/a/ | Europe/Berlin | fr+en | content",
  ],
  [
    "Hugo with a folder of configuration",
    {
      "site/config/_default/config.toml": 'baseURL = "https://e.x/"\ntitle = "A\\u001bB"',
      "site/config/_default/languages.toml": "[en-us]\nweight = 2\n[fr]\nweight = 1",
    },
    "hugo | site/config/_default/config.toml | A B | https://e.x/ | UTC | fr+en-US | ",
  ],
  [
    "Hugo with languages and none that is the default one",
    { "hugo.toml": "[languages.fr]\n[languages.en]\n" },
    "hugo | hugo.toml |  |  | UTC | en+fr | ",
  ],
  [
    "Zola with languages and none that is the default one",
    { "config.toml": 'base_url = "https://e.x"\n[languages.zh-CN]\n' },
    "zola | config.toml |  | https://e.x/ | UTC | en+zh-CN | ",
  ],
  [
    "Hugo's one language, as the page names it",
    { "config.json": '{"baseURL": "/", "languageCode": "pt-br", "theme": "x", "defaultContentLanguage": "pt"}' },
    "hugo | config.json |  |  | UTC | pt-BR | ",
  ],
  [
    "Zola",
    { "config.toml": 'base_url = "https://e.x"\ndefault_language = "ja"\n[languages.en]', "content/a.md": "" },
    "zola | config.toml |  | https://e.x/ | UTC | ja+en | content",
  ],
  [
    "Jekyll below a path, without a zone",
    { "docs/_config.yml": "title: A\nurl: https://e.x\nbaseurl: /b\nlang: de_AT\nurl: https://f.x\n" },
    "jekyll | docs/_config.yml | A | https://f.x/b/ | UTC | de-AT | docs",
  ],
  [
    "Hexo with a list of languages",
    {
      "_config.yml": "url: https://e.x/b\nlanguage: [zh-TW, default, en]\ntimezone: Asia/Taipei",
      "source/_posts/a.md": "",
    },
    "hexo | _config.yml |  | https://e.x/b/ | Asia/Taipei | zh-TW+en | source",
  ],
  [
    "Eleventy with data in code",
    {
      ".eleventy.js": 'export default (c) => ({ dir: { input: "./src/" }, pathPrefix: "/b" })',
      "src/_data/metadata.js":
        'module.exports = {\n  // title: "Old",\n  title: `A`, url: "https://e.x", language: "en" }',
      "src/a.md": "",
    },
    "eleventy | .eleventy.js | A | https://e.x/b/ | UTC | en | src",
  ],
  [
    "Eleventy with data",
    { "eleventy.config.mjs": "", "_data/site.json": '{"title": "A", "url": "https://e.x", "lang": "no"}' },
    "eleventy | eleventy.config.mjs | A | https://e.x/ | UTC | no | ",
  ],
  [
    "Docusaurus in TypeScript, in a folder",
    {
      "website/docusaurus.config.ts":
        "const config: Config = { title: 'A', /* url: 'https://old.x' */ url: 'https://e.x', baseUrl: '/b/', i18n: { defaultLocale: 'en', locales: ['fr', 'en'] } }",
      "website/blog/a.md": "",
    },
    "docusaurus | website/docusaurus.config.ts | A | https://e.x/b/ | UTC | en+fr | website/blog",
  ],
  [
    "Astro with constants, whose computed values are unknown",
    {
      "astro.config.ts": "export default { site: process.env.SITE, base: '/b', i18n: { locales: [...all] } }",
      "src/config.ts": 'export const SITE = { website: "https://e.x/", title: "A", timezone: "Mars/Base", lang: "ko" }',
    },
    "astro | astro.config.ts | A | https://e.x/b/ |  | ko | ",
  ],
  [
    "Pelican, whose address stands in the configuration of the site on the web",
    {
      "pelicanconf.py":
        "# SITENAME = 'Old'\nfrom os import curdir\nSITENAME = u'It\\'s \"A\"'  # (a 'comment'\nSITEURL = ''\nTIMEZONE = \"Europe/Paris\"\nDEFAULT_LANG = 'fr'\nif True:\n    SITENAME = 'B'\n",
      "publishconf.py": "from pelicanconf import *\nSITEURL = 'https://e.x/b'\nTITLE = f'{SITENAME}'\n",
      "content/a.md": "",
    },
    `pelican | pelicanconf.py | It's "A" | https://e.x/b/ | Europe/Paris | fr | content`,
  ],
  [
    "Pelican with its posts elsewhere, and with values in code",
    { "blog/pelicanconf.py": "PATH = 'src/'\nSITENAME = NAME\nSITEURL = 'https://' + HOST", "blog/src/a.md": "" },
    "pelican | blog/pelicanconf.py |  |  | UTC | en | blog/src",
  ],
  [
    "Nanoc",
    { "nanoc.yaml": "base_url: https://e.x\ntitle: A\nlang: nb\ndata_sources: [{content_dir: src}]", "src/a.md": "" },
    "nanoc | nanoc.yaml | A | https://e.x/ |  | nb | src",
  ],
  [
    "Nanoc by its rules, with a configuration whose name others have",
    { "config.yaml": "base_url: https://e.x", Rules: "", "content/a.md": "" },
    "nanoc | config.yaml |  | https://e.x/ |  |  | content",
  ],
  [
    "Hugo with the same names, but without rules",
    { "config.yaml": "baseURL: https://e.x", "content/a.md": "" },
    "hugo | config.yaml |  | https://e.x/ | UTC |  | content",
  ],
  [
    "Nikola",
    {
      "conf.py":
        "BLOG_TITLE = 'A'\nSITE_URL = 'https://e.x/'\nTIMEZONE = 'Europe/Rome'\nDEFAULT_LANG = 'it'\nTRANSLATIONS = {\n    DEFAULT_LANG: '',\n}\n",
      "posts/a.md": "",
    },
    "nikola | conf.py | A | https://e.x/ | Europe/Rome | it | posts",
  ],
  [
    "Middleman with a file of data",
    {
      "config.rb": "# set :site_url, 'https://old.x'\nTime.zone = 'Europe/London'\nset :url_root, 'https://e.x'\n",
      "data/site.yml": "title: A",
      "source/a.html.md": "",
    },
    "middleman | config.rb | A | https://e.x/ | Europe/London |  | source",
  ],
  [
    "MkDocs with code in its configuration",
    {
      "mkdocs.yml":
        "site_name: A\nsite_url: !ENV [URL, https://e.x]\ndocs_dir: pages\ntheme: {name: material, language: de}\nmarkdown_extensions: [{a: {b: !!python/name:c.d }}]",
      "pages/a.md": "",
    },
    "mkdocs | mkdocs.yml | A |  | UTC | de | pages",
  ],
  [
    "Quartz",
    {
      "quartz.config.ts": 'const config = { configuration: { pageTitle: "A", baseUrl: "e.x/b", locale: "ja-JP" } }',
      "content/a.md": "",
    },
    "quartz | quartz.config.ts | A | https://e.x/b/ |  | ja-JP | content",
  ],
  [
    "a site of Digital Garden",
    { ".eleventy.js": "", "src/site/notes/a.md": "" },
    "digital-garden | .eleventy.js |  |  |  |  | src/site/notes",
  ],
  ["Compass, which makes styles", { "config.rb": "http_path = '/'", "sass/a.scss": "" }, "folder |  |  |  |  |  | "],
  [
    "VitePress with languages",
    {
      "docs/.vitepress/config.mts":
        "export default { title: 'A', base: '/b/', lang: 'en-GB', srcDir: './src', sitemap: { hostname: 'https://e.x' }, locales: { root: { label: 'English' }, 'zh': { label: '中文', lang: 'zh-CN' } } }",
      "docs/src/a.md": "",
    },
    "vitepress | docs/.vitepress/config.mts | A | https://e.x/b/ | UTC | en-GB+zh-CN | docs/src",
  ],
  [
    "VitePress with a folder of configuration, and without a language",
    {
      ".vitepress/config/index.ts":
        "export default { locales: { root: { label: 'English', ...en }, fr: { label: 'F', ...fr } } }",
      ".vitepress/config/fr.ts": "export const fr = defineConfig({ title: 'A', lang: 'fr-CA' })",
    },
    "vitepress | .vitepress/config/index.ts | A |  | UTC | en-US+fr-CA | ",
  ],
  [
    "VuePress in a folder",
    {
      "docs/.vuepress/config.js":
        "module.exports = { title: 'A', locales: { '/': { lang: 'de-AT' }, '/fr/': { lang: 'fr-FR' } }, themeConfig: { locales: { '/fr/': { label: 'F' } } }, plugins: [sitemap({ hostname: 'https://e.x' })] }",
      "docs/a.md": "",
    },
    "vuepress | docs/.vuepress/config.js | A | https://e.x/ | UTC | de-AT+fr-FR | docs",
  ],
  [
    "Nuxt Content with languages",
    {
      "nuxt.config.ts":
        "export default defineNuxtConfig({ modules: ['@nuxt/content'], site: { name: 'A', url: 'https://e.x' }, app: { baseURL: '/b/' }, i18n: { defaultLocale: 'de', locales: [{ code: 'en', language: 'en-GB', name: 'English' }, { code: 'de', language: 'de-DE' }] } })",
      "content/a.md": "",
    },
    "nuxt | nuxt.config.ts | A | https://e.x/b/ | UTC | de-DE+en-GB | content",
  ],
  ["Nuxt without a content module", { "nuxt.config.ts": "export default {}" }, "folder |  |  |  |  |  | "],
  [
    "Gatsby",
    {
      "gatsby-config.ts":
        "export default { pathPrefix: '/b', siteMetadata: { title: `A`, siteUrl: `https://e.x` }, plugins: [{ resolve: 'gatsby-source-filesystem', options: { path: './images' } }, { resolve: 'gatsby-source-filesystem', options: { path: `${__dirname}/content/blog` } }] }",
      "images/a.png": "",
      "content/blog/a.md": "",
    },
    "gatsby | gatsby-config.ts | A | https://e.x/b/ | UTC |  | content/blog",
  ],
  ["a theme within a folder of texts", { "themes/a/hugo.toml": 'baseURL = "https://e.x"' }, "folder |  |  |  |  |  | "],
  ["a configuration of something else", { "config.toml": 'title = "A"' }, "folder |  |  |  |  |  | "],
  [
    "a broken configuration of something else",
    { "config.toml": "a =", "config.json": "{,}", "config.yaml": "a: [", "a.md": "" },
    "folder |  |  |  |  |  | ",
  ],
])("%s is found as its configuration says", async (_name, files, expected) => {
  expect(await found(files)).toBe(expected)
})

test.each<[files: Record<string, string>, place: string]>([
  [{ "hugo.toml": 'ignoreFiles = ["secret"]\na =' }, "hugo.toml:2"],
  [{ "config.toml": 'baseURL = "https://e.x"\na =' }, "config.toml:2"],
  [{ "config.yaml": "a: [", "content/a.md": "" }, "config.yaml:1"],
  [{ "config/_default/hugo.toml": "", "config/_default/params.toml": "a =" }, "config/_default/params.toml:1"],
  [{ "hugo.toml": "", "config/production/hugo.yaml": "b: 1\na: {" }, "config/production/hugo.yaml:2"],
  [{ "_config.yml": "exclude: [secret]\na: b: c" }, "_config.yml:2"],
  [{ "_config.yml": `title: A${" ".repeat(262_144)}` }, "_config.yml:1"],
  [{ "site/_config.yml": "a: 'b", "site/source/_posts/a.md": "" }, "site/_config.yml:1"],
  [{ "config.toml": 'base_url = "https://e.x"\na =' }, "config.toml:2"],
  [{ "mkdocs.yml": "exclude_docs: [" }, "mkdocs.yml:1"],
  [{ "nanoc.yaml": "a: [" }, "nanoc.yaml:1"],
])("a configuration that cannot be read is an error: %j", async (files, place) => {
  await expect(readTool(folderOf(files), null)).rejects.toThrow(`${place}: The configuration cannot be read: `)
  await expect(readTool(folderOf(files), null)).rejects.toBeInstanceOf(UsageError)
  expect((await readTool(folderOf(files), "folder")).file).toBeNull()
})

test("Hugo's configuration is that of a build for readers", async () => {
  const { data } = await readTool(
    folderOf({
      "hugo.toml": 'ignoreFiles = ["a"]\n[params]\nauthor = "A"\nlogo = "B"',
      "config/production/hugo.toml": 'ignorefiles = ["b"]',
      "config/production/params.toml": 'logo = "C"',
      "config/staging/hugo.toml": 'ignoreFiles = ["c"]',
    }),
    null,
  )
  expect(data).toMatchObject({ ignoreFiles: ["b"], params: { author: "A", logo: "C" } })
})

test.each<[string, string, Record<string, string>, string | null]>([
  [
    "the configuration of that tool alone",
    "hexo",
    { "hugo.toml": "", "_config.yml": "title: A", "source/_posts/a.md": "" },
    "hexo | _config.yml | A |  |  |  | source",
  ],
  ["its rules without a configuration", "pelican", { "hugo.toml": "", "a.md": "" }, "pelican |  |  |  |  |  | "],
  ["no tool", "folder", { "hugo.toml": "", "a.md": "" }, "folder |  |  |  |  |  | "],
])("`as` is %s", async (_name, as, files, expected) => {
  expect(await found(files, as)).toBe(expected)
})

test.each<[string, Record<string, string>]>([
  ["Sphinx", { "docs/conf.py": "project = 'A'" }],
  ["Sphinx", { "conf.py": "extensions = []" }],
  ["Next.js", { "next.config.mjs": "" }],
  ["Metalsmith", { "package.json": '{"devDependencies": {"metalsmith": "2"}}' }],
  ["mdBook", { "book.toml": "" }],
  ["Quarto", { "_quarto.yml": "" }],
])("a folder of %s asks for --as before its first publication", async (name, files) => {
  const { tool, question } = await readTool(folderOf({ ...files, "posts/a.md": "" }), null)
  expect(tool.name).toBe("folder")
  expect(question).toContain(`The folder is one of ${name}, `)
  expect((await readTool(folderOf(files), "folder")).question).toBeNull()
})

test.each<[string, Record<string, string>]>([
  ["a tool with rules", { "hugo.toml": "", "book.toml": "" }],
  ["no tool", { "posts/a.md": "", "package.json": "[", "code/next.config.js": "", "myst.yml.md": "" }],
])("a folder of %s asks nothing", async (_name, files) => {
  expect((await readTool(folderOf(files), null)).question).toBeNull()
})

test("of many objects in code the first ones are read", () => {
  expect(objectsIn("blog: {} ".repeat(200), /blog: /g)).toHaveLength(100)
})
