// Publishes blogs with the commit of `commit.txt`, then with this one, and fails if an upgrade alone changes what readers find. Arguments name rules.
import { execFileSync, spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

import { Failure, main } from "../../../../scripts/cli.ts"
import { freePort, startService } from "../../../../scripts/service.ts"
import { ROOT } from "../../../../scripts/tools.ts"
import { startChild } from "../../../../test/e2e/child.ts"
import { createClient, type ListedPost } from "../../src/client/index.ts"
import { checkOut, OLD } from "./old.ts"
import { POSTS, type Rule, RULES } from "./rules.ts"

const COMMAND = "packages/edgepost/src/bin.ts"
const ACTION = "packages/edgepost/src/action/main.ts"
const OPERATOR_TOKEN = randomBytes(32).toString("hex")

/** A blog that the old command line has published. */
interface Blog {
  rule: Rule
  root: string
  env: Record<string, string>
}

const runScript = (script: string, args: string[], { root, env }: Omit<Blog, "rule">) => {
  const all = { PATH: process.env["PATH"] ?? "", HOME: root, ...env }
  return spawnSync(process.execPath, [script, ...args], { cwd: root, env: all, encoding: "utf8", maxBuffer: 2 ** 28 })
}

/** Writes a blog as a repository of which all was committed in 2020. */
const writeBlog = async (rule: Rule, root: string, key: string): Promise<void> => {
  const posts = Array.from({ length: POSTS }, (_, i) => Object.entries(rule.filesOf(i))).flat()
  const config = { "edgepost.config.yaml": "category: Sea\nsource: blog\n" }
  for (const named of [...Object.entries({ ...config, ...rule.files }), ...posts]) {
    const [path = "", text = ""] = named.map((part) => part.replaceAll("KEY", key))
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const env = { ...process.env, GIT_AUTHOR_DATE: "2020-05-05T05:05:05Z" }
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], { cwd: root, env })
  git("init", "-q")
  git("add", "-A")
  git("commit", "-qm", "A")
}

