// Runs a script of this folder: `node scripts/run.mjs start --port 8799`. Any Node from 18 on can run this file.
// It installs the npm packages if needed, then starts the script under their Node, which can run TypeScript.
import { spawn, spawnSync } from "node:child_process"
import { existsSync, statSync } from "node:fs"
import { delimiter, join } from "node:path"
import { isatty } from "node:tty"
import { fileURLToPath } from "node:url"

const ROOT = fileURLToPath(new URL("..", import.meta.url))
const BIN = join(ROOT, "node_modules/.bin")
const NODE = join(BIN, "node")
const USAGE = "Usage: node scripts/run.mjs <script> [arguments]"

const exitWith = (message) => {
  console.error(`\n${message}`)
  process.exit(1)
}

const modifiedAt = (path) => statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? 0

// npm writes the inner lockfile last, so an interrupted install is repeated.
const isInstalled = () => modifiedAt("node_modules/.package-lock.json") >= modifiedAt("package-lock.json")

const installPackages = () => {
  if (!isInstalled()) {
    console.error("Installing the npm packages; the first time takes about a minute.")
    // With NODE_ENV=production, npm would leave out the tools.
    const args = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"]
    const { status } = spawnSync("npm", args, { cwd: ROOT, stdio: ["ignore", 2, 2] })
    if (status !== 0) exitWith("npm ci failed: see above.")
  }
  if (!existsSync(NODE))
    exitWith("The package `node` could not run its install script. Allow it, then run `npm rebuild node`.")
}

/** Starts Node and ends as it ends: with the same exit code or by the same signal. */
const runNode = (args) => {
  const env = { ...process.env, PATH: `${BIN}${delimiter}${process.env.PATH}` }
  const child = spawn(NODE, args, { stdio: "inherit", env })
  const hasTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor))
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => {
      // A terminal sends Ctrl-C to both processes. Many tools stop at once at a second one.
      if (signal !== "SIGINT" || !hasTerminal) child.kill(signal)
    })
  child.once("error", (error) => exitWith(`${NODE} does not start: ${error.message}`))
  child.once("exit", (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

const [name, ...args] = process.argv.slice(2)
if (name === undefined) exitWith(USAGE)
// A name with a slash is a path in this repository: bench/http/run.mjs.
const path = name.includes("/") ? name : `scripts/${name}.ts`
if (!existsSync(join(ROOT, path))) exitWith(`There is no file ${path}.\n${USAGE}`)
installPackages()
runNode([join(ROOT, path), ...args])
