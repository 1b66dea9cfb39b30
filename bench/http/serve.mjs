// A Worker on bare miniflare, in a process of its own: target.mjs tells it what to do.
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"

// The one that wrangler brings, so that both are always of one version.
const { convertV4MiniflareOptions, Miniflare } = createRequire(import.meta.resolve("wrangler"))("miniflare")

const [, compatibilityDate] = /^compatibility_date = "(.*)"$/m.exec(
  readFileSync(new URL("../../wrangler.toml", import.meta.url), "utf8"),
)

let miniflare

const start = async ({ modules, modulesRoot, state, vars }) => {
  const options = {
    modules,
    modulesRoot,
    compatibilityDate,
    bindings: {
      PUBLIC_ORIGIN: "",
      TRANSLATOR: "pseudo",
      UPLOADS_PER_MINUTE: "1000",
      // A picture that no post shows is still there when the run looks for it.
      IMAGE_ID_TTL_SECONDS: "86400",
      ...vars,
    },
    d1Databases: { DB: "edgepost" },
    kvNamespaces: { IMAGE_TICKETS: "tickets" },
    r2Buckets: { MEDIA: "media" },
    durableObjects: { UPLOAD_LIMITER: { className: "UploadLimiter", useSQLite: true } },
    queueProducers: { TRANSLATIONS: { queueName: "translations" } },
    resourcePersistencePath: state,
    // Written by the Worker, as on the platform, and read by nobody.
    handleStructuredLogs: () => {},
    logRequests: false,
    cf: false,
  }
  miniflare = new Miniflare(convertV4MiniflareOptions(options))
  return String((await miniflare.ready).origin)
}

/** Runs statements, each in a call of its own. @returns the rows of the last */
const query = async (statements) => {
  const db = await miniflare.getD1Database("DB")
  let rows = []
  for (const sql of statements) rows = (await db.prepare(sql).all()).results
  return rows
}

const ANSWERS = { start, query, stop: () => miniflare.dispose() }

const answer = async ({ id, call, input }) => {
  try {
    process.send({ id, answer: await ANSWERS[call](input) })
  } catch (error) {
    process.send({ id, error: String(error.stack ?? error) })
  }
}

process.on("message", (message) => void answer(message))
process.on("disconnect", () => process.exit())
