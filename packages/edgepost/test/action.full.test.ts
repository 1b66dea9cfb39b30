import { execFile } from "node:child_process"
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"

import { beforeAll, beforeEach, describe, expect, test } from "vitest"
import { parse } from "yaml"

import { newFolder } from "../../../test/after-file.ts"
import { origin } from "../../../test/e2e/support.ts"
import { newAccount } from "./account.ts"
import { write } from "./blogs.ts"
import { startServer } from "./proxy.ts"

// Runs the steps of action.yml as GitHub does: in bash, with nothing in the environment but what GitHub sets.

const REPOSITORY = join(import.meta.dirname, "../../..")
const NODE = join(REPOSITORY, "node_modules/.bin")

interface Step {
  id?: string
  uses?: string
  with?: Record<string, unknown>
  run?: string
  env?: Record<string, string>
  "working-directory"?: string
}
interface Action {
  inputs: Record<string, { default?: string }>
  outputs: Record<string, { value: string }>
  runs: { using: string; steps: Step[] }
}

const { key, proxy } = await newAccount("cli-action")
const temp = await newFolder()
const checkout = join(temp, "checkout")
const action = parse(await readFile(join(REPOSITORY, "action.yml"), "utf8")) as Action
const INPUTS = { url: proxy.origin, "api-key": key, path: "posts" }
/** The first line of a comment. */
const MARK = `<!-- edgepost plan of posts for ${proxy.origin}/@cli-action -->`
let workspace: string

const run = (script: string, env: Record<string, string>, cwd: string): Promise<{ code: number; log: string }> =>
  new Promise((done) => {
    execFile(
      "bash",
      ["--noprofile", "--norc", "-eo", "pipefail", "-c", script],
      { env, cwd },
      (error, stdout, stderr) => done({ code: error ? Number(error.code) : 0, log: stdout + stderr }),
    )
  })

/** Fills in what stands between `${{` and `}}`. */
const fill = (text: string, values: Record<string, string>): string =>
  text.replaceAll(/\$\{\{ (.+?) \}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`action.yml uses ${name}.`)
    return value
  })

const CHARACTERS = { "%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ",", "%25": "%" }
const decode = (text: string): string =>
  Object.entries(CHARACTERS).reduce((decoded, [code, character]) => decoded.replaceAll(code, character), text)

/** Reads a log as GitHub's runner does: commands, but for those between `stop-commands` and its token. */
const readLog = (log: string) => {
  const found: { level: string; properties: Record<string, string>; text: string }[] = []
  let token: string | null = null
  for (const line of log.split(/\r\n|\r|\n/)) {
    const [, level = "", list = "", text = ""] = /^\s*::([\w-]+)(?: (.*?))?::(.*)$/.exec(line) ?? []
    if (token !== null) {
      if (line.trim() === `::${token}::`) token = null
    } else if (level === "stop-commands") token = text
    else if (level !== "") {
      const pairs = list.split(",").filter((part) => part !== "")
      const properties = pairs.map((pair) => pair.split(/=(.*)/).map(decode))
      found.push({ level, properties: Object.fromEntries(properties), text: decode(text) })
    }
  }
  return found
}

const readOutputs = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^(.+)<<(.+)\n([^]*?)\n\2$/gm)].map(([, name = "", , value = ""]) => [name, value]),
  )

