// Runs every check that does not execute the code, and reports each one that failed.
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"

import { Failure } from "./cli.ts"
import { ROOT, runTool } from "./tools.ts"

// Growth is noticed here: a Worker of the paid plan may have 10,240.
const MAX_WORKER_GZIP_KIB = 1650

const run = (command: string): string => {
  const [name = "", ...args] = command.split(" ")
  const { status, output } = runTool(name, args)
  if (status !== 0) throw new Failure(output)
  return output
}

const checkMigrations = (): void => {
  const copy = mkdtempSync(join(tmpdir(), "edgepost-migrations-"))
  try {
    cpSync(join(ROOT, "migrations"), copy, { recursive: true })
    const before = readdirSync(copy).length
    // drizzle-kit puts `./` before the path, and still exits with 0 when it then finds no folder there.
    run(`drizzle-kit generate --dialect sqlite --schema src/db/schema.ts --out ${relative(ROOT, copy)}`)
    if (readdirSync(copy).length !== before)
      throw new Failure("src/db/schema.ts has changes without a migration. Run `npm run migration`.")
  } finally {
    rmSync(copy, { recursive: true })
  }
}

const checkSize = (): string => {
  // Matches `Total Upload: 3400.12 KiB / gzip: 1290.44 KiB`. Does not match `Total Upload: 3400.12 KiB`.
  const [, kib] = /gzip: ([\d.]+) KiB/.exec(run("wrangler deploy --dry-run --outdir dist")) ?? []
  if (kib === undefined) throw new Failure("wrangler printed no size.")
  if (Number(kib) > MAX_WORKER_GZIP_KIB)
    throw new Failure(`The Worker has ${kib} KiB gzip, more than ${MAX_WORKER_GZIP_KIB}.`)
  return `${kib} of ${MAX_WORKER_GZIP_KIB} KiB gzip`
}

const tools =
  (...commands: string[]) =>
  (): void => {
    for (const command of commands) run(command)
  }

/** Each check returns a note or nothing, and throws when it fails. */
const CHECKS: Record<string, () => string | void> = {
  "generated types are up to date": tools("wrangler types --strict-vars=false --check"),
  "migrations are up to date": checkMigrations,
  "openapi.json is up to date": tools("node scripts/openapi.ts --check"),
  "openapi.json is good OpenAPI": tools("redocly lint public/openapi.json"),
  "the client's types are up to date": tools("node scripts/client-types.ts --check"),
  "docs/reference is up to date": tools("node scripts/reference.ts --check"),
  "the tests of docs/reference/standards.md are there": tools("node scripts/standards.ts"),
  "one version": tools("node scripts/versions.ts"),
  "workflows are valid": tools("node scripts/workflows.ts"),
  "documents in plain words": tools("node scripts/plain-words.ts"),
  "one meaning for each exported name": tools("node scripts/names.ts"),
  format: tools("oxfmt --check"),
  "lint, import rules too": tools("oxlint --type-aware --deny-warnings"),
  types: tools("tsc", "tsc -p test/e2e", "tsc -p packages/edgepost", "tsc -p packages/extension"),
  "the extension builds": tools("node packages/extension/build.ts"),
  "no unused code": tools("knip"),
  "deploys, within its size": checkSize,
}

let failed = 0
for (const [name, check] of Object.entries(CHECKS)) {
  try {
    const start = performance.now()
    const note = check()
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    console.log(`ok      ${note ? `${name}: ${note}` : name} (${seconds} s)`)
  } catch (error) {
    failed += 1
    console.log(`FAILED  ${name}\n${error instanceof Failure ? error.message : String(error)}`)
  }
}
process.exitCode = failed > 0 ? 1 : 0
