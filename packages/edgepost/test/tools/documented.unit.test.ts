import { expect, test } from "vitest"

import { readTool } from "../../src/tools/index.ts"
import { folderOf, read } from "../folder/folder.ts"

// The tools that are not run: what becomes of their files, by the pages of their documentation that their rooms name.

/** Returns a line for each file: a post with its slug, title, status and date, or why it is left out. */
const linesOf = async (files: Record<string, string>, as: string | null = null): Promise<string[]> => {
  const settings = await readTool(folderOf(files), as)
  const { posts, leftOut } = await read(files, { settings, timezone: settings.timezone ?? "UTC" })
  const shown = posts.map(({ source: { file, title }, slug, status, published_at, tags }) =>
    [file, slug, title, status, published_at, tags.join("+")].join(" | "),
  )
  return [...shown, ...leftOut.map(({ file, line, reason }) => `${file}:${line} | ${reason}`)]
}

const NIKOLA = {
  "conf.py": `BLOG_TITLE = "Clouds"
SITE_URL = "https://clouds.example/"
TIMEZONE = "Europe/Rome"
POSTS = (
    ("posts/*.md", "posts", "post.tmpl"),
    ("news/*.md", {"en": "n"}, "post.tmpl"),
)
PAGES = (("pages/*.md", "", "page.tmpl"),)
`,
}
const MKDOCS = {
  "mkdocs.yml": `site_name: Harbour
site_url: https://harbour.example/docs/
plugins:
  - search
  - blog:
      post_dir: "{blog}/entries"
exclude_docs: |
  # a comment
  private/
  *.local.md
  !keep.local.md
  /blog/entries/root.md
draft_docs: wip.md
`,
}

