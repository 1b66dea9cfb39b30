// The steps of a deployment to Cloudflare, by wrangler. Each looks first whether it is done, so that a run that was stopped goes on.
import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"

import { unstable_readConfig as readConfig } from "wrangler"

import { MIN_SECRET_CHARS } from "../src/limits.ts"
import { Failure, messageOf } from "./cli.ts"
import { ROOT } from "./tools.ts"

/** The folder of what a run writes for wrangler, and wrangler for a run. */
const SCRATCH = join(ROOT, ".wrangler")
const SECRETS_FILE = join(SCRATCH, "secrets.json")

/** The secrets that a Worker needs. */
export const SECRETS = ["OPERATOR_TOKEN", "WEBHOOK_SECRET"] as const
export type Secrets = Partial<Record<(typeof SECRETS)[number], string>>

/** Matches the codes of Cloudflare for a Worker that was not deployed yet. */
const NO_WORKER = /\b(?:10007|10090)\b/

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
    `This has failed: ${what}. Mend what wrangler says, and run this again: it goes on here.\n\n${answer.output.trim()}`,
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

/** A deployment by a configuration. Its methods are the steps. */
export class Deployment {
  readonly #file: string
  readonly #isDry: boolean
  /** False in a dry run that cannot look what is there already. */
  #isSignedIn = true
  /** The id that Cloudflare gave to the version deployed last. */
  version: string | null = null
  config: ReturnType<typeof readConfig>

  constructor({ file, isDry }: Plan) {
    this.#file = file
    this.#isDry = isDry
    // A run that was killed has left its own.
    rmSync(SECRETS_FILE, { force: true })
    this.config = this.#read()
    if (!existsSync(this.config.main ?? ""))
      throw new Failure(`${file} has to stand beside wrangler.toml: its paths begin there.`)
  }

  #read(): ReturnType<typeof readConfig> {
    try {
      return readConfig({ config: this.#file })
    } catch (error) {
      throw new Failure(`${this.#file} cannot be read: ${messageOf(error)}`)
    }
  }

  #say(what: string): void {
    console.log(`${this.#isDry ? "Would do" : "Doing"}: ${what}`)
  }

