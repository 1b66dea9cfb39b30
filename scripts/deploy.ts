// Deploys the service to Cloudflare, and makes there what it lacks: stores, queues, tables, the operator's token, the first account.
// Each step looks first whether it is done, so that a run that was stopped goes on, and a later run is an update.
import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

import { unstable_readConfig as readConfig } from "wrangler"

import { Failure, main, readOptions } from "./cli.ts"
import { ROOT } from "./tools.ts"

const USAGE = `Usage: npm run deploy -- [OPTIONS]

  --dry-run        Say what would be done, and change nothing.
  --config FILE    Another configuration than wrangler.toml, for a second deployment.
  --username NAME  The account to make, with a sign-in link. The first deployment makes one by itself.

CLOUDFLARE_API_TOKEN signs in without a browser, and also switches on read replication.
OPERATOR_TOKEN is used instead of a new token.`

const READY_TRIES = 60
const READY_MS = 2000

interface Answer {
  isDone: boolean
  output: string
}

/** Runs wrangler, which npm puts on the path. @param env further variables */
const wrangler = (args: string[], env: Record<string, string> = {}, isShown = false): Answer => {
  const { error, status, stdout, stderr } = spawnSync("wrangler", args, {
    cwd: ROOT,
    env: { ...process.env, WRANGLER_SEND_METRICS: "false", WRANGLER_HIDE_BANNER: "true", ...env },
    stdio: isShown ? "inherit" : ["ignore", "pipe", "pipe"],
    encoding: "utf8",
  })
  if (error) throw error
  return { isDone: status === 0, output: status === 0 ? (stdout ?? "") : `${stdout ?? ""}${stderr ?? ""}` }
}

/** Returns what a command has printed. @throws Failure with what wrangler says */
const outputOf = (answer: Answer, what: string): string => {
  if (answer.isDone) return answer.output
  throw new Failure(
    `${what} has failed. Mend what wrangler says, and run this again: it goes on here.\n\n${answer.output.trim()}`,
  )
}

/** Adds a line below another one of a TOML text. */
const setLine = (toml: string, after: RegExp, key: string, value: string): string => {
  const [line] = after.exec(toml) ?? []
  if (line === undefined)
    throw new Failure(`The configuration has no line like ${String(after)}, below which ${key} stands.`)
  return toml.replace(line, () => `${line}\n${key} = ${JSON.stringify(value)}`)
}

interface Plan {
  file: string
  isDry: boolean
}

class Deployment {
  readonly #file: string
  readonly #isDry: boolean
  config: ReturnType<typeof readConfig>

  constructor({ file, isDry }: Plan) {
    this.#file = file
    this.#isDry = isDry
    this.config = readConfig({ config: file })
  }

