import { globSync } from "node:fs"
import { join } from "node:path"

import { describe, expect, test } from "vitest"

import { openFolder } from "../../src/folder/files.ts"
import { readPosts } from "../../src/folder/posts.ts"
import { NO_TOOL, readTool, TOOLS } from "../../src/tools/index.ts"
import type { ToolSettings } from "../../src/tools/tool.ts"
import { brief, folderOf, OPTIONS, read } from "./folder.ts"

const POST = "---\ntitle: A\ndate: 2024-01-02\n---\nText.\n"
const front = (yaml: string) => `---\ntitle: A\n${yaml}\n---\nText.\n`

/** Reads files as a tool would. @returns each as `post file`, `draft file` or `reason, file:line` */
const judge = async (files: Record<string, string>, settings: Partial<ToolSettings> = {}): Promise<string[]> => {
  const { posts, leftOut } = await read(files, { settings: { ...NO_TOOL, ...settings } })
  return [
    ...posts.map(({ status, source }) => `${status === "DF" ? "draft" : "post"} ${source.file}`),
    ...leftOut.map(({ reason, file, line }) => `${reason}, ${file}:${line}`),
  ]
}

describe("a field that keeps a page off the old site leaves the file out, and is named", () => {
  test.each<[yaml: string, reason: string | null]>([
    ["permalink: false", "permalink: false"],
    ["permalink: { build: false }", "permalink: false"],
    ["permalink: /a/", null],
    ["build: { render: never }", "build: render: never"],
    ["_build: { render: false, list: true }", "_build: render: false"],
    ["build: { render: link }", "build: render: link"],
    ["build: { render: always }", null],
    ["headless: true", "headless: true"],
    ["headless: false", null],
    ["password: hunter2", "password"],
    ["password: ''", null],
    ["private: true", "private: true"],
    ["private: no", null],
    ["Hidden: true", "Hidden: true"],
    ["params:\n  hidden: true", "hidden: true"],
    ["visibility: private", "visibility: private"],
    ["visibility: unlisted", "visibility: unlisted"],
    ["visibility: Public", null],
    ["redirect_to: https://e.x/a/", "only a redirect"],
    ["redirect: /b/", null],
    ["redirect: permanent", null],
    ["type: redirect\ntarget: /b/", "only a redirect"],
  ])("%s", async (yaml, reason) => {
    const line = reason?.startsWith("only") ? 1 : 2 + yaml.split("\n").length
    expect(await judge({ "a.md": front(yaml) })).toEqual([reason === null ? "post a.md" : `${reason}, a.md:${line}`])
  })

  test("no password is named anywhere", async () => {
    const found = await read({ "a.md": front("password: hunter2"), "b.md": POST })
    expect(JSON.stringify([found.leftOut, found.posts])).not.toContain("hunter2")
  })

  test.each([
    ["", "no text"],
    ["<!-- a -->\n", "no text"],
    ["<!-- a -->\n", "only a redirect", "redirect: /b/\n"],
    ['<meta http-equiv="refresh" content="0; url=/b/">\n', "only a redirect"],
  ])("a page whose text is %j is left out: %s", async (text, reason, field = "") => {
    expect(await judge({ "a.md": `---\ntitle: A\n${field}---\n${text}`, "b.md": POST })).toEqual([
      "post b.md",
      expect.stringMatching(`^${reason}, a.md`),
    ])
  })

  test("a translation that is left out is no text of its post, which stays", async () => {
    const { posts, leftOut } = await read({ "a.md": POST, "a.fr.md": front("private: true") })
    expect([posts.map(({ translations }) => translations), leftOut.length]).toEqual([[{}], 1])
  })

  test("the address of a page that redirects is one of the post that it leads to", async () => {
    const files = {
      "posts/new.md": POST,
      "posts/old.md": front("redirect_to: https://old.example/posts/new/"),
      "posts/older.md": front("redirect_to: /posts/old/"),
    }
    const { posts, unrendered } = await read(files)
    expect(posts.map(({ oldPaths }) => ["/posts/old", "/posts/older"].map((path) => oldPaths.includes(path)))).toEqual([
      [true, true],
    ])
    expect(unrendered).toEqual([])
  })
})

