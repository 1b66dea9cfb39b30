import { execFile } from "node:child_process"
import { env } from "node:process"
import { promisify } from "node:util"

const run = promisify(execFile)

/** No setting of a repository may run a program: neither a monitor of files, nor what fetches missing objects. */
const SETTINGS = { ...env, GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1" }

/** Runs Git, which takes no longer and prints no more: 64 MiB are about half a million changes. It asks no other machine. */
export const git = async (root: string, ...args: string[]): Promise<string> => {
  const options = ["-C", root, "-c", "log.showSignature=false", "-c", "core.fsmonitor=false", "--no-pager"]
  return (await run("git", [...options, ...args], { timeout: 60_000, maxBuffer: 2 ** 26, env: SETTINGS })).stdout
}

/** Tells whether a folder is in a shallow clone. */
export const isShallowClone = async (root: string): Promise<boolean> =>
  (await git(root, "rev-parse", "--is-shallow-repository")).trim() === "true"
