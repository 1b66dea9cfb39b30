import { execFileSync } from "node:child_process"
import { mkdir, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"

import { describe, expect, test } from "vitest"

import { newFolder } from "../../../../test/after-file.ts"
import { findFirst } from "../../src/folder/commit-dates.ts"
import { openFolder } from "../../src/folder/files.ts"
import { readPosts } from "../../src/folder/posts.ts"
import { readTool } from "../../src/tools/index.ts"
import { OPTIONS } from "./folder.ts"

const NOTE = `---\ntitle: A\n---\n\n${"Some words of a note.\n".repeat(9)}`

/** Runs Git in a folder. @param day of the author */
const git = (cwd: string, day: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], {
    cwd,
    env: { ...process.env, GIT_AUTHOR_DATE: `${day}T10:00:00+02:00` },
    encoding: "utf8",
  })

const commit = (cwd: string, day: string): void => {
  git(cwd, day, "add", "-A")
  git(cwd, day, "commit", "-qm", day)
}

/** Lists each file of a folder with its date, or that it is a page or undated. */
const datesOf = async (path: string): Promise<string[]> => {
  const folder = await openFolder(path)
  const { all, isShallow } = await readPosts(folder, { ...OPTIONS, settings: await readTool(folder, null) })
  const state = all.map(
    ({ source, published_at, isPage, isUndated }) =>
      `${source.file} ${published_at?.slice(0, 16) ?? (isPage ? "page" : isUndated ? "undated" : "today")}`,
  )
  return [...state, ...(isShallow ? ["shallow"] : [])]
}

describe("a note without a date has that of the first commit with it", () => {
  test("through renames, in a folder of a repository, and not in a shallow clone", async () => {
    const top = await newFolder()
    const path = join(top, "vault")
    await mkdir(path)
    git(top, "2020-01-01", "init", "-q")
    await writeFile(join(path, "a.md"), NOTE)
    await writeFile(join(path, "draft.md"), NOTE.replace("title: A", "title: B\ndraft: true"))
    await writeFile(join(top, "outside.md"), NOTE)
    commit(top, "2020-01-02")
    await rename(join(path, "a.md"), join(path, "b é.md"))
    commit(top, "2021-01-02")
    await writeFile(join(path, "a.md"), NOTE.replace("title: A", "title: A\ndate: 2019-05-05"))
    await writeFile(join(path, "c.md"), `${NOTE}\nAnd others.`)
    commit(top, "2022-01-02")
    await writeFile(join(path, "d.md"), NOTE)
    const dated = ["a.md 2019-05-05T00:00", "b é.md 2020-01-02T08:00", "c.md 2022-01-02T08:00"]
    expect(await datesOf(path)).toEqual([...dated, "d.md undated", "draft.md undated"])
    const clone = await newFolder()
    git(clone, "2022-01-03", "clone", "-q", "--depth", "1", `file://${top}`, "clone")
    const undated = ["a.md 2019-05-05T00:00", "b é.md undated", "c.md undated", "draft.md undated", "shallow"]
    expect(await datesOf(join(clone, "clone/vault"))).toEqual(undated)
  })

  test("but where a tool makes the blog it is a page, unless the tool asks Git as well", async () => {
    const top = await newFolder()
    git(top, "2020-01-01", "init", "-q")
    const write = async (file: string, text: string) => {
      await mkdir(join(top, file, ".."), { recursive: true })
      await writeFile(join(top, file), text)
    }
    await write("hugo/hugo.toml", 'baseURL = "https://old.example/"\n')
    await write("hugo/content/posts/a.md", NOTE)
    await write("docusaurus/docusaurus.config.js", "")
    await write("docusaurus/blog/a.md", NOTE)
    await write("docusaurus/src/pages/b.md", NOTE)
    await write("eleventy/eleventy.config.js", "")
    await write("eleventy/a.md", NOTE.replace("title: A", "title: A\ndate: git Created"))
    await write("eleventy/b.md", NOTE)
    await write("hexo/_config.yml", "source_dir: source\n")
    await write("hexo/source/_posts/a.md", NOTE)
    await write("hexo/source/about/index.md", NOTE)
    commit(top, "2020-01-02")
    expect(await datesOf(join(top, "hugo"))).toEqual(["content/posts/a.md page"])
    expect(await datesOf(join(top, "docusaurus"))).toEqual(["blog/a.md 2020-01-02T08:00", "src/pages/b.md page"])
    expect(await datesOf(join(top, "eleventy"))).toEqual(["a.md 2020-01-02T08:00", "b.md page"])
    expect(await datesOf(join(top, "hexo"))).toEqual([
      "source/_posts/a.md 2020-01-02T08:00",
      "source/about/index.md page",
    ])
    const clone = await newFolder()
    git(clone, "2022-01-03", "clone", "-q", "--depth", "1", `file://${top}`, "clone")
    const shallow = (name: string): Promise<string[]> => datesOf(join(clone, "clone", name))
    expect(await shallow("docusaurus")).toEqual(["blog/a.md undated", "src/pages/b.md page", "shallow"])
    expect(await shallow("hexo")).toEqual(["source/_posts/a.md undated", "source/about/index.md page", "shallow"])
    expect(await shallow("hugo")).toEqual(["content/posts/a.md page"])
  })

  test("outside of a repository nothing dates it", async () => {
    const path = await newFolder()
    await writeFile(join(path, "a.md"), NOTE)
    expect(await datesOf(path)).toEqual(["a.md undated"])
  })
})

