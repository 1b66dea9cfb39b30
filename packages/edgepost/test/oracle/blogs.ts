import { createHash } from "node:crypto"
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"

import { copyBlog, write } from "../blogs.ts"

// The blogs that the real tools build, and how each is put together. dev.to, Hashnode and Obsidian have no tool that could be run.

export type ToolName = "hugo" | "jekyll" | "eleventy" | "hexo" | "astro" | "docusaurus"

export const TOOL_NAMES: ToolName[] = ["hugo", "jekyll", "eleventy", "hexo", "astro", "docusaurus"]

export interface Blog {
  name: string
  tool: ToolName
  /** Copies the blog into an empty folder. */
  copyTo: (folder: string) => Promise<void>
}

const SAMPLES = join(import.meta.dirname, "../samples")

/** Puts off dates that are ahead, so that they stay so. */
// Matches `publishDate: 2027-02-04` and `_posts/2027-01-18-a.md`, not `2024-02-04`.
const putOff = (text: string): string => text.replaceAll(/\b2027-/g, "2099-")

const copySample = async (from: string, to: string): Promise<void> => {
  for (const file of await listFiles(from)) {
    const bytes = await readFile(join(from, file))
    // Only an image has a NUL.
    await write(join(to, putOff(file)), bytes.includes(0) ? bytes : putOff(bytes.toString()))
  }
}

const sample = (tool: ToolName, name: string): Blog => ({
  name: `sample-${name}`,
  tool,
  copyTo: (folder) => copySample(join(SAMPLES, name), folder),
})

/** The folder in which a tool looks for the posts of a sample that is a plain list of files. Each slug belongs to one post of the service. */
const PLACES: Record<ToolName, (name: string) => string> = {
  hugo: (name) => `content/posts/hugo-${name}`,
  jekyll: (name) => `_posts/2024-03-10-jekyll-${name}`,
  eleventy: (name) => `posts/eleventy-${name}`,
  hexo: (name) => `source/_posts/hexo-${name}`,
  astro: (name) => `src/content/blog/astro-${name}`,
  docusaurus: (name) => `blog/docusaurus-${name}`,
}

/** Files of a tool's blog without which it builds nothing or edgepost does not know the tool. */
const FRAMES: Record<ToolName, Record<string, string>> = {
  hugo: { "hugo.toml": 'baseURL = "https://blog.example/"\n' },
  jekyll: { "_config.yml": "url: https://blog.example\n" },
  eleventy: { "eleventy.config.js": "export default () => ({})\n" },
  hexo: { "_config.yml": "url: https://blog.example\n" },
  astro: { "astro.config.mjs": 'export default { site: "https://blog.example" }\n' },
  docusaurus: { "docusaurus.config.js": 'export default { url: "https://blog.example", baseUrl: "/" }\n' },
}

/** Puts files of a sample where a tool looks for posts. */
const posts = (tool: ToolName, name: string, files: string[], from = ""): Blog => ({
  name: `${tool}-${name}`,
  tool,
  copyTo: async (folder) => {
    for (const [file, text] of Object.entries(FRAMES[tool])) await write(join(folder, file), text)
    const config = await readFile(join(SAMPLES, name, "edgepost.config.yaml"), "utf8")
    await write(join(folder, "edgepost.config.yaml"), `${config}site_url: https://blog.example\n`)
    for (const file of files) await cp(join(SAMPLES, name, from, file), join(folder, PLACES[tool](file)))
  },
})

/** Takes the files of the sample `unrendered` that are of one tool. */
const unrendered = (tool: ToolName, files: string[]): Blog => ({
  name: `unrendered-${tool}`,
  tool,
  copyTo: async (folder) => {
    for (const [file, text] of Object.entries(FRAMES[tool])) await write(join(folder, file), text)
    await copySample(join(SAMPLES, "unrendered"), folder)
    for (const file of await listFiles(folder))
      if (!files.some((start) => file.startsWith(start)) && !(file in FRAMES[tool])) await rm(join(folder, file))
  },
})

const own = (tool: ToolName): Blog => ({
  name: `${tool}-unrendered`,
  tool,
  copyTo: (folder) => cp(join(import.meta.dirname, "blogs", `${tool}-unrendered`), folder, { recursive: true }),
})

