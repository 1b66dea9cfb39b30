import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

import { describe, expect, test } from "vitest"

import type { Folder } from "../../src/folder/files.ts"
import { openFolder } from "../../src/folder/files.ts"
import { folderOf } from "../folder/folder.ts"
import { desiredOf, planOf } from "../markdown/plan.ts"

/** A configuration, and the path of a post and of its folder. */
const TOOLS = {
  vitepress: {
    file: ".vitepress/config.mts",
    text: "export default { srcExclude: ['hidden/**'] }",
    post: "posts/p.md",
  },
  vuepress: {
    file: ".vuepress/config.js",
    text: "export default { pagePatterns: ['**/*.md', '!hidden'] }",
    post: "posts/p.md",
  },
  mkdocs: {
    file: "mkdocs.yml",
    text: "site_name: T\nexclude_docs: hidden/\nmarkdown_extensions: [pymdownx.snippets]\n",
    post: "docs/blog/posts/p.md",
  },
  jekyll: { file: "_config.yml", text: "exclude: [_posts/hidden]\n", post: "_posts/2024-05-01-p.md" },
  hugo: { file: "hugo.toml", text: 'baseURL = "https://old.example/"\n', post: "content/posts/p.md" },
}
type ToolName = keyof typeof TOOLS

const filesOf = (tool: ToolName, body: string, parts: Record<string, string>): Record<string, string> => {
  const { file, text, post } = TOOLS[tool]
  return { [file]: text, [post]: `---\ntitle: P\ndate: 2024-05-01\nslug: p\n---\n${body}`, ...parts }
}

/** Plans a blog of a tool with one post. @returns the body of the post, and its errors */
const planned = async (folder: Folder): Promise<string> => {
  const plan = await planOf(folder)
  const errors = plan.entries.flatMap(({ findings }) => findings.filter(({ level }) => level === "error"))
  return [desiredOf(plan, "p").source.body, ...errors.map(({ line, message }) => `! ${line} ${message}`)].join("\n")
}

const included = (tool: ToolName, body: string, parts: Record<string, string>): Promise<string> =>
  planned(folderOf(filesOf(tool, body, parts)))

const CODE = "a\n// #region one\nb\n// #endregion one\nc\n"

