import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"

import { afterEach, beforeEach, expect, test } from "vitest"

import { openFolder } from "../../src/folder/files.ts"
import { FolderError } from "../../src/folder/folder-error.ts"
import { readTool } from "../../src/tools/index.ts"

let root: string
let outside: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "edgepost-files-"))
  outside = await mkdtemp(join(tmpdir(), "edgepost-outside-"))
  await writeFile(join(outside, "secret.md"), "secret")
})
afterEach(async () => {
  await rm(root, { recursive: true })
  await rm(outside, { recursive: true })
})

const write = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

test("a folder lists its files sorted, without node_modules, dot folders and Markdown whose name begins with a dot", async () => {
  for (const path of [
    "b.md",
    "a/z.md",
    "a/b/c.png",
    "node_modules/x.md",
    "a/node_modules/x.md",
    ".git/x.md",
    "a/.x.md",
  ])
    await write(path, path)
  const { files } = await openFolder(root)
  expect(files).toEqual(["a/b/c.png", "a/z.md", "b.md"])
})

test("settings of tools whose names begin with a dot are listed and read, and not what lies beside them", async () => {
  const SHOWN = [".eleventy.js", ".eleventyignore", ".gitignore", ".obsidian/app.json", ".vuepress/public/a/b.png"]
  const others = [".env", ".npmrc", ".obsidian/plugins/a/data.json", ".vuepress/.env", ".git/config"]
  for (const path of [...SHOWN, ...others]) await write(path, path)
  await symlink(".obsidian/app.json", join(root, "b.png"))
  const { files, read } = await openFolder(root)
  expect(files).toEqual(expect.arrayContaining(SHOWN))
  expect(files).not.toContain(".obsidian/plugins/a/data.json")
  for (const path of SHOWN) expect(String(await read(path, 100))).toBe(path)
  for (const path of [...others, "b.png"]) await expect(read(path, 100)).rejects.toThrow(FolderError)
})

test("a folder of settings is a sign of its tool, also without a file that is listed, or as a link", async () => {
  for (const path of ["a/.obsidian/plugins/x/main.js", "b/settings/app.json", ".git/config", "c/.foam"])
    await write(path, "")
  await symlink("settings", join(root, "b/.obsidian"))
  const folder = await openFolder(root)
  expect(folder.signs.toSorted()).toEqual(["a/.obsidian/", "b/.obsidian/"])
  expect((await readTool(folder)).question).toContain("The folder is one of Obsidian")
})

test("posts in a linked folder are read once, by their real paths, and other files by those of the link too", async () => {
  for (const path of ["vault/a.md", "vault/b/c.png", "content/d.md"]) await write(path, path)
  await symlink("../vault", join(root, "content/more"))
  await symlink("vault/a.md", join(root, "e.md"))
  await symlink("..", join(root, "content/up"))
  const { files, leftOut, read } = await openFolder(root)
  expect(files).toEqual(["content/d.md", "content/more/b/c.png", "vault/a.md", "vault/b/c.png"])
  expect(leftOut).toEqual([])
  expect(String(await read("content/more/b/c.png", 100))).toBe("vault/b/c.png")
})

test("a link that is not followed is named with the reason", async () => {
  for (const path of ["a.md", ".git/x.md", "node_modules/b/c.md", "t.txt"]) await write(path, path)
  const links = {
    "1": ".git",
    "2": "node_modules/b",
    "3.md": "t.txt",
    "4.md": "none",
    "5": outside,
    "6.md": ".git/x.md",
  }
  for (const [name, target] of Object.entries(links)) await symlink(target, join(root, name))
  const { files, leftOut } = await openFolder(root)
  expect(files.filter((file) => file.endsWith(".md"))).toEqual(["a.md"])
  expect(leftOut.map(({ file, reason }) => `${file}: ${reason}`)).toEqual([
    "1: a link to .git",
    "2: a link to node_modules/b",
    "3.md: a link to t.txt",
    "4.md: a link to nothing",
    "5: a link out of the folder",
    "6.md: a link to .git/x.md",
  ])
})

test.each<[what: string, files: Record<string, string>, isLeftOut: boolean]>([
  ["a worktree", { "x/.git": "gitdir: /r/.git/worktrees/x\n" }, true],
  ["a worktree of a submodule", { "x/.git": "gitdir: /r/.git/modules/a/worktrees/x\n" }, true],
  ["a clone", { "x/.git/HEAD": "" }, true],
  ["a submodule", { "x/.git": "gitdir: ../.git/modules/x\n" }, false],
  ["a submodule in a worktree", { "x/.git": "gitdir: /r/.git/worktrees/y/modules/x\n" }, false],
  [
    "a submodule with a folder of its own",
    { "x/.git/HEAD": "", ".gitmodules": '[submodule "x"]\n\tpath = x\n' },
    false,
  ],
  ["a folder", {}, false],
])("the texts of %s below the folder are read, or left out and named", async (_, others, isLeftOut) => {
  for (const [path, text] of Object.entries({ ".git/HEAD": "", "a.md": "", "x/b/c.md": "", ...others }))
    await write(path, text)
  const { files, leftOut } = await openFolder(root)
  expect(files.filter((file) => file.endsWith(".md"))).toEqual(isLeftOut ? ["a.md"] : ["a.md", "x/b/c.md"])
  expect(leftOut).toEqual(isLeftOut ? [{ file: "x/b/c.md", line: 1, reason: "another checkout" }] : [])
})