  /** Runs a command of wrangler that changes something; in a dry run it is only named. */
  #change(what: string, args: string[], env: Record<string, string> = {}): string {
    console.log(`${this.#isDry ? "Would do" : "Doing"}: ${what}`)
    return this.#isDry ? "" : outputOf(wrangler([...args, "--config", this.#file], env), what)
  }

  #ask(args: string[]): Answer {
    return wrangler([...args, "--config", this.#file])
  }

  #edit(change: (toml: string) => string): void {
    if (this.#isDry) return
    writeFileSync(this.#file, change(readFileSync(this.#file, "utf8")))
    this.config = readConfig({ config: this.#file })
  }

  signIn(): void {
    if (!this.#ask(["whoami", "--json"]).isDone) {
      if (this.#isDry) throw new Failure("wrangler is not signed in to Cloudflare. Run `npx wrangler login` first.")
      outputOf(wrangler(["login"], {}, true), "The sign-in to Cloudflare")
    }
    const { accounts } = JSON.parse(outputOf(this.#ask(["whoami", "--json"]), "The sign-in to Cloudflare")) as {
      accounts: { id: string; name: string }[]
    }
    if (accounts.length < 2 || process.env["CLOUDFLARE_ACCOUNT_ID"] || this.config.account_id) return
    const list = accounts.map(({ id, name }) => `CLOUDFLARE_ACCOUNT_ID=${id}  # ${name}`).join("\n")
    throw new Failure(`You have several accounts at Cloudflare. Choose one, and run this again:\n\n${list}`)
  }

  /** Makes a store if there is none of that name. @param noun what the commands of wrangler begin with @returns its id; "" in a dry run */
  #makeStore(kind: string, noun: string[], name: string, listOptions: string[] = []): string {
    const what = `${kind} ${name}`
    const find = (): string | undefined => {
      const list = JSON.parse(
        outputOf(this.#ask([...noun, "list", ...listOptions]), `The list to find the ${what} in`),
      ) as {
        name?: string
        uuid?: string
        title?: string
        id?: string
      }[]
      const found = list.find((one) => (one.name ?? one.title) === name)
      return found?.uuid ?? found?.id
    }
    const known = find()
    if (known === undefined) this.#change(`make the ${what}`, [...noun, "create", name])
    const id = known ?? (this.#isDry ? "" : find())
    if (id === undefined) throw new Failure(`The ${what} was made, but is not in the list. Run this again.`)
    return id
  }

  makeDatabase(): void {
    const [database] = this.config.d1_databases
    if (database?.database_id) return
    const id = this.#makeStore("database", ["d1"], database?.database_name ?? "", ["--json"])
    this.#edit((toml) => setLine(toml, /^database_name = .*$/m, "database_id", id))
  }

  makeNamespace(): void {
    const [namespace] = this.config.kv_namespaces
    const { binding = "" } = namespace ?? {}
    if (namespace?.id) return
    const id = this.#makeStore("namespace", ["kv", "namespace"], `${this.config.name}-${binding}`)
    this.#edit((toml) => setLine(toml, new RegExp(`^binding = "${binding}"$`, "m"), "id", id))
  }

  makeBucketAndQueues(): void {
    for (const { bucket_name: name = "" } of this.config.r2_buckets)
      if (!this.#ask(["r2", "bucket", "info", name, "--json"]).isDone)
        this.#change(`make the bucket ${name}`, ["r2", "bucket", "create", name])
    const { producers = [], consumers = [] } = this.config.queues
    for (const name of new Set([...producers, ...consumers].map(({ queue }) => queue)))
      if (!this.#ask(["queues", "info", name]).isDone)
        this.#change(`make the queue ${name}`, ["queues", "create", name])
  }

  migrate(): void {
    const [database] = this.config.d1_databases
    this.#change("bring the tables up to date", ["d1", "migrations", "apply", database?.binding ?? "DB", "--remote"])
  }

  /** Deploys. @param token of the operator, if the Worker has none yet @returns the addresses of the Worker */
  deploy(token: string | null): string[] {
    const folder = mkdtempSync(join(tmpdir(), "edgepost-deploy-"))
    try {
      const [secrets, outcome] = [join(folder, "secrets.json"), join(folder, "outcome.ndjson")]
      if (token !== null) writeFileSync(secrets, JSON.stringify({ OPERATOR_TOKEN: token }), { mode: 0o600 })
      const args = ["deploy", ...(token === null ? [] : ["--secrets-file", secrets])]
      this.#change(`deploy the Worker ${this.config.name}`, args, { WRANGLER_OUTPUT_FILE_PATH: outcome })
      if (this.#isDry) return []
      const lines = readFileSync(outcome, "utf8").split("\n").filter(Boolean)
      const entries = lines.map((line) => JSON.parse(line) as { type: string; targets?: string[] })
      return entries.find(({ type }) => type === "deploy")?.targets ?? []
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  /** Returns a new token if the Worker has none; it is printed before it is set, since it cannot be read later. */
  newToken(): string | null {
    const { isDone, output } = this.#ask(["secret", "list", "--format", "json"])
    const secrets = isDone ? (JSON.parse(output) as { name: string }[]) : []
    if (secrets.some(({ name }) => name === "OPERATOR_TOKEN")) return null
    const token = process.env["OPERATOR_TOKEN"] ?? randomBytes(32).toString("hex")
    if (!this.#isDry)
      console.log(`\nThe operator's token, shown only now. Keep it where secrets are kept:\nOPERATOR_TOKEN=${token}\n`)
    return token
  }

  /** Writes the address of the Worker into the configuration, if it has none. @returns true if that has to be deployed again */
  setOrigin(targets: string[]): boolean {
    if (this.config.vars["PUBLIC_ORIGIN"] || this.#isDry) return false
    // Others name schedules, queues and custom domains. Matches `https://a.b.workers.dev`. Does not match `schedule: * * * * *`.
    const address = targets.find((target) => /^https?:\/\//.test(target))
    if (address === undefined)
      throw new Failure(
        "wrangler names no address of the Worker. Set PUBLIC_ORIGIN in the configuration, and run this again.",
      )
    const { origin } = new URL(address)
    console.log(`PUBLIC_ORIGIN is ${origin}`)
    this.#edit((toml) => toml.replace(/^PUBLIC_ORIGIN = .*$/m, () => `PUBLIC_ORIGIN = ${JSON.stringify(origin)}`))
    return true
  }

  /** Lets far readers be answered by a near copy of the database. */
  async replicate(): Promise<void> {
    const [database] = this.config.d1_databases
    const token = process.env["CLOUDFLARE_API_TOKEN"]
    const account = process.env["CLOUDFLARE_ACCOUNT_ID"] ?? this.config.account_id
    if (!token || !account) {
      console.log(
        `Switch on read replication once, so that far readers wait less: Cloudflare's dashboard, D1, ${database?.database_name}, Settings.`,
      )
      return
    }
    if (this.#isDry) return
    const base = process.env["CLOUDFLARE_API_BASE_URL"] ?? "https://api.cloudflare.com/client/v4"
    const answer = await fetch(`${base}/accounts/${account}/d1/database/${database?.database_id}`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ read_replication: { mode: "auto" } }),
    })
    console.log(
      answer.ok ? "Read replication is on." : `Read replication could not be switched on: ${await answer.text()}`,
    )
  }
}

/** Makes the first account of a service, or the one that is asked for, and prints its sign-in link. @throws Failure */
const makeAccount = async (origin: string, token: string, asked: string | undefined): Promise<void> => {
  const call = (method: string, path: string, json?: object): Promise<Response> =>
    fetch(`${origin}/operator/api/accounts/${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}` },
      ...(json && { body: JSON.stringify(json) }),
    })
  const read = async (answer: Response): Promise<Record<string, unknown>> => {
    if (!answer.ok) throw new Failure(`${origin} answers ${answer.status}: ${await answer.text()}`)
    return answer.json<Record<string, unknown>>()
  }
  const isUp = (): Promise<boolean> =>
    fetch(`${origin}/healthz/`).then(
      ({ ok }) => ok,
      () => false,
    )
  // A new address takes a while to be known everywhere.
  for (let tries = 1; !(await isUp()); tries += 1) {
    if (tries === READY_TRIES) throw new Failure(`${origin} does not answer yet. Run this again in some minutes.`)
    await sleep(READY_MS)
  }
  // Matches what a username may not have: the blank of `ann b`. Does not match `ann-b`.
  const username =
    asked ??
    (userInfo()
      .username.toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "") ||
      "blog")
  const known = await call("GET", `${username}/`)
  if (known.ok && asked === undefined) return
  if (!known.ok) await read(await call("PATCH", `${username}/`, { paid_until: "2099-01-01T00:00:00Z" }))
  const { sign_in_url } = await read(await call("POST", `${username}/sign-in-links/`))
  console.log(`\nOpen this once, within 15 minutes, to sign in as ${username}:\n${String(sign_in_url)}`)
}

await main(async () => {
  const { values } = readOptions(
    {
      options: {
        "dry-run": { type: "boolean", default: false },
        config: { type: "string", default: join(ROOT, "wrangler.toml") },
        username: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    },
    USAGE,
  )
  if (values.help) {
    console.log(USAGE)
    return
  }
  const deployment = new Deployment({ file: values.config, isDry: values["dry-run"] })
  deployment.signIn()
  deployment.makeDatabase()
  deployment.makeNamespace()
  deployment.makeBucketAndQueues()
  deployment.migrate()
  const token = deployment.newToken()
  if (deployment.setOrigin(deployment.deploy(token))) deployment.deploy(null)
  await deployment.replicate()
  if (values["dry-run"]) return
  const origin = String(deployment.config.vars["PUBLIC_ORIGIN"])
  const known = token ?? process.env["OPERATOR_TOKEN"]
  if (known) await makeAccount(origin, known, values.username)
  else if (values.username !== undefined)
    throw new Failure(
      "Set OPERATOR_TOKEN to the operator's token, which the first deployment has printed, and run this again.",
    )
  console.log(`\nDeployed: ${origin}`)
})
