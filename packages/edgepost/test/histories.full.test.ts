import { spawn } from "node:child_process"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { text as readAll } from "node:stream/consumers"
import { isDeepStrictEqual } from "node:util"

import { expect, inject, test } from "vitest"

import { newFolder } from "../../../test/after-file.ts"
import { API, call, newKey, origin } from "../../../test/e2e/support.ts"
import { type Report, toMarkdown } from "../src/action/report-text.ts"
import type { ListedPost } from "../src/client/index.ts"
import { sha256 } from "../src/hash.ts"
import { edgepost } from "./command.ts"
import { type History, readTree, startHistory, type Text, type TreePost } from "./histories.ts"
import { startServer } from "./proxy.ts"

// Publishes repositories at many points of histories that are drawn from seeds, and compares the service with the checkouts.

const ACTION = join(import.meta.dirname, "../src/action/main.ts")
/** `HISTORIES=200 npm run test:full -- histories` draws two hundred. The soak draws more, from a random seed on; `SEED=53 npm run test:soak -- histories -t "history 53,"` repeats one. */
const DRAWN = Number(process.env["HISTORIES"] ?? 40)
const [FIRST, COUNT] = inject("search") === "soak" ? [inject("seed"), 2000] : [0, DRAWN]
/** One of so many histories is published by the Action as a process, which takes much longer than the command line here. */
const ACTION_EVERY = 25

interface Options {
  prune: boolean
  accept: boolean
}

/** The account of a history, and a folder for files of its runs. */
type Environment = Record<"EDGEPOST_URL" | "EDGEPOST_API_KEY" | "HOME", string>

/** Publishes the checkout of a commit. @returns the summary of the Action */
type Publish = (folder: string, commit: string, options: Options) => Promise<string>

const publishHere =
  (env: Environment): Publish =>
  async (folder, _, { prune, accept }) => {
    const args = [...(prune ? ["--prune"] : []), ...(accept ? ["--accept-changes"] : [])]
    const { stdout } = await edgepost(["publish", "--json", ...args, folder], { env: { ...env, CI: "true" } })
    return toMarkdown(JSON.parse(stdout) as Report, false, env.EDGEPOST_URL, 300_000)
  }

/** Publishes by the Action, as a push to the branch or another run of an old one does. */
const publishByAction =
  ({ EDGEPOST_URL, EDGEPOST_API_KEY, HOME }: Environment, { compare }: History): Publish =>
  async (folder, commit, { prune, accept }) => {
    const compared = await compare(commit)
    const github = await startServer(() => compared)
    const [summary, event] = [`${folder}.summary.md`, `${folder}.event.json`]
    await writeFile(summary, "")
    await writeFile(event, '{ "repository": { "default_branch": "main" } }')
    const env = {
      PATH: process.env["PATH"],
      HOME,
      GITHUB_WORKSPACE: folder,
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_EVENT_PATH: event,
      GITHUB_EVENT_NAME: "push",
      GITHUB_REF: "refs/heads/main",
      GITHUB_SHA: commit,
      GITHUB_API_URL: github.origin,
      GITHUB_REPOSITORY: "ann/blog",
      EDGEPOST_INPUT_URL: EDGEPOST_URL,
      EDGEPOST_INPUT_API_KEY: EDGEPOST_API_KEY,
      EDGEPOST_INPUT_PATH: ".",
      EDGEPOST_INPUT_MODE: "auto",
      EDGEPOST_INPUT_PRUNE: `${prune}`,
      EDGEPOST_INPUT_ACCEPT_CHANGES: `${accept}`,
      EDGEPOST_INPUT_GITHUB_TOKEN: "token",
    }
    await readAll(spawn(process.execPath, [ACTION], { cwd: folder, stdio: ["ignore", "pipe", "inherit"], env }).stdout)
    await github.close()
    return readFile(summary, "utf8")
  }

