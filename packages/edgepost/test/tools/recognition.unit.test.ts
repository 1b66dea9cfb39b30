import { expect, test } from "vitest"

import { readTool, TOOLS } from "../../src/tools/index.ts"
import { folderOf } from "../folder/folder.ts"

/** Describes the tool of a folder in one line. */
const found = async (files: Record<string, string>): Promise<string> => {
  const { tool, file, title, url, timezone, languages, contentFolder } = await readTool(folderOf(files))
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
  ["a theme within a folder of texts", { "themes/a/hugo.toml": 'baseURL = "https://e.x"' }, "folder |  |  |  |  |  | "],
  ["a configuration of something else", { "config.toml": 'title = "A"' }, "folder |  |  |  |  |  | "],
  ["a broken configuration", { "_config.yml": "title: [", "hugo.toml": "a = " }, "hugo | hugo.toml |  |  | UTC |  | "],
  [
    "a configuration above 256 KiB",
    { "_config.yml": `title: A${" ".repeat(262_144)}` },
    "jekyll | _config.yml |  |  | UTC |  | ",
  ],
])("%s is found as its configuration says", async (_name, files, expected) => {
  expect(await found(files)).toBe(expected)
})
