import * as fc from "fast-check"
import { describe, expect, test } from "vitest"

import type { Client, ListedPost } from "../../src/client/index.ts"
import { filesOf } from "../../src/commands/pull.ts"
import type { FolderConfig } from "../../src/config.ts"
import { sha256 } from "../../src/hash.ts"
import { lined } from "../markdown/lined.ts"
import { desiredOf } from "../markdown/plan.ts"
import { blogOf } from "../tools/blog.ts"
import { planOf, post } from "./plan.ts"

type Files = Record<string, string>

const PATHS: Record<string, string> = { hexo: "source/_posts/", folder: "" }
const LINES = "One\ntwo."

/** Returns the files of a folder with posts of these bodies by their names. @param more further files */
const folderOf = (tool: string, bodies: Record<string, string>, more: Files = {}): Files =>
  blogOf(tool, "", {
    ...Object.fromEntries(Object.entries(bodies).map(([name, body]) => [`${PATHS[tool]}${name}.md`, post(body)])),
    ...more,
  })

/** Returns what the service has once a folder is published. */
const published = async (files: Files, config: Partial<FolderConfig> = {}): Promise<Partial<ListedPost>[]> => {
  const plan = await planOf(files, [], {}, undefined, undefined, undefined, config)
  return plan.entries.map(({ slug }) => {
    const { fields, source } = desiredOf(plan, slug)
    const { body, ...text } = source
    const texts = { en: { ...text, changed_at: "", edited: [], body_sha256: sha256(body) } }
    return {
      slug,
      title: text.title,
      ...fields,
      tags: [],
      texts,
      cover_image_id: null,
      canonical_url: null,
      author_name: null,
    } as Partial<ListedPost>
  })
}

