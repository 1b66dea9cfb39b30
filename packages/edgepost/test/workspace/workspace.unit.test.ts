import { execFileSync } from "node:child_process"
import { symlink } from "node:fs/promises"
import { join } from "node:path"

import { expect, test } from "vitest"

import { newFolder } from "../../../../test/after-file.ts"
import { write } from "../blogs.ts"
import { edgepost } from "../command.ts"

const POST = "---\ntitle: T\ndate: 2024-01-02\n---\n\nWords.\n"
/** A blog whose configuration hides `content/private/`. */
const HIDING = {
  "hugo.toml": 'baseURL = "https://old.example/"\n',
  "content/private/_index.md": "",
  ...of("content/posts/a.md"),
}
const CASCADE = "---\ncascade:\n  draft: true\n---\n"
/** The blog in a folder, with a post that it hides. */
const blogIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...HIDING, "content/private/_index.md": CASCADE, ...of("content/private/secret.md") }).map(
      ([path, text]) => [folder + path, text],
    ),
  )

/** Returns posts with these paths. */
function of(...paths: string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, POST]))
}

const LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"
const GIT = { ".git/HEAD": "ref: refs/heads/main\n" }
const CONFIG = { "edgepost.config.yaml": "category: Sea\n" }
const inFolder = (folder: string, files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [folder + path, text]))

/** Plans a folder of new files without the service. @returns its posts with their states, what it says, and the error */
const planIn = async (root: string, path: string, env: Record<string, string> = {}) => {
  const { stdout } = await edgepost(["plan", "--offline", "--json", join(root, path)], { cwd: root, env })
  const { entries = [], notices = [], error } = JSON.parse(stdout)
  const posts = entries.map(({ file, state }: { file: string; state: string }) => `${file} ${state}`)
  return { posts, notices, error: error?.detail ?? null }
}

const SHOWN = "posts/a.md published"
const HIDDEN = "private/secret.md draft"

