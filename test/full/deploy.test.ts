import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"

import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"

import { operate, operatorToken, origin } from "../e2e/support.ts"

// Deploys with a wrangler that only keeps what was made; the service that it "deploys" is that of `npm start`.

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
let version: string
beforeAll(async () => {
  ;({ version } = (await (await fetch(`${origin}/healthz/`)).json()) as { version: string })
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
  // wrangler finds the Worker beside its configuration.
  await mkdir(join(folder, "src"))
  await writeFile(join(folder, "src/index.ts"), "")
  await writeFile(file, JSON.stringify(state))
  const run = async (args: string[] = [], env: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [join(ROOT, "scripts/deploy.ts"), "--config", config, ...args], {
      env: {
        ...process.env,
        PATH: `${bin}:${process.env["PATH"]}`,
        STATE: file,
        ORIGIN: origin,
        VERSION: version,
        // That of the local service, which plays the deployed one.
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
  return { run, made, folder }
}

const QUEUES = ["edgepost-translations", "edgepost-webhooks", "edgepost-translations-dead"]
const DEPLOYED = {
  accounts: EMPTY.accounts,
  databases: ["edgepost"],
  namespaces: ["edgepost-IMAGE_TICKETS"],
  buckets: ["edgepost-media"],
  queues: QUEUES,
  secrets: ["OPERATOR_TOKEN", "WEBHOOK_SECRET"],
  migrated: true,
  deployed: true,
}

test("one command deploys and prints a sign-in link, and a second one only updates", async () => {
  const { run, made } = await newScene()
  const { code, output } = await run(["--username", "deployed"])
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(
      new RegExp(
        `Made the account deployed, paid until 2099\\.[^]*sign in as deployed:\n(${origin}/sign-in/\\S+)[^]*Deployed: ${origin}`,
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
  expect([again.code, again.output]).toEqual([0, expect.not.stringContaining("/sign-in/")])
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
      .concat([
        "Would do: bring the tables up to date",
        "Would do: set OPERATOR_TOKEN",
        "Would do: set WEBHOOK_SECRET",
        "Would do: deploy the Worker edgepost",
        "Would do: deploy again, with its PUBLIC_ORIGIN",
        expect.stringMatching(/^Would do: make the account [a-z0-9]+, and print its sign-in link$/),
      ]),
  ])
  const offline = await run(["--dry-run"], { FAIL: "whoami" })
  expect(offline.output).toBe(
    `You are not signed in to Cloudflare, so these are the steps if nothing is there yet.\n${output}`,
  )
  const { made: nothing, config } = await made()
  const { commands: _, ...empty } = EMPTY
  expect([nothing, config.includes("id-of-")]).toEqual([empty, false])
})

test.each([
  ["before it takes effect", ""],
  ["after it took effect", "1"],
])(
  "a deployment that is killed at each command that changes something, %s, goes on when it is run again",
  async (_, KILL_AFTER) => {
    const { run, made } = await newScene()
    const stores = [
      "d1 create edgepost",
      "kv namespace create edgepost-IMAGE_TICKETS",
      "r2 bucket create edgepost-media",
    ]
    const changing = [...stores, ...QUEUES.map((queue) => `queues create ${queue}`), "d1 migrations apply DB", "deploy"]
    const commands: string[] = []
    for (const command of [...changing.map((one) => `${one} 1`), "deploy 2"]) {
      expect((await run([], { KILL_AT: command, KILL_AFTER })).code, command).toBe(null)
      commands.push(...(await made()).commands)
    }
    const { code, output } = await run()
    expect([code, output]).toEqual([0, expect.stringContaining(`Deployed: ${origin}`)])
    expect((await made()).made).toEqual({ ...DEPLOYED, origin })
    // Each command that changes something was one of these.
    expect(new Set(commands.filter((one) => /create|apply|deploy/.test(one)))).toEqual(new Set(changing))
  },
)

test.each(["SIGINT", "SIGTERM", "SIGHUP"])(
  "a deployment that %s ends leaves no secrets on the disk",
  async (KILL_BY) => {
    const { run } = await newScene()
    expect((await run([], { KILL_AT: "deploy 1", KILL_BY })).code).not.toBe(0)
    expect(existsSync(join(ROOT, ".wrangler/secrets.json"))).toBe(false)
  },
)

test("a Worker of an earlier version gets the secret that it lacks, and keeps its token", async () => {
  const { run, made } = await newScene("edgepost", { ...EMPTY, ...DEPLOYED, secrets: ["OPERATOR_TOKEN"] })
  const { code, output } = await run([], { OPERATOR_TOKEN: "" })
  expect([code, output]).toEqual([0, expect.stringMatching(/void:\nWEBHOOK_SECRET=[0-9a-f]{64}\n\n/)])
  expect((await made()).made).toEqual({ ...DEPLOYED, origin })
})

test("a deployment says what wrangler says when it fails at any step, and goes on later", async () => {
  const { run, made } = await newScene()
  for (const FAIL of [
    "d1 create",
    "kv namespace create",
    "r2 bucket create",
    "queues create",
    "d1 migrations",
    "deploy",
  ]) {
    const failed = await run([], { FAIL })
    expect([failed.code, failed.output], FAIL).toEqual([
      1,
      expect.stringMatching(/This has failed: .+\. Mend what wrangler says[^]*A request to the Cloudflare API failed/),
    ])
  }
  expect((await run()).code).toBe(0)
  expect((await made()).made).toEqual({ ...DEPLOYED, origin })
})

test("a new token is printed before it is set, a given one never; a short one and a failed look at the secrets change nothing", async () => {
  const { run, made } = await newScene()
  // The local service does not take a new token.
  const fresh = await run([], { OPERATOR_TOKEN: "" })
  expect(fresh.output).toMatch(
    /void:\nOPERATOR_TOKEN=[0-9a-f]{64}\nWEBHOOK_SECRET=[0-9a-f]{64}\n[^]*deploy the Worker[^]*answers 401\./,
  )
  await made()
  const [short, unlisted] = [await run([], { OPERATOR_TOKEN: "short" }), await run([], { FAIL: "secret list" })]
  expect([short.output, unlisted.output]).toEqual([
    expect.stringContaining("OPERATOR_TOKEN needs at least 32 characters."),
    expect.stringContaining("This has failed: list the secrets."),
  ])
  const { commands } = await made()
  expect(commands.filter((command) => command.startsWith("deploy"))).toEqual([])
  const given = await run(["--username", "again"])
  expect([given.code, given.output]).toEqual([0, expect.not.stringContaining(operatorToken)])
})

/** Serves three answers of hosts that are not the new deployment, then those of the service. @returns the requests that it got */
const serveElsewhere = async () => {
  const others = [
    new Response("parked"),
    new Response(null, { status: 302, headers: { Location: `${origin}/healthz/` } }),
    Response.json({ success: true, version: "of-yesterday" }),
  ]
  const requests: string[] = []
  const server = createServer((request, response) => {
    const { method = "", url = "", headers } = request
    const { authorization = "" } = headers
    requests.push(`${method} ${url}${authorization && " with a token"}`)
    const answer = async (): Promise<Response> =>
      others.shift() ??
      fetch(`${origin}${url}`, {
        method,
        headers: { authorization },
        ...(method === "PATCH" && { body: await text(request) }),
      })
    const send = async (given: Response): Promise<void> => {
      response.writeHead(given.status, { location: given.headers.get("Location") ?? "" })
      response.end(await given.text())
    }
    void answer().then(send)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

test("a deployment sends the token only to a host that answers with its version, not to a parked one, one that leads there, or an older one", async () => {
  const { run } = await newScene()
  const { address, requests } = await serveElsewhere()
  const { code, output } = await run(["--username", "parked"], { ORIGIN: address })
  expect([code, output]).toEqual([0, expect.stringContaining("Made the account parked")])
  const health = "GET /healthz/"
  const found = "GET /operator/api/accounts/parked/ with a token"
  expect(requests.slice(0, 5)).toEqual([health, health, health, health, found])
})

test("a copy of the configuration of a first deployment cannot deploy to its stores, and the documented command makes one that can", async () => {
  const { run, made, folder } = await newScene()
  await run()
  const [config, second] = [join(folder, "wrangler.toml"), join(folder, "wrangler.second.toml")]
  const toml = await readFile(config, "utf8")
  await writeFile(config, toml.replaceAll(/"edgepost(?=[-"])/g, '"second'))
  expect((await run()).output).toContain("wrangler.toml has the id of the database edgepost, and names second.")
  const route = '[[routes]]\npattern = "blog.example"\ncustom_domain = true\n'
  await writeFile(config, `${toml.replace("[build]", `${route}\n[build]`)}\n${route}`)
  const [, command = ""] = /^(sed [^\n]+)$/m.exec(await readFile(join(ROOT, "docs/deploy.md"), "utf8")) ?? []
  execFileSync("sh", ["-c", command], { cwd: folder })
  expect(await readFile(second, "utf8")).toMatch(/^(?![^]*blog\.example)[^]*\n\[build\]\n/)
  const { code, output } = await run(["--config", second])
  expect([code, output]).toEqual([0, expect.stringContaining(`Deployed: ${origin}`)])
  expect((await made()).made).toMatchObject({
    databases: ["edgepost", "second"],
    buckets: ["edgepost-media", "second-media"],
    queues: [...QUEUES, ...QUEUES.map((name) => name.replace("edgepost", "second"))],
  })
})

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
