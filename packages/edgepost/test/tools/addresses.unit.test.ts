import { describe, expect, test } from "vitest"

import { textsOf } from "../../src/folder/post.ts"
import { converter } from "../../src/markdown/convert-once.ts"
import { buildLinkIndex } from "../../src/markdown/links.ts"
import { NO_THEME } from "../../src/markdown/theme.ts"
import { toOldPath } from "../../src/old-path.ts"
import { planRedirects } from "../../src/plan/redirects.ts"
import { assignSlugs } from "../../src/plan/slugs.ts"
import { readTool } from "../../src/tools/index.ts"
import { folderOf, read } from "../folder/folder.ts"
import { addresses as astro } from "./astro/addresses.ts"
import { addresses as docusaurus } from "./docusaurus/addresses.ts"
import { addresses as eleventy } from "./eleventy/addresses.ts"
import { addresses as hexo } from "./hexo/addresses.ts"
import { addresses as hugo } from "./hugo/addresses.ts"
import { addresses as jekyll } from "./jekyll/addresses.ts"
import { addresses as zola } from "./zola/addresses.ts"

/** Addresses that a tool gave, by its configuration. */
export interface AddressCases {
  /** Front matters by their files. Other files have the usual one. */
  fronts: Record<string, string>
  usual: string
  cases: {
    /** Files that are no posts. */
    config: Record<string, string>
    /** The zone of the author's machine, without one in the configuration. */
    timezone?: string
    /** Front matters that differ from those of other cases. */
    fronts?: Record<string, string>
    /** The address of each post. */
    pages: Record<string, string>
  }[]
}

const toFile = (front: string): string => {
  // Matches the fields of TOML: `title = "A"`. Does not match those of YAML.
  const fence = /^\w+ ?= ?/.test(front) ? "+++" : "---"
  return `${fence}\n${front}\n${fence}\nText.\n`
}

/** Returns the address that is expected of a file, in the form in which readers' addresses are found. */
const formOf = (path: string): string => toOldPath(path).whole

describe.each(Object.entries({ hugo, jekyll, hexo, eleventy, zola, astro, docusaurus }))(
  "posts of %s have the address that it gave them",
  (_, { fronts, usual, cases }) => {
    test.each(cases.map((one) => [Object.values(one.config)[0], one] as const))("by %j", async (__, one) => {
      const files = Object.keys(one.pages).map((file) => [file, toFile(one.fronts?.[file] ?? fronts[file] ?? usual)])
      const folder = { ...one.config, ...(Object.fromEntries(files) as Record<string, string>) }
      const settings = await readTool(folderOf(folder), null)
      const timezone = settings.timezone ?? one.timezone ?? "UTC"
      const { posts } = await read(folder, { settings, timezone, primaryLanguage: settings.languages[0] ?? "en" })
      const found = posts.flatMap(textsOf).map(({ file, addresses: [first = ""] }) => [file, formOf(first)] as const)
      const expected = Object.entries(one.pages).map(([file, path]) => [file, formOf(path)])
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected))
    })
  },
)

/** Reads the posts of a folder, and returns where their old addresses lead. */
const redirectsOf = async (files: Record<string, string>): Promise<string[]> => {
  const settings = await readTool(folderOf(files), null)
  const { all } = await read(files, { settings, timezone: settings.timezone ?? "UTC" })
  const posts = assignSlugs(all, "ann", new Map(), null)
  expect(posts.flatMap(({ findings }) => findings).filter(({ level }) => level === "error")).toEqual([])
  return (planRedirects(posts, [], []).wanted ?? []).map(({ from, to }) => `${from} ${to}`)
}