test.each<[what: string, files: Record<string, string>, path: string, posts: string[], isWorkspace?: boolean]>([
  ["a workspace without .git", blogIn(""), "content", [`content/${HIDDEN}`, `content/${SHOWN}`], true],
  ["a repository", { ...GIT, ...blogIn("") }, "content", [`content/${HIDDEN}`, `content/${SHOWN}`]],
  ["a folder of the content", blogIn(""), "content/private", [`content/${HIDDEN}`], true],
  ["a file of the content", blogIn(""), "content/private/secret.md", [`content/${HIDDEN}`], true],
  [
    "a submodule by its .git",
    { ...GIT, "content/.git": "gitdir: ../.git/modules/content\n", ...blogIn("") },
    "content",
    [`content/${HIDDEN}`, `content/${SHOWN}`],
  ],
  [
    "a submodule by .gitmodules",
    { ...GIT, ".gitmodules": "path = content\n", "content/.git/HEAD": "", ...blogIn("") },
    "content",
    [`content/${HIDDEN}`, `content/${SHOWN}`],
  ],
  [
    "a submodule of a submodule",
    {
      ...GIT,
      "site/.git": "gitdir: ../.git/modules/site\n",
      "site/content/.git": "gitdir: ../../.git/modules/site/modules/content\n",
      ...blogIn("site/"),
    },
    "site/content",
    [`site/content/${HIDDEN}`, `site/content/${SHOWN}`],
  ],
  [
    "a blog three folders deep",
    { ...GIT, ...blogIn("apps/web/site/") },
    "apps/web/site/content",
    [`apps/web/site/content/${HIDDEN}`, `apps/web/site/content/${SHOWN}`],
  ],
  [
    "the second of two blogs",
    { ...GIT, "a-shop/hugo.toml": "baseURL = ''\n", ...of("a-shop/content/b.md"), ...blogIn("blog/") },
    "blog",
    [`blog/content/${HIDDEN}`, `blog/content/${SHOWN}`],
  ],
  [
    "a blog below the configuration of GitHub Pages",
    { ...GIT, "_config.yml": "title: Pages\n", ...blogIn("blog/") },
    "blog",
    [`blog/content/${HIDDEN}`, `blog/content/${SHOWN}`],
  ],
  [
    "settings in the content alone",
    { ...GIT, ...inFolder("content/", CONFIG), ...blogIn(""), ...of("content/b.md") },
    "content",
    ["content/b.md published", `content/${HIDDEN}`, `content/${SHOWN}`],
  ],
  [
    "settings in a folder, with posts beside it",
    { ...GIT, ...of("b.md", "notes/a.md"), ...inFolder("notes/", CONFIG) },
    "notes",
    ["a.md published"],
  ],
  [
    "settings in a folder beside the content of a tool",
    { ...GIT, ...blogIn(""), ...inFolder("notes/", { ...CONFIG, ...of("a.md") }) },
    "notes",
    ["a.md published"],
  ],
  [
    "settings in the content, which has a stray configuration",
    { ...GIT, ...inFolder("content/", { ...CONFIG, "posts/a/config.toml": "a = 1\n" }), ...blogIn("") },
    "content",
    [`content/${HIDDEN}`, `content/${SHOWN}`],
  ],
  [
    "settings in the posts of Jekyll",
    {
      ...GIT,
      "_config.yml": "defaults:\n  - scope: { path: _posts/private }\n    values: { published: false }\n",
      ...inFolder("_posts/", { ...CONFIG, ...of("2024-01-02-a.md", "private/2024-01-03-b.md") }),
    },
    "_posts",
    ["_posts/2024-01-02-a.md published", "_posts/private/2024-01-03-b.md draft"],
  ],
  [
    "settings in a folder of VitePress",
    {
      ...GIT,
      ".vitepress/config.mts": 'export default { srcExclude: ["blog/private/**"] }\n',
      ...inFolder("blog/", { ...CONFIG, ...of("a.md", "private/b.md") }),
    },
    "blog",
    ["blog/a.md published"],
  ],
  [
    "settings beside the posts of GitHub Pages",
    { ...GIT, "_config.yml": "title: T\n", ...inFolder("notes/", { ...CONFIG, ...of("a.md") }) },
    "notes",
    ["a.md published"],
  ],
  [
    "a repository of its own as the content of the workspace",
    {
      ...blogIn(""),
      "hugo.toml": 'contentDir = "text"\n',
      ...inFolder("text/", { ...GIT, ...of("a.md", "private/secret.md"), "private/_index.md": CASCADE }),
    },
    "text",
    ["text/a.md published", `text/${HIDDEN}`],
    true,
  ],
  [
    "a blog beside one with settings",
    {
      ...GIT,
      ...of("a/a.md"),
      ...inFolder("b/", { "edgepost.config.yaml": "source: b\nshow_hidden_fields: true\n", ...of("b.md") }),
    },
    "a",
    ["a/a.md published"],
  ],
  [
    "a repository of its own in the workspace",
    { ...blogIn("site/"), ...inFolder("site/", GIT) },
    "site/content",
    [`content/${HIDDEN}`, `content/${SHOWN}`],
    true,
  ],
  [
    "a repository beside that of the workspace",
    { ...GIT, "hugo.toml": "baseURL = ''\n", ...of("content/b.md"), ...inFolder("second/", GIT), ...blogIn("second/") },
    "second",
    [`content/${HIDDEN}`, `content/${SHOWN}`],
    true,
  ],
])(
  "the posts of %s are read by the configuration nearest to them",
  async (_, files, path, posts, isWorkspace = false) => {
    const root = await newFolder()
    for (const [name, text] of Object.entries(files)) await write(join(root, name), text)
    const { posts: found, error } = await planIn(root, path, isWorkspace ? { GITHUB_WORKSPACE: root } : {})
    expect(error).toBeNull()
    expect(found.toSorted()).toEqual(posts.toSorted())
  },
)

test.each<[what: string, files: Record<string, string>, path: string, isAsked: boolean]>([
  ["content without the blog around it", of("content/posts/a.md"), "content/posts", true],
  ["posts without the blog around them", of("_posts/2024-01-02-a.md"), "_posts", true],
  ["content with settings of its own", { ...of("content/a.md"), ...inFolder("content/", CONFIG) }, "content", false],
  ["a folder with another name", of("writing/a.md"), "writing", false],
])("%s asks for the configuration only if one must be there", async (_, files, path, isAsked) => {
  const root = await newFolder()
  for (const [name, text] of Object.entries(files)) await write(join(root, name), text)
  const { notices } = await planIn(root, path)
  expect(/the configuration of its tool/.test(notices.join("\n"))).toBe(isAsked)
})

