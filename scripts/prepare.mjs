// What every command needs first: the npm packages, and their tools under the Node that is among them.
import { spawn, spawnSync } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, statSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

import { Failure } from "./cli.mjs"

export const ROOT = fileURLToPath(new URL("..", import.meta.url))

const BIN = join(ROOT, "node_modules/.bin")
/** What pages need of packages, and where the Worker serves it. */
const COPIES = [["@simplewebauthn/browser/dist/bundle/index.umd.min.js", "assets/vendor/simplewebauthn-browser.js"]]

const env = {
  ...process.env,
  PATH: `${BIN}${delimiter}${process.env.PATH}`,
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  // Recording every local request makes the Worker two to three times slower.
  X_LOCAL_OBSERVABILITY: "false",
}

const modifiedAt = (path) => statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? 0

// npm writes the inner lockfile last, so an install that was cut off is done again.
const isInstalled = () => modifiedAt("node_modules/.package-lock.json") >= modifiedAt("package-lock.json")

/** Installs what package-lock.json names, unless it is there. */
export const installPackages = () => {
  if (!isInstalled()) {
    console.log("Installing the npm packages; the first time takes about a minute.")
    const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: ROOT,
      stdio: "inherit",
    })
    if (status !== 0) throw new Failure("npm ci failed: see above.")
  }
  if (!existsSync(join(BIN, "node")))
    throw new Failure("The package `node` could not run its install script: allow it, then `npm rebuild node`.")
}

/** Copies files of packages to where the Worker serves them. */
export const copyAssets = () => {
  for (const [from, to] of COPIES) {
    const target = join(ROOT, "public", to)
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(join(ROOT, "node_modules", from), target)
  }
}

/** Runs an installed tool to its end. Answers `status` and, unless `stdio` says otherwise, `output`. */
export const runTool = (name, args, { stdio = "pipe" } = {}) => {
  const { error, status, stdout, stderr } = spawnSync(join(BIN, name), args, {
    cwd: ROOT,
    env,
    stdio,
    encoding: "utf8",
  })
  if (error) throw error
  return { status, output: `${stdout ?? ""}${stderr ?? ""}` }
}

/** Starts an installed tool. Its output comes through pipes; it is not asked anything. */
export const startTool = (name, args) =>
  spawn(join(BIN, name), args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] })
