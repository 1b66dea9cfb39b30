import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"

import { afterEach, beforeEach, expect, test } from "vitest"

import { FolderError, openFolder } from "../../src/folder/files.ts"

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
