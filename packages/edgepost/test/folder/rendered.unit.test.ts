import { join } from "node:path"

import { describe, expect, test } from "vitest"

import { openFolder } from "../../src/folder/files.ts"
import { readPosts } from "../../src/folder/posts.ts"
import { type Generator, NO_GENERATOR, readGenerator } from "../../src/generator/generator.ts"
import { brief, folderOf, OPTIONS, read } from "./folder.ts"

const POST = "---\ntitle: A\ndate: 2024-01-02\n---\nText.\n"
const front = (yaml: string) => `---\ntitle: A\n${yaml}\n---\nText.\n`

/** Reads files as a tool would. @returns each as `post file`, `draft file` or `reason, file:line` */
const judge = async (files: Record<string, string>, generator: Partial<Generator> = {}): Promise<string[]> => {
  const { posts, leftOut } = await read(files, { generator: { ...NO_GENERATOR, ...generator } })
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

const HUGO = { tool: "hugo", file: "hugo.toml", contentFolder: "content" } as const
const JEKYLL = { tool: "jekyll", file: "_config.yml" } as const
const ELEVENTY = { tool: "eleventy", file: "eleventy.config.js" } as const

describe("folders and the configuration keep files off the old site", () => {
  test.each<[what: string, files: Record<string, string>, generator: Partial<Generator>, judged: string[]]>([
    [
      "a draft by cascade, below it alone",
      { "content/s/_index.md": front("cascade: { draft: true }"), "content/s/t/a.md": POST, "content/b.md": POST },
      HUGO,
      ["post content/b.md", "draft content/s/t/a.md"],
    ],
    [
      "a page of its own wins over cascade",
      { "content/s/_index.md": front("cascade: { draft: true }"), "content/s/a.md": front("Draft: false") },
      HUGO,
      ["post content/s/a.md"],
    ],
    [
      "the nearest cascade wins",
      {
        "content/_index.md": front("cascade: { draft: true }"),
        "content/S/_index.md": front("cascade: { draft: false }"),
        "content/S/a.md": POST,
      },
      HUGO,
      ["post content/S/a.md"],
    ],
    [
      "cascade for a target",
      {
        "content/_index.md": front("cascade: [{ _target: { path: '/s/**' }, private: true }]"),
        "content/s/a.md": POST,
        "content/t/a.md": POST,
      },
      HUGO,
      ["post content/t/a.md", "private: true, content/s/a.md:1"],
    ],
    [
      "cascade of the configuration",
      { "content/a.md": POST },
      { ...HUGO, data: { cascade: { headless: true } } },
      ["headless: true, content/a.md:1"],
    ],
    [
      "cascade of a language, which counts for its files alone",
      {
        "content/s/_index.fr.md": front("cascade: { private: true }"),
        "content/s/_index.en.md": front("cascade: { draft: true }"),
        "content/s/a.md": POST,
        "content/s/b.fr.md": POST,
        "content/fr/_index.fr.md": front("cascade: { hidden: true }"),
        "content/fr/c.md": POST,
      },
      { ...HUGO, languages: ["en", "fr"] },
      ["draft content/s/a.md", "hidden: true, content/fr/c.md:1", "private: true, content/s/b.fr.md:1"],
    ],
    [
      "cascade of a language, if the main one is not known",
      { "content/s/_index.fr.md": front("cascade: { private: true }"), "content/s/a.md": POST, "content/b.md": POST },
      HUGO,
      ["post content/b.md", "private: true, content/s/a.md:1"],
    ],
    [
      "files of a leaf bundle",
      {
        "content/b/index.md": POST,
        "content/b/c.png": "",
        "content/b/notes.md": POST,
        "content/b/c/d.md": POST,
        "content/_index.md": "",
      },
      HUGO,
      ["post content/b/index.md", "file of a bundle, content/b/c/d.md:1", "file of a bundle, content/b/notes.md:1"],
    ],
    [
      "an index of all content",
      { "content/index.md": POST, "content/a.md": POST },
      HUGO,
      ["post content/a.md", "post content/index.md"],
    ],
    [
      "a translation in a bundle",
      { "content/b/index.md": POST, "content/b/index.fr.md": POST },
      HUGO,
      ["post content/b/index.md"],
    ],
    [
      "a folder with an index of another tool",
      { "b/index.md": POST, "b/notes.md": POST },
      {},
      ["post b/index.md", "post b/notes.md"],
    ],
    [
      "data of a folder",
      { "posts/posts.json": '{"draft": true}', "posts/x/a.md": POST, "b.md": POST },
      {},
      ["post b.md", "draft posts/x/a.md"],
    ],
    [
      "data of a file",
      { "posts/a.11tydata.json": '{"permalink": false}', "posts/a.md": POST, "posts/ab.md": POST },
      ELEVENTY,
      ["post posts/ab.md", "permalink: false, posts/a.md:1"],
    ],
    [
      "data of another tool",
      { "content/posts/posts.json": '{"draft": true}', "content/posts/a.md": POST },
      HUGO,
      ["post content/posts/a.md"],
    ],
    ["data of no Eleventy that is a list", { "posts/posts.json": "[1]", "posts/a.md": POST }, {}, ["post posts/a.md"]],
    [
      "`defaults` of Jekyll for posts by path, the longest last",
      Object.fromEntries(
        ["a", "h/a", "h/x/a", "s/a", "sa"].map((name) => [`_posts/${name.replace(/\w+$/, "2024-01-02-$&")}.md`, POST]),
      ),
      {
        ...JEKYLL,
        data: {
          defaults: [
            { scope: { path: "_posts/h/x/" }, values: { published: true } },
            { scope: { path: "_posts/h" }, values: { published: false } },
            { scope: { path: "_posts/s*/2024-01-02-a.md", type: "posts" }, values: { private: true } },
            { scope: { path: "", type: "pages" }, values: { hidden: true } },
          ],
        },
      },
      [
        "post _posts/2024-01-02-a.md",
        "post _posts/2024-01-02-sa.md",
        "draft _posts/h/2024-01-02-a.md",
        "post _posts/h/x/2024-01-02-a.md",
        "private: true, _posts/s/2024-01-02-a.md:1",
      ],
    ],
    [
      "`defaults` of a blog below the folder",
      { "blog/_posts/h/2024-01-02-a.md": POST, "_posts/h/2024-01-02-b.md": POST },
      {
        tool: "jekyll",
        file: "blog/_config.yml",
        data: { defaults: [{ scope: { path: "_posts/h" }, values: { draft: true } }] },
      },
      ["post _posts/h/2024-01-02-b.md", "draft blog/_posts/h/2024-01-02-a.md"],
    ],
    [
      "`exclude`",
      { "old/_posts/2024-01-01-a.md": POST, "_posts/2024-01-01-b.md": POST, "_posts/2024-01-01-x-1.md": POST },
      { ...JEKYLL, data: { exclude: ["old/", "*x-?.md"] } },
      [
        "post _posts/2024-01-01-b.md",
        "`exclude` of the configuration, _posts/2024-01-01-x-1.md:1",
        "`exclude` of the configuration, old/_posts/2024-01-01-a.md:1",
      ],
    ],
    [
      "notes beside the content of Hugo, and content of a language",
      { "private/a.md": POST, "content/b.md": POST, "texte/c.md": POST },
      { ...HUGO, data: { languages: { de: { contentDir: "texte" } } } },
      ["post content/b.md", "post texte/c.md", "outside of content, private/a.md:1"],
    ],
    [
      "folders and names that Jekyll does not read",
      {
        "notes/a.md": POST,
        "_drafts/b.md": POST,
        "_tools/2024-01-01-c.md": POST,
        "_posts/d.md": POST,
        "_poems/e.md": POST,
      },
      { ...JEKYLL, data: { collections: { poems: { output: true } } } },
      [
        "draft _drafts/b.md",
        "post _poems/e.md",
        "no date in its name, _posts/d.md:1",
        "folder with _, _tools/2024-01-01-c.md:1",
        "outside of _posts, notes/a.md:1",
      ],
    ],
    [
      "`skip_render` and templates of Hexo",
      { "source/_posts/raw/a.md": POST, "source/_posts/b.md": POST, "scaffolds/post.md": POST },
      { tool: "hexo", file: "_config.yml", contentFolder: "source", data: { skip_render: ["_posts/{raw,old}/**"] } },
      ["post source/_posts/b.md", "`skip_render` of the configuration, source/_posts/raw/a.md:1"],
    ],
    [
      "names with _ of Hexo and Astro",
      { "source/_posts/_a.md": POST, "src/content/blog/_b/c.md": POST, "source/_posts/d.md": POST },
      {},
      ["post source/_posts/d.md", "name with _, source/_posts/_a.md:1", "name with _, src/content/blog/_b/c.md:1"],
    ],
    ["names with _ of Docusaurus", { "blog/_a.md": POST }, { tool: "docusaurus" }, ["name with _, blog/_a.md:1"]],
    [
      "other formats",
      { "_posts/2024-01-01-a.textile": "", "content/a.org": "", "docs/a.rst": "", "b.md": POST },
      {},
      ["post b.md", ".textile is not read, _posts/2024-01-01-a.textile:1", ".org is not read, content/a.org:1"],
    ],
    [
      "HTML of Hugo",
      { "content/a.html": POST, "content/b.md": POST },
      HUGO,
      ["post content/b.md", ".html is not read, content/a.html:1"],
    ],
    [
      "HTML posts of Jekyll and Hexo",
      { "_posts/2024-01-01-a.html": POST, "source/_posts/b.html": POST, "about.html": POST },
      {},
      ["post _posts/2024-01-01-a.html", "post source/_posts/b.html"],
    ],
    ["`share: false` of a theme", { "content/a.md": front("share: false") }, HUGO, ["post content/a.md"]],
  ])("%s", async (_, files, generator, judged) => {
    expect(await judge(files, generator)).toEqual(judged)
  })

  test("fields of a folder that cannot be read block the posts below it", async () => {
    const files = { "content/c/_index.md": "---\na: [\n---\n", "content/c/a.md": POST, "content/b.md": POST }
    const { posts } = await read(files, { generator: { ...NO_GENERATOR, ...HUGO } })
    expect(posts.map(brief)).toEqual([[], ["error front_matter 1"]])
    expect(posts[1]?.findings[0]?.message).toContain("content/c/_index.md")
  })

  test("a post of Jekyll without a front matter is left out, and one with an empty front matter is not", async () => {
    const files = { "_posts/2024-01-01-a.md": "Text.", "_posts/2024-01-02-b.md": "---\n---\nText." }
    expect(await judge(files, JEKYLL)).toEqual([
      "post _posts/2024-01-02-b.md",
      "no front matter, _posts/2024-01-01-a.md:1",
    ])
  })

  test("data in code is never run, and is named once", async () => {
    const files = { "posts/posts.11tydata.js": "throw 1", "posts/a.md": POST, "posts/b.md": POST }
    expect(await judge(files)).toEqual([
      "post posts/a.md",
      "post posts/b.md",
      "code is not run, posts/posts.11tydata.js:1",
    ])
  })

  test("the HTML of a post goes as it is, without indents that Markdown takes for code", async () => {
    const { posts } = await read({ "_posts/2024-01-01-a.html": `${POST}\n    <p>One</p>\n\n    <p>Two</p>\n` })
    expect(posts[0]?.source).toMatchObject({ body: "Text.\n\n<p>One</p>\n\n<p>Two</p>\n" })
  })

  test.each([
    ["travel/_posts/2024-01-18-a.md", NO_GENERATOR, "travel"],
    ["docs/travel/_posts/2024-01-18-a.md", NO_GENERATOR, "travel"],
    ["source/_posts/a.md", NO_GENERATOR, "Blog"],
    ["my-blog/_posts/2024-01-18-a.md", { ...NO_GENERATOR, file: "my-blog/_config.yml" }, "Blog"],
  ])("the category of %s is that of the folder above `_posts`", async (file, generator, category) => {
    const { posts } = await read({ [file]: POST }, { generator })
    expect(posts[0]?.categories).toEqual([category])
  })
})

/** Reads the text files of a folder into memory, with other line ends. */
const textsOf = async (name: string, end: string) => {
  const folder = await openFolder(join(import.meta.dirname, "../blogs", name))
  const texts = folder.files.filter((file) => /\.(?:mdx?|markdown|json|ya?ml|toml)$/.test(file))
  const pairs = texts.map(async (file) => {
    const text = String(await folder.read(file, 2 ** 20))
    return [file, text.replaceAll(/\r?\n/g, end)] as const
  })
  return folderOf(Object.fromEntries(await Promise.all(pairs)))
}

test.each(["hugo", "jekyll", "hexo", "eleventy", "astro", "docusaurus", "devto", "hashnode", "obsidian"])(
  "the posts of the blog of %s are the same with LF and CRLF",
  async (name) => {
    const readWith = async (end: string) => {
      const folder = await textsOf(name, end)
      return readPosts(folder, { ...OPTIONS, timezone: "UTC", generator: await readGenerator(folder) })
    }
    const found = await readWith("\n")
    expect(found.posts.length).toBeGreaterThan(1)
    expect(await readWith("\r\n")).toEqual(found)
  },
)

describe("the samples of public bug reports", () => {
  test.each(["unrendered", "hugo", "jekyll", "hexo", "fm", "sync"])("%s", async (name) => {
    const folder = await openFolder(join(import.meta.dirname, "../samples", name))
    const generator = await readGenerator(folder)
    const { posts, leftOut } = await readPosts(folder, { ...OPTIONS, timezone: "Europe/Berlin", generator })
    const lines = [
      ...posts.map((post) => {
        const { status, published_at, slug, categories, tags, source } = post
        const state = [status, published_at, slug, source.title, categories.join(), tags.join()].join(" | ")
        return `${source.file} | ${state}${brief(post)
          .map((one) => `\n  ${one}`)
          .join("")}`
      }),
      ...leftOut.map(({ reason, file, line }) => `left out: ${reason}, ${file}:${line}`),
    ]
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`../golden/samples/${name}.txt`)
  })
})
