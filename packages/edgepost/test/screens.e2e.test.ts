import { mkdir, readdir, readFile, rm, stat, symlink } from "node:fs/promises"
import { join } from "node:path"

import { describe, expect, test } from "vitest"

import { freePort } from "../../../scripts/service.ts"
import { newFolder } from "../../../test/after-file.ts"
import { newKey, origin } from "../../../test/e2e/support.ts"
import { newAccount } from "./account.ts"
import { draw, write } from "./blogs.ts"
import { edgepost, spawnEdgepost } from "./command.ts"
import type { Fault } from "./proxy.ts"

const { key, root: folder, write: writeFiles } = await newAccount("cli-screens")
await writeFiles({
  "edgepost.config.yaml": "category: Sea\nurl: http://localhost:1\n",
  "tide.md": "---\ntitle: Tide\ndate: 2024-01-02\n---\n\nThe sea comes twice a day.\n",
})
const elsewhere = await newFolder()
const WITHOUT_KEY = { HOME: folder, XDG_CONFIG_HOME: join(folder, "config") }
const env = { ...WITHOUT_KEY, EDGEPOST_URL: origin, EDGEPOST_API_KEY: key }
const WRONG_KEY = key.slice(0, -1) + (key.endsWith("0") ? "1" : "0")

/** Runs a command with `--json`. @returns its exit code, and what it prints */
const runJson = async (args: string[], more = {}) => {
  const { code, stdout } = await edgepost([...args, "--json"], { cwd: folder, env: { ...env, ...more } })
  return { code, ...JSON.parse(stdout) }
}

/** Shows a command, its output and its exit code as a person sees them. */
const screenOf = async (args: string[], options: Parameters<typeof edgepost>[1] = {}) => {
  const { code, stdout, stderr } = await edgepost(args, { cwd: folder, env, ...options })
  const screen = `$ edgepost ${args.join(" ")}\n${stdout}${stderr}[exit ${code}]\n`
  return screen
    .replaceAll(origin, "ORIGIN")
    .replaceAll(folder, "FOLDER")
    .replaceAll(elsewhere, "ELSEWHERE")
    .replaceAll(/request [\w-]+/g, "request ID")
}

