import { execFileSync } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { Failure } from "../../../../../scripts/cli.ts"
import { type Service, startService } from "../../../../../test/e2e/child.ts"
import { newRepository } from "./author.ts"
import { CASES, type Case, type Run, type Seen } from "./cases.ts"
import { type GitHub, startGitHub } from "./server.ts"
import { findCheckout, newRunner } from "./workspace.ts"

// Lets actions/checkout check repositories out, publishes them by the Action, and compares with what the contract says.

const ANSWERS = join(import.meta.dirname, "answers.txt")
const WORKERS = 3
const TOOLS = ["git", "git-lfs", "git-annex", "git-crypt"]

/** Kinds of what is said about a run, by a part of the sentence. */
const KINDS: [kind: string, sentence: RegExp][] = [
  ["PREVIEW LINK", /\/preview\//],
  ["SECRET", /SECRET/],
  ["GitHub was not asked", /could not be asked/],
  ["LFS pointer", /pointer of Git LFS/],
  ["a newer commit publishes", /newer commit, which publishes/],
  ["annex pointer", /git-annex/],
  ["configuration missing", /which may hide posts/],
  ["link as text", /path of a (?:symbolic )?link/],
  ["no .git", /no `\.git`/],
  ["encrypted", /encrypted by git-crypt/],
  ["partial", /clone is partial/],
  // Matches the row `| removed | a |` and the line `removed     a`. Does not match `removed and`.
  ["post goes", /^(?:\| removed? \||removed? {2})/m],
  ["post stays", /Still on the service/],
  ["shallow", /clone is shallow/],
  ["sparse", /checkout is sparse/],
  ["submodule missing", /the submodule \S+ is not there/],
  // Matches `This is a plan: idea is not main.` Does not match `This is a plan: main has a newer commit, which publishes.`
  ["why it is a plan", /This is a plan: (?!.* newer commit)/],
]

/** Lists what was said, and where if not everywhere. */
const saidIn = (texts: Record<string, string>): string[] =>
  KINDS.flatMap(([kind, sentence]) => {
    const places = Object.keys(texts).filter((place) => sentence.test(texts[place] ?? ""))
    if (places.length === 0) return []
    return places.length === Object.keys(texts).length ? [kind] : [`${kind} (only ${places.join(", ")})`]
  })

const MODES: [mode: Seen["mode"], title: RegExp][] = [
  ["plan", /what publishing would do/],
  ["publish", /edgepost: published/],
]

/** Reads the numbers of the outputs, but for zeros. */
const readCounts = (output: string): string =>
  [...output.matchAll(/^(created|updated|unchanged|blocked)<<(.+)\n([1-9]\d*)\n\2$/gm)]
    .map(([, what, , count]) => `${count} ${what}`)
    .join(", ")

/** Returns the words of a post's HTML. */
const wordsOf = (html: string): string =>
  html
    .replaceAll(/<img[^>]*>/g, "[image]")
    .replaceAll(/(?:<[^>]*>|\s)+/g, " ")
    .trim()

const newAccount = async ({ origin, operatorToken }: Service, name: string, suffix: string) => {
  const send = async (method: string, path: string, more: Record<string, string>, body?: object): Promise<string> => {
    const headers = { ...more, Connection: "close" }
    return (await fetch(`${origin}/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })).text()
  }
  const operator = { Authorization: `Bearer ${operatorToken}` }
  const fields = { paid_until: "2099-01-01T00:00:00Z", translation_languages: [] }
  await send("PATCH", `operator/api/accounts/${name}/`, operator, fields)
  const made = await send("POST", `operator/api/accounts/${name}/keys/`, operator)
  const { api_key: key } = JSON.parse(made) as { api_key: string }
  const get = (path: string) => send("GET", path, { "X-API-KEY": key })
  const api = "api/blogcontroller/posts/"
  /** Reads all posts, and what anybody sees of the blog. */
  const read = async () => {
    const { posts } = JSON.parse(await get(`${api}?limit=100`)) as { posts: { slug: string; status: string }[] }
    const found: Seen["posts"] = {}
    let shown = `${await send("GET", `@${name}/`, {})}${await send("GET", `@${name}/feed.atom`, {})}`
    for (const { slug, status } of posts) {
      const { post } = JSON.parse(await get(`${api}${slug}/`)) as { post: { html: string } }
      found[slug.replace(suffix, "")] = status === "PB" ? wordsOf(post.html) : "draft"
      shown += await send("GET", `@${name}/${slug}/`, {})
    }
    return { posts: found, shown }
  }
  return { key, read }
}

const requireDone = ({ code, log }: { code: number; log: string }): void => {
  if (code !== 0) throw new Failure(`A step ended with ${code}:\n${log}`)
}

/** Runs a case. @param number gives its account, its repositories and its posts their names */
const judge = async (one: Case, number: number, root: string, service: Service, github: GitHub): Promise<Seen> => {
  const name = `git-${number}`
  const suffix = `-${number}`
  const more = (repository: string) => newRepository(join(root, "repositories", name, repository), suffix)
  const blog = more("blog")
  const account = await newAccount(service, name, suffix)
  /** Runs a workflow: the checkouts, then the Action. */
  const runAll = async (run: Run, sha: string) => {
    const { event = "push", ref = "refs/heads/main", checkouts = [{}], script, hasGit = true, gitconfig = "" } = run
    const payload = event === "schedule" ? {} : { repository: { default_branch: "main" } }
    const setting = { github: github.origin, repository: `${name}/blog`, event, ref, sha, hasGit, gitconfig }
    const folder = await mkdtemp(join(root, "runner-"))
    const runner = newRunner(folder, { ...setting, payload: { ...payload, ...run.payload } })
    for (const given of checkouts) {
      const inputs = Object.entries(given).map(([input, value]) => [input, value.replace("CASE", name)])
      requireDone(await runner.checkOut(Object.fromEntries(inputs)))
    }
    if (script !== undefined)
      requireDone(await runner.runScript(script.replace("AUTHOR", join(root, "repositories", name, "blog"))))
    return runner.publish({ url: service.origin, "api-key": account.key, ...run.inputs })
  }
  if (one.old)
    requireDone(await runAll({ checkouts: [{ "fetch-depth": "0" }], ...one.oldRun }, blog.commit(one.old, one.setUp)))
  const before = (await account.read()).posts
  const sha = one.change?.(blog, more) ?? blog.run("git rev-parse HEAD")
  if (one.silent) github.silent.add(name)
  const { code, log, output, summary } = await runAll(one, sha)
  const comment = github.comments.get(name)
  if (process.env["KEEP"] !== undefined) console.log(`--- ${number}\n${log}\n${summary}\n${comment}`)
  const { posts, shown } = await account.read()
  for (const slug of Object.keys(before)) posts[slug] ??= "removed"
  const secrets = KINDS.slice(0, 2).filter(([, sentence]) => sentence.test(`${shown}${output}`))
  return {
    code,
    mode: MODES.find(([, title]) => title.test(summary))?.[0] ?? "not done",
    counts: readCounts(output),
    posts,
    says: [
      ...secrets.map(([kind]) => `${kind} PUBLIC`),
      ...saidIn({ log, summary, ...(comment !== undefined && { comment }) }),
    ],
  }
}

/** Returns what was seen as lines. */
const show = ({ code, mode, counts, posts, says }: Seen): string => {
  const words = Object.entries(posts).map(([slug, text]) => `${slug}: ${text}`)
  const lines = [`${mode}, exit ${code}, ${counts}`, words.toSorted().join("; "), says.toSorted().join("; ")]
  return lines.map((line) => `  ${line}`.trimEnd()).join("\n")
}

const readVersions = async (): Promise<string> => {
  const { version } = JSON.parse(await readFile(join(findCheckout(), "package.json"), "utf8")) as { version: string }
  const query = ["-W", "-f", "${Package} ${Version}, ", ...TOOLS]
  return `${execFileSync("dpkg-query", query, { encoding: "utf8" })}actions/checkout ${version}`
}

/** Runs the cases, and writes the answers if these are all. @param words parts of the names of cases @throws Failure if there are other differences */
export const judgeGit = async (words: string[]): Promise<void> => {
  const versions = await readVersions()
  const isAsked = ({ name }: Case) => words.length === 0 || words.some((word) => name.includes(word))
  const asked = [...CASES.entries()].filter(([, one]) => isAsked(one))
  const counts = { equal: 0, wanted: 0, other: 0 }
  const texts: string[] = []
  const root = await mkdtemp(join(tmpdir(), "edgepost-git-"))
  const service = await startService("UPLOADS_PER_MINUTE:1000")
  const github = await startGitHub(join(root, "repositories"))
  const queue = asked.values()
  const work = async (): Promise<void> => {
    for (const [number, one] of queue) {
      const seen = await judge(one, number, root, service, github).then(show, String)
      const expected = show(one.expected)
      const wanted = one.differs && show({ ...one.expected, ...one.differs.seen })
      const verdict = seen === expected ? "equal" : seen === wanted ? "wanted" : "other"
      counts[verdict] += 1
      const rest = verdict === "equal" ? "" : `\n  ${one.differs?.reason ?? ""} Expected:\n${expected}`
      const { event = "push", inputs: { path = ".", prune = "false" } = {} } = one
      texts[number] = `${one.name} (${event}, path ${path}, prune ${prune}): ${verdict}\n${seen}${rest}\n`
    }
  }
  try {
    await Promise.all(Array.from({ length: WORKERS }, work))
  } finally {
    github.close()
    await service.stop()
    await rm(root, { recursive: true })
  }
  const sums = `${asked.length} cases: ${counts.equal} equal, ${counts.wanted} wanted differences, ${counts.other} others`
  const text = [versions, sums, "", ...texts.filter((one) => one !== undefined)].join("\n")
  console.log(text)
  if (words.length === 0) await writeFile(ANSWERS, text)
  if (counts.other > 0) throw new Failure(sums)
}