test.each<[string, Record<string, string>, string[]]>([
  [
    "Nikola: fields in a comment, without one, beside the text and in YAML",
    {
      ...NIKOLA,
      "posts/cirrus.md":
        "<!--\n.. title: Cirrus: high\n.. slug: high-clouds\n.. date: 2024-04-01 10:00:00 UTC+02:00\n.. tags: sky, ice\n-->\n\nIce.",
      "posts/fog.md": ".. title: Fog\n.. date: 2024-04-02 10:00:00\n\nLow.",
      "posts/stratus.md": "Stratus is low.",
      "posts/stratus.meta": ".. title: Stratus\n.. date: 2024-04-03 10:00:00 UTC+02:00\n",
      "posts/yaml.meta": "---\ntitle: Yaml\ndate: 2024-04-04\n---\n",
      "posts/yaml.md": "Beside YAML.",
      "news/a.md": "---\ntitle: News\ndate: 2024-04-05\n---\nNew.",
    },
    [
      "news/a.md | a | News | PB | 2024-04-05T00:00:00.000Z | ",
      "posts/cirrus.md | high-clouds | Cirrus: high | PB | 2024-04-01T08:00:00.000Z | sky+ice",
      "posts/fog.md | fog | Fog | PB | 2024-04-02T08:00:00.000Z | ",
      "posts/stratus.md | stratus | Stratus | PB | 2024-04-03T08:00:00.000Z | ",
      "posts/yaml.md | yaml | Yaml | PB | 2024-04-04T00:00:00.000Z | ",
    ],
  ],
  [
    "Nikola: drafts, private and featured posts, and files that no entry names",
    {
      ...NIKOLA,
      "posts/2024-04-02-a.md": "<!--\n.. title: A\n.. date: 2024-04-02\n.. status: draft\n-->\nSECRET",
      "posts/b.md": "<!--\n.. title: B\n.. date: 2024-04-02\n.. status: private\n-->\nSECRET",
      "posts/c.md": "<!--\n.. title: C\n.. date: 2024-04-02\n.. status: featured\n-->\nC",
      "posts/d.md": "<!--\n.. title: D\n.. date: 2024-04-02\n.. tags: x, draft\n-->\nSECRET",
      "posts/e.md": "---\ntitle: E\ndate: 2024-04-02\ntags: [drafts, private]\n---\nSECRET",
      "posts/h.md":
        "<!--\n  .. title: H\n.. just a remark\n\nanother\n  .. date: 2024-04-02\n  .. status: private -->\nSECRET",
      "posts/i.md": ".. title: I\n.. a remark\n.. date: 2024-04-02\n.. status: draft\n\nSECRET",
      "drafts/f.md": "<!--\n.. title: F\n.. date: 2024-04-02\n-->\nSECRET",
      "posts/g.rst": "",
    },
    [
      "posts/2024-04-02-a.md | a | A | DF | 2024-04-02T00:00:00.000Z | ",
      "posts/b.md | b | B | DF | 2024-04-02T00:00:00.000Z | ",
      "posts/c.md | c | C | PB | 2024-04-02T00:00:00.000Z | ",
      "posts/h.md | h | H | DF | 2024-04-02T00:00:00.000Z | ",
      "posts/i.md | i | I | DF | 2024-04-02T00:00:00.000Z | ",
      "drafts/f.md:1 | outside of `POSTS` and `PAGES`",
      "posts/d.md:4 | the tag draft",
      "posts/e.md:4 | the tag private",
      "posts/g.rst:1 | .rst is not read",
    ],
  ],
  [
    "Middleman: names with two ends, parts and templates",
    {
      "config.rb": "activate :blog do |blog|\n  blog.prefix = 'log'\nend\n",
      "source/log/2012-01-02-first.html.markdown": "---\ntitle: First\n---\nF",
      "source/log/2012-01-03-second.html.md": "---\ntitle: Second\ndate: 2012-01-03 10:00 UTC\n---\nS",
      "source/log/2012-01-04-hidden.html.md": "---\ntitle: Hidden\npublished: false\n---\nSECRET",
      "source/log/_2012-01-05-part.html.md": "---\ntitle: Part\n---\nSECRET",
      "source/feed.xml.erb": "",
      "new-article.md": "---\ntitle: <%= title %>\n---\nSECRET",
    },
    [
      "source/log/2012-01-02-first.html.markdown | first | First | PB | 2012-01-02T00:00:00.000Z | ",
      "source/log/2012-01-03-second.html.md | second | Second | PB | 2012-01-03T10:00:00.000Z | ",
      "source/log/2012-01-04-hidden.html.md | hidden | Hidden | DF | 2012-01-04T00:00:00.000Z | ",
      "new-article.md:1 | outside of source",
      "source/feed.xml.erb:1 | .erb is not read",
      "source/log/_2012-01-05-part.html.md:1 | name with _",
    ],
  ],
  [
    "MkDocs: posts of the blog, their dates, and what the configuration excludes",
    {
      ...MKDOCS,
      "docs/blog/entries/tides.md": "---\ntitle: Tides\ndate: 2024-05-01\n---\nT",
      "docs/blog/entries/2024/moon.md": "---\ndate:\n  created: 2024-05-02\n  updated: 2024-06-02\n---\n# The moon\nM",
      "docs/blog/entries/draft.md": "---\ntitle: D\ndate: 2024-05-03\ndraft: true\n---\nSECRET",
      "docs/blog/entries/private/p.md": "---\ntitle: P\ndate: 2024-05-03\n---\nSECRET",
      "docs/blog/entries/a.local.md": "---\ntitle: L\ndate: 2024-05-03\n---\nSECRET",
      "docs/blog/entries/keep.local.md": "---\ntitle: K\ndate: 2024-05-03\n---\nK",
      "docs/blog/entries/root.md": "---\ntitle: R\ndate: 2024-05-03\n---\nSECRET",
      "docs/wip.md": "---\ntitle: W\ndate: 2024-05-03\n---\nSECRET",
      "notes.md": "---\ntitle: N\ndate: 2024-05-03\n---\nSECRET",
    },
    [
      "docs/blog/entries/2024/moon.md | moon | The moon | PB | 2024-05-02T00:00:00.000Z | ",
      "docs/blog/entries/draft.md | draft | D | DF | 2024-05-03T00:00:00.000Z | ",
      "docs/blog/entries/keep.local.md | keep-local | K | PB | 2024-05-03T00:00:00.000Z | ",
      "docs/blog/entries/tides.md | tides | Tides | PB | 2024-05-01T00:00:00.000Z | ",
      "docs/blog/entries/a.local.md:1 | `exclude_docs` of the configuration",
      "docs/blog/entries/private/p.md:1 | `exclude_docs` of the configuration",
      "docs/blog/entries/root.md:1 | `exclude_docs` of the configuration",
      "docs/wip.md:1 | `draft_docs` of the configuration",
      "notes.md:1 | outside of docs",
    ],
  ],
  [
    "Quartz: `ignorePatterns`, and notes that say nothing if all must say yes",
    {
      "quartz.config.ts":
        'export default { configuration: { ignorePatterns: ["private", "**/attic", ".obsidian"] }, plugins: { filters: [Plugin.RemoveDrafts(), Plugin.ExplicitPublish()] } }',
      "content/moss.md": "---\ntitle: Moss\ndate: 2024-01-01\npublish: true\n---\nM",
      "content/stone.md": "---\ntitle: Stone\ndate: 2024-01-02\n---\nSECRET",
      "content/empty.md": "---\ntitle: Empty\ndate: 2024-01-02\npublish:\n---\nSECRET",
      "content/private/diary.md": "---\ntitle: Diary\ndate: 2024-01-03\npublish: true\n---\nSECRET",
      "content/a/attic/note.md": "---\ntitle: Note\ndate: 2024-01-03\npublish: true\n---\nSECRET",
    },
    [
      "content/moss.md | moss | Moss | PB | 2024-01-01T00:00:00.000Z | ",
      "content/a/attic/note.md:1 | `ignorePatterns` of the configuration",
      "content/empty.md:1 | no publish that says yes",
      "content/private/diary.md:1 | `ignorePatterns` of the configuration",
      "content/stone.md:1 | no publish that says yes",
    ],
  ],
])("%s", async (_name, files, expected) => {
  expect(await linesOf(files)).toEqual(expected)
})

