import { mkdir, readdir, readFile, symlink, truncate } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import { join } from "node:path"

import { afterAll, describe, expect, test } from "vitest"

import { newFolder } from "../../../test/after-file.ts"
import { newAccount, post } from "./account.ts"
import { write } from "./blogs.ts"
import { edgepost } from "./command.ts"
import { listen } from "./proxy.ts"

const outside = await newFolder()
await write(join(outside, "secret.md"), "---\ntitle: Secret\n---\n\nThe password is 123.\n")
const { root: folder, run } = await newAccount("cli-hostile")

/** Plans a folder of its own with one post. @returns the post's entry, and all output */
const planWith = async (name: string, files: Record<string, string>, prepare?: (root: string) => Promise<void>) => {
  const root = join(folder, name)
  for (const [path, text] of Object.entries({ "edgepost.config.yaml": "category: Sea\n", ...files }))
    await write(join(root, path), text)
  await prepare?.(root)
  const { stdout, stderr } = await run(["plan", "--json", root])
  const shown = await run(["plan", root])
  return { entries: JSON.parse(stdout).entries, output: stdout + stderr + shown.stdout + shown.stderr }
}

const linkTo =
  (target: string, path: string) =>
  (root: string): Promise<void> =>
    symlink(target, join(root, path))
type Row = [string, files: Record<string, string>, code: string | null, prepare?: (root: string) => Promise<void>]

const WORDS = { "a.md": post("A", "a") }
const LINKED = { "a.md": post("A", "![x](x.png)") }
const NO_IMAGE = "unreadable_image"
const nine = (item: string): string => `[${Array.from({ length: 9 }, () => item).join()}]`
/** The last alias stands for 59,049 texts. */
const ALIASES = `a: &a ${nine("x")}\nb: &b ${nine("*a")}\nc: &c ${nine("*b")}\nd: &d ${nine("*c")}\ne: ${nine("*d")}`

test.each<Row>([
  ["a post that is a link out of the folder", WORDS, null, linkTo(join(outside, "secret.md"), "b.md")],
  ["an image that is a link to a hidden file", { ...LINKED, ".env": "SECRET" }, NO_IMAGE, linkTo(".env", "x.png")],
  ["an image by a path out", { "a.md": post("A", `![x](../../../../../../etc/passwd)`) }, "missing_image"],
  ["front matter whose aliases multiply", { "a.md": `---\n${ALIASES}\ntitle: A\n---\n\nText.\n` }, "front_matter"],
  ["an image of 2 GB", { ...LINKED, "x.png": "x" }, NO_IMAGE, (root) => truncate(join(root, "x.png"), 2 ** 31)],
])("%s is refused or left out, and nothing of it is shown", async (name, files, code, prepare) => {
  const { entries, output } = await planWith(name.replaceAll(" ", "-"), files, prepare)
  const findings: { level: string; code: string }[] = entries.flatMap((entry: typeof entries) => entry.findings)
  const found = findings.filter(({ level, code: one }) => level === "error" || one === "missing_image")
  expect(found.map((one) => one.code)).toEqual([code ?? []].flat())
  expect(output).not.toMatch(/password|SECRET|root:/)
})

