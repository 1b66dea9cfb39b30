import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { afterAll, beforeAll, expect, inject, test } from "vitest"

import { operate, origin } from "../e2e/support.ts"

// Deploys with a wrangler that only keeps what was made; the service that it "deploys" is that of `npm start`.

const { operatorToken } = inject("service")
const ROOT = join(import.meta.dirname, "../..")
const EMPTY = {
  commands: [],
  accounts: [{ id: "a1", name: "Ann" }],
  databases: [],
  namespaces: [],
  buckets: [],
  queues: [],
  secrets: [],
}

let bin: string
beforeAll(async () => {
  bin = await mkdtemp(join(tmpdir(), "edgepost-bin-"))
  await copyFile(join(import.meta.dirname, "fake-wrangler.mjs"), join(bin, "wrangler"))
  await chmod(join(bin, "wrangler"), 0o755)
})
afterAll(() => rm(bin, { recursive: true }))

/** Prepares an empty account at Cloudflare and a configuration. @returns runs of the script against them */
const newScene = async (name = "edgepost", state: object = EMPTY) => {
  const folder = await mkdtemp(join(bin, "scene-"))
  const [config, file] = [join(folder, "wrangler.toml"), join(folder, "state.json")]
  const toml = await readFile(join(ROOT, "wrangler.toml"), "utf8")
  await writeFile(config, toml.replaceAll(/"edgepost(?=[-"])/g, `"${name}`))
  await writeFile(file, JSON.stringify(state))
  const run = async (args: string[] = [], env: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [join(ROOT, "scripts/deploy.ts"), "--config", config, ...args], {
      env: {
        ...process.env,
        PATH: `${bin}:${process.env["PATH"]}`,
        STATE: file,
        ORIGIN: origin,
        OPERATOR_TOKEN: operatorToken,
        CLOUDFLARE_API_TOKEN: "",
        ...env,
      },
    })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)))
    const [code] = (await once(child, "close")) as [number | null]
    return { code, output }
  }
  const made = async () => {
    const { commands, ...rest } = JSON.parse(await readFile(file, "utf8")) as { commands: string[] }
    await writeFile(file, JSON.stringify({ ...rest, commands: [] }))
    return { commands, made: rest, config: await readFile(config, "utf8") }
  }
  return { run, made }
}

const QUEUES = ["edgepost-translations", "edgepost-translations-dead"]
const DEPLOYED = {
  accounts: EMPTY.accounts,
  databases: ["edgepost"],
  namespaces: ["edgepost-IMAGE_TICKETS"],
  buckets: ["edgepost-media"],
  queues: QUEUES,
  secrets: ["OPERATOR_TOKEN"],
  migrated: true,
  deployed: true,
}

test("one command deploys, prints the token once and a sign-in link, and a second one only updates", async () => {
  const { run, made } = await newScene()
  const { code, output } = await run(["--username", "deployed"])
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(
      new RegExp(
        `OPERATOR_TOKEN=${String(operatorToken)}[^]*sign in as deployed:\n(${origin}/sign-in/\\S+)[^]*Deployed: ${origin}`,
      ),
    ),
  ])
  const first = await made()
  expect(first.made).toEqual({ ...DEPLOYED, origin })
  expect(first.config).toContain('database_name = "edgepost"\ndatabase_id = "id-of-edgepost"\n')
  expect(first.config).toContain('binding = "IMAGE_TICKETS"\nid = "id-of-edgepost-IMAGE_TICKETS"\n')
  expect(first.config).toContain(`PUBLIC_ORIGIN = "${origin}"`)
  expect((await operate("GET", "deployed/")).json.account.paid_until).toBe("2099-01-01T00:00:00.000Z")

  const again = await run()
  const second = await made()
  expect([again.code, again.output]).toEqual([0, expect.not.stringContaining("OPERATOR_TOKEN=")])
  expect([second.made, second.config]).toEqual([first.made, first.config])
  expect(second.commands.filter((command) => /create|deploy|apply/.test(command))).toEqual([
    "d1 migrations apply DB",
    "deploy",
  ])
})

test("a dry run says what would be done, and changes nothing", async () => {
  const { run, made } = await newScene()
  const { code, output } = await run(["--dry-run"])
  expect([code, output.match(/^Would do: .*$/gm)]).toEqual([
    0,
    [
      "the database edgepost",
      "the namespace edgepost-IMAGE_TICKETS",
      "the bucket edgepost-media",
      ...QUEUES.map((queue) => `the queue ${queue}`),
    ]
      .map((what) => `Would do: make ${what}`)
      .concat(["Would do: bring the tables up to date", "Would do: deploy the Worker edgepost"]),
  ])
  const { made: nothing, config } = await made()
  const { commands: _, ...empty } = EMPTY
  expect([nothing, config.includes("id-of-")]).toEqual([empty, false])
})

test("a deployment that is killed at any command that changes something, before it takes effect or after, goes on when it is run again", async () => {
  const whole = await newScene()
  await whole.run()
  const { commands } = await whole.made()
  const changing = [...commands.keys()].filter((at) => /create|apply|deploy/.test(commands[at] ?? ""))
  expect(changing.length).toBeGreaterThan(7)
  for (const KILL_AFTER of ["", "1"])
    for (const at of changing) {
      const { run, made } = await newScene()
      expect((await run([], { KILL_AT: String(at + 1), KILL_AFTER })).code).toBe(null)
      const { code, output } = await run()
      expect([code, output], commands[at]).toEqual([0, expect.stringContaining(`Deployed: ${origin}`)])
      expect((await made()).made, commands[at]).toEqual({ ...DEPLOYED, origin })
    }
}, 300_000)

test.each(["d1 create", "kv namespace create", "r2 bucket create", "queues create", "d1 migrations", "deploy"])(
  "a deployment says what wrangler says when it fails at %s, and goes on later",
  async (FAIL) => {
    const { run, made } = await newScene()
    const failed = await run([], { FAIL })
    expect([failed.code, failed.output]).toEqual([
      1,
      expect.stringMatching(/has failed\. Mend what wrangler says[^]*A request to the Cloudflare API failed/),
    ])
    expect((await run()).code).toBe(0)
    expect((await made()).made).toEqual({ ...DEPLOYED, origin })
  },
)

test("a second deployment has stores of its own, and tables of an earlier version are brought up to date", async () => {
  const { run, made } = await newScene("second", {
    ...EMPTY,
    ...DEPLOYED,
    deployed: false,
    secrets: [],
    migrated: false,
    databases: ["edgepost", "second"],
  })
  expect((await run()).code).toBe(0)
  const { made: all, config, commands } = await made()
  expect(all).toMatchObject({
    databases: ["edgepost", "second"],
    buckets: ["edgepost-media", "second-media"],
    migrated: true,
  })
  expect([config.includes('"id-of-second"'), commands.includes("d1 create second")]).toEqual([true, false])
})

test("a deployment with several accounts at Cloudflare asks to choose one", async () => {
  const accounts = [
    { id: "a1", name: "Ann" },
    { id: "b2", name: "Bob" },
  ]
  const { run } = await newScene("edgepost", { ...EMPTY, accounts })
  const { code, output } = await run([], { CLOUDFLARE_ACCOUNT_ID: "" })
  expect([code, output]).toEqual([1, expect.stringContaining("CLOUDFLARE_ACCOUNT_ID=b2  # Bob")])
})