test("of names with a dot, the settings that tools use are listed and read, and no others", async () => {
  const used = [
    ".eleventy.js",
    ".vitepress/config.mts",
    "docs/.vitepress/config/index.ts",
    "docs/.vuepress/config.js",
    "docs/.vuepress/public/img/a.png",
  ]
  const unused = [
    ".vitepress/cache/a.js",
    ".vitepress/theme/index.ts",
    ".vuepress/.temp/a.js",
    ".vuepress/public/.git/a.png",
    ".vuepress/public/node_modules/a.png",
    ".vuepressed/config.js",
  ]
  for (const path of [...used, ...unused, ".vuepress/a.md"]) await write(path, "text")
  const folder = await openFolder(root)
  expect(folder.files).toEqual(used.toSorted())
  for (const path of used) expect(String(await folder.read(path, 100))).toBe("text")
  await symlink("docs/.vuepress/config.js", join(root, "a.js"))
  await expect(folder.read("a.js", 100)).rejects.toThrow(/begin with a dot/)
})

test("an image is read through a link that stays in the folder", async () => {
  await write("a/b.png", "text")
  await symlink("a/b.png", join(root, "link.png"))
  const folder = await openFolder(root)
  expect(folder.files).toContain("link.png")
  expect((await folder.read("link.png", 100)).toString()).toBe("text")
})

test.each([
  ["a post that is a link to another one", "x.md", "a/b.md", /link to a\/b\.md/],
  ["a post that is a link to no Markdown", "x.mdx", "a/b.txt", /link to a\/b\.txt/],
  ["a post that is a link to Git's settings", "x.md", ".git/config", /leads to \.git\/config/],
  ["an image that is a link to a hidden file", "x.png", ".env", /leads to \.env/],
  ["an image that is a link into a hidden folder", "x.png", "a/.aws/credentials", /leads to a\/\.aws\/credentials/],
  ["an image that is a link into an installed package", "x.png", "node_modules/a/b.png", /leads to node_modules\//],
  ["a hidden file by its own name", ".env", ".env", /leads to \.env/],
])("%s is not read, and named", async (_, path, target, message) => {
  await write(target, "SECRET")
  if (path !== target) await symlink(target, join(root, path))
  await expect((await openFolder(root)).read(path, 100)).rejects.toThrow(message)
})

test("a folder below one whose name begins with a dot is read, and a link through a chain of links is not", async () => {
  await write(".hidden/blog/a.md", "text")
  await write(".hidden/blog/.env", "SECRET")
  await symlink(".env", join(root, ".hidden/blog/b.png"))
  await symlink("b.png", join(root, ".hidden/blog/c.png"))
  const folder = await openFolder(join(root, ".hidden/blog"))
  expect((await folder.read("a.md", 100)).toString()).toBe("text")
  await expect(folder.read("c.png", 100)).rejects.toThrow(/leads to \.env/)
})

test("a folder that is itself a link is read", async () => {
  await write("a.md", "text")
  const link = join(outside, "blog")
  await symlink(root, link)
  const folder = await openFolder(link)
  expect((await folder.read("a.md", 100)).toString()).toBe("text")
})

test("links that contain themselves do not keep the list from ending", async () => {
  await write("a/b.md", "text")
  await symlink("..", join(root, "a/up"))
  await symlink("loop", join(root, "loop"))
  const folder = await openFolder(root)
  expect(folder.files).toContain("a/b.md")
  await expect(folder.read("loop", 100)).rejects.toThrow(FolderError)
})

test.each<[string, string, () => Promise<void>]>([
  ["a link to a file out of the folder", "x.md", () => symlink(join(outside, "secret.md"), join(root, "x.md"))],
  ["a file in a linked folder out of it", "x/secret.md", () => symlink(outside, join(root, "x"))],
  ["a path that goes up and into another folder", "UP/secret.md", async () => {}],
  ["an absolute path", "/etc/passwd", async () => {}],
  ["a file that is not there", "x.md", async () => {}],
  ["a folder", "x", () => write("x/y.md", "text")],
  ["the folder itself", "", async () => {}],
  [
    "a file of 2 GB",
    "x.md",
    async () => {
      await write("x.md", "x")
      await truncate(join(root, "x.md"), 2 ** 31)
    },
  ],
  ["a path with a NUL character", "x\0.md", async () => {}],
  // Opening a pipe waits for a writer, and a link hides that it is one.
  [
    "a link to a pipe",
    "x.md",
    async () => {
      execFileSync("mkfifo", [join(root, "pipe")])
      await symlink("pipe", join(root, "x.md"))
    },
  ],
])("%s is not read", async (_, path, prepare) => {
  await prepare()
  const folder = await openFolder(root)
  await expect(folder.read(path.replace("UP", `../${basename(outside)}`), 1000)).rejects.toThrow(FolderError)
})

test("a file of exactly the limit is read, and one byte more is not", async () => {
  await write("a.md", "12345")
  const folder = await openFolder(root)
  expect((await folder.read("a.md", 5)).length).toBe(5)
  await expect(folder.read("a.md", 4)).rejects.toThrow(/5 bytes/)
})

test.each([
  ["with its content", true],
  ["without its content", false],
])("a post that git-annex keeps as a link %s is listed, and says how to get it", async (_, isThere) => {
  const key = ".git/annex/objects/0G/zX/SHA256E-s9--0/SHA256E-s9--0"
  if (isThere) await write(key, "Words.")
  await mkdir(join(root, "posts"))
  for (const name of ["a.md", "a.png"]) await symlink(join("..", key), join(root, "posts", name))
  const { files, leftOut, read } = await openFolder(root)
  expect([files, leftOut]).toEqual([["posts/a.md", "posts/a.png"], []])
  for (const file of files) await expect(read(file, 100)).rejects.toMatchObject({ code: "annex_pointer" })
})
