import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { afterAll, beforeAll, describe, expect, test } from "vitest"

import { newKey, origin } from "../../../test/e2e/support.ts"
import { write } from "./blogs.ts"
import { edgepost } from "./command.ts"

let folder: string
let outside: string
let env: Record<string, string>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgepost-hostile-"))
  outside = await mkdtemp(join(tmpdir(), "edgepost-outside-"))
  await write(join(outside, "secret.md"), "---\ntitle: Secret\n---\n\nThe password is 123.\n")
  await write(join(outside, "secret.png"), "SECRET")
  await write(join(folder, "edgepost.config.yaml"), "category: Sea\n")
  env = {
    EDGEPOST_URL: origin,
    EDGEPOST_API_KEY: await newKey("cli-hostile", { translation_languages: [] }),
    HOME: folder,
  }
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await rm(outside, { recursive: true })
})

/** Plans a folder of its own with one post. @returns the post's entry, and all output */
const planWith = async (name: string, files: Record<string, string>, prepare?: (root: string) => Promise<void>) => {
  const root = join(folder, name)
  await mkdir(root)
  await writeFile(join(root, "edgepost.config.yaml"), "category: Sea\n")
  for (const [path, text] of Object.entries(files)) await write(join(root, path), text)
  await prepare?.(root)
  const { code, stdout, stderr } = await edgepost(["plan", "--json", root], { env })
  const shown = await edgepost(["plan", root], { env })
  const output = stdout + stderr + shown.stdout + shown.stderr
  return { code, entries: JSON.parse(stdout).entries, output }
}

const post = (title: string, body: string): string => `---\ntitle: ${title}\ndate: 2024-01-01\n---\n\n${body}\n`

test.each<[string, Record<string, string>, string, ((root: string) => Promise<void>)?]>([
  [
    "a post that is a symbolic link out of the folder",
    { "a.md": post("A", "a") },
    "unreadable_file",
    (root) => symlink(join(outside, "secret.md"), join(root, "b.md")),
  ],
  ...[".git/config", ".env", ".aws/credentials", "posts/b.txt"].map(
    (target): [string, Record<string, string>, string, (root: string) => Promise<void>] => [
      `a post that is a link to ${target.replaceAll("/", " ")}`,
      { "posts/a.md": post("A", "a"), [target]: "password = SECRET" },
      "unreadable_file",
      (root) => symlink(join("..", target), join(root, "posts/2026-01-01-notes.md")),
    ],
  ),
  [
    "an image that is a link to a hidden file",
    { "a.md": post("A", "![x](x.png)"), ".env": "password = SECRET" },
    "unreadable_image",
    (root) => symlink(".env", join(root, "x.png")),
  ],
  [
    "an image that is a symbolic link out of the folder",
    { "a.md": post("A", "![x](x.png)") },
    "unreadable_image",
    (root) => symlink(join(outside, "secret.png"), join(root, "x.png")),
  ],
  [
    "an image by a path out of the folder",
    { "a.md": post("A", `![x](../../../../../../etc/passwd)`) },
    "missing_image",
  ],
  ["front matter in JavaScript", { "a.md": `---js\nprocess.exit(7)\n---\n\nText.\n` }, "front_matter"],
  [
    "front matter whose aliases multiply",
    {
      "a.md": `---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d,*d]\ntitle: A\n---\n\nText.\n`,
    },
    "front_matter",
  ],
  [
    "an image of 2 GB",
    { "a.md": post("A", "![x](x.png)"), "x.png": "x" },
    "unreadable_image",
    (root) => truncate(join(root, "x.png"), 2 ** 31),
  ],
])("%s is refused or left out, and nothing of it is shown", async (name, files, code, prepare) => {
  const { entries, output } = await planWith(name.replaceAll(" ", "-"), files, prepare)
  expect(
    entries.flatMap(({ findings }: { findings: { level: string; code: string }[] }) =>
      findings.filter(({ level, code: one }) => level === "error" || one === "missing_image").map((one) => one.code),
    ),
  ).toEqual([code])
  expect(output).not.toMatch(/password|SECRET|root:/)
})