const HUGO = { tool: TOOLS.hugo, file: "hugo.toml", contentFolder: "content" } as const
const JEKYLL = { tool: TOOLS.jekyll, file: "_config.yml" } as const
const HEXO = { tool: TOOLS.hexo, file: "_config.yml", contentFolder: "source" } as const

const DRAFTS = front("cascade: { draft: true }")
const PRIVATE = front("cascade: { private: true }")

/** Judges files with these texts, and the files that are `expected` without one as posts, all below `root`. */
const judgeAll = (expected: string[], texts: Record<string, string>, settings: Partial<ToolSettings>, root = "") => {
  // Matches "a.md" of "post a.md" and of "no text, a.md:1".
  const posts = expected.map((one) => [/(\S+?)(?::1)?$/.exec(one)?.[1] ?? "", POST] as const)
  const files = Object.entries({ ...Object.fromEntries(posts), ...texts })
  return judge(Object.fromEntries(files.map(([file, text]) => [root + file, text])), settings)
}

describe("folders and the configuration of Hugo keep files off the old site", () => {
  test.each<[what: string, texts: Record<string, string>, judged: string[], settings?: Partial<ToolSettings>]>([
    ["a draft by cascade, below it alone", { "s/_index.md": DRAFTS }, ["post b.md", "draft s/t/a.md"]],
    ["a page's own field before cascade", { "s/_index.md": DRAFTS, "s/a.md": front("Draft: false") }, ["post s/a.md"]],
    [
      "the nearest cascade wins",
      { "_index.md": DRAFTS, "S/_index.md": front("cascade: { draft: false }") },
      ["post S/a.md"],
    ],
    [
      "cascade for a target",
      { "_index.md": front("cascade: [{ _target: { path: '/s/**' }, private: true }]") },
      ["post t/a.md", "private: true, s/a.md:1"],
    ],
    ["cascade of the configuration", {}, ["headless: true, a.md:1"], { data: { cascade: { headless: true } } }],
    [
      "cascade of a language, which counts for its files alone",
      { "s/_index.fr.md": PRIVATE, "s/_index.en.md": DRAFTS, "fr/_index.fr.md": front("cascade: { hidden: true }") },
      ["draft s/a.md", "hidden: true, fr/c.md:1", "private: true, s/b.fr.md:1"],
      { languages: ["en", "fr"] },
    ],
    ["cascade of an unknown main language", { "s/_index.fr.md": PRIVATE }, ["post b.md", "private: true, s/a.md:1"]],
    [
      "files of a leaf bundle",
      { "b/c.png": "", "_index.md": "" },
      ["post b/index.md", "file of a bundle, b/c/d.md:1", "file of a bundle, b/notes.md:1"],
    ],
    ["an index of all content", {}, ["post a.md", "post index.md"]],
    ["a translation in a bundle", { "b/index.fr.md": POST }, ["post b/index.md"]],
    ["data of another tool", { "posts/posts.json": '{"draft": true}' }, ["post posts/a.md"]],
    ["HTML", {}, ["post b.md", ".html is not read, a.html:1"]],
    ["`share: false` of a theme", { "a.md": front("share: false") }, ["post a.md"]],
  ])("%s", async (_, texts, judged, settings) => {
    const found = await judgeAll(judged, texts, { ...HUGO, ...settings }, "content/")
    expect(found.map((one) => one.replace(" content/", " "))).toEqual(judged)
  })
})

const DEFAULTS = [
  { scope: { path: "_posts/h/x/" }, values: { published: true } },
  { scope: { path: "_posts/h" }, values: { published: false } },
  { scope: { path: "_posts/s*/2024-01-02-a.md", type: "posts" }, values: { private: true } },
  { scope: { path: "", type: "pages" }, values: { hidden: true } },
]

