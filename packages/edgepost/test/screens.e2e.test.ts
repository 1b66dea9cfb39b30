import { mkdtemp, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { afterAll, beforeAll, describe, expect, test } from "vitest"

import { newKey, origin } from "../../../test/e2e/support.ts"
import { write } from "./blogs.ts"
import { edgepost } from "./command.ts"

let folder: string
let elsewhere: string
let key: string
let env: Record<string, string>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgepost-screens-"))
  elsewhere = await mkdtemp(join(tmpdir(), "edgepost-pulled-"))
  await write(join(folder, "edgepost.config.yaml"), "category: Sea\nurl: http://localhost:1\n")
  await write(join(folder, "tide.md"), "---\ntitle: Tide\ndate: 2024-01-02\n---\n\nThe sea comes twice a day.\n")
  key = await newKey("cli-screens", { translation_languages: [] })
  env = { EDGEPOST_URL: origin, EDGEPOST_API_KEY: key, HOME: folder, XDG_CONFIG_HOME: join(folder, "config") }
})
afterAll(async () => {
  for (const each of [folder, elsewhere]) await rm(each, { recursive: true })
})

const withoutKey = () => ({ HOME: folder, XDG_CONFIG_HOME: join(folder, "config") })

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
    const commands = ["plan", "publish", "pull", "status", "delete", "login", "whoami", "init", "import"]
    const screens = await Promise.all(
      [["--help"], ...commands.map((name) => [name, "--help"])].map((args) => screenOf(args)),
    )
    const help = screens.join("\n")
    await expect(help).toMatchFileSnapshot("golden/help.txt")
    for (const line of help.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80)
  })

  test("each mistake is answered with what is wrong and what to do, in two lines", async () => {
    const screens = await Promise.all([
      screenOf(["publsh"]),
      screenOf(["publish", "--dryrun"]),
      screenOf(["status"]),
      screenOf(["plan", "nowhere"]),
      screenOf(["plan", "--prune"]),
      screenOf(["plan"], { env: withoutKey() }),
      screenOf(["plan"], { env: { ...withoutKey(), EDGEPOST_API_KEY: key } }),
      screenOf(["plan", "--url", "http://blog.example"]),
      screenOf(["plan"], { env: { ...env, EDGEPOST_API_KEY: `${key.slice(0, -4)}0000` } }),
      screenOf(["plan"], { env: { ...env, EDGEPOST_URL: "http://127.0.0.1:9" } }),
      screenOf(["status", "nothing-here"]),
      screenOf(["delete", "nothing-here"]),
      screenOf(["init"]),
      screenOf(["import", "ghost"]),
      screenOf(["import", "blogger", "a.xml", "-o", "out"]),
      screenOf(["import", "ghost", "nowhere.json"]),
      screenOf(["import", "ghost", "nowhere.json", "-o", "out"]),
      screenOf(["import", "medium", "tide.md", "-o", "out"]),
    ])
    await expect(screens.join("\n")).toMatchFileSnapshot("golden/mistakes.txt")
    for (const screen of screens) expect(screen.trimEnd().split("\n"), screen).toHaveLength(4)
  })

  test("a post is planned, published, shown, kept by pull, and deleted", async () => {
    const screens = [
      await screenOf(["whoami"]),
      await screenOf(["plan", "--exit-code"]),
      await screenOf(["publish"]),
      await screenOf(["plan", "--exit-code"]),
      await screenOf(["status", "tide"]),
      await screenOf(["pull", "-o", elsewhere]),
      await screenOf(["plan", elsewhere, "--exit-code"]),
      await screenOf(["delete", "tide"]),
      await screenOf(["delete", "tide", "--yes"]),
    ]
    await expect(screens.join("\n")).toMatchFileSnapshot("golden/story.txt")
  })

  test("--json prints one object, for errors too", async () => {
    const planned = await edgepost(["plan", "--json"], { cwd: folder, env })
    expect(JSON.parse(planned.stdout).entries).toMatchObject([{ action: "create", slug: "tide", file: "tide.md" }])
    const refused = await edgepost(["whoami", "--json"], {
      cwd: folder,
      env: { ...env, EDGEPOST_API_KEY: `${key.slice(0, -4)}0000` },
    })
    expect([refused.code, JSON.parse(refused.stdout).error]).toEqual([
      1,
      expect.objectContaining({ code: "unauthorized" }),
    ])
  })
})

describe("keys", () => {
  test("login keeps the key for its origin, in a file that only its owner can read", async () => {
    const { code, stdout } = await edgepost(["login", "--url", origin], {
      cwd: folder,
      env: withoutKey(),
      input: `${key}\n`,
    })
    expect([code, stdout]).toEqual([0, `Logged in to ${origin} as @cli-screens with the key default (publish).\n`])
    const file = join(folder, "config", "edgepost", "auth.json")
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ [origin]: key })
    const whoami = await edgepost(["whoami", "--url", origin], { cwd: folder, env: withoutKey() })
    expect(whoami.stdout).toContain("@cli-screens")
  })

  test("login never sends the key to the address of a configuration file", async () => {
    const { code, stderr } = await edgepost(["login"], { cwd: folder, env: withoutKey(), input: `${key}\n` })
    expect([code, stderr]).toEqual([2, "Which service?\nGive --url ADDRESS.\n"])
  })

  test("a key that the service refuses is not kept", async () => {
    const config = join(folder, "other-config")
    const { code } = await edgepost(["login", "--url", origin], {
      cwd: folder,
      env: { HOME: folder, XDG_CONFIG_HOME: config },
      input: `${key.slice(0, -4)}0000\n`,
    })
    expect(code).toBe(1)
    await expect(stat(config)).rejects.toThrow("ENOENT")
  })

  test("a key of the environment never goes to the address of a configuration file", async () => {
    const { code, stderr } = await edgepost(["plan"], { cwd: folder, env: { ...withoutKey(), EDGEPOST_API_KEY: key } })
    expect([code, stderr]).toEqual([2, expect.stringContaining("Set EDGEPOST_URL or give --url")])
  })

  test("a kept key never goes to another origin", async () => {
    const { code, stderr } = await edgepost(["whoami"], { cwd: folder, env: withoutKey() })
    expect([code, stderr]).toEqual([2, expect.stringContaining("There is no key for http://localhost:1.")])
  })
})
