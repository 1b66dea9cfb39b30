// The whole service on this machine: `wrangler dev` with a migrated database, as a child process.
import { randomBytes, randomInt } from "node:crypto"
import { once } from "node:events"
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

import { Failure } from "./cli.ts"
import { ROOT, runTool, startTool, type Tool } from "./tools.ts"

const DEFAULT_PORT = "8787"
// wrangler listens here when it is told `localhost`.
const HOST = "127.0.0.1"
const SECRETS = join(ROOT, ".dev.vars")
/** The folder in which wrangler keeps the local database and images by default. */
const LOCAL_STORE = join(ROOT, ".wrangler", "state")
/** The time after which a start that still waits shows what wrangler has printed. */
const SLOW_MS = 60_000
const MAX_START_MS = 600_000
const POLL_MS = 100
const STOP_MS = 5000

/** Returns the values of an option as wrangler reads them: `--var A:1 B:2 --var=C:3` has three. */
const valuesOf = (args: string[], name: string): string[] => {
  const values = []
  let isOpen = false
  for (const arg of args) {
    if (arg.startsWith(`--${name}=`)) values.push(arg.slice(name.length + 3))
    else if (isOpen && !arg.startsWith("-")) values.push(arg)
    isOpen = arg.startsWith("-") ? arg === `--${name}` : isOpen
  }
  return values
}

/** Splits `NAME:value`. The value may have colons: `PUBLIC_ORIGIN:http://localhost`. */
const splitVar = (pair: string): [name: string, value: string] => {
  const [name = "", ...value] = pair.split(":")
  return [name, value.join(":")]
}

const listenOnce = async (port: number): Promise<number> => {
  const server = createServer().listen({ port, host: HOST })
  await once(server, "listening")
  const { port: bound } = server.address() as AddressInfo
  server.close()
  await once(server, "close")
  return bound
}

/**
 * Returns a port that no process listens on. It is below those that the system gives out by itself, since a service listens only
 * after its database is migrated: another process could get the port meanwhile.
 */
export const freePort = (): Promise<number> => listenOnce(randomInt(10_000, 32_000)).catch(freePort)

/** Fails unless the port is free: wrangler would silently take another one instead of its default. */
const requireFree = async (port: string): Promise<void> => {
  try {
    await listenOnce(Number(port))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === "ERR_SOCKET_BAD_PORT") throw new Failure("--port must be a number from 1 to 65535.")
    if (code !== "EADDRINUSE") throw error
    // The next port is that of the settings.
    throw new Failure(
      `Port ${port} is in use, perhaps by another \`npm start\`. Start a second service with its own port and store:\n` +
        `npm start -- --port ${Number(port) + 2} --persist-to ../edgepost-2`,
    )
  }
}

/** Returns a secret of this machine. The first start makes it and keeps it in .dev.vars, which git ignores. */
const localSecret = (name: "OPERATOR_TOKEN" | "WEBHOOK_SECRET"): string => {
  const text = existsSync(SECRETS) ? readFileSync(SECRETS, "utf8") : ""
  // Matches `OPERATOR_TOKEN="abc"` and `OPERATOR_TOKEN = abc`. Does not match `#OPERATOR_TOKEN=abc`.
  const [, , known] = new RegExp(String.raw`^${name}\s*=\s*(["']?)(.+?)\1\s*$`, "m").exec(text) ?? []
  if (known !== undefined) return known
  const secret = randomBytes(32).toString("hex")
  const newline = text === "" || text.endsWith("\n") ? "" : "\n"
  appendFileSync(SECRETS, `${newline}${name}=${secret}\n`, { mode: 0o600 })
  return secret
}

/** Returns all migrations as one script, which also notes them in the table that `wrangler d1 migrations apply` reads. */
const joinMigrations = (): string => {
  const folder = join(ROOT, "migrations")
  const names = readdirSync(folder).filter((name) => name.endsWith(".sql"))
  const parts = names
    .toSorted()
    .map((name) => `${readFileSync(join(folder, name), "utf8")}\n;INSERT INTO d1_migrations (name) VALUES ('${name}');`)
  const table = "id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP"
  return [`CREATE TABLE d1_migrations (${table} DEFAULT CURRENT_TIMESTAMP NOT NULL);`, ...parts].join("\n")
}

const migrate = (store: string): void => {
  // wrangler starts a database for each migration. A new one takes them all at once, ten seconds sooner.
  const isNew = !existsSync(resolve(ROOT, store, "v3/d1"))
  const work = isNew ? ["execute", "DB", "--yes", "--command", joinMigrations()] : ["migrations", "apply", "DB"]
  const { status, output } = runTool("wrangler", ["d1", ...work, "--local", "--persist-to", store])
  if (status !== 0) throw new Failure(`The database could not be migrated.\n${output}`)
}

interface Log {
  text: string
  /** If true, output goes to the terminal and no longer into `text`. */
  isFollowed: boolean
}

const captureLog = (child: Tool): Log => {
  const log = { text: "", isFollowed: false }
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      if (log.isFollowed) process[name].write(chunk)
      else log.text += chunk
    })
  return log
}

interface Supervised {
  /** Resolves when the child has ended, and tells whether `stop` or a signal ended it. */
  ended: Promise<{ wasStopped: boolean }>
  stop: () => Promise<void>
}

/** Stops the child when this process ends or gets a signal. */
const supervise = (child: Tool): Supervised => {
  let isStopping = false
  const ended = once(child, "exit").then(() => ({ wasStopped: isStopping }))
  const stop = async () => {
    isStopping = true
    child.kill("SIGTERM")
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS)
    await ended
    clearTimeout(timer)
  }
  // npm passes on a Ctrl-C that the terminal has sent to this process already.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void stop())
  process.once("exit", () => child.kill("SIGTERM"))
  return { ended, stop }
}

