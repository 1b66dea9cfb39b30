import { execFile, spawn } from "node:child_process"
import { join } from "node:path"
import { promisify, stripVTControlCharacters } from "node:util"

import { expect, test } from "vitest"

import { origin } from "../../../test/e2e/support.ts"
import { newAccount } from "./account.ts"
import { draw } from "./blogs.ts"
import { CLI } from "./command.ts"

const run = promisify(execFile)

const { key, root: folder, send, write } = await newAccount("cli-terminal")
const ENV = { PATH: process.env["PATH"], TERM: "xterm", HOME: folder, EDGEPOST_URL: origin }

/** Publishes a new post with an image, in a terminal of 80 columns. */
const publishInTerminal = async (slug: string, env: Record<string, string>): Promise<string> => {
  await write({
    [`${slug}/edgepost.config.yaml`]: "category: Sea\n",
    [`${slug}/boat.png`]: await draw("boat.png", 20, 20),
    [`${slug}/${slug}.md`]: `---\ntitle: ${slug}\ndate: 2024-01-02\n---\n\n![Boat](boat.png)\n`,
  })
  const command = `stty cols 80; ${process.execPath} ${CLI} publish ${join(folder, slug)}`
  const options = { env: { ...ENV, EDGEPOST_API_KEY: key, ...env } }
  const { stdout } = await run("script", ["-qec", command, "/dev/null"], options)
  return stdout
}

/** Returns what stays on the screen: each line after the last time that it was cleared. */
const screenOf = (output: string): string =>
  output
    .split("\r\n")
    .map((line) => line.split("\r\u001B[K").at(-1))
    .join("\n")

test("a terminal shows a bar while posts are published, which does not stay, and colours", async () => {
  const output = await publishInTerminal("terminal-colour", {})
  expect(output).toContain("[--------------------] 0 of 1 terminal-colour: writing")
  expect(output).toContain("\u001B[32mcreated   \u001B[39m terminal-colour")
  expect(screenOf(output)).not.toContain("[----")
})

test("with NO_COLOR a terminal shows no colours", async () => {
  const output = screenOf(await publishInTerminal("terminal-plain", { NO_COLOR: "1" }))
  expect(output).not.toContain("\u001B")
  expect(output).toBe(`create     terminal-plain
           terminal-plain.md

1 to create, 0 unchanged.
Read as a folder of Markdown, by the rules of no tool.

created    terminal-plain
           ${origin}/@cli-terminal/terminal-plain/
           terminal-plain.md:1 warning
             meta_description: 120 to 160 characters are recommended; this has
             14.
1 created.
`)
})

const CTRL_C = "\u0003"
const CTRL_D = "\u0004"

/** Runs a command in a terminal and types when it asks. @returns what it showed, its exit code, and whether the terminal is usable after it */
const answerInTerminal = async (args: string[], question: string, keys: string) => {
  const script = `${process.execPath} ${CLI} ${args.join(" ")}; echo "exit $?"; stty -a`
  const withKey = args[0] === "login" ? {} : { EDGEPOST_API_KEY: key }
  const child = spawn("script", ["-qec", script, "/dev/null"], { env: { ...ENV, ...withKey } })
  let output = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const isAsked = output.includes(question)
    output += text
    if (!isAsked && output.includes(question)) child.stdin.write(keys)
  })
  await new Promise((done) => child.once("close", done))
  const [shown = "", code, settings = ""] = output.split(/exit (\d+)\r\n/)
  const isUsable = ["isig", "icanon", "echo"].every((name) => settings.split(/[\s;]+/).includes(name))
  const answer = shown.slice(shown.indexOf(question) + question.length)
  return [stripVTControlCharacters(answer).replaceAll("\r", ""), Number(code), isUsable]
}

test.each([
  ["Ctrl-C", CTRL_C, "Interrupted. Nothing was changed.\n", 130],
  ["Ctrl-D", CTRL_D, "No key was given.\nPipe it in: edgepost login --url ADDRESS < key.txt\n", 2],
])("login ends at %s, and the terminal is as before", async (_, keys, shown, code) => {
  expect(await answerInTerminal(["login"], "It is not shown.\r\n", keys)).toEqual([shown, code, true])
})

test("login reads the key without showing it, and the terminal is as before", async () => {
  const shown = `Logged in to ${origin} as @cli-terminal with the key default (publish).\n`
  expect(await answerInTerminal(["login"], "It is not shown.\r\n", `${key}\r`)).toEqual([shown, 0, true])
})

test.each<[string, string, string, number, string[]?]>([
  ["Ctrl-C", CTRL_C, "\nInterrupted. Nothing was changed.\n", 130],
  ["Ctrl-D", CTRL_D, "\nNot deleted.\n", 1],
  ["n", "n\r", "n\nNot deleted.\n", 1],
  ["n, with --json,", "n\r", 'n\n{\n  "deleted": null\n}\n', 1, ["--json"]],
  ["y", "y\r", "y\nDeleted terminal-deleted.\n", 0],
])("delete asks first, and at %s ends as it says", async (_, keys, shown, code, options = []) => {
  const slug = "terminal-deleted"
  const texts = { title: "Gone", meta_description: "x", body: "x" }
  await send("PUT", `posts/${slug}/`, { ...texts, status: "DF", categories: "Sea" })
  expect(await answerInTerminal(["delete", slug, ...options], "for good? [y/N] ", keys)).toEqual([shown, code, true])
  expect((await send("GET", `posts/${slug}/`)).status).toBe(code === 0 ? 404 : 200)
})