describe("folders and the configuration keep files off the old site", () => {
  test.each<[what: string, judged: string[], settings?: Partial<ToolSettings>, texts?: Record<string, string>]>([
    ["a folder with an index of another tool than Hugo", ["post b/index.md", "post b/notes.md"]],
    ["data of a folder", ["post b.md", "draft posts/x/a.md"], {}, { "posts/posts.json": '{"draft": true}' }],
    [
      "data of a file",
      ["post posts/ab.md", "permalink: false, posts/a.md:1"],
      { tool: TOOLS.eleventy, file: "eleventy.config.js" },
      { "posts/a.11tydata.json": '{"permalink": false}' },
    ],
    ["data of no Eleventy that is a list", ["post posts/a.md"], {}, { "posts/posts.json": "[1]" }],
    [
      "data in code is never run, and is named once",
      ["post posts/a.md", "post posts/b.md", "code is not run, posts/posts.11tydata.js:1"],
      {},
      { "posts/posts.11tydata.js": "throw 1" },
    ],
    [
      "`defaults` of Jekyll for posts by path, the longest last",
      [
        "post _posts/2024-01-02-a.md",
        "post _posts/2024-01-02-sa.md",
        "draft _posts/h/2024-01-02-a.md",
        "post _posts/h/x/2024-01-02-a.md",
        "private: true, _posts/s/2024-01-02-a.md:1",
      ],
      { ...JEKYLL, data: { defaults: DEFAULTS } },
    ],
    [
      "`defaults` of a blog below the folder",
      [
        "draft blog/_posts/h/2024-01-02-a.md",
        "outside of blog/, where the configuration is: give its path to publish it, _posts/h/2024-01-02-b.md:1",
      ],
      { ...JEKYLL, file: "blog/_config.yml", base: "blog/", data: { defaults: DEFAULTS } },
    ],
    [
      "`exclude`",
      [
        "post _posts/2024-01-01-b.md",
        "`exclude` of the configuration, _posts/2024-01-01-x-1.md:1",
        "`exclude` of the configuration, old/_posts/2024-01-01-a.md:1",
      ],
      { ...JEKYLL, data: { exclude: ["old/", "*x-?.md"] } },
    ],
    [
      "notes beside the content of Hugo, and content of a language",
      ["post content/b.md", "post texte/c.md", "outside of content, private/a.md:1"],
      { ...HUGO, data: { languages: { de: { contentDir: "texte" } } } },
    ],
    [
      "folders and names that Jekyll does not read",
      [
        "draft _drafts/b.md",
        "post _poems/e.md",
        "no date in its name, _posts/d.md:1",
        "folder with _, _tools/2024-01-01-c.md:1",
        "outside of _posts, notes/a.md:1",
      ],
      { ...JEKYLL, data: { collections: { poems: { output: true } } } },
    ],
    [
      "a post of Jekyll without a front matter, and not one with an empty front matter",
      ["post _posts/2024-01-02-b.md", "no front matter, _posts/2024-01-01-a.md:1"],
      JEKYLL,
      { "_posts/2024-01-01-a.md": "Text.", "_posts/2024-01-02-b.md": "---\n---\nText." },
    ],
    [
      "`skip_render` and templates of Hexo",
      ["post source/_posts/b.md", "`skip_render` of the configuration, source/_posts/raw/a.md:1"],
      { ...HEXO, data: { skip_render: ["_posts/{raw,old}/**"] } },
      { "scaffolds/post.md": POST },
    ],
    [
      "names with _ of Hexo and Astro, with any tool",
      ["post source/_posts/d.md", "name with _, source/_posts/_a.md:1", "name with _, src/content/blog/_b/c.md:1"],
      { tool: TOOLS.eleventy },
    ],
    [
      "`cascade` and data in code of other tools",
      ["draft old/a.md", "code is not run, old/old.11tydata.js:1"],
      { tool: TOOLS.astro },
      { "old/_index.md": DRAFTS, "old/old.11tydata.js": "" },
    ],
    ["names with _ of Docusaurus", ["name with _, blog/_a.md:1"], { tool: TOOLS.docusaurus }],
    [
      "other formats",
      [
        "post b.md",
        ".textile is not read: write it as Markdown: `pandoc -f textile -t gfm`, _posts/2024-01-01-a.textile:1",
        ".org is not read: export it with ox-hugo, or as Markdown with `as: org`, content/a.org:1",
        ".rst is not read: write it as Markdown: `pandoc -f rst -t gfm`, docs/a.rst:1",
      ],
      {},
      { "docs/a.rst": "" },
    ],
    [
      "HTML of Jekyll and Hexo",
      ["post _posts/2024-01-01-a.html", "post source/_posts/b.html"],
      {},
      { "about.html": POST },
    ],
  ])("%s", async (_, judged, settings = {}, texts = {}) => {
    expect(await judgeAll(judged, texts, settings)).toEqual(judged)
  })

  test("fields of a folder that cannot be read block the posts below it", async () => {
    const files = { "content/c/_index.md": "---\na: [\n---\n", "content/c/a.md": POST, "content/b.md": POST }
    const { posts } = await read(files, { settings: { ...NO_TOOL, ...HUGO } })
    expect(posts.map(brief)).toEqual([[], ["error front_matter 1"]])
    expect(posts[1]?.findings[0]?.message).toContain("content/c/_index.md")
  })

  test("the HTML of a post goes as it is, without indents that Markdown takes for code", async () => {
    const { posts } = await read({ "_posts/2024-01-01-a.html": `${POST}\n    <p>One</p>\n\n    <p>Two</p>\n` })
    expect(posts[0]?.source).toMatchObject({ body: "Text.\n\n<p>One</p>\n\n<p>Two</p>\n" })
  })

  test.each([
    ["travel/_posts/2024-01-18-a.md", NO_TOOL, "travel"],
    ["docs/travel/_posts/2024-01-18-a.md", NO_TOOL, "travel"],
    ["source/_posts/a.md", NO_TOOL, "Blog"],
    ["my-blog/_posts/2024-01-18-a.md", { ...NO_TOOL, file: "my-blog/_config.yml", base: "my-blog/" }, "Blog"],
  ])("the category of %s is that of the folder above `_posts`", async (file, settings, category) => {
    const { posts } = await read({ [file]: POST }, { settings })
    expect(posts[0]?.categories).toEqual([category])
  })
})

