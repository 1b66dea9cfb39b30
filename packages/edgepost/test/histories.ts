import { execFile } from "node:child_process"
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"

import { randomFrom } from "../../../test/random.ts"
import { draw, write } from "./blogs.ts"

// Draws the history of a blog's repository from a seed, and makes it with Git.

const execute = promisify(execFile)

export interface Text {
  title: string
  body: string
}

/** A post of a checkout, as its files have it. */
export interface TreePost extends Text {
  file: string
  isDraft: boolean
  /** Translations made by hand, by BCP 47 code. */
  translations: Record<string, Text>
}

// Matches a translation `rope.fr.md`. Does not match `rope.md`.
const FRENCH = /\.fr\.md$/
// Matches what all bodies begin with, `Words 7-1`. Does not match `Words follow`.
const WORDS = /Words [\d-]+/

/** Returns the name of the post to whose files a file belongs: `rope` of `rope.md` and `rope.fr.md`. */
const stemOf = (file: string): string => file.replace(/(?:\.fr)?\.md$/, "")

const readText = async (path: string): Promise<Text & { head: string }> => {
  // Matches `---`, the fields, `---`, and the body. Does not match a body alone.
  const [, head = "", body = ""] = /^---\n(.*?)---\n(.*)$/s.exec(await readFile(path, "utf8")) ?? []
  return { head, title: /^title: (.*)$/m.exec(head)?.[1] ?? "", body }
}

const readNames = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith(".md")).toSorted()

/** Reads the posts of a checkout without the product. */
export const readTree = async (folder: string): Promise<TreePost[]> => {
  const names = await readNames(folder)
  // A translation whose post has another name is a post.
  const sources = names.filter((name) => !FRENCH.test(name) || !names.includes(`${stemOf(name)}.md`))
  return Promise.all(
    sources.map(async (file) => {
      const { head, title, body } = await readText(join(folder, file))
      const french = `${stemOf(file)}.fr.md`
      const translations: Record<string, Text> = {}
      if (file !== french && names.includes(french)) translations["fr"] = await readText(join(folder, french))
      return { file, title, body, isDraft: head.includes("draft: true"), translations }
    }),
  )
}

const turnDraft = (text: string): string =>
  text.includes("draft: true\n") ? text.replace("draft: true\n", "") : text.replace("---\n", "---\ndraft: true\n")

