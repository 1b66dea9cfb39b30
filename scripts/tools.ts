// Runs the command-line tools that npm has installed.
import { type ChildProcessByStdio, spawn, spawnSync, type StdioOptions } from "node:child_process"
import { join } from "node:path"
import type { Readable } from "node:stream"

export const ROOT = join(import.meta.dirname, "..")

const BIN = join(ROOT, "node_modules/.bin")

const env = {
  ...process.env,
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  // If every local request is recorded, the Worker takes two to three times as long.
  X_LOCAL_OBSERVABILITY: "false",
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
}

interface Finished {
  status: number | null
  /** Both streams, the standard output first. It is empty unless `stdio` is "pipe". */
  output: string
}

/** Runs an installed tool and waits until it ends. @param more variables of its environment */
export const runTool = (
  name: string,
  args: string[],
  stdio: StdioOptions = "pipe",
  more: Record<string, string> = {},
): Finished => {
  const { error, status, stdout, stderr } = spawnSync(join(BIN, name), args, {
    cwd: ROOT,
    env: { ...env, ...more },
    stdio,
    encoding: "utf8",
  })
  if (error) throw error
  return { status, output: `${stdout ?? ""}${stderr ?? ""}` }
}

export type Tool = ChildProcessByStdio<null, Readable, Readable>

/** Starts an installed tool. Its output is piped; it has no input. */
export const startTool = (name: string, args: string[]): Tool =>
  spawn(join(BIN, name), args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] })

/** Runs an installed tool beside other work. */
export const finishTool = (name: string, args: string[]): Promise<Finished> =>
  new Promise((resolve, reject) => {
    const child = startTool(name, args)
    let output = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)))
    child.once("error", reject)
    child.once("close", (status) => resolve({ status, output }))
  })