test.each<[as: string | null, field: string, files: Record<string, string>]>([
  [null, "dg-publish", { ".eleventy.js": "", "src/site/notes/secret.md": "---\ntitle: A\n---\nSECRET" }],
  ["enveloppe", "share", { ".obsidian/app.json": "{}", "secret.md": "---\ntitle: A\n---\nSECRET" }],
])("notes are public only if they say so: as %s by %s", async (as, field, files) => {
  const secret = Object.keys(files).find((file) => file.endsWith(".md")) ?? ""
  const [shown, hidden] = ["shown", "hidden"].map((name) => secret.replace("secret", name))
  const notes = {
    [`${shown}`]: `---\ntitle: S\ndate: 2024-05-01\n${field}: true\n---\nS`,
    [`${hidden}`]: `---\ntitle: H\ndate: 2024-05-01\n${field}: false\n---\nSECRET`,
  }
  expect(await linesOf({ ...files, ...notes }, as)).toEqual([
    `${shown} | shown | S | PB | 2024-05-01T00:00:00.000Z | `,
    `${hidden}:1 | no ${field} that says yes`,
    `${secret}:1 | no ${field} that says yes`,
  ])
})

test.each([
  ["", "docs/blog/posts/a.md", ["/blog/2024/05/01/high-tide/"]],
  ['post_url_format: "{slug}"', "docs/blog/posts/a.md", ["/blog/high-tide/"]],
  ['post_url_date_format: "yyyy"', "docs/blog/posts/a.md", []],
  ["", "docs/a.md", []],
])("MkDocs with %j shows %s at %j", async (setting, file, addresses) => {
  const files = {
    "mkdocs.yml": `plugins: [{ blog: { enabled: true${setting && `, ${setting}`} } }]`,
    [file]: "---\ntitle: High tide!\ndate: 2024-05-01\n---\nText.",
  }
  const { posts } = await read(files, { settings: await readTool(folderOf(files), null) })
  expect(posts[0]?.source.addresses).toEqual(addresses)
})
