import { execFile } from "node:child_process"
import { homedir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

import { expect, test } from "vitest"

import { newFolder } from "../../../test/after-file.ts"
import { key, origin } from "../../../test/e2e/support.ts"
import { callTool, connect } from "./assistant.ts"
import { draw, write } from "./blogs.ts"

const run = promisify(execFile)
const PACKAGE = join(import.meta.dirname, "..")

const MAX_BYTES = 300_000

const folder = await newFolder()

test("the packed package, installed into an empty folder, publishes and serves assistants with its oldest Node, refuses older ones, and its client has types", async () => {
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: PACKAGE })
  const [{ filename, files, size }] = JSON.parse(stdout)
  expect(size).toBeLessThanOrEqual(MAX_BYTES)
  const names: string[] = files.map(({ path }: { path: string }) => path)
  expect(names).toContain("dist/bin.js")
  const wanted = /^(?:dist\/.*\.(?:js|d\.ts)|package\.json|README\.md|LICENSE)$/
  expect(names.filter((name) => !wanted.test(name))).toEqual([])
  await write(join(folder, "package.json"), JSON.stringify({ type: "module", private: true }))
  await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", join(folder, filename)], { cwd: folder })
  const env = { PATH: process.env["PATH"], HOME: folder, EDGEPOST_URL: origin, EDGEPOST_API_KEY: key }
  const { stdout: shown } = await run("npx", ["edgepost", "whoami"], { cwd: folder, env })
  expect(shown).toContain("@demo")
  const text = "---\ntitle: A packed tide\ncategory: Sea\ndate: 2024-01-02\n---\n\n![Tide](tide.png)\n"
  await write(join(folder, "posts/a-packed-tide.md"), text)
  await write(join(folder, "posts/tide.png"), await draw("tide.png", 20, 20))
  const runWith = (version: string) =>
    run("npx", ["--yes", `node@${version}`, "node_modules/edgepost/dist/bin.js", "publish", "posts"], {
      cwd: folder,
      env: { ...process.env, ...env, HOME: homedir() },
    })
  await expect(runWith("20.19.0")).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining("22.18 or newer") })
  // The oldest Node that the package allows.
  expect((await runWith("22.18.0")).stdout).toContain("created    a-packed-tide")
  const packed = join(folder, "node_modules/edgepost/dist/bin.js")
  const assistant = await connect({
    env: { ...process.env, ...env, HOME: homedir() } as Record<string, string>,
    program: ["npx", "--yes", "node@22.18.0", packed],
  })
  const { data } = await callTool(assistant, "search_posts", { query: "packed tide" })
  expect(data.posts).toMatchObject([{ slug: "a-packed-tide" }])
  await write(
    join(folder, "use.ts"),
    `import { createClient, EdgepostError } from "edgepost/client"
const client = createClient({ baseUrl: process.env["EDGEPOST_URL"] ?? "", apiKey: process.env["EDGEPOST_API_KEY"] ?? "" })
const { username } = await client.getAccount()
const name: string = username
// @ts-expect-error There is no such field.
const wrong = (await client.getPost("reading-the-tide")).post.titel
console.log(name, wrong === undefined, EdgepostError.name)
`,
  )
  const tsc = join(PACKAGE, "../../node_modules/.bin/tsc")
  const types = ["--typeRoots", join(PACKAGE, "../../node_modules/@types"), "--types", "node"]
  await run(tsc, ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024", ...types, "use.ts"], {
    cwd: folder,
  })
  const { stdout: used } = await run(process.execPath, ["use.ts"], { cwd: folder, env })
  expect(used).toBe("demo true EdgepostError\n")
})

test("`npm run edgepost` of the repository plans the folder in which it is started", async () => {
  const blog = await newFolder()
  await write(join(blog, "posts/a-tide.md"), "---\ntitle: A tide\ncategory: Sea\ndate: 2024-01-02\n---\n\nWords.\n")
  const args = ["run", "-s", "--prefix", join(PACKAGE, "../.."), "edgepost", "--", "plan", "--offline", "posts"]
  const { stdout } = await run("npm", args, { cwd: blog })
  expect(stdout).toContain("1 without errors.")
})