/** Runs the command line as its step does, for an event of the branch main. */
const runAction = async (
  inputs: Record<string, string>,
  { event = "push", env = {} }: { event?: string; env?: Record<string, string> } = {},
) => {
  const step = action.runs.steps.find(({ id }) => id === "edgepost")
  const defaults = Object.entries(action.inputs).map(([name, one]) => [name, one.default ?? ""])
  const values: Record<string, string> = { ...Object.fromEntries(defaults), ...inputs }
  expect(Object.keys(values)).toEqual(Object.keys(action.inputs))
  const token = { "github.token": "token-of-the-workflow" }
  const filled = Object.entries(values).map(([name, value]) => [`inputs.${name}`, fill(value, token)])
  const contexts = { "github.action_path": checkout, ...token, ...Object.fromEntries(filled) }
  const files = {
    GITHUB_OUTPUT: join(temp, "output"),
    GITHUB_STEP_SUMMARY: join(temp, "summary"),
    GITHUB_EVENT_PATH: join(temp, "event.json"),
  }
  await writeFile(files.GITHUB_OUTPUT, "")
  await writeFile(files.GITHUB_STEP_SUMMARY, "")
  const isOfPull = event.startsWith("pull_request")
  const payload = { repository: { default_branch: "main" }, ...(isOfPull && { pull_request: { number: 7 } }) }
  await writeFile(files.GITHUB_EVENT_PATH, JSON.stringify(payload))
  const stepEnv = Object.entries(step?.env ?? {}).map(([name, value]) => [name, fill(value, contexts)])
  const github = {
    GITHUB_EVENT_NAME: event,
    GITHUB_REF: isOfPull ? "refs/pull/7/merge" : "refs/heads/main",
    GITHUB_SHA: "0a".repeat(20),
    GITHUB_WORKSPACE: workspace,
    GITHUB_REPOSITORY: "ann/blog",
  }
  const system = { PATH: `${NODE}:${process.env["PATH"]}`, HOME: temp, CI: "true", GITHUB_ACTIONS: "true" }
  const itsEnv = { ...system, RUNNER_TEMP: temp, ...github, ...files, ...env, ...Object.fromEntries(stepEnv) }
  const { code, log } = await run(step?.run ?? "", itsEnv, workspace)
  const outputs = readOutputs(await readFile(files.GITHUB_OUTPUT, "utf8"))
  const annotations = readLog(log)
  const errors = annotations.filter(({ level }) => level === "error").map(({ text }) => text)
  const summary = await readFile(files.GITHUB_STEP_SUMMARY, "utf8")
  return { code, log, annotations, errors, outputs, summary }
}

const post = (title: string, body: string, fields = ""): string =>
  `---\ntitle: ${JSON.stringify(title)}\ndate: 2024-01-02\n${fields}---\n\n${body}\n`

const writes = (): string[] => proxy.requests.filter((request) => !/^(?:GET|DRY-RUN) /.test(request))

beforeAll(async () => {
  for (const path of ["action.yml", "package.json", "package-lock.json", "packages"])
    await cp(join(REPOSITORY, path), join(checkout, path), {
      recursive: true,
      filter: (from) => !["node_modules", "dist"].includes(basename(from)),
    })
  const [, setup, install] = action.runs.steps
  expect(setup).toMatchObject({ uses: "actions/setup-node@v6", with: { "node-version": 24 } })
  // A file of the caller's repository must not say where packages come from.
  const elsewhere = await startServer(() => ({}))
  workspace = join(temp, "caller")
  await put({ ".npmrc": `registry=${elsewhere.origin}\nignore-scripts=false\n` })
  const { PATH, HOME = "", NODE_EXTRA_CA_CERTS } = process.env
  // Behind a proxy npm needs the proxy's certificate.
  const certificates: Record<string, string> = NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS }
  const env = { PATH: `${NODE}:${PATH}`, HOME, GITHUB_WORKSPACE: workspace, ...certificates }
  const directory = fill(install?.["working-directory"] ?? "", { "github.action_path": checkout })
  const installed = await run(install?.run ?? "", env, directory)
  await elsewhere.close()
  expect(installed.code, installed.log).toBe(0)
  expect(elsewhere.requests).toEqual([])
})

/** Writes files into the workspace. */
const put = async (files: Record<string, string>): Promise<void> => {
  for (const [path, text] of Object.entries(files)) await write(join(workspace, path), text)
}

beforeEach(async () => {
  workspace = await mkdtemp(join(temp, "workspace-"))
  await put({
    ".git/HEAD": "ref: refs/heads/main\n",
    "edgepost.config.yaml": "category: Sea\nsource: action\n",
    "posts/rope.md": post("Rope", "Words."),
    "posts/sail.md": post("Sail", "Words."),
  })
  proxy.requests.length = 0
})

const MOVED = { filename: "docs/rope.md", previous_filename: "posts/rope.md" }
/** The most files that GitHub lists. */
const MANY = Array.from({ length: 300 }, (_, i) => ({ filename: `${i}` }))

