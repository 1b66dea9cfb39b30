import { execFile } from "node:child_process"
import { readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"

import { beforeAll, describe, expect, test } from "vitest"

import { operate, origin } from "../../../test/e2e/support.ts"
import { newAccount } from "./account.ts"
import { draw } from "./blogs.ts"
import { edgepost } from "./command.ts"
import { startServer } from "./proxy.ts"

// What the service does not show as it was written is said by each way of publishing, with file and line.

const MAIN = join(import.meta.dirname, "../src/action/main.ts")

/** Texts whose line 15 the service does not show as it was written, with the warning. */
const LOSSES: [text: string, code: string, shown: string][] = [
  ['<video controls src="https://x.example/v.mp4"></video>', "html_removed", "video and its content"],
  ['<iframe src="http://x.example/v"></iframe>', "html_removed", "iframe"],
  ['<object data="https://x.example/v.swf"></object>', "html_removed", "object and its content"],
  ["<form><input></form>", "html_removed", "form"],
  ["<button>Buy</button>", "html_removed", "button"],
  ["<select><option>a</select>", "html_removed", "select and its content"],
  ["<script>1</script>", "html_removed", "script and its content"],
  ["$\\frac{1$", "unreadable_math", "\\frac{1"],
  ["$\\notacommand{x}$", "unreadable_math", "\\notacommand{x}"],
  ["$$\n\\begin{x}\n$$", "unreadable_math", "\\begin{x}"],
  ["```math\n\\left(\n```", "unreadable_math", "\\left("],
  ["[j](javascript:1)", "unsupported_link", "javascript:1"],
  ["[f](ftp://x.example/a)", "unsupported_link", "ftp://x.example/a"],
  ['<a href="vbscript:x">v</a>', "unsupported_link", "vbscript:x"],
]
const LINE = 15
const names = LOSSES.map((_, i) => `loss-${String.fromCodePoint(97 + i)}`)
const losses = LOSSES.map(([, code, shown], i) => ({ file: `${names[i]}.md`, code, shown }))

// The first heading and the comment are left out, and the description is as long as the service recommends.
const post = (title: string, text: string): string =>
  `---\ntitle: ${title}\ndate: 2024-01-02\ndescription: ${"word ".repeat(26)}end\n---\n# ${title}\n\n![A boat](boat.png)\n\n{% comment %}\nhidden\n{% endcomment %}\n\nWords.\n${text}\n`

const { env, key, root: folder, send, write } = await newAccount("cli-warnings")
const draftKey: string = (await operate("POST", "cli-warnings/keys/", { name: "drafts", scope: "draft" })).json.api_key

const run = async (...args: string[]) => edgepost([...args, folder], { env })
const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).stdout)
const findingsOf = (entries: { findings?: object[]; warnings?: object[] }[]): object[] =>
  entries.flatMap(({ findings = [], warnings = [] }) => [...findings, ...warnings])
const expected = losses.map(({ file, code, shown }) => {
  const message = expect.stringContaining(`${shown} (line ${LINE})`)
  return expect.objectContaining({ level: "warning", code, file, line: LINE, message })
})

/** Runs the Action for a pull request. @returns its log, and the comment that it writes */
const runAction = async (): Promise<{ log: string; comment: string }> => {
  let comment = ""
  const github = await startServer((_, body) => {
    if (body !== "") ({ body: comment } = JSON.parse(body))
    return []
  })
  await writeFile(join(folder, "event.json"), JSON.stringify({ pull_request: { number: 7 } }))
  const inputs = { API_KEY: draftKey, URL: origin, PATH: ".", MODE: "auto", COMMENT: "true" }
  const itsEnv = {
    PATH: process.env["PATH"],
    HOME: folder,
    GITHUB_EVENT_NAME: "pull_request",
    GITHUB_EVENT_PATH: join(folder, "event.json"),
    GITHUB_WORKSPACE: folder,
    GITHUB_API_URL: github.origin,
    GITHUB_REPOSITORY: "ann/blog",
    ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`EDGEPOST_INPUT_${name}`, value])),
  }
  const log = await new Promise<string>((done) => {
    execFile(process.execPath, [MAIN], { cwd: folder, env: itsEnv }, (_, stdout) => done(stdout))
  })
  await github.close()
  return { log, comment }
}

beforeAll(async () => {
  await write({
    "edgepost.config.yaml": "category: Sea\nsource: warnings\n",
    "boat.png": await draw("boat.png", 20, 20),
  })
  await write(Object.fromEntries(LOSSES.map(([text], i) => [`${names[i]}.md`, post(`Loss ${i}`, text)])))
})

