// Runs a Worker on bare miniflare in a process of its own. target.ts starts this file and sends it messages.
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"

import type { Bundle } from "./bundle.ts"

export interface Start extends Bundle {
  /** The folder of the Worker's storage. */
  state: string
  vars: Record<string, string>
}

export type SqlRow = Record<string, string | number | null>

/** The requests that this process answers, by name. */
export interface Commands {
  /** Starts the Worker. @returns its origin */
  start: (input: Start) => Promise<string>
  /** Runs statements, each in a call of its own. @returns the rows of the last */
  query: (statements: string[]) => Promise<SqlRow[]>
  stop: () => Promise<void>
}

export interface Command {
  id: number
  name: keyof Commands
  input: unknown
}

export interface Reply {
  id: number
  answer?: unknown
  error?: string
}

/** The part of miniflare that is used here. */
interface Miniflare {
  ready: Promise<{ origin: string }>
  getD1Database: (name: string) => Promise<D1Database>
  dispose: () => Promise<void>
}

interface MiniflareModule {
  convertV4MiniflareOptions: (options: object) => object
  Miniflare: new (options: object) => Miniflare
}

// The miniflare that wrangler brings, so that both have the same version.
const requireFromWrangler = createRequire(import.meta.resolve("wrangler"))
const { convertV4MiniflareOptions, Miniflare } = requireFromWrangler("miniflare") as MiniflareModule

const configuration = readFileSync(join(import.meta.dirname, "../../wrangler.toml"), "utf8")
// Matches the line `compatibility_date = "2026-09-18"`. Does not match a comment.
const [, compatibilityDate] = /^compatibility_date = "(.*)"$/m.exec(configuration) ?? []

/** Returns a limit that the load of one key, which stands for many accounts, never reaches. */
const noLimit = (namespace_id: string) => ({ namespace_id, simple: { limit: 1e9, period: 60 } })

let miniflare: Miniflare | undefined

const requireStarted = (): Miniflare => {
  if (!miniflare) throw new Error("The Worker is not started.")
  return miniflare
}

const commands: Commands = {
  start: async ({ modules, modulesRoot, state, vars }) => {
    const options = {
      modules,
      modulesRoot,
      compatibilityDate,
      bindings: {
        PUBLIC_ORIGIN: "",
        TRANSLATOR: "pseudo",
        UPLOADS_PER_MINUTE: "1000",
        // An image that no post shows must still be there when the run looks for it.
        IMAGE_ID_TTL_SECONDS: "86400",
        ...vars,
      },
      d1Databases: { DB: "edgepost" },
      kvNamespaces: { IMAGE_TICKETS: "tickets" },
      r2Buckets: { MEDIA: "media" },
      durableObjects: { UPLOAD_LIMITER: { className: "UploadLimiter", useSQLite: true } },
      ratelimits: { WRITE_LIMITER: noLimit("2"), LARGE_WRITE_LIMITER: noLimit("3"), READ_LIMITER: noLimit("7") },
      queueProducers: { TRANSLATIONS: { queueName: "translations" } },
      resourcePersistencePath: state,
      // The Worker writes its log, as on the platform. The log is thrown away.
      handleStructuredLogs: () => {},
      logRequests: false,
      cf: false,
    }
    miniflare = new Miniflare(convertV4MiniflareOptions(options))
    return (await miniflare.ready).origin
  },
  query: async (statements) => {
    const db = await requireStarted().getD1Database("DB")
    let rows: SqlRow[] = []
    for (const sql of statements) rows = (await db.prepare(sql).all<SqlRow>()).results
    return rows
  },
  stop: () => requireStarted().dispose(),
}

const reply = async ({ id, name, input }: Command): Promise<Reply> => {
  try {
    return { id, answer: await (commands[name] as (input: unknown) => Promise<unknown>)(input) }
  } catch (error) {
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

process.on("message", (command: Command) => void reply(command).then((message) => process.send?.(message)))
process.on("disconnect", () => process.exit())