describe("the Action", () => {
  test("publishes on a push, and writes nothing in a second run", async () => {
    const { code, outputs, summary, log } = await runAction(INPUTS)
    expect(code, log).toBe(0)
    expect(outputs).toMatchObject({ created: "2", updated: "0", unchanged: "0", blocked: "0" })
    expect(JSON.parse(outputs["result"] ?? "")).toEqual([
      {
        result: "created",
        slug: "rope",
        file: "posts/rope.md",
        url: `${origin}/@cli-action/rope/`,
        state: "published",
      },
      {
        result: "created",
        slug: "sail",
        file: "posts/sail.md",
        url: `${origin}/@cli-action/sail/`,
        state: "published",
      },
    ])
    expect(Object.keys(outputs)).toEqual(Object.keys(action.outputs))
    expect(summary).toContain(`| created | [\` rope \`](${origin}/@cli-action/rope/) | \` posts/rope.md \` |`)
    expect(log).toContain(`::add-mask::${key}`)
    proxy.requests.length = 0
    const second = await runAction(INPUTS)
    expect([second.code, second.outputs["unchanged"], writes()]).toEqual([0, "2", []])
  })

  test("plans for a pull request, writes nothing to the service, and changes the comment that it wrote before", async () => {
    await put({ "posts/anchor.md": post("Anchor", "Words.") })
    const comments = [{ id: 1, body: `${MARK}\nA person wrote this.`, user: { type: "User" } }]
    const github = await startServer((request, body) => {
      const text = body === "" ? "" : (JSON.parse(body) as { body: string }).body
      if (request.startsWith("POST ")) comments.push({ id: 2, body: text, user: { type: "Bot" } })
      if (request.startsWith("PATCH ")) Object.assign(comments[1] ?? {}, { body: text })
      return comments
    })
    const inputs = { ...INPUTS, comment: "true" }
    const options = { event: "pull_request", env: { GITHUB_API_URL: github.origin } }
    const { code, outputs, log } = await runAction(inputs, options)
    expect(code, log).toBe(0)
    expect(outputs).toMatchObject({ created: "1", unchanged: "2" })
    await put({ "posts/tar.md": post("Tar", "Words.") })
    await runAction(inputs, options)
    await github.close()
    expect(writes()).toEqual([])
    expect(github.requests).toEqual([
      "GET /repos/ann/blog/issues/7/comments?per_page=100&page=1",
      "POST /repos/ann/blog/issues/7/comments",
      "GET /repos/ann/blog/issues/7/comments?per_page=100&page=1",
      "PATCH /repos/ann/blog/issues/comments/2",
    ])
    expect(comments).toHaveLength(2)
    expect(comments[1]?.body).toMatch(/2 create, 2 unchanged.*` anchor `.*` tar `/s)
  })

  test("finds its comment behind a hundred others", async () => {
    const others = Array.from({ length: 100 }, (_, id) => ({ id, body: "Words.", user: { type: "User" } }))
    const own = { id: 200, body: MARK, user: { type: "Bot" } }
    const github = await startServer((request) => (request.endsWith("&page=1") ? others : [own]))
    const inputs = { ...INPUTS, comment: "true" }
    await runAction(inputs, { event: "pull_request", env: { GITHUB_API_URL: github.origin } })
    await github.close()
    expect(github.requests.at(-1)).toBe("PATCH /repos/ann/blog/issues/comments/200")
  })

  test.each([
    ["of another folder", MARK.replace("posts", "blog")],
    ["of another service", MARK.replace(proxy.origin, "https://staging.example")],
    ["of another author", MARK.replace("@cli-action", "@ben")],
  ])("leaves the comment %s alone, and ends on a forge whose lists have no pages", async (_, body) => {
    const all = Array.from({ length: 100 }, (__, id) => ({ id, body, user: { type: "Bot" } }))
    const forge = await startServer(() => all)
    const inputs = { ...INPUTS, comment: "true" }
    await runAction(inputs, { event: "pull_request", env: { GITHUB_API_URL: forge.origin } })
    await forge.close()
    expect(forge.requests.map((request) => request.replace(/\/repos\S+\/comments/, ""))).toEqual([
      "GET ?per_page=100&page=1",
      "GET ?per_page=100&page=2",
      "POST ",
    ])
  })

  test.each<[what: string, compared: object | null, inputs: Record<string, string>, isPlan: boolean]>([
    ["the newest commit", { status: "identical" }, {}, false],
    ["a commit before one of another folder", { status: "ahead", files: [{ filename: "docs/a.md" }] }, {}, false],
    ["a commit before one of its posts", { status: "ahead", files: [{ filename: "posts/rope.md" }] }, {}, true],
    ["a commit before one of an image", { status: "ahead", files: [{ filename: "static/rope.png" }] }, {}, true],
    ["a commit before one of the configuration", { status: "ahead", files: [{ filename: "hugo.toml" }] }, {}, true],
    ["a commit before one that moves a post out", { status: "ahead", files: [MOVED] }, {}, true],
    ["a commit before one of a workflow", { status: "ahead", files: [{ filename: ".github/a.yml" }] }, {}, false],
    ["a forge that compares in another form", { total_commits: 0, commits: [] }, {}, false],
    ["a commit before many files", { status: "ahead", files: MANY }, {}, true],
    ["a commit that a force push took out", { status: "diverged" }, {}, true],
    ["an old commit that is to be published", { status: "diverged" }, { publish_old: "true" }, false],
    ["an old commit, with mode publish", { status: "diverged" }, { mode: "publish" }, true],
    ["a commit about which GitHub says nothing", null, {}, false],
  ])("with %s publishes or plans", async (_, compared, inputs, isPlan) => {
    const github = await startServer(() => compared)
    if (compared === null) await github.close()
    const { code, log, annotations } = await runAction(
      { ...INPUTS, ...inputs },
      { env: { GITHUB_API_URL: github.origin } },
    )
    await github.close()
    expect(code, log).toBe(0)
    const isAsked = compared !== null && !inputs["publish_old"]
    expect(github.requests).toEqual(isAsked ? [`GET /repos/ann/blog/compare/${"0a".repeat(20)}...main`] : [])
    expect(annotations.some(({ text }) => text.startsWith("This is a plan: main has a newer commit"))).toBe(isPlan)
    expect(log.includes("GitHub could not be asked")).toBe(
      !(compared && "status" in compared) && !inputs["publish_old"],
    )
  })

  test("writes nothing for a merge queue and for other branches, and says why", async () => {
    await put({ "posts/anchor.md": post("Anchor", "Words.") })
    for (const [event, ref] of [
      ["merge_group", "refs/heads/gh-readonly-queue/main/pr-7-0a1b"],
      ["push", "refs/heads/idea"],
    ] as const) {
      const { code, outputs, annotations } = await runAction(INPUTS, { event, env: { GITHUB_REF: ref } })
      expect([code, writes(), outputs["created"]]).toEqual([0, [], "1"])
      expect(annotations).toContainEqual(
        expect.objectContaining({ level: "notice", text: expect.stringMatching(/^This is a plan: /) }),
      )
    }
  })

  test("shows no link of a preview, and says the state of each post", async () => {
    await put({
      "posts/kept-back.md": post("Draft", "Words.", "draft: true\n"),
      "posts/for-later.md": post("Later", "Words.").replace("2024", `${new Date().getUTCFullYear() + 1}`),
    })
    const { code, log, outputs, summary } = await runAction(INPUTS)
    expect(code, log).toBe(0)
    expect([log, summary, ...Object.values(outputs)].join("\n")).not.toContain("/preview/")
    expect(JSON.parse(outputs["result"] ?? "")).toEqual(
      expect.arrayContaining([
        { result: "created", slug: "kept-back", file: "posts/kept-back.md", url: null, state: "draft" },
        { result: "created", slug: "for-later", file: "posts/for-later.md", url: null, state: "scheduled" },
      ]),
    )
    const asked = await runAction({ ...INPUTS, path: "posts/kept-back.md" })
    expect(JSON.parse(asked.outputs["result"] ?? "")).toMatchObject([
      { result: "unchanged", state: "draft", url: null },
    ])
  })

  test("names files from the root of a repository that is checked out below the workspace", async () => {
    await put({ "site/.git/HEAD": "ref: refs/heads/main\n", "site/posts/a.md": post("A", "{{< gallery >}}") })
    const { annotations } = await runAction({ path: "site/posts" }, { event: "pull_request" })
    expect(annotations.map(({ properties }) => properties["file"])).toEqual(["posts/a.md", "posts/a.md", undefined])
  })

  test("checks the files of a fork's pull request without a key, and asks nobody", async () => {
    const service = await startServer(() => ({}))
    const inputs = { url: service.origin, path: "posts", comment: "true" }
    const options = { event: "pull_request", env: { GITHUB_API_URL: service.origin } }
    const good = await runAction(inputs, options)
    expect([good.code, good.annotations.map(({ level }) => level)]).toEqual([0, ["notice"]])
    await put({ "posts/knot.md": post("Knot", "One.\n\n{{< gallery >}}") })
    const bad = await runAction(inputs, options)
    await service.close()
    expect([bad.code, bad.outputs["blocked"], service.requests]).toEqual([1, "1", []])
    expect(bad.annotations).toContainEqual({
      level: "error",
      properties: { file: "posts/knot.md", line: "8", title: "edgepost" },
      text: expect.stringContaining("{{< gallery >}} is syntax of another tool"),
    })
  })

  test("fails and writes nothing if a tenth of the posts would go, until accept_changes says so", async () => {
    await runAction(INPUTS)
    for (const name of ["a", "b", "c"]) await put({ [`posts/${name}.md`]: post(name, `Of ${name}.`) })
    await runAction(INPUTS)
    for (const name of ["a", "b", "c"]) await put({ [`posts/${name}.md`]: post(name, `Of ${name}.`, "draft: true\n") })
    proxy.requests.length = 0
    const { code, errors, summary } = await runAction({ ...INPUTS, prune: "true" })
    const message = /^This run would withdraw a, b, c, which is 3 of the \d posts that the service has of this folder\./
    expect([code, writes(), errors]).toEqual([1, [], [expect.stringMatching(message)]])
    expect(summary).toMatch(/not done.*This run would withdraw a, b, c/s)
    const accepted = await runAction({ ...INPUTS, accept_changes: "true" })
    expect([accepted.code, accepted.outputs["updated"]]).toEqual([0, "3"])
  })

  test("with prune removes nothing from a workspace without a repository, and says why", async () => {
    await runAction(INPUTS)
    await rm(join(workspace, "posts/rope.md"))
    await rm(join(workspace, ".git"), { recursive: true })
    proxy.requests.length = 0
    const { code, log } = await runAction({ ...INPUTS, prune: "true" })
    expect([code, writes(), log]).toEqual([0, [], expect.stringContaining("there is no `.git` here")])
  })

  test("fails when a post fails, and says why", async () => {
    const texts = { title: "T", meta_description: "x", body: "x" }
    const other = await newAccount("cli-action-other")
    await other.send("PUT", "posts/taken-by-another/", { ...texts, categories: "Sea", status: "DF" })
    await put({ "posts/taken-by-another.md": post("Taken", "Words.", "slug: taken-by-another\n") })
    const { code, annotations, outputs } = await runAction(INPUTS)
    expect([code, outputs["unchanged"]]).toEqual([1, "2"])
    expect(annotations.filter(({ level }) => level === "error")).toMatchObject([
      {
        properties: { file: "posts/taken-by-another.md", title: "edgepost" },
        text: expect.stringContaining("taken-by-another: "),
      },
    ])
  })

  test.each([
    ["a key that is no key", { "api-key": "nonsense" }, /key/],
    ["no key at a push", {}, /^The input api-key is empty/],
    ["an unknown mode", { mode: "dance" }, /^The input mode must be/],
    ["a comment that is no switch", { "api-key": "nonsense", comment: "maybe" }, /^The input comment must/],
    ["a switch that is neither", { "api-key": "nonsense", prune: "maybe" }, /^The input prune must be true or false/],
    ["a folder that is not there", { "api-key": "nonsense", path: "nowhere" }, /There is no .*nowhere/],
    ["a path like an option", { "api-key": "nonsense", path: "--prune" }, /There is no .*--prune/],
  ])("with %s fails, and says why", async (_, inputs, message) => {
    const { code, errors } = await runAction({ url: proxy.origin, path: "posts", ...inputs })
    expect(code).toBeGreaterThan(0)
    expect(errors).toEqual([expect.stringMatching(message)])
    expect(writes()).toEqual([])
  })

  test("never sends the key where a file of the repository says", async () => {
    const elsewhere = await startServer(() => ({}))
    const config = `url: ${elsewhere.origin}\ncategory: Sea\nsource: action\n`
    await put({
      "edgepost.config.yaml": config,
      "posts/edgepost.config.yaml": config,
      ".env": `EDGEPOST_URL=${elsewhere.origin}\n`,
      ".npmrc": "node-options=--require ./evil.cjs\n",
      "package.json": `{"workspaces": ["edgepost"], "imports": {"#x": "./evil.cjs"}}`,
    })
    const { code, log } = await runAction(INPUTS, { event: "pull_request" })
    expect(code, log).toBe(0)
    const missing = await runAction({ "api-key": key, path: "posts" }, { event: "pull_request" })
    await elsewhere.close()
    expect(missing.code).toBe(1)
    expect(elsewhere.requests).toEqual([])
  })

  test("publishes no hidden file through a link, and names it", async () => {
    const targets = [".git/config", ".env", ".aws/credentials"]
    for (const [i, target] of targets.entries()) {
      await put({ [target]: "password = SECRET" })
      await symlink(join("..", target), join(workspace, `posts/2026-01-0${i + 1}-notes.md`))
    }
    proxy.bodies.length = 0
    const { errors, log, summary } = await runAction(INPUTS)
    expect(errors).toEqual([])
    for (const target of targets) expect(summary).toContain(`a link to ${target}`)
    expect([log, summary, ...proxy.bodies].join("\n")).not.toContain("SECRET")
  })

  test("shows texts of posts as text in the log, the annotations, the summary and the outputs", async () => {
    const text = "::error::x %0A::warning::y @everyone </details><b> | `z` ![i](https://e.x/i.png) <!-- --> #1"
    await put({
      "posts/::error::a%0A @everyone.md": post(text, `{{< ${text} >}}`),
      "posts/b.md": post("B", "[x](`::error::`|@everyone</details>.md)"),
    })
    const { annotations, summary, outputs } = await runAction({ path: "posts" }, { event: "pull_request" })
    expect(annotations.map(({ level, properties }) => [level, properties["file"]])).toEqual([
      ["error", "posts/::error::a%0A @everyone.md"],
      ["warning", "posts/::error::a%0A @everyone.md"],
      ["warning", "posts/b.md"],
      ["notice", undefined],
    ])
    expect(JSON.parse(outputs["result"] ?? "")).toHaveLength(4)
    // Outside of code there is nothing of a post.
    const outside = summary.replaceAll(/(`+) .*? \1/g, "")
    expect(outside).not.toMatch(/@|<|::|!\[|everyone|#1/)
    expect(outside.split("\n").filter((line) => line.startsWith("|") && !/^(?:\|[^|]*){4}\|$/.test(line))).toEqual([])
  })
})

test.each([
  ["the Node of the machine", "Linux", "usr/bin", ["node", "npm"], 3],
  ["a Node of setup-node", "macOS", "tools/node/bin", ["node", "npm"], 0],
  ["a Node of Windows", "Windows", "tools/node", null, 0],
  ["no Node", "Linux", null, null, 3],
])("a job with %s has it again after the Action, and nothing else", async (_, system, before, names, removed) => {
  const step = action.runs.steps.at(-1)
  const root = await mkdtemp(join(temp, "node-"))
  for (const name of ["node", "npm", "python3"]) await write(join(root, before ?? "other", name), "")
  const folder = before === null ? "" : join(root, before)
  const env = {
    PATH: process.env["PATH"] ?? "",
    NODE_BEFORE: folder,
    GITHUB_PATH: join(root, "path"),
    RUNNER_OS: system,
    RUNNER_TEMP: join(root, "temp"),
    RUNNER_TOOL_CACHE: join(root, "tools"),
  }
  await write(env.GITHUB_PATH, "")
  const { code, log } = await run(step?.run ?? "", env, root)
  expect(code, log).toBe(0)
  const [added = "", ...others] = (await readFile(env.GITHUB_PATH, "utf8")).split("\n").filter(Boolean)
  expect(others).toEqual([])
  expect(added).toBe(names === null ? folder : join(env.RUNNER_TEMP, "edgepost-node"))
  expect(names === null ? null : (await readdir(added)).toSorted()).toEqual(names)
  expect(log.match(/^::remove-matcher /gm) ?? []).toHaveLength(removed)
})

test("the workflows in the docs use inputs that the Action has, and never run strangers' code with secrets", async () => {
  const docs = await readFile(join(REPOSITORY, "docs/github-action.md"), "utf8")
  const workflows = [...docs.matchAll(/```yaml\n([^]*?)```/g)].map(([, text = ""]) => parse(text))
  expect(workflows).toHaveLength(3)
  for (const { jobs, permissions } of workflows) {
    expect(permissions).toMatchObject({ contents: "read" })
    for (const { steps } of Object.values<{ steps: Step[] }>(jobs)) {
      const own = steps.filter(({ uses = "" }) => uses.startsWith("edgepost/edgepost@"))
      expect(own).toHaveLength(1)
      expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(own[0]?.with ?? {})))
    }
  }
  const listed = [...(docs.split("<!-- inputs -->")[1] ?? "").matchAll(/^\| `([\w-]+)` +\|/gm)].map(([, name]) => name)
  expect(listed).toEqual(Object.keys(action.inputs))
  const sentences = [...docs.matchAll(/The outputs are ([^]*?)\n\n/g)].map(([text]) => text).join("\n")
  const outputs = [...sentences.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  expect(new Set(outputs)).toEqual(new Set([...Object.keys(action.outputs), "slug", "file", "url", "state"]))
  const started = workflows.flatMap(({ on }) => (typeof on === "string" ? [on] : Object.keys(on)))
  expect(started).not.toContain("pull_request_target")
})
