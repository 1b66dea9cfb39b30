// Puts small faults into a copy of the repository, one at a time, and says which tests find them.
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"

import { Failure, main, readOptions } from "./cli.ts"
import { drawMutations, type Mutation, mutationsIn, findMutation, type Place, mutate, sliceOf } from "./mutations.ts"
import { ROOT } from "./tools.ts"

const USAGE = `Usage: npm run mutants -- [options] [-- arguments of npm test]

  --at <commit>       Draws faults from the source of this commit, and runs its tests. Default: HEAD
  --only <file>       Takes the faults of this file, which --results wrote, instead of drawing them
  --results <file>    Writes the faults and what finds them. If the file exists, tries those that nothing has found

Faults that the nearest tests don't find are given to \`npm test\` with its arguments. With \`-- --full\`, they are given to
\`npm run test:full\` alone.`

const SEED = 71
const COUNT = 60
/** Tests hang if they print nothing for so long, and for three times as long as without a fault. */
const MIN_SILENCE_MS = 300_000
const SOURCES = ["src/**/*.{ts,tsx}", "packages/{edgepost,extension}/src/**/*.ts"]
/** Matches `src/a.d.ts` and `src/client/openapi.ts`, which is generated. Does not match `src/api-docs/openapi.ts`. */
const NO_CODE = /\.d\.ts$|client\/openapi\.ts$/

interface Mutant extends Mutation {
  /** Line number; null if the tested commit has no such line. */
  at: number | null
  /** The first test that fails; null if none does. */
  found_by: string | null
}

interface Run {
  passed: boolean
  /** Failed tests as vitest names them: file and title. */
  failures: string[]
  /** The error if no test failed. */
  reason: string
  /** The longest time without output. */
  silenceMs: number
}

const folder = mkdtempSync(join(tmpdir(), "edgepost-mutants-"))
const inCopy = (path: string): string => join(folder, path)
const readCopy = (path: string): string => readFileSync(inCopy(path), "utf8")
const git = (...args: string[]): string => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim()
const readMutants = (file: string): Mutant[] => JSON.parse(readFileSync(file, "utf8")) as Mutant[]
const fileOf = (failure: string): string => failure.split(" ", 1)[0] ?? ""

/** Copies a commit and the packages into the temporary folder, and returns the faults that could be put in. */
const copyCommit = (commit: string): Place[] => {
  git("clone", "--quiet", "--no-checkout", ROOT, folder)
  git("-C", folder, "checkout", "--quiet", "--detach", git("rev-parse", commit))
  // Symbolic links would lead to the packages of this repository.
  for (const path of globSync("{,packages/*/}node_modules", { cwd: ROOT }))
    cpSync(join(ROOT, path), inCopy(path), { recursive: true, verbatimSymlinks: true })
  rmSync(inCopy("node_modules/.vite"), { recursive: true, force: true })
  // `run.mjs` installs what is older than the lockfile.
  utimesSync(inCopy("package-lock.json"), 0, 0)
  const files = globSync(SOURCES, { cwd: folder }).filter((file) => !NO_CODE.test(file))
  return files.toSorted().flatMap((file) => mutationsIn(file, readCopy(file)))
}

/** Lists filters of vitest for the tests nearest to a file: those of its slice, else of many. */
const nearestTests = (file: string): string[] => {
  const tests = `${sliceOf(file).replace(/\bsrc\b/, "test")}/`
  if (/\btest\/./.test(tests) && existsSync(inCopy(tests))) return [tests]
  if (file.startsWith("packages/")) return [tests.replace(/\btest\/.*/, "test/")]
  return ["http", "posts", "operator", "author-pages"].map((slice) => `test/${slice}/`)
}

let running: number | undefined
/** Ends the running tests with all processes that they have started. */
const stop = (): void => {
  try {
    if (running !== undefined) process.kill(-running, "SIGKILL")
  } catch {
    // They have ended.
  }
}

/** Runs `npm test` in the copy, and ends it if it prints nothing for too long. */
const runTests = async (args: string[], maxSilenceMs: number): Promise<Run> => {
  const command = ["scripts/run.mjs", "test", ...args]
  const child = spawn(process.execPath, command, { cwd: folder, detached: true, stdio: ["ignore", "pipe", "pipe"] })
  const streams = [child.stdout, child.stderr]
  running = child.pid
  let output = ""
  let silenceMs = 0
  let heardAt = Date.now()
  const watch = setInterval(() => {
    silenceMs = Math.max(silenceMs, Date.now() - heardAt)
    if (silenceMs <= maxSilenceMs) return
    stop()
    for (const stream of streams) stream.destroy()
  }, 1000)
  for (const stream of streams)
    stream.on("data", (bytes) => {
      output += String(bytes)
      heardAt = Date.now()
    })
  const [status] = (await once(child, "close")) as [number | null]
  clearInterval(watch)
  running = undefined
  const text = stripVTControlCharacters(output)
  // Matches ` FAIL  |unit| test/a.test.ts > title` and ` FAIL  test/a.test.ts [ test/a.test.ts ]`. Does not match ` FAIL  a`.
  const failed = text.matchAll(/^ *FAIL +(?:\|?[\w-]+\|? +)?(\S+\.test\.tsx?.*)$/gm)
  // Matches `TypeError: a is null`. Does not match `Errors  1 error`.
  const reason = silenceMs > maxSilenceMs ? "hangs" : /^.*Error: .*$/m.exec(text)?.[0].trim()
  const failures = [...failed].map(([, test = ""]) => test)
  return { passed: status === 0, failures, reason: reason ?? text.trim().slice(-300), silenceMs }
}