describe("losses of video, form, formula and link", () => {
  test("are findings of plan --check, and nothing is written", async () => {
    const { entries } = await json("plan", "--check")
    expect(findingsOf(entries)).toEqual(expected)
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(names.map(() => "create"))
    expect((await send("GET", "posts/")).json.posts).toEqual([])
  })

  test("are not asked for by plan alone, which says so", async () => {
    const { stdout } = await run("plan")
    expect(stdout).not.toContain("warning")
    expect(stdout).toMatch(/\n`edgepost plan --check` also asks the service what readers would not get\.\n$/)
  })

  test("are annotations and lines of the comment of the Action at a pull request, with a draft key", async () => {
    const { log, comment } = await runAction()
    for (const { file, shown } of losses) {
      expect(log).toContain(`::warning file=${file},line=${LINE},title=edgepost::`)
      expect(comment.split("\n").find((row) => row.includes(file))).toContain(`${shown} (line ${LINE})`)
    }
  })

  test("are said by publish after each post, and in its JSON", async () => {
    const { stdout } = await run("publish")
    const screen = stdout.replaceAll(/\s+/g, " ")
    for (const { file, shown } of losses) {
      expect(screen).toContain(`${file}:${LINE} warning`)
      expect(screen).toContain(`${shown} (line ${LINE})`)
    }
    for (const name of names)
      await writeFile(join(folder, `${name}.md`), `${await readFile(join(folder, `${name}.md`), "utf8")}\nMore.\n`)
    expect(findingsOf((await json("publish")).outcomes)).toEqual(expected)
  })

  test("are said of published posts with a draft key, and of translations in their own file", async () => {
    const [name] = names
    await writeFile(join(folder, `${name}.md`), post("Loss", "<video></video>"))
    await writeFile(join(folder, `${name}.fr.md`), post("Perte", "<audio></audio>"))
    for (const api_key of [draftKey, key]) {
      env["EDGEPOST_API_KEY"] = api_key
      expect(findingsOf((await json("plan", "--check")).entries)).toMatchObject([
        { code: "html_removed", file: `${name}.md`, line: LINE },
        { code: "html_removed", file: `${name}.fr.md`, line: LINE },
      ])
    }
    await rm(join(folder, `${name}.fr.md`))
  })
})

test("plan --check blocks a post that the service would refuse, and exits with 1", async () => {
  const texts = { title: "T", meta_description: "x", body: "x" }
  const other = await newAccount("cli-warnings-other")
  await other.send("PUT", "posts/warnings-taken/", { ...texts, categories: "Sea", status: "DF" })
  await write({ "warnings-taken.md": post("Taken", "Words.").replace("date:", "slug: warnings-taken\ndate:") })
  const { code, stdout } = await run("plan", "--check")
  expect([code, stdout]).toEqual([1, expect.stringMatching(/blocked +warnings-taken.*warnings-taken\.md:1 error/s)])
})

test("a published folder whose image is missing keeps it on the service, and publishes its other posts on demand", async () => {
  const sparse = await newAccount("cli-sparse")
  const read = async () => [await sparse.read("sparse-shown"), await sparse.read("sparse-words")]
  await sparse.write({
    "edgepost.config.yaml": "category: Sea\n",
    "boat.png": await draw("boat.png", 20, 20),
    "sparse-shown.md": post("Shown", "![A boat](boat.png)"),
    "sparse-words.md": post("Words", "Words.").replace("![A boat](boat.png)", ""),
  })
  await sparse.run(["publish", sparse.root])
  await rm(sparse.path("boat.png"))
  const broken = '---\ntitle: "Broken\n---\n'
  await sparse.write({ "sparse-words.md": post("Words", "![A gull](boat.png)"), "sparse-broken.md": broken })
  const before = await read()
  expect(before[0].images).toHaveLength(1)
  const { code, stdout: said } = await sparse.run(["publish", sparse.root])
  const reason = "Stopped: 1 of 1 images are missing that readers see, so nothing is written."
  expect([code, said.replaceAll(/\s+/g, " ")]).toEqual([1, expect.stringContaining(reason)])
  expect(await read()).toEqual(before)
  const { stdout } = await sparse.run(["publish", "--json", "--allow-missing-images", sparse.root])
  const results = JSON.parse(stdout).outcomes.map(({ slug, result }: Record<string, string>) => [slug, result])
  const blocked = { "sparse-shown": "blocked", "sparse-broken": "blocked" }
  expect(Object.fromEntries(results)).toEqual({ ...blocked, "sparse-words": "updated" })
  expect((await read())[0]).toEqual(before[0])
})