/** Returns for each post what becomes of it and whether it has a line break, then the notice in short. */
const planned = async (files: Files, there: Partial<ListedPost>[] = [], config: Partial<FolderConfig> = {}) => {
  const plan = await planOf(files, there, {}, undefined, undefined, undefined, config)
  const posts = plan.entries.map(({ action, slug }) => {
    const { body } = desiredOf(plan, slug).source
    return `${action} ${slug}${body.includes("\\\n") ? " ⏎" : ""}`
  })
  const notices = plan.notices.filter((notice) => notice.includes("line_breaks"))
  // Matches the count and what to set.
  return [
    ...posts,
    ...notices.map((notice) => /\d+(?= \()|`line_breaks: \w+`/g[Symbol.match](notice)?.join(" ") ?? notice),
  ]
}

const OFF = { line_breaks: false }
const ON = { line_breaks: true }

describe("line ends of a folder whose tool shows line breaks", () => {
  const files = folderOf("hexo", { a: LINES, b: "One" })
  test("are line breaks, and are so in the next run, also of changed and of new posts, while an unchanged one shows it", async () => {
    expect(await planned(files)).toEqual(["create a ⏎", "create b", "1 `line_breaks: false`"])
    const there = await published(files)
    expect(await planned(files, there)).toEqual(["unchanged a ⏎", "unchanged b"])
    const changed = folderOf("hexo", { a: LINES, b: `Two\n${LINES}`, c: LINES })
    expect(await planned(changed, there)).toEqual(["unchanged a ⏎", "update b ⏎", "create c ⏎"])
    expect(await planned(folderOf("hexo", { a: `Two\n${LINES}`, b: "One" }), there)).toEqual([
      "update a",
      "unchanged b",
      "1 `line_breaks: true`",
    ])
    expect(await planned(files, there, OFF)).toEqual(["update a", "unchanged b"])
  })

  test("are none if the service has one post of it without them, until the configuration says so", async () => {
    const there = await published(files, OFF)
    expect(await planned(files, there)).toEqual(["unchanged a", "unchanged b", "1 `line_breaks: true`"])
    const more = folderOf("hexo", { a: LINES, b: `Two\n${LINES}`, c: LINES })
    expect(await planned(more, there)).toEqual(["unchanged a", "update b", "create c", "3 `line_breaks: true`"])
    expect(await planned(more, there, OFF)).toEqual(["unchanged a", "update b", "create c"])
    expect(await planned(more, there, ON)).toEqual(["update a ⏎", "update b ⏎", "create c ⏎"])
  })

  test("are read by the posts of the whole folder, also when one is planned", async () => {
    const there = await published(files, OFF)
    const more = folderOf("hexo", { a: LINES, b: `Two\n${LINES}` })
    const plan = await planOf(more, there, { paths: ["source/_posts/b.md"] })
    expect(desiredOf(plan, "b").source.body).not.toContain("\\")
  })
})

test("300 generated posts stay as they are in the next run, with and without line breaks", async () => {
  const bodies = fc.sample(lined, { seed: 79, numRuns: 300 }).map((body, i) => [`p${i}`, body])
  const files = folderOf("hexo", Object.fromEntries(bodies))
  const created = await planned(files)
  expect(created.filter((line) => line.endsWith(" ⏎")).length).toBeGreaterThan(100)
  const [broken, plain] = [await published(files), await published(files, OFF)]
  for (const [there, config, notices] of [
    [broken, {}, 0],
    [plain, {}, 1],
    [broken, ON, 0],
    [plain, OFF, 0],
  ] as const) {
    const next = (await planned(files, there, config)).filter((line) => !line.startsWith("unchanged "))
    expect(next.map((line) => line.endsWith("`line_breaks: true`"))).toEqual(
      Array.from({ length: notices }, () => true),
    )
  }
})

test("a file that `pull` wrote keeps its line ends and its backslashes", async () => {
  const body = "One\ntwo\\\nthree  \nfour"
  const [there = {}] = await published({ "a.md": post(body) })
  const more = { version: 1, listed: true, changed_at: null, cover_alt: null, cover_caption: null }
  const full = {
    ...there,
    ...more,
    published_at: "2024-01-02T00:00:00Z",
    primary_language: "en",
    translation_languages: [],
    translations: [],
  }
  const client = { getPost: async () => ({ post: { ...full, body: `${body}\n` }, etag: "" }) } as unknown as Client
  const files: Files = {}
  for await (const { file, content } of filesOf(client, ["a"], async () => null)) files[file] = content ?? ""
  expect(files["a.md"]).toMatch(/\n---\nOne\ntwo\\\nthree {2}\nfour\n$/)
  const plan = await planOf(files, [], {}, undefined, undefined, undefined, ON)
  expect(desiredOf(plan, "a").source.body).toBe(`${body}\n`)
})

const MARKED = "hexo-renderer-marked"
const packages = (...names: string[]): Files => ({
  "package.json": JSON.stringify({ dependencies: Object.fromEntries(["hexo", ...names].map((name) => [name, "1"])) }),
})

test.each<[what: string, files: Files, isShown: boolean]>([
  ["Hexo without packages", { "_config.yml": "source_dir: source" }, true],
  ["Hexo's stock renderer", { "_config.yml": "source_dir: source", ...packages("hexo-renderer-ejs", MARKED) }, true],
  ["it with other settings", { "_config.yml": "source_dir: source\nmarked: {smartypants: false}" }, true],
  ["it without line breaks", { "_config.yml": "source_dir: source\nmarked: {breaks: false}" }, false],
  ["it without GFM", { "_config.yml": "source_dir: source\nmarked: {gfm: false}" }, false],
  ["markdown-it", { "_config.yml": "source_dir: source", ...packages("hexo-renderer-markdown-it") }, true],
  [
    "markdown-it without line breaks",
    {
      "_config.yml": "source_dir: source\nmarkdown: {render: {breaks: false}}",
      ...packages("hexo-renderer-markdown-it"),
    },
    false,
  ],
  [
    "the last of two renderers",
    { "_config.yml": "source_dir: source\nmarked: {breaks: false}", ...packages(MARKED, "hexo-renderer-markdown-it") },
    true,
  ],
  [
    "markdown-it-plus without line breaks",
    {
      "_config.yml": "source_dir: source\nmarkdown_it_plus: {breaks: false}",
      ...packages("hexo-renderer-markdown-it-plus"),
    },
    false,
  ],
  ["kramed", { "_config.yml": "source_dir: source", ...packages("hexo-renderer-kramed") }, true],
  ["pandoc", { "_config.yml": "source_dir: source", ...packages("hexo-renderer-pandoc") }, false],
  ["another renderer", { "_config.yml": "source_dir: source", ...packages("hexo-renderer-multi-markdown-it") }, false],
  ["Jekyll", { "_config.yml": "title: A\nmarked: {breaks: true}", "_posts/2024-01-02-a.md": "" }, false],
  ["Jekyll with line breaks", { "_config.yml": "kramdown: {hard_wrap: true}", "_posts/2024-01-02-a.md": "" }, true],
  ["Hugo", { "hugo.yaml": "title: A", "content/a.md": "" }, false],
  [
    "Hugo with line breaks",
    { "hugo.yaml": "markup: {goldmark: {renderer: {hardWraps: true}}}", "content/a.md": "" },
    true,
  ],
  ["MkDocs with an extension", { "mkdocs.yml": "markdown_extensions: [nl2br]", "docs/blog/posts/a.md": "" }, true],
  ["Pelican", { "pelicanconf.py": "SITENAME = 'A'", "content/a.md": "" }, false],
  [
    "Pelican with an extension",
    { "pelicanconf.py": "MARKDOWN = {'extension_configs': {'markdown.extensions.nl2br': {}}}", "content/a.md": "" },
    true,
  ],
  ["VitePress", { ".vitepress/config.ts": "export default { title: 'A' }" }, false],
  ["VitePress with line breaks", { ".vitepress/config.ts": "export default { markdown: { breaks: true } }" }, true],
  ["VitePress with code", { ".vitepress/config.ts": "config(md) { md.options.breaks = true }" }, true],
  [
    "Astro with a setting of another plugin",
    { "astro.config.mjs": "export default { a: x({ breaks: true }) }" },
    false,
  ],
  ["a setting in a comment", { ".vitepress/config.ts": "export default { markdown: { /* breaks: true */ } }" }, false],
  ["Eleventy with line breaks", { ".eleventy.js": "const md = markdownIt({ html: true, breaks: true })" }, true],
  ["Astro with a plugin", { "astro.config.mjs": 'import remarkBreaks from "remark-breaks"' }, true],
  ["Quartz", { "quartz.config.ts": "Plugin.ObsidianFlavoredMarkdown()", "content/a.md": "" }, false],
  ["Quartz with a plugin", { "quartz.config.ts": "Plugin.HardLineBreaks()", "content/a.md": "" }, true],
  ["Digital Garden", { ".eleventy.js": "", "src/site/notes/a.md": "" }, true],
  ["no tool", {}, false],
])("a new folder of %s shows line breaks, or not", async (_, configuration, isShown) => {
  const at = Object.keys(configuration).find((path) => path.endsWith("a.md")) ?? "source/_posts/a.md"
  const note = `---\ntitle: A\ndate: 2024-01-02\ndg-publish: true\n---\n${LINES}\n`
  const plan = await planOf({ ...configuration, [at]: note })
  expect(desiredOf(plan, "a").source.body.includes("\\\n")).toBe(isShown)
})

test.each<[app: string, files: Files, offers: boolean]>([
  ["Obsidian", { ".obsidian/app.json": "{}" }, true],
  ["Obsidian without settings", { ".obsidian/core-plugins.json": "[]" }, true],
  ["Obsidian with strict line breaks", { ".obsidian/app.json": '{"strictLineBreaks": true}' }, false],
  ["Foam", { ".foam/a.json": "" }, false],
])("a folder of %s has line breaks only by the configuration, and its plan says so", async (_, more, offers) => {
  const files = folderOf("folder", { a: LINES, b: "One" }, more)
  const notice = offers ? ["1 `line_breaks: true`"] : []
  expect(await planned(files)).toEqual(["create a", "create b", ...notice])
  expect(await planned(files, await published(files))).toEqual(["unchanged a", "unchanged b", ...notice])
  expect(await planned(files, [], { as: "folder" })).toEqual(await planned(files))
  expect(await planned(files, [], ON)).toEqual(["create a ⏎", "create b"])
  expect(await planned(files, await published(files, ON), ON)).toEqual(["unchanged a ⏎", "unchanged b"])
  expect(await planned(files, [], OFF)).toEqual(["create a", "create b"])
})