/** Matches what changes a terminal: ESC, a C1 control, U+202E. Does not match a line break. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E]/

test("escape sequences of a title, a file name and a shortcode never reach the terminal", async () => {
  const escape = "\u001B[2J\u009B31m\u202E"
  const { output } = await planWith("escapes", {
    "a.md": post(
      `"A ${escape.replaceAll("\u001B", "\\e").replaceAll("\u009B", "\\x9b")}"`,
      `{{< gallery${escape} >}} ![x](${escape}.png)`,
    ),
    [`b${escape}.md`]: post("B", "[x](nowhere.md)"),
  })
  expect(output).not.toMatch(CONTROL)
})

/** Starts a service that gives every request the same answer: an account and a post with what the changes say, or an error to a write. */
const startService = async (changes: { slug?: string; lang_code?: string; text?: string }) => {
  const { slug = "a", lang_code = "fr", text = "A" } = changes
  const stored = {
    slug,
    title: text,
    body: text,
    meta_description: text,
    author: text,
    status: "PB",
    primary_language: "en",
    translation_languages: [lang_code],
    tags: [],
    categories: [text],
    source: null,
    url: `https://blog.example/${text}/`,
    published_at: "2024-01-01T00:00:00Z",
    scheduled: false,
    texts: { en: { edited: [] }, [lang_code]: { edited: ["title"] } },
    translations: [{ lang_code, status: text, url: text, error: { message: text } }],
  }
  const account = {
    username: text,
    paid_until: text,
    primary_language: "en",
    translation_languages: [text],
    limits: {},
    key: { name: text, scope: text, expires_at: text },
  }
  const good = { account, post: stored, posts: [stored], next_cursor: null, images: [] }
  const bad = { code: "invalid", title: text, detail: text, errors: [{ field: text, message: text }], request_id: text }
  const server = createServer(({ method }, response) => {
    response
      .writeHead(method === "GET" ? 200 : 400, { "Content-Type": "application/json", ETag: '"1.1"' })
      .end(JSON.stringify(method === "GET" ? good : bad))
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => new Promise((done) => server.close(done)) }
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
    const { url, close } = await startService({ text: "T\u001B]0;pwned\u0007\u009B2J\u202E" })
    const asUser = { EDGEPOST_URL: url, HOME: root, XDG_CONFIG_HOME: root, FORCE_COLOR: "0" }
    const ran = await edgepost(args, {
      cwd: root,
      input,
      env: name === "login" ? asUser : { ...asUser, EDGEPOST_API_KEY: "ep_key" },
    })
    await close()
    expect(ran.stdout + ran.stderr).not.toMatch(CONTROL)
    expect(ran.stdout + ran.stderr).not.toBe("")
  })

  test.each([
    [{ slug: "../outside/x" }, '"../outside/x"'],
    [{ lang_code: "../../outside/x" }, '"../../outside/x"'],
  ])("names nothing out of the folder of pull: %j", async (changes, named) => {
    const root = await mkdtemp(join(folder, "pull-"))
    await mkdir(join(root, "outside"))
    const { url, close } = await startService(changes)
    const { code, stderr } = await edgepost(["pull", "-o", join(root, "in"), "--force"], {
      env: { EDGEPOST_URL: url, EDGEPOST_API_KEY: "ep_key", HOME: root },
    })
    await close()
    expect([code, stderr]).toEqual([1, expect.stringContaining(named)])
    expect(await readdir(join(root, "outside"))).toEqual([])
  })

  test("overwrites no file by a link in the folder of pull", async () => {
    const root = await mkdtemp(join(folder, "pull-"))
    await write(join(root, "victim.md"), "Mine.")
    await mkdir(join(root, "in"))
    await symlink("../victim.md", join(root, "in/a.md"))
    const { url, close } = await startService({})
    const pull = (...options: string[]) =>
      edgepost(["pull", "-o", join(root, "in"), ...options], {
        env: { EDGEPOST_URL: url, EDGEPOST_API_KEY: "ep_key", HOME: root },
      })
    expect(await pull()).toMatchObject({ code: 1, stdout: expect.stringContaining("differs    a.md: kept.") })
    expect(await pull("--force")).toMatchObject({ code: 0 })
    await close()
    expect(await readFile(join(root, "victim.md"), "utf8")).toBe("Mine.")
    expect(await readFile(join(root, "in/a.md"), "utf8")).toContain("title: A")
  })
})