/** Matches what changes a terminal: ESC, a C1 control, U+202E. Does not match a line break. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E]/

test("escape sequences of a title, a file name and a shortcode never reach the terminal", async () => {
  const escape = "\u001B[2J\u009B31m\u202E"
  const title = `"A ${escape.replaceAll("\u001B", "\\e").replaceAll("\u009B", "\\x9b")}"`
  const { output } = await planWith("escapes", {
    "a.md": post(title, `{{< gallery${escape} >}} ![x](${escape}.png)`),
    [`b${escape}.md`]: post("B", "[x](nowhere.md)"),
  })
  expect(output).not.toMatch(CONTROL)
})

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) server.close()
})

/** Starts a service that gives every request the same answer: an account and a post with what the changes say, or an error to a write. @returns the environment of a command */
const startService = async (changes: { slug?: string; lang_code?: string; text?: string }) => {
  const { slug = "a", lang_code = "fr", text = "A" } = changes
  const primary_language = "en"
  const texts = { title: text, body: text, meta_description: text, author: text, categories: [text] }
  const stored = {
    ...texts,
    slug,
    status: "PB",
    primary_language,
    translation_languages: [lang_code],
    tags: [],
    source: null,
    url: `https://blog.example/${text}/`,
    published_at: "2024-01-01T00:00:00Z",
    scheduled: false,
    texts: { en: { edited: [] }, [lang_code]: { edited: ["title"] } },
    translations: [
      {
        lang_code,
        edited: ["title"],
        listed: true,
        status: text,
        url: text,
        error: { message: text },
        warnings: [{ code: "term_missing", field: text, message: text }],
      },
    ],
  }
  const languages = { primary_language, translation_languages: [text] }
  const itsKey = { name: text, scope: text, expires_at: text }
  const account = { username: text, paid_until: text, ...languages, limits: {}, key: itsKey }
  const good = { account, post: stored, posts: [stored], next_cursor: null, images: [] }
  const bad = { code: "invalid", title: text, detail: text, errors: [{ field: text, message: text }], request_id: text }
  const server = createServer(({ method }, response) => {
    response
      .writeHead(method === "GET" ? 200 : 400, { "Content-Type": "application/json", ETag: '"1.1"' })
      .end(JSON.stringify(method === "GET" ? good : bad))
  })
  servers.push(server)
  return { EDGEPOST_URL: await listen(server), EDGEPOST_API_KEY: "ep_key", HOME: folder }
}

describe("a service that cannot be trusted", () => {
  test.each([
    ["whoami", ["whoami"], ""],
    ["login", ["login"], "ep_key\n"],
    ["status", ["status", "a"], ""],
    ["pull", ["pull", "-o", "pulled"], ""],
    ["delete", ["delete", "a", "--yes"], ""],
    ["plan", ["plan"], ""],
    ["publish", ["publish"], ""],
    ["publish --json", ["publish", "--json"], ""],
  ])("changes no terminal, %s", async (name, args, input) => {
    const root = join(folder, `service-${name.replaceAll(" ", "")}`)
    await write(join(root, "edgepost.config.yaml"), "category: Sea\n")
    await write(join(root, "a.md"), post("A", "Words."))
    const env = await startService({ text: "T\u001B]0;pwned\u0007\u009B2J\u202E" })
    const { EDGEPOST_API_KEY, ...asUser } = { ...env, HOME: root, XDG_CONFIG_HOME: root, FORCE_COLOR: "0" }
    const ran = await edgepost(args, {
      cwd: root,
      input,
      env: { ...asUser, ...(name !== "login" && { EDGEPOST_API_KEY }) },
    })
    expect(ran.stdout + ran.stderr).not.toMatch(CONTROL)
    expect(ran.stdout + ran.stderr).not.toBe("")
  })

  test.each([
    [{ slug: "../outside/x" }, '"../outside/x"'],
    [{ lang_code: "../../outside/x" }, '"../../outside/x"'],
  ])("names nothing out of the folder of pull: %j", async (changes, named) => {
    const root = await newFolder()
    await mkdir(join(root, "outside"))
    const env = await startService(changes)
    const { code, stderr } = await edgepost(["pull", "-o", join(root, "in"), "--force"], { env })
    expect([code, stderr]).toEqual([1, expect.stringContaining(named)])
    expect(await readdir(join(root, "outside"))).toEqual([])
  })

  test("overwrites no file by a link in the folder of pull", async () => {
    const root = await newFolder()
    await write(join(root, "victim.md"), "Mine.")
    await mkdir(join(root, "in"))
    await symlink("../victim.md", join(root, "in/a.md"))
    const env = await startService({})
    const pull = (...options: string[]) => edgepost(["pull", "-o", join(root, "in"), ...options], { env })
    expect(await pull()).toMatchObject({ code: 1, stdout: expect.stringContaining("differs    a.md: kept.") })
    expect(await pull("--force")).toMatchObject({ code: 0 })
    expect(await readFile(join(root, "victim.md"), "utf8")).toBe("Mine.")
    expect(await readFile(join(root, "in/a.md"), "utf8")).toContain("title: A")
  })
})