  /** Runs a command of wrangler that changes something; in a dry run it is only named. */
  #change(what: string, args: string[], env: Record<string, string> = {}): string {
    this.#say(what)
    return this.#isDry ? "" : outputOf(wrangler([...args, "--config", this.#file], env), what)
  }

  #ask(args: string[]): Answer {
    return this.#isSignedIn ? wrangler([...args, "--config", this.#file]) : { isDone: false, output: "" }
  }

  #edit(change: (toml: string) => string): void {
    if (this.#isDry) return
    const [text, written] = [change(readFileSync(this.#file, "utf8")), `${this.#file}.new`]
    writeFileSync(written, text)
    renameSync(written, this.#file)
    this.config = this.#read()
  }

  signIn(): void {
    const whoami = this.#ask(["whoami", "--json"])
    if (!whoami.isDone && this.#isDry) {
      console.log("You are not signed in to Cloudflare, so these are the steps if nothing is there yet.")
      this.#isSignedIn = false
      return
    }
    if (!whoami.isDone) {
      if (process.env["CLOUDFLARE_API_TOKEN"]) outputOf(whoami, "sign in with CLOUDFLARE_API_TOKEN")
      outputOf(wrangler(["login"], {}, true), "sign in to Cloudflare")
    }
    const { accounts } = JSON.parse(outputOf(this.#ask(["whoami", "--json"]), "sign in to Cloudflare")) as {
      accounts: { id: string; name: string }[]
    }
    if (accounts.length < 2 || process.env["CLOUDFLARE_ACCOUNT_ID"] || this.config.account_id) return
    const list = accounts.map(({ id, name }) => `CLOUDFLARE_ACCOUNT_ID=${id}  # ${name}`).join("\n")
    throw new Failure(`You have several accounts at Cloudflare. Choose one, and run this again:\n\n${list}`)
  }

  /** Lists the stores of a kind. */
  #list(noun: string[], options: string[]): { name: string; id: string }[] {
    if (!this.#isSignedIn) return []
    const output = outputOf(this.#ask([...noun, "list", ...options]), `list what is there: ${noun.join(" ")}`)
    const list = JSON.parse(output) as Partial<Record<"name" | "uuid" | "title" | "id", string>>[]
    return list.map(({ name, title, uuid, id }) => ({ name: name ?? title ?? "", id: uuid ?? id ?? "" }))
  }

  /** Makes a store if there is none of that name. @param noun what the commands of wrangler begin with @returns its id; "" in a dry run */
  #makeStore(kind: string, noun: string[], name: string, listOptions: string[] = []): string {
    const what = `${kind} ${name}`
    const find = (): string | undefined => this.#list(noun, listOptions).find((one) => one.name === name)?.id
    const known = find()
    if (known === undefined) this.#change(`make the ${what}`, [...noun, "create", name])
    const id = known ?? (this.#isDry ? "" : find())
    if (id === undefined) throw new Failure(`The ${what} was made, but is not in the list. Run this again.`)
    return id
  }

  makeDatabase(): void {
    const [{ database_id: known, database_name: name = "" } = {}] = this.config.d1_databases
    if (known) {
      const other = this.#list(["d1"], ["--json"]).find((one) => one.id === known && one.name !== name)
      if (!other) return
      throw new Failure(
        `${basename(this.#file)} has the id of the database ${other.name}, and names ${name}. For a second deployment, leave out the lines database_id and id, and empty PUBLIC_ORIGIN.`,
      )
    }
    const id = this.#makeStore("database", ["d1"], name, ["--json"])
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

  /** Deploys. @param secrets that the Worker lacks; it keeps those that it has @returns the addresses of the Worker */
  deploy(secrets: Secrets, what = `deploy the Worker ${this.config.name}`): string[] {
    const outcome = join(SCRATCH, "deployed.ndjson")
    mkdirSync(SCRATCH, { recursive: true })
    rmSync(outcome, { force: true })
    const hasSecrets = Object.keys(secrets).length > 0
    try {
      if (hasSecrets) writeFileSync(SECRETS_FILE, JSON.stringify(secrets), { mode: 0o600 })
      const args = ["deploy", ...(hasSecrets ? ["--secrets-file", SECRETS_FILE] : [])]
      this.#change(what, args, { WRANGLER_OUTPUT_FILE_PATH: outcome })
      if (this.#isDry) return []
      const lines = readFileSync(outcome, "utf8").split("\n").filter(Boolean)
      const entries = lines.map(
        (line) => JSON.parse(line) as { type: string; version_id?: string | null; targets?: string[] },
      )
      const deployed = entries.find(({ type }) => type === "deploy")
      this.version = deployed?.version_id ?? null
      return deployed?.targets ?? []
    } finally {
      rmSync(SECRETS_FILE, { force: true })
    }
  }

  /** Returns the secrets that the Worker lacks; new ones are printed before they are set, since they cannot be read later. */
  newSecrets(): Secrets {
    const answer = this.#ask(["secret", "list", "--format", "json"])
    const isThere = this.#isSignedIn && (answer.isDone || !NO_WORKER.test(answer.output))
    const known = isThere ? (JSON.parse(outputOf(answer, "list the secrets")) as { name: string }[]) : []
    const missing = SECRETS.filter((secret) => !known.some(({ name }) => name === secret))
    for (const name of missing) this.#say(`set ${name}`)
    const made = missing
      .filter((name) => givenSecret(name) === null)
      .map((name) => [name, randomBytes(32).toString("hex")] as const)
    if (!this.#isDry && made.length > 0)
      console.log(
        `\nNew secrets, shown only now. Keep them where secrets are kept; those that an earlier run has printed are void:\n${made.map((each) => each.join("=")).join("\n")}\n`,
      )
    return Object.fromEntries([...missing.map((name) => [name, givenSecret(name)] as const), ...made]) as Secrets
  }

  /** Writes the address of the Worker into the configuration, if it has none. @returns true if that has to be deployed again */
  setOrigin(targets: string[]): boolean {
    if (this.config.vars["PUBLIC_ORIGIN"]) return false
    if (this.#isDry) return true
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
    if (this.#isDry) return
    if (!token || !account) {
      console.log(
        `Switch on read replication once, so that far readers wait less: Cloudflare's dashboard, D1, ${database?.database_name}, Settings.`,
      )
      return
    }
    const base = process.env["CLOUDFLARE_API_BASE_URL"] ?? "https://api.cloudflare.com/client/v4"
    const fault = await fetch(`${base}/accounts/${account}/d1/database/${database?.database_id}`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ read_replication: { mode: "auto" } }),
    }).then(
      async (answer) => (answer.ok ? null : answer.text()),
      (error: unknown) => messageOf(error),
    )
    console.log(fault === null ? "Read replication is on." : `Read replication could not be switched on: ${fault}`)
  }
}

/** Returns the secret that the environment has; null without one. @throws Failure if the service would not take it */
export const givenSecret = (name: keyof Secrets): string | null => {
  const secret = process.env[name] ?? ""
  if (secret !== "" && secret.length < MIN_SECRET_CHARS)
    throw new Failure(`${name} needs at least ${MIN_SECRET_CHARS} characters. Unset it to get a new one.`)
  return secret || null
}
