import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"

import { expect, test } from "vitest"

import { newFolder } from "../../../test/after-file.ts"
import { readConfig } from "../src/config.ts"
import { copyBlog, write } from "./blogs.ts"
import { edgepost } from "./command.ts"

test.each([
  ["hugo", "Hugo", "Harbour notes", "https://harbour.example/", "Europe/Lisbon", "en", ["pt"]],
  ["jekyll", "Jekyll", "Signal lamp", "https://lamp.example/", "America/New_York", "en-US", null],
  ["hexo", "Hexo", "茶屋", "https://tea.example/", "Asia/Taipei", "zh-TW", null],
  ["eleventy", "Eleventy", "Ferry log", "https://ferry.example/", "UTC", "en", null],
  ["docusaurus", "Docusaurus", "Kiln", "https://kiln.example/", "UTC", "en", ["fr"]],
  ["vitepress", "VitePress", "Keel log", "https://keel.example/log/", "UTC", "en-GB", ["fr", "zh-CN"]],
  ["vuepress", "VuePress", "Pond log", "https://pond.example/pond/", "UTC", "en-GB", ["de-DE"]],
  ["nuxt", "Nuxt Content", "Lake log", "https://lake.example/", "UTC", "en-GB", null],
  ["gatsby", "Gatsby", "Owl log", "https://owls.example/owls/", "UTC", "en-GB", null],
  ["astro", "Astro", "Orchard", "https://orchard.example/", "UTC", "en", null],
])(
  "init in a blog of %s finds title, address, zone and languages",
  async (dialect, tool, title, url, zone, main, others) => {
    const folder = await copyBlog(dialect)
    await Promise.all(["yaml", "json"].map((type) => rm(join(folder, `edgepost.config.${type}`), { force: true })))
    const languages = new Intl.ListFormat("en").format([main, ...(others ?? [])])
    const stdout = expect.stringContaining(`${tool} blog “${title}”, ${url}, ${zone}, ${languages}.\n`)
    expect(await edgepost(["init"], { cwd: folder })).toMatchObject({ code: 0, stdout })
    // To translate all posts is the author's decision.
    const found = { site_url: url, timezone: zone, primary_language: main, translation_languages: null }
    expect(readConfig(folder)).toMatchObject(found)
    const text = await readFile(join(folder, "edgepost.config.yaml"), "utf8")
    expect(text).toContain(`# translation_languages: [${(others ?? ["fr", "es"]).join(", ")}]`)
  },
)

test.each([
  ["publish: true", "publish_by: publish\n"],
  ["publish: true\nshare: true", "# publish_by: all\n"],
  ["x: y", "# publish_by: all\n"],
])("init in a vault with a note that has %j writes %j, and no tool", async (fields, line) => {
  const folder = await newFolder()
  await write(join(folder, ".obsidian/app.json"), "{}")
  await write(join(folder, "a.md"), `---\ntitle: A\ndate: 2024-01-02\n${fields}\n---\nText.\n`)
  const { code, stdout } = await edgepost(["init"], { cwd: folder })
  expect([code, stdout.includes("The folder is one of Obsidian")]).toEqual([0, true])
  const text = await readFile(join(folder, "edgepost.config.yaml"), "utf8")
  expect(text).toContain(`or \`all\`.\n${line}`)
  expect(text).toContain("\nline_breaks: true\n")
  expect(text).not.toContain("as:")
  const planned = await edgepost(["plan", "--offline"], { cwd: folder })
  expect(planned.stdout.includes("Set `publish_by`")).toBe(line.startsWith("#"))
})

test.each([
  ["hexo", {}, true],
  ["hexo", { "_config.yml": "source_dir: source\nmarked: {breaks: false}\n" }, false],
  ["jekyll", {}, false],
])(
  "init in a blog of %s with %j writes `line_breaks` only if single line ends are line breaks there: %s",
  async (dialect, files, isWritten) => {
    const folder = await copyBlog(dialect)
    await rm(join(folder, "edgepost.config.yaml"), { force: true })
    for (const [file, text] of Object.entries(files)) await write(join(folder, file), text)
    expect(await edgepost(["init"], { cwd: folder })).toMatchObject({ code: 0 })
    expect(readConfig(folder).line_breaks).toBe(isWritten ? true : null)
  },
)

test("init in a folder of a tool without rules asks for --as, which writes `as`", async () => {
  const folder = await newFolder()
  await write(join(folder, "next.config.mjs"), "")
  await write(join(folder, "posts/a.md"), "---\ntitle: A\n---\nText.\n")
  const asked = await edgepost(["init"], { cwd: folder })
  expect(asked.stdout).toContain("1 post.\nThe folder is one of Next.js, whose rules")
  expect(await readFile(join(folder, "edgepost.config.yaml"), "utf8")).toContain("\n# as: folder\n")
  await rm(join(folder, "edgepost.config.yaml"))
  const told = await edgepost(["init", "--as", "folder"], { cwd: folder })
  expect(told.stdout).not.toContain("Next.js")
  expect(readConfig(folder)).toMatchObject({ as: "folder" })
  const wrong = await edgepost(["plan", "--offline", "--as", "nuxtt"], { cwd: folder })
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("--as knows no tool nuxtt.") })
  await write(join(folder, "edgepost.config.yaml"), "as: next\n")
  expect(() => readConfig(folder)).toThrow("as must be one of hugo, ")
})