/** Makes a repository with a blog in an empty folder. @returns what changes it and looks at it */
export const startHistory = async (seed: number, folder: string) => {
  const random = randomFrom(seed)
  const below = (count: number): number => Math.floor(random() * count)
  const pick = <T>(all: T[]): T => all[below(all.length)] as T
  let count = 0
  const next = (): string => `${seed}-${(count += 1)}`

  const run = async (command: string, args: string[]): Promise<string> => {
    const date = `2024-02-01T${String(below(24)).padStart(2, "0")}:00:00Z`
    const env = { PATH: process.env["PATH"], HOME: folder, GIT_CONFIG_NOSYSTEM: "1" }
    const names = ["AUTHOR", "COMMITTER"].flatMap((who) => [
      [`GIT_${who}_NAME`, "Ann"],
      [`GIT_${who}_EMAIL`, "ann@example.com"],
      [`GIT_${who}_DATE`, date],
    ])
    return (await execute(command, args, { cwd: folder, env: { ...env, ...Object.fromEntries(names) } })).stdout.trim()
  }
  const git = (...args: string[]): Promise<string> => run("git", args)
  // Starting processes takes most of the time of the test.
  const commit = (message: string): Promise<string> =>
    run("sh", ["-ec", 'git add --all; git commit --quiet --allow-empty --message "$0"', message])

  const rewrite = (text: string): string => text.replace(WORDS, `Words ${next()}`)
  const retitle = (text: string): string => text.replace(/^title: .*$/m, `title: Rope ${next()}`)
  const reslug = (text: string): string =>
    text.replace(/^(?:slug: .*\n)?(?=date: |---\n\n)/m, `slug: sheet-${next()}\n`)
  const change = async (files: string[], edit: (text: string) => string): Promise<string> => {
    const file = pick(files)
    await writeFile(join(folder, file), edit(await readFile(join(folder, file), "utf8")))
    return file
  }
  const move = async (files: string[], from: string, to: string): Promise<string> => {
    for (const file of files) await rename(join(folder, file), join(folder, file.replace(from, to)))
    return `${files.join(", ")}: ${to}`
  }
  const filesOf = async (stem: string): Promise<string[]> =>
    (await readNames(folder)).filter((file) => stemOf(file) === stem)
  const readSources = async (): Promise<string[]> => (await readNames(folder)).filter((file) => !FRENCH.test(file))

  /** Writes a new post. @returns its file */
  const add = async (): Promise<string> => {
    const title = pick([`Rope ${next()}`, `Rope ${next()}`, `Notes ${seed}`])
    const day = `2024-01-0${1 + below(4)}`
    const [name, fields] = pick([
      ["", `slug: sheet-${next()}\ndate: ${day}\n`],
      ["", `date: ${day}\n`],
      [`${day}-`, ""],
      // Its date is that of its first commit.
      ["", ""],
    ])
    const stem = `${name}rope-${next()}`
    const image = below(4) === 0 ? `\n\n![A boat](boat-${seed}.png)` : ""
    const body = rewrite("Words 0 of ropes, sails and the sea.")
    await write(join(folder, `${stem}.md`), `---\ntitle: ${title}\n${fields}---\n\n${body}${image}\n`)
    const french = `---\ntitle: ${title} en français\n---\n\n${rewrite(body)}\n`
    if (below(4) === 0) await write(join(folder, `${stem}.fr.md`), french)
    return `${stem}.md`
  }
  /** Returns a number of the last commits, not the first one of all. */
  const drawBack = async (): Promise<number> =>
    Math.min(1 + below(3), Number(await git("rev-list", "--count", "HEAD")) - 1)

  const STEPS: Record<string, () => Promise<string>> = {
    add,
    edit: async () => change(await readNames(folder), rewrite),
    retitle: async () => change(await readSources(), retitle),
    slug: async () => change(await readSources(), reslug),
    draft: async () => change(await readSources(), turnDraft),
    delete: async () => {
      if ((await readSources()).length < 3) return `nothing, but add ${await add()}`
      const file = pick(await readNames(folder))
      await rm(join(folder, file))
      if (below(2) === 0) await rm(join(folder, `${stemOf(file)}.fr.md`), { force: true })
      return file
    },
    rename: async () => {
      const file = pick(await readSources())
      const edit = pick([rewrite, reslug, null, null])
      if (edit) await change([file], edit)
      return move(pick([[file], await filesOf(stemOf(file))]), stemOf(file), `cable-${next()}`)
    },
    case: async () => {
      const stem = stemOf(pick(await readSources()))
      const upper = stem.replace(/[a-z]/, (letter) => letter.toUpperCase())
      return move(await filesOf(stem), stem, upper === stem ? stem.toLowerCase() : upper)
    },
    split: async () => {
      const file = pick(await readSources())
      const to = `${stemOf(file)}-${next()}.md`
      // Some authors copy the whole head.
      const head = pick([/^slug: .*\n/m, /^(?:slug|date): .*\n/gm])
      const half = rewrite((await readFile(join(folder, file), "utf8")).replace(head, ""))
      await write(join(folder, to), pick([half, retitle(half)]))
      await change([file], (text) => text.replace(/ of ropes.*$/m, " of ropes."))
      return `${file}, ${to}`
    },
    squash: async () => {
      const back = await drawBack()
      await git("reset", "--quiet", "--soft", `HEAD~${back}`)
      return `${back}`
    },
    revert: async () => {
      const back = await drawBack()
      if (back > 0)
        await git("revert", "--no-commit", `HEAD~${back - 1}`).catch(async () => {
          await git("reset", "--quiet", "--hard")
          await git("revert", "--no-commit", "HEAD")
        })
      return `${back}`
    },
    "force push": async () => {
      const back = await drawBack()
      await git("reset", "--quiet", "--hard", `HEAD~${back}`)
      return `${back}, and edit ${await change(await readNames(folder), rewrite)}`
    },
  }

  await git("init", "--quiet", "--template=", "--initial-branch=main")
  await write(join(folder, "edgepost.config.yaml"), `category: Sea\nsource: history-${seed}\n`)
  await write(join(folder, `boat-${seed}.png`), await draw("boat.png", 20, 20, seed % 256))
  for (let i = 3 + below(4); i > 0; i -= 1) await add()
  await commit("start")

  return {
    below,
    pick,
    /** Lists all commits, the oldest first, also those that no branch has any more. */
    listCommits: async (): Promise<string[]> => (await git("rev-list", "--reflog", "--reverse")).split("\n"),
    /** Changes the repository by a commit. @returns what was done */
    step: async (): Promise<string> => {
      const [name, act] = pick(Object.entries(STEPS))
      const done = `${name}: ${await act()}`
      await commit(name)
      return done
    },
    /** Compares a commit with the branch, as GitHub does. */
    compare: async (hash: string) => {
      const counts = await git("rev-list", "--left-right", "--count", `${hash}...main`)
      const [own, newer] = counts.split("\t").map((one) => one !== "0")
      const files = (await git("diff", "--name-only", `${hash}...main`)).split("\n").filter((file) => file !== "")
      const status = own ? (newer ? "diverged" : "behind") : newer ? "ahead" : "identical"
      return { status, files: files.map((filename) => ({ filename })) }
    },
    /** Checks out a commit beside the repository. @returns the folder */
    checkOut: async (hash: string): Promise<string> => {
      const path = join(folder, "..", `checkout-${next()}`)
      await git("worktree", "add", "--quiet", "--detach", path, hash)
      return path
    },
  }
}

export type History = Awaited<ReturnType<typeof startHistory>>
