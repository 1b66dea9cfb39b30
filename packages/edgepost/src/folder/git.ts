import { execFile } from "node:child_process"
import { promisify } from "node:util"

const run = promisify(execFile)

/** Runs Git, which takes no longer and prints no more: 64 MiB are about half a million changes. No setting of a repository runs a program. */
export const git = async (root: string, ...args: string[]): Promise<string> => {
  const options = ["-C", root, "-c", "log.showSignature=false", "-c", "core.fsmonitor=false", "--no-pager"]
  return (await run("git", [...options, ...args], { timeout: 60_000, maxBuffer: 2 ** 26 })).stdout
}

/** Tells whether a folder is in a shallow clone. */
export const isShallowClone = async (root: string): Promise<boolean> =>
  (await git(root, "rev-parse", "--is-shallow-repository")).trim() === "true"