test.each<[what: string, files: Record<string, string>, path: string, isAsked: boolean]>([
  ["a blog three folders deep", blogIn("apps/web/site/"), "", true],
  ["a blog six folders deep", blogIn("a/b/c/d/e/f/"), "a", true],
  ["a blog beside the folder that is asked for", { ...blogIn("a/b/c/"), ...of("b/a.md") }, "b", false],
  ["a configuration without posts", { "a/b/c/hugo.toml": "baseURL = ''\n", ...of("a.md") }, "", false],
  ["an example of a theme", { ...blogIn("a/theme/exampleSite/"), ...of("a.md") }, "", false],
])("%s asks for its folder only if it may hide posts", async (_, files, path, isAsked) => {
  const root = await newFolder()
  for (const [name, text] of Object.entries({ ...GIT, ...files })) await write(join(root, name), text)
  const { notices } = await planIn(root, path)
  expect(/^The folder has a blog of Hugo/m.test(notices.join("\n"))).toBe(isAsked)
})

test("a workspace that is given through a link is that of its folder", async () => {
  const root = await newFolder()
  for (const [name, text] of Object.entries(blogIn("real/"))) await write(join(root, name), text)
  await symlink("real", join(root, "link"))
  const { posts } = await planIn(join(root, "real"), "content/private", { GITHUB_WORKSPACE: join(root, "link") })
  expect(posts).toEqual([`content/${HIDDEN}`])
})

test.each<[what: string, files: Record<string, string>, error: string]>([
  [
    "a configuration that is a pointer",
    { "_config.yml": LFS, ...of("_posts/2024-01-02-a.md") },
    "_config.yml: The file is a pointer of Git LFS.",
  ],
  [
    "an ignore file that is encrypted",
    { ".eleventy.js": "", ".eleventyignore": "\0GITCRYPT\0a", ...of("a.md") },
    ".eleventyignore: The file is encrypted by git-crypt.",
  ],
])("%s stops the run", async (_, files, error) => {
  const root = await newFolder()
  for (const [name, text] of Object.entries(files)) await write(join(root, name), text)
  expect((await planIn(root, "")).error).toContain(error)
})

test("fields of a folder that are a pointer block its posts", async () => {
  const root = await newFolder()
  const files = { ...blogIn(""), "content/private/_index.md": LFS }
  for (const [name, text] of Object.entries(files)) await write(join(root, name), text)
  const { stdout } = await edgepost(["plan", "--offline", "--json", root], { cwd: root })
  const actions = JSON.parse(stdout).entries.map(
    (entry: { file: string; action: string }) => `${entry.action} ${entry.file}`,
  )
  expect(actions.toSorted()).toEqual([expect.stringMatching(/^blocked content\/private/), "checked content/posts/a.md"])
})

test("paths of two blogs are refused", async () => {
  const root = await newFolder()
  for (const [name, text] of Object.entries({ ...GIT, ...blogIn("a/"), ...blogIn("b/") }))
    await write(join(root, name), text)
  const { stdout } = await edgepost(["plan", "--offline", "--json", "a", "b"], { cwd: root })
  expect(JSON.parse(stdout).error.detail).toContain("The paths are of two blogs, by a/hugo.toml and b/hugo.toml.")
})

test("a sparse checkout that leaves out the configuration says so", async () => {
  const root = await newFolder()
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", root, "-c", "user.name=A", "-c", "user.email=a@b.example", ...args], { stdio: "pipe" })
  for (const [name, text] of Object.entries(blogIn(""))) await write(join(root, name), text)
  git("init", "-q")
  git("add", "-A")
  git("commit", "-q", "-m", "A")
  git("sparse-checkout", "set", "--no-cone", "/content/")
  const { notices } = await planIn(root, "content")
  expect(notices).toEqual([expect.stringContaining("hugo.toml, which the sparse checkout leaves out")])
})

test("settings are found below the folder, unless two folders have some", async () => {
  const root = await newFolder()
  await write(join(root, "site/edgepost.config.yaml"), "category: Sea, sand\n")
  await write(join(root, "a.md"), POST)
  expect((await planIn(root, "")).error).toContain("category must be a name without commas")
  await write(join(root, "other/edgepost.config.yaml"), "")
  expect((await planIn(root, "")).error).toContain("are of two blogs")
})