/** Changes of a blog that let its tool build it: the file, the text, and what stands there instead. */
const EDITS: Record<string, [file: string, text: string, instead: string][]> = {
  hugo: [["content/posts/mending-nets/index.md", "{{< not-a-shortcode >}}", "{{</* not-a-shortcode */>}}"]],
  jekyll: [["_posts/2021-03-14-morse-code.markdown", 'puts "{% raw %}" # a Liquid tag in code', 'puts "..." # dots']],
  // A file's time of change is no answer that stays.
  eleventy: [["content/blog/winter.md", "Last Modified", "2020-01-05"]],
  docusaurus: [
    ["blog/authors.yml", "mia:", "Jo:\n  name: Jo\nmia:"],
    ["blog/2022-03-03-glazes.md", "<details><summary>Why?</summary>", "<details>\n<summary>Why?</summary>"],
  ],
  "sample-hugo": [
    ["edgepost.config.yaml", "timezone: UTC", "timezone: America/New_York"],
    ["hugo.toml", "[permalinks]", "[languages]\nen = {}\nde = {}\n[permalinks]"],
  ],
  "hugo-fm": [["hugo.toml", "", 'timeZone = "Europe/Berlin"\n']],
  "sample-hexo": [["_config.yml", "", "post_asset_folder: true\n"]],
  "sample-hexo-link": [
    ["source/_posts/hl-link.md", "{% include_code lang:js a.js %}", "code"],
    ["source/_posts/hl-other.md", "", "---\ntitle: Other\ndate: 2024-03-10\n---\nOther.\n"],
    ["edgepost.config.yaml", "", "site_url: http://example.com\n"],
  ],
  "docusaurus-comments": [["blog/x.js", "", "export default 1\n"]],
  "sample-jekyll": [
    ["_config.yml", "", "url: https://old.example\n"],
    ["_posts/2024-01-15-jk-kram.md", " and \\{{ curly.", "."],
  ],
}

const dialect = (tool: ToolName): Blog => ({
  name: tool,
  tool,
  copyTo: async (folder) => {
    const copy = await copyBlog(tool)
    await cp(copy, folder, { recursive: true })
    await rm(dirname(copy), { recursive: true })
  },
})

const COMMON = ["html-in-list.md", "html-multi.md", "html-odd.md", "md-refcomment.md", "toml-cmt.md"]

/** Front matter that a tool builds; Hugo and Jekyll stop at a file that they cannot read. */
const FRONT_MATTER: Partial<Record<ToolName, string>> = {
  hugo: "go-date go-date2 title-alias title-html title-multiline toml-bigint toml-day toml-local toml-off unix-date bom-crlf comment-fm blank-first draft-empty draft-string yaml-dup yaml-float-title yaml-big-int-title yaml-date-title yaml-hash-title yaml-merge yaml-true-title yaml-null-title zone-name-date",
  jekyll:
    "yaml-dots-end yaml-dup yaml-float-title yaml-date-title yaml-hash-title yaml-true-title go-date hour-date ampm-date zone-name-date bom-crlf comment-fm title-alias title-html title-multiline yaml-merge",
}

export const BLOGS: Blog[] = [
  ...TOOL_NAMES.map(dialect),
  ...TOOL_NAMES.map(own),
  unrendered("hugo", ["content/", "edgepost"]),
  unrendered("jekyll", ["_posts/", "edgepost"]),
  sample("hugo", "hugo"),
  sample("jekyll", "jekyll"),
  sample("hexo", "hexo"),
  sample("hexo", "hexo-link"),
  posts("hugo", "comments", [...COMMON, "hugo-cmt.md", "truncate.md"]),
  posts("jekyll", "comments", [...COMMON, "kram-comment-block.md", "kram-comment-short.md"]),
  posts("eleventy", "comments", [...COMMON]),
  posts("hexo", "comments", [...COMMON, "hexo-hide.md"]),
  posts("astro", "comments", [...COMMON]),
  ...Object.entries(FRONT_MATTER).map(([tool, names]) =>
    posts(
      tool as ToolName,
      "fm",
      names.split(" ").map((name) => `${name}.md`),
      "posts",
    ),
  ),
  posts("docusaurus", "comments", ["md-refcomment.md", "mdx.mdx", "truncate.md"]),
]

/** Returns the paths of all files of a folder, sorted. */
export async function listFiles(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return files.map((file) => relative(folder, file)).toSorted()
}

/** Copies a blog into a new folder. @returns the folder, and the path of a file by the SHA-256 of its bytes */
export const copyOf = async ({ name, copyTo }: Blog): Promise<{ folder: string; byHash: Map<string, string> }> => {
  const folder = join(await mkdtemp(join(tmpdir(), "edgepost-oracle-")), name)
  await mkdir(folder)
  await copyTo(folder)
  for (const [file, text, instead] of EDITS[name] ?? []) {
    const path = join(folder, file)
    await writeFile(path, (await readFile(path, "utf8").catch(() => "")).replace(text, instead))
  }
  const byHash = new Map<string, string>()
  for (const file of await listFiles(folder)) {
    const path = join(folder, file)
    const hash = createHash("sha256")
      .update(await readFile(path))
      .digest("hex")
    if (!byHash.has(hash)) byHash.set(hash, file)
  }
  return { folder, byHash }
}