test.each<[what: string, files: Record<string, string>, expected: string[]]>([
  [
    "one name in two sections",
    {
      "config.toml": 'base_url = "https://e.org"',
      "content/first.md":
        '+++\ntitle = "A"\ndate = 2018-04-06\npath = "2018/04/06/first"\naliases = ["first.html", "/a/b"]\n+++\nText.',
      "content/inside/first.md": '+++\ntitle = "B"\ndate = 2024-09-02\n+++\nText.',
    },
    ["/2018/04/06/first first", "/inside/first first-2024", "/a/b first"],
  ],
  [
    "a post of Hexo 8.1.2 that was built in its zone and in UTC",
    {
      "_config.yml": "url: https://e.org\ntimezone: Asia/Tokyo\nsource_dir: source\n",
      "source/_posts/a.md": "---\ntitle: A\ndate: 2024-03-02 06:30:00\n---\nText.",
      "source/_posts/b.md": "---\ntitle: B\ndate: 2024-03-02 09:30:00 +02:00\n---\nText.",
    },
    ["/2024/03/02/a a", "/2024/03/02/b b", "/2024/03/01/a a", "/2024/03/01/b b"],
  ],
  [
    "one slug field in several years",
    {
      "hugo.toml": '[permalinks]\nposts = "/:year/:slug/"',
      "content/posts/a.md": "---\ntitle: A\ndate: 2021-01-02\nslug: news\n---\nText.",
      "content/posts/b.md": "---\ntitle: B\ndate: 2022-01-02\nslug: news\n---\nText.",
    },
    ["/2021/news news", "/2022/news news-2022"],
  ],
  [
    "the category of edgepost's configuration, which is none of the tool",
    { "_config.yml": "permalink: /blog/:categories/:title.html", "_posts/2024-06-01-plain.md": toFile("title: A") },
    ["/blog/plain plain"],
  ],
  [
    "a field that names the address",
    {
      "_config.yml": "permalink: posts/:abbrlink.html",
      "source/_posts/lighthouse.md": toFile("title: A\ndate: 2024-05-01 09:00:00\nabbrlink: 4a17b156"),
    },
    ["/posts/4a17b156 lighthouse"],
  ],
  [
    "translations with names of their own, and their aliases",
    {
      "hugo.toml": "[languages.en]\n[languages.fr]\n",
      "content/posts/lighthouse.md": toFile("title: A\ntranslationKey: t"),
      "content/posts/phare.fr.md": toFile("title: B\ntranslationKey: t\nslug: le-phare\naliases: [tour, /vieux/phare]"),
    },
    [
      "/posts/lighthouse lighthouse",
      "/fr/posts/le-phare /lighthouse/fr/",
      "/vieux/phare /lighthouse/fr/",
      "/fr/posts/tour /lighthouse/fr/",
      "/fr/vieux/phare /lighthouse/fr/",
    ],
  ],
])("old addresses of %s lead to their posts", async (_, files, expected) => {
  expect(await redirectsOf(files)).toEqual(expected)
})

test("no path of a file is sent as an address where no tool tells addresses", async () => {
  const front = toFile("title: A\ndate: 2024-05-01")
  const files = {
    "content/posts/a.md": front,
    "src/blog/b.md": front,
    "_posts/2024-05-01-c.md": front,
    "posts/d.md": front,
  }
  const paths = (await redirectsOf(files)).map((line) => line.split(" ")[0])
  expect(paths).toEqual(expect.arrayContaining(["/posts/a", "/blog/b", "/2024/05/01/c", "/posts/d"]))
  expect(paths.filter((path) => /content|src|_posts/.test(path ?? ""))).toEqual([])
})

test("links by the addresses of a tool, and by its own form, lead to their posts and translations", async () => {
  const posts = ["2023/kit", "2024/kit"].map((path) => [
    `content/posts/${path}/index.md`,
    toFile("title: Kit\ndate: 2024-01-02"),
  ])
  const files = {
    "config.toml": 'base_url = "https://e.org"\n[languages.fr]\n',
    "content/posts/a.md": toFile("title: A"),
    "content/posts/a.fr.md": toFile("title: B\nslug: ah"),
    ...(Object.fromEntries(posts) as Record<string, string>),
  }
  const settings = await readTool(folderOf(files), null)
  const { all } = await read(files, { settings, timezone: "UTC" })
  const convertOnce = converter(NO_THEME, false)
  const now = new Date("2026-11-26T12:00:00Z")
  const site = { username: "ann", siteUrl: "https://e.org/", now, unrendered: [], convertOnce }
  const find = buildLinkIndex(
    all.map((post) => ({ ...post, slug: post.source.file.replaceAll(/\W+/g, "-") })),
    site,
  )
  expect(
    ["@/posts/2023/kit/index.md", "@/posts/2024/kit/index.md", "/fr/posts/ah/", "https://e.org/posts/a"].map((href) =>
      find(settings.tool.pathOfLink?.(href, settings) ?? href, "content/posts/a.md"),
    ),
  ).toMatchObject([
    { address: "/@ann/content-posts-2023-kit-index-md/" },
    { address: "/@ann/content-posts-2024-kit-index-md/" },
    { address: "/@ann/content-posts-a-md/fr/" },
    { address: "/@ann/content-posts-a-md/" },
  ])
})