describe("a part of another file is put into the text as the tool does", () => {
  test.each<[tool: ToolName, body: string, parts: Record<string, string>, expected: string]>([
    ["vitepress", "A\n\n<!--@include: ./x.md-->\n\nB", { "posts/x.md": "**x**\n" }, "A\n\n**x**\n\n\nB"],
    ["vitepress", "<!-- @include: ../x.md -->", { "x.md": "---\na: SECRET\n---\nx<!--SECRET-->" }, "x"],
    ["vitepress", "<!--@include: @/parts/x.md{2,3}-->", { "parts/x.md": "a\nb\nc\nd" }, "b\nc"],
    ["vitepress", "A\n\n<!--@include: ./x.md{2,5}-->", { "posts/x.md": "---\na: SECRET\n---\nx\ny\nz" }, "A\n\nx\ny"],
    ["vitepress", "A\n\n<!--@include: ./x.md{1,2}-->", { "posts/x.md": "---\na: SECRET\n---\nx" }, "A"],
    ["vitepress", "<!--@include: ./x.md{,1}-->", { "posts/x.md": "a\nb" }, "a"],
    ["vitepress", "<!--@include: ./x.md#one-->", { "posts/x.md": CODE }, "b"],
    ["vitepress", "<<< @/x.js{2}", { "x.js": "a\nb\n" }, "```js\na\nb\n```"],
    ["vitepress", "- a\n\n  <<< ../x.c#one{1 c#:line-numbers} [T]", { "x.c": CODE }, "- a\n\n  ```c#\n  b\n  ```"],
    ["vitepress", "<<< @/x.md", { "x.md": "---\na: SECRET\n---\n```\na\n```" }, "````md\n```\na\n```\n````"],
    ["vitepress", "> - <<< @/x.js", { "x.js": "a\nb\n" }, "> - ```js\n>   a\n>   b\n>   ```"],
    ["vitepress", "a <<< @/x.js", { "x.js": "a" }, "a <<< @/x.js"],
    ["vitepress", "`<!--@include: ./x.md-->`", { "posts/x.md": "x" }, "`<!--@include: ./x.md-->`"],
    ["vitepress", "```\n<<< @/x.js\n```", { "x.js": "x" }, "```\n<<< @/x.js\n```"],
    ["vuepress", "<!-- @include: ./x.md{2-3} -->", { "posts/x.md": "a\nb\nc\nd" }, "b\nc"],
    ["vuepress", "@[code](../x.js)", { "x.js": "a\n" }, "```js\na\n```"],
    ["vuepress", "@[code{2-} ts{1}:no-line-numbers](../x.js)", { "x.js": "a\nb\nc" }, "```ts\nb\nc\n```"],
    ["vuepress", "<<< @/x.js{2}", { "x.js": "a\n" }, "```js\na\n```"],
    ["mkdocs", 'A\n\n--8<-- "parts/x.md"\n\nB', { "docs/parts/x.md": "x" }, "A\n\nx\n\nB"],
    ["vuepress", "@[code{2}](../x.js)", { "x.js": "a\nb" }, "```js\nb\n```"],
    ["mkdocs", "--8<-- 'includes/x.md:2'", { "includes/x.md": "a\nb\nc" }, "b\nc"],
    ["mkdocs", "--8<-- 'includes/x.md:2:3'", { "includes/x.md": "a\nb\nc\nd" }, "b\nc"],
    ["mkdocs", '--8<-- "x.md:one"', { "x.md": "a\n<!-- --8<-- [start:one] -->\nb\n<!-- --8<-- [end:one] -->" }, "b"],
    ["mkdocs", '```py\n--8<-- "x.py"\n```', { "x.py": "a\n# --8<-- [start:a]\nb" }, "```py\na\nb\n```"],
    ["mkdocs", "--8<--\nx.md\ny.md\n--8<--", { "x.md": "x\n", "y.md": "[y]: /y\n" }, "x"],
    ["mkdocs", "[y]\n\n--8<-- 'y.md'", { "y.md": "[y]: //y.z\n" }, "[y]\n\n[y]: //y.z\n"],
    ["jekyll", "A {% include a/part.html b='c' %} B", { "_includes/a/part.html": "<b>x</b>" }, "A <b>x</b> B"],
    ["jekyll", "{%- include_relative parts/part.md -%}", { "_posts/parts/part.md": "---\na: b\n---\nx" }, "x"],
    [
      "jekyll",
      "{% raw %}{% include part.html %}{% endraw %}",
      { "_includes/part.html": "x" },
      "{% include part.html %}",
    ],
    ["hugo", "A\n\n<<< @/x.js\n\n--8<-- 'x.md'", { "x.js": "x", "x.md": "x" }, "A\n\n<<< @/x.js\n\n--8<-- 'x.md'"],
  ])("in %s, %j", async (tool, body, parts, expected) => {
    expect((await included(tool, body, parts)).trim()).toBe(expected.trim())
  })

  test("findings after it have the lines of the post", async () => {
    const body = await included("vitepress", "<!--@include: ./x.md-->\n\n{{ a }}", { "posts/x.md": "1\n2\n3\n4\n5" })
    expect(body).toMatch(/^! 8 \{\{ a \}\}/m)
  })
})

