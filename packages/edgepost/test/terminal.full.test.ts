import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

import { afterAll, beforeAll, expect, test } from "vitest"

import { newKey, origin } from "../../../test/e2e/support.ts"
import { draw, write } from "./blogs.ts"
import { CLI } from "./command.ts"

const run = promisify(execFile)

let folder: string
let key: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgepost-terminal-"))
  key = await newKey("cli-terminal", { translation_languages: [] })
})
afterAll(() => rm(folder, { recursive: true }))

/** Publishes a new post with an image, in a terminal of 80 columns. */
const publishInTerminal = async (slug: string, env: Record<string, string>): Promise<string> => {
  const root = join(folder, slug)
  await write(join(root, "edgepost.config.yaml"), "category: Sea\n")
  await write(join(root, "boat.png"), await draw("boat.png", 20, 20))
  await write(join(root, `${slug}.md`), `---\ntitle: ${slug}\ndate: 2024-01-02\n---\n\n![Boat](boat.png)\n`)
  const command = `stty cols 80; ${process.execPath} ${CLI} publish ${root}`
  const { stdout } = await run("script", ["-qec", command, "/dev/null"], {
    env: {
      PATH: process.env["PATH"],
      TERM: "xterm",
      HOME: folder,
      EDGEPOST_URL: origin,
      EDGEPOST_API_KEY: key,
      ...env,
    },
  })
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

created    terminal-plain
           ${origin}/@cli-terminal/terminal-plain/
`)
})
