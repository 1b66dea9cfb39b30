// Runs real clients against the service, and writes docs/reference/clients.md. Arguments name clients; then it only prints.
import { spawn, spawnSync } from "node:child_process"
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, extname, join } from "node:path"

import { Failure, main, messageOf, readOptions } from "../../../../scripts/cli.ts"
import { ROOT } from "../../../../scripts/tools.ts"
import { startService } from "../../../../test/e2e/child.ts"
import { writePage } from "./page.ts"
import { openScene, type Run } from "./scene.ts"
import { CLIENTS, type Kind, type Row } from "./table.ts"

const PROGRAMS = join(import.meta.dirname, "programs")
const MODULES = join(ROOT, "node_modules")
const PAGE = join(ROOT, "docs/reference/clients.md")
const MAX_RUN_MS = 300_000

const packages = [
  ...new Set(Object.values(CLIENTS).flatMap((rows) => rows.flatMap(({ debian }) => debian?.split(" ") ?? []))),
]
const USAGE = `Usage: npm run clients [-- client …]
Needs these packages of Debian: ${packages.join(" ")}`

/** Returns the version of an installed package of Debian; null without it. */
const debianVersion = (name: string): string | null => {
  const { stdout } = spawnSync("dpkg-query", ["-W", "-f", "${db:Status-Status} ${Version}", name], { encoding: "utf8" })
  const [status, version = null] = stdout.split(" ")
  return status === "installed" ? version : null
}

/** Runs a command as if npm had not started this. @returns its exit code and output */
const run = (cwd: string, command: string, more: Record<string, string> = {}) =>
  new Promise<{ code: number | null; stdout: string; stderr: string }>((done, fail) => {
    const path = [join(cwd, "node_modules/.bin"), process.env["PATH"]].join(delimiter)
    // npm would install into the package whose script has started this.
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith("npm_"))
    const env = { ...Object.fromEntries(own), LANG: "C.UTF-8", TZ: "UTC", CI: "1", ...more, PATH: path }
    const child = spawn("sh", ["-c", command], { cwd, env, timeout: MAX_RUN_MS })
    const output = { stdout: "", stderr: "" }
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("utf8").on("data", (text: string) => (output[name] += text))
    child.once("error", fail)
    child.once("close", (code) => done({ code, ...output }))
  })

const require = async (cwd: string, command: string): Promise<void> => {
  const { code, stdout, stderr } = await run(cwd, command)
  if (code !== 0) throw new Failure(`${command} ended with ${code}:\n${stdout}${stderr}`)
}

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    target: "es2024",
    lib: ["es2024", "dom", "dom.iterable"],
    module: "esnext",
    moduleResolution: "bundler",
    types: ["node"],
    typeRoots: [join(MODULES, "@types")],
  },
}

/** How a program of each language is started. */
const COMMANDS: Record<string, string> = {
  ".ts": "node bundle.js",
  ".mjs": "node program.mjs",
  ".py": "/usr/bin/python3 program.py",
  ".sh": "sh program.sh",
  ".php": "php program.php",
  ".rb": "ruby program.rb",
  ".go": "go run program.go",
  ".pl": "perl program.pl",
}

/** Installs a client in a folder, makes its code there, and checks its types. @returns what is wrong */
const prepare = async ({ npm, generate, program }: Row, folder: string): Promise<string[]> => {
  await cp(join(PROGRAMS, program), join(folder, `program${extname(program)}`))
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module", dependencies: npm }))
  if (npm) await require(folder, "npm install --ignore-scripts --no-audit --no-fund --loglevel=error")
  if (!generate) return []
  await cp(join(PROGRAMS, "flow.ts"), join(folder, "flow.ts"))
  await cp(join(ROOT, "public/openapi.json"), join(folder, "openapi.json"))
  await require(folder, generate)
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ ...TSCONFIG, files: ["program.ts"] }))
  const { stdout } = await run(folder, `${join(MODULES, ".bin/tsc")} --pretty false`)
  const esbuild = `${join(MODULES, ".bin/esbuild")} program.ts --bundle --packages=external`
  await require(folder, `${esbuild} --platform=node --format=esm --outfile=bundle.js`)
  // Matches the first line of an error, not the lines below it that explain it.
  return stdout
    .split(/\n(?=\S)/)
    .filter((text) => text.trim() !== "")
    .map((text) => `types: ${text.trim()}`)
}

/** Runs a program once. @returns what is wrong by its own words, and by what it has left at the service */
const runOnce = async ({ program }: Row, folder: string, { env, check, close }: Run): Promise<string[]> => {
  const { code, stdout, stderr } = await run(folder, COMMANDS[extname(program)] ?? "", env)
  await close?.()
  const failed = [...stdout.matchAll(/^FAILED (.*)$/gm)].map(([, what = ""]) => what)
  if (code !== 0) return [...failed, `ended with ${code}: ${stderr.trim() || stdout.trim()}`]
  return [...failed, ...(await check(stdout))]
}

/** The result of a client: the version that ran, its known gaps, and other faults. */
export interface Result {
  version: string
  gaps: string[]
  unknown: string[]
}

const resultOf = ({ name, npm, debian, gaps = [] }: Row, wrong: string[]): Result => {
  const known = wrong.map((what) => gaps.find(({ seen }) => seen.test(what)))
  return {
    version: Object.values(npm ?? {})[0] ?? debianVersion(debian?.split(" ")[0] ?? name) ?? "",
    gaps: gaps.filter((gap) => known.includes(gap)).map(({ says }) => says),
    unknown: wrong.filter((_, i) => !known[i]),
  }
}

await main(async () => {
  const { values, positionals } = readOptions({ allowPositionals: true, options: { help: { type: "boolean" } } }, USAGE)
  if (values.help === true) return console.log(USAGE)
  const names = Object.values(CLIENTS).flatMap((rows) => rows.map(({ name }) => name))
  const unknown = positionals.filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Failure(`There is no client ${unknown.join(", ")}. There are: ${names.join(", ")}.`)
  const missing = packages.filter((name) => debianVersion(name) === null)
  if (missing.length > 0) throw new Failure(`Install these packages first: apt-get install ${missing.join(" ")}`)
  const service = await startService("UPLOADS_PER_MINUTE:1000")
  const root = await mkdtemp(join(tmpdir(), "edgepost-clients-"))
  const results = new Map<Row, Result>()
  try {
    const open = await openScene(service)
    for (const [kind, rows] of Object.entries(CLIENTS) as [Kind, Row[]][])
      for (const row of rows) {
        if (positionals.length > 0 && !positionals.includes(row.name)) continue
        const folder = join(root, String(results.size))
        await mkdir(folder)
        const wrong: string[] = []
        try {
          wrong.push(...(await prepare(row, folder)))
          for (const each of await open(kind, row)) wrong.push(...(await runOnce(row, folder, each)))
        } catch (error) {
          wrong.push(messageOf(error))
        }
        const result = resultOf(row, wrong)
        results.set(row, result)
        console.log(`${row.name} ${result.version}: ${[...result.gaps, ...result.unknown].join("; ") || "works"}`)
        for (const { says } of row.gaps ?? [])
          if (!result.gaps.includes(says)) console.log(`  no longer so, leave it out of the table: ${says}`)
      }
  } finally {
    await service.stop()
    await rm(root, { recursive: true })
  }
  if (positionals.length === 0) await writeFile(PAGE, writePage(results))
  if ([...results.values()].some((result) => result.unknown.length > 0))
    throw new Failure("Some clients fail: see above.")
})