describe("a part that readers do not get is in no text, and blocks its post", () => {
  test.each<[tool: ToolName, body: string, parts: Record<string, string>, reason: string]>([
    ["vitepress", "<!--@include: ./x.md-->", { "posts/x.md": "---\ndraft: true\n---\nSECRET" }, "it is a draft"],
    ["vitepress", "<!--@include: ./x.md-->", { "posts/x.md": "---\ndate: 2027-01-01\n---\nSECRET" }, "it is a draft"],
    ["vitepress", "<!--@include: ./x.md-->", { "posts/x.md": "---\ndate: 2099-01-01\n---\nSECRET" }, "front matter"],
    ["vitepress", "<<< ./x.md", { "posts/x.md": "---\nprivate: true\n---\nSECRET" }, "private"],
    ["vitepress", "<!--@include: ./x.md-->", { "posts/x.md": "\n---\npassword: SECRET\n---\na" }, "front matter"],
    ["vitepress", "<!--@include: ../drafts/x.md-->", { "drafts/x.md": "SECRET" }, "it is a draft"],
    ["vitepress", "<!--@include: ../hidden/x.md-->", { "hidden/x.md": "SECRET" }, "`srcExclude`"],
    ["vitepress", "<<< @/hidden/x.js", { "hidden/x.js": "SECRET" }, "`srcExclude`"],
    ["vitepress", "<<< @/drafts/x.js", { "drafts/x.js": "SECRET" }, "it is a draft"],
    ["vitepress", "<!--@include: ./x.md{2,2}-->", { "posts/x.md": "<p hidden>\nSECRET\n</p>" }, "hidden text"],
    ["jekyll", "{% include_relative 2027-01-15-x.md %}", { "_posts/2027-01-15-x.md": "SECRET" }, "include_relative"],
    ["vitepress", "<!--@include: ../../x.md-->", { "x.md": "SECRET" }, "no such file"],
    ["vitepress", "<<< @/.env", { ".env": "SECRET" }, "no such file"],
    ["vitepress", "<<< @/.vitepress/config.mts", {}, "no such file"],
    ["vitepress", "<<< @/node_modules/x.js", { "node_modules/x.js": "SECRET" }, "no such file"],
    ["vitepress", "<<< @/x.csv", { "x.csv": "SECRET" }, "table of data"],
    ["vitepress", "<<< @/x.js", { "x.js": "SECRET\0" }, "no text in UTF-8"],
    [
      "vitepress",
      "<<< @/x.js",
      { "x.js": "version https://git-lfs.github.com/spec/v1\noid sha256:SECRET\nsize 1\n" },
      "LFS",
    ],
    ["vitepress", "<<< @/x.js#two", { "x.js": "SECRET" }, "no region two"],
    ["vitepress", "<<< @/x.js", { "x.js": `SECRET${"x".repeat(262_144)}` }, "bytes"],
    ["vitepress", "<!--@include: ./x.md-->", { "posts/x.md": "SECRET\n<!--@include: ./p.md-->" }, "parts of its own"],
    ["vitepress", "<!--@include: ./x.md-->\n\n".repeat(21), { "posts/x.md": "a" }, "at most 20"],
    ["vuepress", "<!-- @include: ../hidden/x.md -->", { "hidden/x.md": "SECRET" }, "`pagePatterns`"],
    ["mkdocs", "--8<-- 'hidden/x.md'", { "docs/hidden/x.md": "SECRET" }, "`exclude_docs`"],
    ["mkdocs", "--8<-- 'https://a.example/x.md'", {}, "address"],
    ["mkdocs", "--8<--\nx.md\n../../y\n--8<--", { "x.md": "a", "../y": "SECRET" }, "no such file"],
    [
      "jekyll",
      "{% include part.html %}",
      { "_includes/part.html": "SECRET {{ site.a }}" },
      "{% include part %} is syntax",
    ],
    [
      "jekyll",
      "{% include part.html %}",
      { "_includes/part.html": "SECRET{% include y.html %}" },
      "{% include part %} is syntax",
    ],
    ["jekyll", "{% include ../part.html %}", { "part.html": "SECRET" }, "is syntax"],
    ["jekyll", "{% include_relative hidden/part.md %}", { "_posts/hidden/part.md": "SECRET" }, "is syntax"],
    ["jekyll", "{% include part.md %}", { "_includes/part.md": "---\npublished: false\n---\nSECRET" }, "is syntax"],
  ])("in %s, %j", async (tool, body, parts, reason) => {
    const text = await included(tool, `A\n\n${body}`, parts)
    expect(text).toContain(reason)
    expect(text).toMatch(/^! (?:8|48) /m)
    expect(text).not.toContain("SECRET")
  })

  test.each([
    ["a link", "<<< @/x.js"],
    ["a link out of the folder", "<<< @/out.js"],
    ["a folder that is a link out", "<<< @/away/x.js"],
    ["a link to a part", "<!--@include: ../x.md-->"],
  ])("%s", async (_, body) => {
    const root = await mkdtemp(join(tmpdir(), "edgepost-parts-"))
    const blog = join(root, "blog")
    const files = filesOf("vitepress", `A\n\n${body}`, {
      "real.js": "SECRET",
      "real.md": "SECRET",
      "../beside/x.js": "SECRET",
    })
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(blog, file)), { recursive: true })
      await writeFile(join(blog, file), text)
    }
    for (const [to, from] of Object.entries({
      "real.js": "x.js",
      "real.md": "x.md",
      "../beside/x.js": "out.js",
      "../beside": "away",
    }))
      await symlink(to, join(blog, from))
    try {
      const text = await planned(await openFolder(blog))
      expect(text).toContain("is not included")
      expect(text).not.toContain("SECRET")
    } finally {
      await rm(root, { recursive: true })
    }
  })
})

test.each<[what: string, tool: ToolName, body: string, parts: Record<string, string>]>([
  ["in a comment, with the end of one", "vitepress", "<!--\n<<< @/x.txt\nSECRET\n-->", { "x.txt": "-->" }],
  ["as code, with a comment", "vitepress", "<<< ./x.md", { "posts/x.md": "a <!-- SECRET -->" }],
  ["cut within a comment", "vitepress", "<!--@include: ./x.md{2,3}-->", { "posts/x.md": "<!-- a\nSECRET\n-->\nb" }],
  [
    "of a region in a comment",
    "vitepress",
    "<!--@include: ./x.md#b-->",
    { "posts/x.md": "<!--\n// #region b\nSECRET\n// #endregion b\n-->" },
  ],
  ["of a tool without the extension", "hugo", '--8<-- "x.md"', { "x.md": "SECRET" }],
])("a part %s shows nothing hidden", async (_, tool, body, parts) => {
  expect(await included(tool, `A\n\n${body}`, parts)).not.toContain("SECRET")
})