/** Waits until the service answers. wrangler holds a request back until the Worker has started. */
const untilAnswering = async (origin: string, child: Tool, log: Log): Promise<void> => {
  for (const start = Date.now(); Date.now() - start < MAX_START_MS; await sleep(POLL_MS)) {
    const answer = await fetch(`${origin}/docs/errors/`, { signal: AbortSignal.timeout(SLOW_MS) }).catch(() => null)
    if (answer?.ok) return
    if (answer) throw new Failure(`The service answers ${answer.status}: ${await answer.text()}`)
    if ((child.exitCode ?? child.signalCode) !== null)
      throw new Failure(`${log.text}\nwrangler dev has ended: see above.`)
    if (log.isFollowed || Date.now() - start < SLOW_MS) continue
    console.warn(`The service does not answer yet. wrangler dev has printed:\n${log.text}`)
    Object.assign(log, { isFollowed: true, text: "" })
  }
  throw new Failure(`The service does not answer after ${MAX_START_MS / 60_000} minutes.`)
}

export interface Service extends Supervised {
  origin: string
  operatorToken: string
  /** The folder of the local database and images. */
  store: string
  log: Log
}

/**
 * Starts the service and waits until it answers.
 * @param args of `wrangler dev`. If they lack a port, an origin or a translator, defaults are added.
 */
export const startService = async (args: string[]): Promise<Service> => {
  const [givenPort] = valuesOf(args, "port")
  const vars = Object.fromEntries(valuesOf(args, "var").map(splitVar))
  const port = givenPort ?? DEFAULT_PORT
  const origin = `http://localhost:${port}`
  const operatorToken = vars.OPERATOR_TOKEN ?? localSecret("OPERATOR_TOKEN")
  if (vars.WEBHOOK_SECRET === undefined) localSecret("WEBHOOK_SECRET")
  const [persistTo] = valuesOf(args, "persist-to")
  await requireFree(port)
  const store = persistTo ?? LOCAL_STORE
  migrate(store)
  const defaults = [
    ...(givenPort === undefined ? ["--port", port] : []),
    ...(vars.PUBLIC_ORIGIN === undefined ? ["--var", `PUBLIC_ORIGIN:${origin}`] : []),
    // All other engines need an account, a key or a server.
    ...(vars.TRANSLATOR === undefined ? ["--var", "TRANSLATOR:pseudo"] : []),
    ...(vars.WEBHOOKS === undefined ? ["--var", "WEBHOOKS:on"] : []),
  ]
  const child = startTool("wrangler", ["dev", "--local", "--show-interactive-dev-session=false", ...defaults, ...args])
  const log = captureLog(child)
  const { ended, stop } = supervise(child)
  try {
    await untilAnswering(origin, child, log)
  } catch (error) {
    await stop()
    throw error
  }
  return { origin, operatorToken, store, log, ended, stop }
}

export const USERNAME = "demo"

export interface DemoAccount {
  key: string
  /** Makes a link that opens the account's settings, once, within 15 minutes. */
  newSignInUrl: () => Promise<string>
}

/** Returns the kept key of the account `demo` if the service still accepts it. */
const findKept = async (origin: string, path: string): Promise<string | null> => {
  const key = existsSync(path) ? readFileSync(path, "utf8").trim() : ""
  if (key === "") return null
  const answer = await fetch(`${origin}/api/blogcontroller/account/`, { headers: { "X-API-KEY": key } })
  if (answer.ok) return key
  if (answer.status === 401) return null
  throw new Failure(`The service answers the key in ${path} with ${answer.status}: ${await answer.text()}`)
}

/**
 * Makes the paid account `demo`, or finds it, with its key `npm-start`. The service keeps only a hash of a key, so the key is
 * kept in a file beside the local database, which only its owner can read.
 */
export const makeDemoAccount = async ({
  origin,
  operatorToken,
  store,
}: Pick<Service, "origin" | "operatorToken" | "store">): Promise<DemoAccount> => {
  const call = async <T>(method: string, path: string, json?: unknown): Promise<T> => {
    const answer = await fetch(`${origin}/operator/api/accounts/${USERNAME}/${path}`, {
      method,
      headers: { Authorization: `Bearer ${operatorToken}` },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    })
    if (answer.ok) return (await answer.json()) as T
    throw new Failure(`The operator API answers ${answer.status}: ${await answer.text()}
OPERATOR_TOKEN, in .dev.vars or given by --var, needs at least 32 characters.`)
  }
  const makeKey = async (): Promise<string> => {
    // A key with another name than those of the author: it replaces none of theirs.
    const { api_key } = await call<{ api_key: string }>("POST", "keys/", { name: "npm-start" })
    writeFileSync(keyFile, `${api_key}\n`, { mode: 0o600 })
    return api_key
  }
  const keyFile = join(store, "demo-key")
  const { account } = await call<{ account: { blog_title: string | null } }>("PATCH", "", {
    paid_until: "2099-01-01T00:00:00Z",
  })
  // At the first start only: from then on the title is the author's.
  if (account.blog_title === null && !existsSync(keyFile))
    await call("PATCH", "", { blog_title: "Notes from the slip" })
  const key = (await findKept(origin, keyFile)) ?? (await makeKey())
  const newSignInUrl = async () => (await call<{ sign_in_url: string }>("POST", "sign-in-links/")).sign_in_url
  return { key, newSignInUrl }
}
