import { describe, expect, test } from "vitest"

import { MAX_REDIRECTS } from "../src/limits.ts"
import { toOldPath } from "../src/old-path.ts"
import { planRedirects } from "../src/plan/redirects.ts"
import { readTool } from "../src/tools/index.ts"
import { folderOf, read } from "./folder/folder.ts"

const COUNT = 4900

const TEXT = "---\ntitle: Tide\ndate: 2024-01-02\ncategories: [tales]\naliases: [/old/N, /older/N]\n---\nWords.\n"

const ROUTE =
  '---\nexport const getStaticPaths = async () => (await getCollection("blog")).map(({ id }) => ({ params: { id } }))\n---\n'

/** Folders of tools, by the file and the address of a post. The addresses are those that the tools gave such files: see `tools/`. */
const BLOGS: Record<string, { config: Record<string, string>; file: string; address: string; text?: string }> = {
  pelican: {
    config: { "pelicanconf.py": 'PATH = "content"\n' },
    file: "content/sea/tide-N.md",
    text: "Title: Tide N\nDate: 2024-01-02\n\nWords.\n",
    address: "/tide-N.html",
  },
  nanoc: { config: { "nanoc.yaml": "" }, file: "content/blog/tide-N.md", address: "/blog/tide-N/" },
  hugo: { config: { "hugo.toml": "" }, file: "content/posts/Tide N.md", address: "/posts/tide-N/" },
  jekyll: {
    config: { "_config.yml": "" },
    file: "_posts/2024-01-02-tide-N.md",
    address: "/tales/2024/01/02/tide-N.html",
  },
  hexo: { config: { "_config.yml": "" }, file: "source/_posts/sea/tide-N.md", address: "/2024/01/02/sea/tide-N/" },
  eleventy: {
    config: { "eleventy.config.js": 'export default () => ({ dir: { input: "src" } })' },
    file: "src/posts/tide-N.md",
    address: "/posts/tide-N/",
  },
  astro: {
    config: { "astro.config.mjs": "", "src/pages/notes/[...id].astro": ROUTE },
    file: "src/content/blog/Tide N.md",
    address: "/notes/tide-N/",
  },
  docusaurus: {
    config: { "docusaurus.config.js": "" },
    file: "blog/2024-01-02-tide-N.md",
    address: "/blog/2024/01/02/tide-N",
  },
  zola: {
    config: { "config.toml": 'base_url = "https://e.x"' },
    file: "content/sea/2024-01-02-Tide N.md",
    address: "/sea/tide-N/",
  },
  vitepress: { config: { ".vitepress/config.mts": "" }, file: "posts/Tide N.md", address: "/posts/Tide N" },
  vuepress: {
    config: { "docs/.vuepress/config.js": "" },
    file: "docs/posts/Tide N.md",
    address: "/posts/Tide N.html",
  },
  nuxt: {
    config: { "nuxt.config.ts": 'export default { modules: ["@nuxt/content"] }' },
    file: "content/blog/1.Tide N.md",
    address: "/blog/tide-N",
  },
  gatsby: {
    config: { "gatsby-config.js": '["gatsby-source-filesystem", { path: "./content" }]' },
    file: "content/blog/Tide N/index.md",
    address: "/blog/Tide N/",
  },
}

describe(`of ${COUNT} posts`, () => {
  test.each(Object.entries(BLOGS))(
    "all addresses that %s gave are sent",
    async (_, { config, file, address, text = TEXT }) => {
      const numbers = Array.from({ length: COUNT }, (__, i) => String(i))
      const posts = numbers.map((i) => [file.replace("N", i), text.replaceAll("N", i)])
      const files = { ...config, ...(Object.fromEntries(posts) as Record<string, string>) }
      const settings = await readTool(folderOf(files), null)
      const { all } = await read(files, { settings, timezone: "UTC" })
      const { wanted, lost } = planRedirects(all, [], [])
      const from = new Set(wanted?.map((redirect) => redirect.from))
      expect(numbers.filter((i) => !from.has(toOldPath(address.replace("N", i)).whole))).toEqual([])
      expect([from.size, lost]).toEqual([MAX_REDIRECTS, 0])
      expect([...from].filter((path) => /\/(?:content|src|source|_posts)\//.test(path))).toEqual([])
    },
  )
})