/** Reads from summaries which posts stay although the folder has none of their names, and the number of those without a name. */
const readStaying = (summary: string) => {
  // Matches `posts of the folder: a, b, c and 2 more. --prune`, with the names. Does not match `One post keeps its slug`.
  const lists = [...summary.matchAll(/(?:no longer posts of the folder: |files of the folder, and stay: )(.*?)\. /g)]
  const names = lists.flatMap(([, list = ""]) => list.split(/, | and (?=\d+ more)/))
  // Matches `2 more`. Does not match a slug.
  const counts = names.map((name) => Number(/^(\d+) more$/.exec(name)?.[1] ?? 0))
  return { slugs: names.map((name) => name.replace(/ \(.*/, "")), more: counts.reduce((sum, one) => sum + one, 0) }
}

/** Reads from a summary which posts were not written. */
const readFailed = (summary: string) =>
  // Matches `| blocked | ` a ` | ` a.md ` | details |`. Does not match `| created | [` a `](https://e.x/@ann/a/) | ` a.md ` | |`.
  [...summary.matchAll(/^\| (?:blocked|failed|not reached) \| \[?` (\S+) `.*? \| (?:` (\S+) `)?/gm)].map(
    ([, slug = "", file = ""]) => ({ slug, file }),
  )

const isDone = (summary: string): boolean => summary.startsWith("### edgepost: published\n")
/** Tells whether a run only planned: the branch has a newer commit. */
const isPlan = (summary: string): boolean => summary.startsWith("### edgepost: what publishing would do\n")

/** Tells whether readers see a text. @param images those of the post on the service */
const isText = ({ title, body }: Text, there: ListedPost["texts"][string] | undefined, images: ListedPost["images"]) =>
  // Matches an image beside the posts, `boat-7.png`. Does not match one of the service, `/media/ann/blog_img/01J5.webp`.
  there?.title === title && there.body_sha256 === sha256(body.replace(/boat-\d+\.png/, images[0]?.image_url ?? ""))

/** Tells whether a post of the service has all texts of one of a checkout. */
const isSame = (post: TreePost, { texts, primary_language, images }: ListedPost): boolean =>
  isText(post, texts[primary_language], images) &&
  Object.entries(post.translations).every(([lang, text]) => isText(text, texts[lang], images))

/** Lists how the service differs from the checkouts of runs that took place at once, but for what the summaries name. */
const differences = (runs: { tree: TreePost[]; summary: string }[], posts: ListedPost[]): string[] => {
  const said = runs.map(({ summary }) => summary).join("\n")
  const staying = readStaying(said)
  const failed = runs.map(({ summary }) => readFailed(summary))
  const named = new Set([...staying.slugs, ...failed.flat().map(({ slug }) => slug)])
  const lost = (runs[0]?.tree ?? []).filter(({ file }) => {
    const versions = runs.flatMap(({ tree }) => tree.find((post) => post.file === file) ?? [])
    if (versions.length < runs.length || failed.every((rows) => rows.some((row) => row.file === file))) return false
    return !versions.some((one) => posts.some((post) => isSame(one, post) && (post.status === "PB" || one.isDraft)))
  })
  const files = new Set<string>()
  const others: string[] = []
  for (const { slug, ...post } of posts.filter((one) => one.status === "PB" && !named.has(one.slug))) {
    const same = runs.flatMap(({ tree }) => tree.filter((one) => !one.isDraft && isSame(one, { slug, ...post })))
    // Two commits may give one text two names.
    const found = same.find(({ file }) => !files.has(file))
    if (!found) others.push(slug)
    else files.add(found.file)
    const translations = Object.keys(post.texts).filter((lang) => lang !== post.primary_language)
    const untold = translations.filter((lang) => !said.includes(`${slug} (${lang})`))
    others.push(...untold.filter((lang) => found && same.every((one) => !one.translations[lang])))
  }
  return [
    ...lost.map(({ file }) => `${file} is lost.`),
    ...(others.length > staying.more ? [`Public without a word: ${others.join(", ")}.`] : []),
  ]
}

const seeds = Array.from({ length: COUNT }, (_, i) => FIRST + i)

test.concurrent.each(seeds)(
  "after each run of history %i, the service and the checkout agree, or the summary names the difference",
  async (seed) => {
    const outside = await newFolder()
    const folder = join(outside, "blog")
    await mkdir(folder)
    const history = await startHistory(seed, folder)
    const { below, pick, listCommits, step, checkOut } = history
    const key = await newKey(`history-${seed}`)
    const env = { EDGEPOST_URL: origin, EDGEPOST_API_KEY: key, HOME: outside }
    const isAction = seed % ACTION_EVERY === 0
    const publish = isAction ? publishByAction(env, history) : publishHere(env)
    const log = [`Seed ${seed}, ${isAction ? "by the Action" : "by the command line"}`]
    let posts: ListedPost[] = []

    /** Publishes commits at once, and expects the service to be as they are. @returns whether something was written */
    const run = async (commits: string[], options: Options): Promise<boolean> => {
      log.push(`Run of ${commits.join(" and ")} with ${JSON.stringify(options)}`)
      const folders: string[] = []
      // Git adds one worktree after another.
      for (const [i, one] of commits.entries()) folders.push(i === 0 && one === "HEAD" ? folder : await checkOut(one))
      const summaries = await Promise.all(folders.map((path, i) => publish(path, commits[i] ?? "", options)))
      log.push(...summaries)
      const before = posts
      posts = (await call("GET", `${API}/posts/?limit=100`, { headers: { "X-API-KEY": key } })).json.posts
      const isWritten = !isDeepStrictEqual(posts, before)
      const [branch, ...trees] = await Promise.all([folder, ...folders].map(readTree))
      const runs = summaries.map((summary, i) => ({ summary, tree: trees[i] ?? [], commit: commits[i] }))
      const done = runs.filter(({ summary }) => isDone(summary))
      const problems = [
        ...(done.length > 0 ? differences(done, posts) : isWritten ? ["A run that published nothing wrote."] : []),
        ...runs.flatMap(({ summary, tree, commit }) => {
          if (isPlan(summary)) return commit === "HEAD" ? ["The newest commit was only planned."] : []
          if (!isDone(summary) && !summary.includes("This run would ")) return ["A run ended with an error."]
          return isAction && !isDeepStrictEqual(tree, branch) ? ["The Action published an older commit."] : []
        }),
      ]
      expect(problems, log.join("\n")).toEqual([])
      return isWritten
    }

    const prune = pick([true, false])
    await run(["HEAD"], { prune, accept: false })
    for (let i = 2 + below(3); i > 0; i -= 1) {
      const kind = pick(["head", "head", "head", "head", "head", "old", "two"])
      if (kind !== "old") for (let j = 1 + below(2); j > 0; j -= 1) log.push(await step())
      const other = pick(["HEAD", pick(await listCommits())])
      const commits = { head: ["HEAD"], old: [other], two: ["HEAD", other] }[kind] ?? []
      await run(commits, { prune, accept: pick([true, false]) })
    }
    await run(["HEAD"], { prune: true, accept: true })
    const isHeld = log.at(-1)?.includes("publish once more")
    const isWritten = await run(["HEAD"], { prune: true, accept: true })
    expect(isWritten && !isHeld, log.join("\n")).toBe(false)
  },
)
