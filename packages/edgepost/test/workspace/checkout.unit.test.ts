import { execFileSync } from "node:child_process"
import { cp, mkdir, realpath, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"

import { beforeAll, expect, test } from "vitest"

import { newFolder } from "../../../../test/after-file.ts"
import { whyIncomplete } from "../../src/workspace/checkout.ts"
import { git as runGit } from "../../src/workspace/git.ts"

const SETTINGS = [
  "user.name=Ann",
  "user.email=ann@blog.example",
  "protocol.file.allow=always",
  "advice.detachedHead=false",
]

let base: string

/** Runs Git in a folder below the one of the tests. */
const git = (folder: string, ...args: string[]): void => {
  const env = { PATH: process.env["PATH"] ?? "", HOME: base, GIT_CONFIG_NOSYSTEM: "1" }
  const settings = SETTINGS.flatMap((setting) => ["-c", setting])
  execFileSync("git", [...settings, ...args], { cwd: join(base, folder), env, stdio: "pipe" })
}

const put = async (files: Record<string, string>): Promise<void> => {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(base, path, ".."), { recursive: true })
    await writeFile(join(base, path), text)
  }
}

const commitAll = (folder: string): void => {
  git(folder, "add", "-A")
  git(folder, "commit", "-q", "-m", "A")
}

beforeAll(async () => {
  base = await realpath(await newFolder())
  for (const name of ["notes", "blog"]) await put({ [`${name}/first.md`]: "A", [`${name}/posts/Über uns.md`]: "B" })
  await put({ "blog/docs/deep/c.md": "C" })
  for (const name of ["notes", "blog"]) {
    git(name, "init", "-q", "-b", "main")
    git(name, "config", "uploadpack.allowFilter", "true")
    commitAll(name)
    await put({ [`${name}/second.md`]: "D" })
    commitAll(name)
  }
  git("", "clone", "-q", "blog", "with-submodule")
  git("with-submodule", "submodule", "--quiet", "add", `file://${join(base, "notes")}`, "content/notes")
  commitAll("with-submodule")
})

const clone = (name: string, from: string, ...options: string[]): void =>
  git("", "clone", "-q", ...options, `file://${join(base, from)}`, name)

/** Each makes a checkout with the name that it gets. */
const CHECKOUTS: [what: string, why: RegExp | null, make: (name: string) => void | Promise<void>, root?: string][] = [
  ["a clone", null, (name) => clone(name, "blog")],
  ["a folder of a clone", null, (name) => clone(name, "blog"), "posts"],
  ["a new repository", null, (name) => git("", "init", "-q", name)],
  ["a shallow clone", /^the clone is shallow\. .*fetch-depth: 0/, (name) => clone(name, "blog", "--depth=1")],
  ["a partial clone", /^the clone is partial/, (name) => clone(name, "blog", "--filter=blob:none")],
  [
    "a sparse checkout",
    /^the checkout is sparse: docs\/deep\/c\.md is not there/,
    (name) => {
      clone(name, "blog")
      git(name, "sparse-checkout", "set", "posts")
    },
  ],
  [
    "a sparse checkout whose index has folders",
    /^the checkout is sparse: docs\/deep\/c\.md is not there/,
    (name) => {
      clone(name, "blog")
      git(name, "sparse-checkout", "set", "--sparse-index", "posts")
    },
  ],
  [
    "a sparse checkout without patterns of folders",
    /^the checkout is sparse: docs\/deep\/c\.md and 2 more are not there/,
    (name) => {
      clone(name, "blog")
      git(name, "sparse-checkout", "set", "--no-cone", "/posts/")
    },
  ],
  [
    "a sparse checkout that has all of the folder",
    null,
    (name) => {
      clone(name, "blog")
      git(name, "sparse-checkout", "set", "posts")
    },
    "posts",
  ],
  [
    "a sparse checkout that was made whole",
    null,
    (name) => {
      clone(name, "blog")
      git(name, "sparse-checkout", "set", "posts")
      git(name, "sparse-checkout", "disable")
    },
  ],
  [
    "a file that Git is told to leave alone",
    /^the checkout is sparse: posts\/Über uns\.md is not there/,
    (name) => {
      clone(name, "blog")
      git(name, "update-index", "--skip-worktree", "posts/Über uns.md")
    },
  ],
  [
    "a submodule that is not there",
    /^the submodule content\/notes is not there/,
    (name) => clone(name, "with-submodule"),
  ],
  ["a submodule that is", null, (name) => clone(name, "with-submodule", "--recurse-submodules")],
  ["a submodule outside of the folder", null, (name) => clone(name, "with-submodule"), "posts"],
  ["a submodule as the folder", null, (name) => clone(name, "with-submodule", "--recurse-submodules"), "content/notes"],
  [
    "a shallow submodule",
    /^the clone is shallow/,
    (name) => clone(name, "with-submodule", "--recurse-submodules", "--shallow-submodules"),
  ],
  [
    "a worktree of a shallow clone",
    /^the clone is shallow/,
    (name) => {
      clone(`${name} of`, "blog", "--depth=1")
      git(`${name} of`, "worktree", "add", "-q", "--detach", join(base, name))
    },
  ],
  [
    "a repository that Git cannot read",
    /^Git cannot read the repository: fatal: not a git repository/,
    (name) => put({ [`${name}/.git`]: "gitdir: ../gone\n" }),
  ],
  [
    "a folder that is no repository",
    null,
    (name) => cp(join(base, "blog/posts"), join(base, name), { recursive: true }),
  ],
  [
    "an archive of a repository with a submodule",
    /^the submodule content\/notes is not there/,
    async (name) => {
      clone(name, "with-submodule")
      await rm(join(base, name, ".git"), { recursive: true })
    },
  ],
]

test.each(CHECKOUTS)("%s may lack files: %s", async (what, why, make, root = "") => {
  await make(what)
  const said = await whyIncomplete(join(base, what, root), false)
  expect(said ?? "null").toMatch(why ?? /^null$/)
})

test("a folder without .git lacks files where a checkout is expected", async () => {
  await put({ "archive/a.md": "A" })
  expect(await whyIncomplete(join(base, "archive"), true)).toMatch(/^there is no `\.git` here/)
  expect(await whyIncomplete(join(base, "blog/posts"), true)).toBeNull()
})

test("Git of a folder asks no other machine, whatever its settings say", async () => {
  const said = await runGit(base, "-c", "alias.surroundings=!env", "surroundings")
  expect(said.split("\n")).toEqual(expect.arrayContaining(["GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1"]))
})