describe("what a person sees", () => {
  test("the help of all commands fits into 80 columns", async () => {
    const commands = [
      "plan",
      "publish",
      "pull",
      "status",
      "delete",
      "login",
      "whoami",
      "init",
      "import",
      "glossary",
      "mcp",
    ]
    const all = [["--help"], ...commands.map((name) => [name, "--help"])]
    const screens = await Promise.all(all.map((args) => screenOf(args)))
    const help = screens.join("\n")
    await expect(help).toMatchFileSnapshot("golden/help.txt")
    for (const line of help.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80)
  })

  test("each mistake is answered with what is wrong and what to do, in two lines", async () => {
    const closed = `http://127.0.0.1:${await freePort()}`
    const mistakes: [args: string, itsEnv?: Record<string, string>][] = [
      ...["publsh", "publish --dryrun", "status", "plan nowhere", "plan --prune"].map((args): [string] => [args]),
      ["plan", WITHOUT_KEY],
      ["plan", { ...WITHOUT_KEY, EDGEPOST_API_KEY: key }],
      ["plan --url http://blog.example"],
      ["plan", { ...env, EDGEPOST_API_KEY: WRONG_KEY }],
      ["plan", { ...env, EDGEPOST_URL: closed }],
      ...["status nothing-here", "delete nothing-here", "init", "init tide.md"].map((args): [string] => [args]),
      ...["pull -o tide.md", "pull -o tide.md/posts"].map((args): [string] => [args]),
      ...[
        "ghost",
        "blogger a.xml -o out",
        "ghost nowhere.json",
        "ghost nowhere.json -o out",
        "medium tide.md -o out",
      ].map((args): [string] => [`import ${args}`]),
    ]
    const screens = await Promise.all(
      mistakes.map(([args, itsEnv = env]) => screenOf(args.split(" "), { env: itsEnv })),
    )
    await expect(screens.join("\n").replaceAll(closed, "CLOSED")).toMatchFileSnapshot("golden/mistakes.txt")
    for (const screen of screens) expect(screen.trimEnd().split("\n"), screen).toHaveLength(4)
  })

  test("a post is planned, published, shown, kept by pull, and deleted", async () => {
    const story = ["whoami", "plan --exit-code", "publish", "plan --exit-code", "status tide", `pull -o ${elsewhere}`]
    const screens: string[] = []
    for (const args of [...story, `plan ${elsewhere} --exit-code`, "delete tide", "delete tide --yes"])
      screens.push(await screenOf(args.split(" ")))
    await expect(screens.join("\n")).toMatchFileSnapshot("golden/story.txt")
  })

  test("init proposes unknown shortcodes, and with a line for each all posts pass", async () => {
    const root = join(elsewhere, "theme")
    const config = join(root, "edgepost.config.yaml")
    const read = async (path: string) =>
      (await readFile(join(root, path), "utf8")).replace(/^(source: theme)-.*/m, "$1-ID")
    const show = (...args: string[]) => screenOf(args, { cwd: root })
    const pairs = ["{{< private >}}Mine.{{< /private >}}", "{{% file a.js %}}\n- An *item*\n{{% /file %}}"]
    const all = ['{{< amazon id="B0*1" >}}', ...pairs, "{{< pen ann id=1 >}}", '{{< box "A" >}}In a box.{{< /box >}}']
    const uses = all.map((use) => `${use}\n\n`).join("")
    await write(join(root, "hugo.toml"), 'baseURL = "https://theme.example/"\ntitle = "Theme"\nlanguageCode = "en"\n')
    const bodies = { one: uses.repeat(4), two: uses.repeat(3), three: "Text. {{< badge >}}".repeat(5) }
    for (const [name, body] of Object.entries(bodies))
      await write(join(root, `content/posts/theme-${name}.md`), `---\ntitle: ${name}\ndate: 2024-01-02\n---\n\n${body}`)
    const screens = [await show("init"), await read("edgepost.config.yaml"), await show("plan")]
    const lines = [
      ["amazon", '"[Book](https://books.example/{{id}})"'],
      ["badge", '""'],
      ["box", '"> **{{0}}** {{content}}"'],
      ["file", "keep"],
      ["pen", '"[Pen](https://pen.example/{{0}}/{{id}})"'],
      ["private", '""'],
    ]
    const filled = lines.reduce(
      (text, [name, template]) => text.replace(new RegExp(`^#   ${name}: .*`, "m"), `  ${name}: ${template}`),
      await read("edgepost.config.yaml"),
    )
    await write(config, filled.replace("# shortcodes:", "shortcodes:"))
    screens.push(await show("publish"), await show("pull", "theme-two", "-o", "pulled"))
    screens.push(await read("pulled/theme-two.md"))
    await expect(screens.join("\n")).toMatchFileSnapshot("golden/init.txt")
  })

  test("--json prints one object, for errors too", async () => {
    const entry = { action: "create", slug: "tide", file: "tide.md" }
    expect(await runJson(["plan"])).toMatchObject({ entries: [entry] })
    const refused = await runJson(["whoami"], { EDGEPOST_API_KEY: WRONG_KEY })
    expect(refused).toMatchObject({ code: 1, error: { code: "unauthorized" } })
    const usage = { code: "usage", detail: "Unknown option '--dryrun'.", advice: "See `edgepost plan --help`." }
    expect(await runJson(["plan", "--dryrun"])).toEqual({ code: 2, error: usage })
  })

  test("status --wait waits until the translations are there", async () => {
    const root = join(elsewhere, "waiting")
    await write(join(root, "edgepost.config.yaml"), "category: Sea\ntranslation_languages: [fr]\n")
    await write(join(root, "ebb.md"), "---\ntitle: Ebb\ndate: 2024-01-02\n---\n\nThe sea goes.\n")
    expect(await edgepost(["publish", root], { env })).toMatchObject({ code: 0 })
    const stdout = `ebb  published\n  ${origin}/@cli-screens/ebb/\n  fr      ready    ${origin}/@cli-screens/ebb/fr/\n`
    const waited = await edgepost(["status", "ebb", "--wait"], { env })
    expect(waited).toEqual({ code: 0, signal: null, stdout, stderr: "" })
    await edgepost(["delete", "ebb", "--yes"], { env })
  })

  test("--version prints the version of the package", async () => {
    const { version } = JSON.parse(await readFile(join(import.meta.dirname, "../package.json"), "utf8"))
    for (const option of ["--version", "-v"])
      expect(await edgepost([option])).toMatchObject({ code: 0, stdout: `${version}\n` })
  })

  test("a reader that closes the pipe ends the command without a word, with the code of SIGPIPE", async () => {
    const { child, ended } = spawnEdgepost(["plan", "--offline", "--json"], { cwd: folder })
    child.stdout.destroy()
    expect(await ended).toEqual({ code: 141, signal: null, stdout: "", stderr: "" })
  })
})

/** Publishes three posts, the second with an image, through a proxy. @param onWrite called before each write, which it can answer */
const publish = async (
  username: string,
  args: string[],
  onWrite: (request: string, image: string, interrupt: AbortController) => Promise<Fault | void> | Fault | void,
) => {
  const account = await newAccount(username)
  const { path, proxy, root } = account
  const interrupt = new AbortController()
  await account.write({ "edgepost.config.yaml": "category: Sea\n", "boat.png": await draw("boat.png", 20, 20) })
  for (const slug of ["a", "b", "c"].map((name) => `${username}-${name}`)) {
    const body = `Sea. ${slug.endsWith("b") ? "![](boat.png)" : ""}`
    await account.write({ [`${slug}.md`]: `---\ntitle: ${slug}\ndate: 2024-01-02\n---\n\n${body}\n` })
  }
  proxy.fault = async (_, request) =>
    (!request.startsWith("GET") && (await onWrite(request, path("boat.png"), interrupt))) || undefined
  return account.run(["publish", root, ...args], { interrupt })
}

