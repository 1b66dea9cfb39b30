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

test("a folder lists its files sorted, without node_modules and dot folders", async () => {
  for (const path of ["b.md", "a/z.md", "a/b/c.png", "node_modules/x.md", "a/node_modules/x.md", ".git/x.md"])
    await write(path, path)
  const { files } = await openFolder(root)
  expect(files).toEqual(["a/b/c.png", "a/z.md", "b.md"])
})

test("a file is read through a link that stays in the folder", async () => {
  await write("a/b.md", "text")
  await symlink("a/b.md", join(root, "link.md"))
  const folder = await openFolder(root)
  expect(folder.files).toContain("link.md")
  expect((await folder.read("link.md", 100)).toString()).toBe("text")
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