/** Starts the old service, and publishes all blogs there with the old command line. */
const publishOld = async (rules: Rule[], base: string, args: string[]): Promise<Blog[]> => {
  const [, port = ""] = args
  const origin = `http://localhost:${port}`
  const service = await startChild(
    [process.execPath, join(OLD, "scripts/run.mjs"), "start", ...args],
    "stdout",
    /Ready on/,
  )
  const operate = async (method: string, path: string, json: object) => {
    // A busy machine closes kept connections.
    const headers = { Authorization: `Bearer ${OPERATOR_TOKEN}`, Connection: "close" }
    const answer = await fetch(`${origin}/operator/api/accounts/${path}`, {
      method,
      headers,
      body: JSON.stringify(json),
    })
    if (!answer.ok) throw new Failure(`The old service answers ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as { api_key: string }
  }
  const blogs: Blog[] = []
  try {
    for (const [i, rule] of rules.entries()) {
      await operate("PATCH", `blog-${i}/`, { paid_until: "2099-01-01T00:00:00Z" })
      const { api_key } = await operate("POST", `blog-${i}/keys/`, { name: "key" })
      const blog = { rule, root: join(base, `blog-${i}`), env: { EDGEPOST_URL: origin, EDGEPOST_API_KEY: api_key } }
      await writeBlog(rule, blog.root, `r${i}`)
      const { status, stdout, stderr } = runScript(join(OLD, COMMAND), ["publish"], blog)
      if (status !== 0)
        throw new Failure(`${rule.name}: the old command line ends with ${status}.\n${stderr}${stdout.slice(-2000)}`)
      blogs.push(blog)
    }
  } finally {
    await service.stop()
  }
  return blogs
}

type Posts = Map<string, ListedPost>

const readPosts = async ({ env }: Blog): Promise<Posts> => {
  const client = createClient({ baseUrl: env["EDGEPOST_URL"] ?? "", apiKey: env["EDGEPOST_API_KEY"] ?? "" })
  const found: Posts = new Map()
  for await (const post of client.paginatePosts({})) found.set(post.slug, post)
  return found
}

/** Publishes a blog by a script of this commit. @returns its exit code, and what changed: its name, and the posts */
const publishNew = async (blog: Blog, script: string, ...args: string[]) => {
  const before = await readPosts(blog)
  const { status, stdout, stderr } = runScript(join(ROOT, script), args, blog)
  const after = await readPosts(blog)
  const slugs = [...new Set([...before.keys(), ...after.keys()])]
  const kinds = Map.groupBy(slugs, (slug) => {
    const [one, other] = [before.get(slug), after.get(slug)]
    if (!one || !other) return one ? "removed" : "created"
    if (one.status !== other.status) return one.status === "PB" ? "withdrawn" : "made public"
    if (one.published_at !== other.published_at) return "re-dated"
    return one.version === other.version ? "unchanged" : "updated"
  })
  return { status, output: `${stdout}${stderr}`, kinds, count: before.size }
}

const PRUNE = ["publish", "--json", "--prune"]
/** What no rule may do, even if its author accepts changes. */
const NEVER = ["created", "removed", "made public", "re-dated"] as const

const countsOf = (kinds: Map<string, string[]>): string =>
  [...kinds].map(([kind, slugs]) => `${slugs.length} ${kind}`).join(", ")

/** Publishes a blog with this commit, and prints what that did. @returns what it should not have done */
const upgrade = async (blog: Blog): Promise<string[]> => {
  const first = await publishNew(blog, COMMAND, ...PRUNE)
  const stop = first.status === 0 ? null : (JSON.parse(first.output) as { stop: string | null }).stop
  const second = stop === null ? first : await publishNew(blog, COMMAND, ...PRUNE, "--accept-changes")
  const third = await publishNew(blog, COMMAND, ...PRUNE)
  console.log(`${blog.rule.name}: ${stop === null ? "" : "stopped; accepted: "}${countsOf(second.kinds)}`)
  const faults = [
    stop !== null && countsOf(first.kinds) !== `${first.count} unchanged` && `a stopped run: ${countsOf(first.kinds)}`,
    stop === null && second.kinds.has("withdrawn") && "withdrawn without a stop",
    ...NEVER.map((kind) => second.kinds.has(kind) && `${kind}: ${second.kinds.get(kind)?.join(", ")}`),
    second.status !== (blog.rule.isBlocked ? 1 : 0) && `exit code ${second.status}: ${second.output.slice(0, 1000)}`,
    countsOf(third.kinds) !== `${third.count} unchanged` && `once more: ${countsOf(third.kinds)}`,
  ]
  return faults.filter((fault) => fault !== false).map((fault) => `${blog.rule.name}: ${fault}`)
}

/** Changes four posts of a blog, and publishes it with the Action, which nobody watches. */
const upgradeByAction = async ({ rule, root, env }: Blog): Promise<string[]> => {
  const paths = [0, 1, 2, 3].flatMap((i) => Object.keys(rule.filesOf(i)))
  for (const path of paths.map((one) => join(root, one.replaceAll("KEY", "r0"))))
    await writeFile(path, (await readFile(path, "utf8")).replace("title:", "draft: true\ntitle:"))
  const inputs = {
    URL: env["EDGEPOST_URL"] ?? "",
    API_KEY: env["EDGEPOST_API_KEY"] ?? "",
    MODE: "publish",
    PRUNE: "true",
    PATH: ".",
  }
  const named = Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`EDGEPOST_INPUT_${name}`, value]))
  const { status, kinds, count } = await publishNew({ rule, root, env: { ...env, ...named, CI: "true" } }, ACTION)
  console.log(`${rule.name}, four of ${count} posts drafts, by the Action: exit code ${status}, ${countsOf(kinds)}`)
  return status === 1 && countsOf(kinds) === `${count} unchanged` ? [] : [`${rule.name}: the Action went on`]
}

await main(async () => {
  const names = process.argv.slice(2)
  const rules = RULES.filter(({ name }) => names.length === 0 || names.some((one) => name.includes(one)))
  const base = await mkdtemp(join(tmpdir(), "edgepost-upgrades-"))
  const port = await freePort()
  const vars = [`OPERATOR_TOKEN:${OPERATOR_TOKEN}`, `WEBHOOK_SECRET:${OPERATOR_TOKEN}`]
  const args = ["--port", String(port), "--persist-to", join(base, "store"), "--var", ...vars]
  try {
    await checkOut()
    const blogs = await publishOld(rules, base, args)
    const service = await startService(args)
    try {
      const faults: string[] = []
      for (const blog of blogs) faults.push(...(await upgrade(blog)))
      if (blogs[0]) faults.push(...(await upgradeByAction(blogs[0])))
      if (faults.length > 0) throw new Failure(faults.join("\n"))
    } finally {
      await service.stop()
    }
  } finally {
    if (process.env["KEEP"] === undefined) await rm(base, { recursive: true })
  }
})