const ended = ({ stdout }: { stdout: string }) => {
  const { outcomes, ...result } = JSON.parse(stdout)
  return { ...result, outcomes: outcomes.map(({ result: one }: { result: string }) => one) }
}

describe("a run that ends early", () => {
  test("a key that is revoked after the plan ends it at once, with one advice", async () => {
    const ran = await publish("cli-revoked", [], async (request) => {
      // A new key of the same name revokes the one before.
      if (request === "PUT posts/cli-revoked-a/") await newKey("cli-revoked")
    })
    expect(ran).toMatchObject({ code: 1, stdout: expect.stringContaining("failed     cli-revoked-a") })
    expect(ran.stdout).not.toContain("cli-revoked-b\n           This")
    expect(ran.stderr).toBe(`Stopped: 2 of 3 posts were not reached.
Make a key on the settings page, then run \`edgepost login\` or set EDGEPOST_API_KEY.
`)
  })

  test("a key whose scope does not suffice ends it at once, with one advice", async () => {
    const body = { code: "insufficient_scope", detail: "The key must not do this." }
    const ran = await publish("cli-scope", [], () => ({ status: 403, body }))
    expect(ran).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/failed {5}cli-scope-a\n *The key must not do this\.\n1 failed\.\n$/),
      stderr: `Stopped: 2 of 3 posts were not reached.
Make a key with the scope publish, or draft for a plan, on the settings page, then run \`edgepost login\` or set EDGEPOST_API_KEY.
`,
    })
  })

  test("an image that is deleted after the plan is named, and posts before it stand", async () => {
    const ran = await publish("cli-deleted", ["--json"], async (request, image) => {
      if (request === "PUT posts/cli-deleted-a/") await rm(image)
    })
    expect(ran).toMatchObject({
      code: 1,
      stderr: `cli-deleted-b: uploading boat.png: The file is gone, or a link to nothing. Put the file there, or remove the link.
Correct the file, then run the command again.
`,
    })
    expect(ended(ran)).toMatchObject({ error: { code: "file_error" }, outcomes: ["created"] })
  })

  test("Ctrl-C prints what was done, as JSON if asked", async () => {
    const ran = await publish("cli-interrupted", ["--json"], (request, _, interrupt) => {
      if (request === "POST image-upload/") interrupt.abort()
    })
    expect(ran).toMatchObject({
      code: 130,
      stderr: "Interrupted. Done: 1 of 3 posts. Run the command again: it goes on where this one stopped.\n",
    })
    expect(ended(ran)).toMatchObject({ interrupted: true, outcomes: ["created"] })
  })
})

describe("keys", () => {
  test("login keeps the key for its origin, in a file that only its owner can read", async () => {
    const options = { cwd: folder, env: WITHOUT_KEY }
    const { code, stdout } = await spawnEdgepost(["login", "--url", origin], { ...options, input: `${key}\n` }).ended
    expect([code, stdout]).toEqual([0, `Logged in to ${origin} as @cli-screens with the key default (publish).\n`])
    const file = join(folder, "config", "edgepost", "auth.json")
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ [origin]: key })
    expect((await edgepost(["whoami", "--url", origin], options)).stdout).toContain("@cli-screens")
  })

  test("two logins at once leave one file of keys, and follow no link that was laid for them", async () => {
    const config = join(folder, "shared-config", "edgepost")
    await write(join(folder, "victim.txt"), "Mine.")
    await mkdir(config, { recursive: true })
    await symlink(join(folder, "victim.txt"), join(config, "auth.json.new"))
    const login = () =>
      edgepost(["login", "--url", origin], { env: { XDG_CONFIG_HOME: join(config, "..") }, input: `${key}\n` })
    for (const { code, stderr } of await Promise.all([login(), login()])) expect([code, stderr]).toEqual([0, ""])
    expect((await readdir(config)).toSorted()).toEqual(["auth.json", "auth.json.new"])
    expect(await readFile(join(folder, "victim.txt"), "utf8")).toBe("Mine.")
  })

  test("a key that the service refuses is not kept", async () => {
    const config = join(folder, "other-config")
    const options = { env: { HOME: folder, XDG_CONFIG_HOME: config }, input: `${WRONG_KEY}\n` }
    expect((await edgepost(["login", "--url", origin], options)).code).toBe(1)
    await expect(stat(config)).rejects.toThrow("ENOENT")
  })

  test.each([
    ["login sends no key to the address of a configuration file", "login", "The address of the service is missing."],
    ["a kept key does not go to another origin", "whoami", "There is no key for http://localhost:1."],
  ])("%s", async (_, command, said) => {
    const options = { cwd: folder, env: WITHOUT_KEY, input: `${key}\n` }
    expect(await edgepost([command], options)).toMatchObject({ code: 2, stderr: expect.stringContaining(said) })
  })
})
