// Everything that can be known of the code without running it. Runs each check, then names those that failed.
import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

// 1.3 MiB.
const MAX_WORKER_GZIP_KIB = 1331

process.chdir(join(import.meta.dirname, ".."))
const env = {
  ...process.env,
  PATH: `${join(process.cwd(), "node_modules/.bin")}:${process.env.PATH}`,
  WRANGLER_SEND_METRICS: "false",
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
}

const run = (command) => {
  const [file, ...args] = command.split(" ")
  const { status, stdout, stderr } = spawnSync(file, args, { env, encoding: "utf8" })
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
  return stdout
}

const checkMigrations = () => {
  const copy = mkdtempSync(join(tmpdir(), "edgepost-migrations-"))
  try {
    cpSync("migrations", copy, { recursive: true })
    const before = readdirSync(copy).length
    run(`drizzle-kit generate --dialect sqlite --schema src/tables.ts --out ${copy}`)
    if (readdirSync(copy).length !== before) throw new Error("src/tables.ts has no migration yet: npm run migration.")
  } finally {
    rmSync(copy, { recursive: true })
  }
}

const checkSize = () => {
  const [, kib] = /gzip: ([\d.]+) KiB/.exec(run("wrangler deploy --dry-run --outdir dist")) ?? []
  if (!kib) throw new Error("wrangler named no size.")
  if (Number(kib) > MAX_WORKER_GZIP_KIB) throw new Error(`The Worker has ${kib} KiB gzip, over ${MAX_WORKER_GZIP_KIB}.`)
  return `${kib} of ${MAX_WORKER_GZIP_KIB} KiB gzip`
}

const tools =
  (...commands) =>
  () => {
    for (const command of commands) run(command)
  }

const CHECKS = {
  "generated types are up to date": tools("wrangler types --strict-vars=false --check"),
  "migrations are up to date": checkMigrations,
  "openapi.json is up to date": tools("node scripts/openapi.ts --check"),
  "openapi.json is good OpenAPI": tools("redocly lint public/openapi.json"),
  format: tools("oxfmt --check"),
  "lint, import rules too": tools("oxlint --type-aware --deny-warnings"),
  types: tools("tsc", "tsc -p test/e2e"),
  "no unused code": tools("knip"),
  "deploys, within its size": checkSize,
}

let failed = 0
for (const [name, check] of Object.entries(CHECKS)) {
  try {
    const start = performance.now()
    const note = check()
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    console.log(`ok      ${[name, note].filter(Boolean).join(": ")} (${seconds} s)`)
  } catch (error) {
    failed += 1
    console.log(`FAILED  ${name}\n${error.message}`)
  }
}
process.exit(failed > 0 ? 1 : 0)