/** Reads the posts of a blog with these line ends in its text files. */
const readWith = async (blog: string, end: string) => {
  const { files, read: readFile } = await openFolder(join(import.meta.dirname, "../tools", blog))
  const texts = files.filter((file) => /\.(?:mdx?|markdown|json|ya?ml|toml|py|[cm]?[jt]s)$/.test(file))
  const bytes = await Promise.all(texts.map((file) => readFile(file, 2 ** 20)))
  const folder = folderOf(
    Object.fromEntries(texts.map((file, i) => [file, String(bytes[i]).replaceAll(/\r?\n/g, end)])),
  )
  return readPosts(folder, { ...OPTIONS, timezone: "UTC", settings: await readTool(folder, null) })
}

test.each(globSync("*/blogs/*", { cwd: join(import.meta.dirname, "../tools") }))(
  "the posts of the blog %s are the same with LF and CRLF",
  async (blog) => {
    const found = await readWith(blog, "\n")
    expect(found.posts.length).toBeGreaterThan(0)
    expect(await readWith(blog, "\r\n")).toEqual(found)
  },
)

describe("the samples of public bug reports", () => {
  test.each(["unrendered", "hugo", "jekyll", "hexo", "fm", "sync"])("%s", async (name) => {
    const opened = await openFolder(join(import.meta.dirname, "../samples", name))
    // Without the commits of this repository, which would date posts.
    const folder = { ...opened, root: "/none" }
    const settings = await readTool(folder, null)
    const { posts, leftOut } = await readPosts(folder, { ...OPTIONS, timezone: "Europe/Berlin", settings })
    const lines = posts.map((post) => {
      const { status, published_at, slug, categories, tags, source } = post
      const state = [status, published_at, slug, source.title, categories.join(), tags.join()].join(" | ")
      return [`${source.file} | ${state}`, ...brief(post)].join("\n  ")
    })
    lines.push(...leftOut.map(({ reason, file, line }) => `left out: ${reason}, ${file}:${line}`))
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`../golden/samples/${name}.txt`)
  })
})