/** Runs `npm test` with faults in the source of the copy. */
const runWith = async (places: Place[], args: string[], maxSilenceMs: number): Promise<Run> => {
  const files = [...new Set(places.map(({ file }) => file))].map((file) => ({ file, source: readCopy(file) }))
  for (const { file, source } of files)
    writeFileSync(
      inCopy(file),
      mutate(
        source,
        places.filter((place) => place.file === file),
      ),
    )
  const run = await runTests(args, maxSilenceMs)
  for (const { file, source } of files) writeFileSync(inCopy(file), source)
  return run
}

/** Sets `found_by` of the mutants that tests find. @param save is called after each mutant */
const tryMutants = async (mutants: Mutant[], places: Place[], suite: string[], save: () => void): Promise<void> => {
  console.error("Running the tests without a fault.")
  const clean = await runTests(suite, Infinity)
  const red = [...new Set(clean.failures.map(fileOf))]
  if (!clean.passed && red.length === 0) throw new Failure(`The tests fail without a fault: ${clean.reason}`)
  if (red.length > 0) console.error(`Left out, because they fail without a fault: ${red.join(", ")}`)
  const excluded = red.flatMap((file) => ["--exclude", file])
  const flags = [...suite.filter((arg) => arg.startsWith("-")), ...excluded]
  const placesOf = (some: Mutant[]): Place[] => some.flatMap((mutant) => findMutation(mutant, places) ?? [])
  const run = (some: Mutant[], args: string[]): Promise<Run> =>
    runWith(placesOf(some), args, Math.max(MIN_SILENCE_MS, 3 * clean.silenceMs))

  const tryOne = async (mutant: Mutant, filters: string[]): Promise<void> => {
    const args = [...flags, "--bail", "1", ...filters]
    const { passed, failures, reason } = await run([mutant], args)
    if (!passed) {
      const [first] = failures
      // A test that fails by chance finds nothing.
      const again = await run([mutant], first === undefined ? args : [...flags, fileOf(first)])
      if (!again.passed) mutant.found_by = first ?? reason
    }
    save()
    console.error(`${mutant.file}:${mutant.at} ${mutant.found_by ?? "not found"}`)
  }

  if (!suite.includes("--full")) for (const mutant of mutants) await tryOne(mutant, nearestTests(mutant.file))
  // All others are put in at once: if all tests pass, they find none of them. Two runs that find none may fail by chance.
  for (let tries = 0; tries < 2; tries += 1) {
    const left = mutants.filter(({ found_by }) => found_by === null)
    if (left.length === 0) return
    console.error(`Running the tests with ${left.length} faults at once.`)
    const { passed, failures } = await run(left, [...suite, ...excluded])
    if (passed) return
    for (const mutant of left) await tryOne(mutant, [...new Set(failures.map(fileOf))])
    if (left.some(({ found_by }) => found_by !== null)) tries = -1
  }
}

const code = (text: string): string => `\`\` ${text.replaceAll(/\s+/g, " ").slice(0, 80).replaceAll("|", "\\|")} \`\``

const rowOf = ({ file, at, line, was, now, found_by }: Mutant): string => {
  const result =
    at === null ? "no such line" : (found_by ?? "**survived**").replaceAll(/\s+/g, " ").replaceAll("|", "\\|")
  return `| ${file}:${at} | ${code(line)} | ${code(was)} → ${now && code(now)} | ${result} |`
}

const measure = async (): Promise<void> => {
  const options = {
    at: { type: "string", default: "HEAD" },
    only: { type: "string" },
    results: { type: "string" },
  } as const
  const { values, positionals: suite } = readOptions({ options, allowPositionals: true }, USAGE)
  const { at, only, results } = values
  const places = copyCommit(at)
  const before = results !== undefined && existsSync(results) ? readMutants(results) : null
  const drawn = before ?? (only === undefined ? drawMutations(places, COUNT, SEED) : readMutants(only))
  const mutants = drawn.map(({ file, kind, line, column, was, now }, i): Mutant => {
    const mutation = { file, kind, line, column, was, now }
    return { ...mutation, at: findMutation(mutation, places)?.at ?? null, found_by: before?.[i]?.found_by ?? null }
  })
  const save = (): void => {
    if (results !== undefined) writeFileSync(results, `${JSON.stringify(mutants, null, 2)}\n`)
  }
  save()
  const open = mutants.filter((mutant) => mutant.at !== null && mutant.found_by === null)
  if (open.length > 0) await tryMutants(open, places, suite, save)
  console.log(["| place | line | change | found by |", "|---|---|---|---|", ...mutants.map(rowOf)].join("\n"))
  console.log(`\n${mutants.filter(({ found_by }) => found_by !== null).length} of ${mutants.length} found.`)
}

const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => {
    stop()
    remove()
    process.exit(1)
  })
await main(measure)
remove()