test.each<[what: string, log: string[], dates: Record<string, number>]>([
  ["an added file", ["5", "\nA", "a", ""], { a: 5000 }],
  ["a file called A", ["5", "\nA", "A", "A", "a", ""], { a: 5000 }],
  ["a renamed file", ["9", "\nR100", "b", "a", "\u00015", "\nA", "b", ""], { a: 5000 }],
  ["a file in the place of a renamed one", ["9", "\nR090", "a", "b", "A", "a", "\u00015", "\nA", "a", ""], { a: 9000 }],
  ["a file that was gone for a while", ["9", "\nA", "a", "\u00015", "\nA", "a", ""], { a: 5000 }],
  ["no commit", [""], {}],
])("%s has the time of its commit", (_, log, dates) => {
  expect(Object.fromEntries(findFirst(log.join("\0"), ["a"]))).toEqual(dates)
})

const remarksOf = async (path: string): Promise<string[]> => (await readPosts(await openFolder(path), OPTIONS)).remarks

const ignored = (count: number, names: string): string =>
  `Git ignores ${count} of the posts' files, which other checkouts do not have: ${names}.`

test("posts that Git ignores are named, also in a folder that it ignores, and not once they are committed", async () => {
  const top = await newFolder()
  const files = [
    "a.md",
    "top.md",
    "x/b.md",
    "x/c.local.md",
    "x/d.local.md",
    "x/top.md",
    "x/private/e.md",
    "x/private/y/f.md",
  ]
  for (const file of files) {
    await mkdir(join(top, file, ".."), { recursive: true })
    await writeFile(join(top, file), NOTE)
  }
  await writeFile(join(top, ".gitignore"), "private/\n*.local.md\n/top.md\n!c.local.md\n")
  await writeFile(join(top, "x/.gitignore"), "b.md")
  await writeFile(join(top, "x/private/.gitignore"), "")
  expect(await remarksOf(top)).toEqual([])
  git(top, "2020-01-01", "init", "-q")
  git(top, "2020-01-01", "add", "-f", "top.md")
  expect(await remarksOf(top)).toEqual([ignored(4, "x/b.md, x/d.local.md, x/private/e.md and 1 more")])
  expect(await remarksOf(join(top, "x/private"))).toEqual([ignored(2, "e.md, y/f.md")])
})
