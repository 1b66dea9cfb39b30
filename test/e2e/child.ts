import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { freePort } from "../../scripts/service.ts"
import { readWorkflow } from "../../scripts/workflow.ts"

// Servers as child processes, each on its own port.

export interface Child {
  /** The output until it was ready. */
  ready: RegExpExecArray
  stop: () => Promise<void>
}

/**
 * Starts a server and waits for the output that says it is ready.
 * @param stream the stream with that output; the other one is inherited
 * @throws when the server exits before, with its output
 */
export const startChild = async (
  [command = "", ...args]: string[],
  stream: "stdout" | "stderr",
  ready: RegExp,
): Promise<Child> => {
  const [stdout, stderr] = stream === "stdout" ? (["pipe", "inherit"] as const) : (["inherit", "pipe"] as const)
  const child = spawn(command, args, { stdio: ["ignore", stdout, stderr] })
  const ended = once(child, "exit")
  const found = await new Promise<RegExpExecArray>((resolve, reject) => {
    let output = ""
    let isReady = false
    child[stream]?.on("data", (chunk) => {
      // A server may go on to log each request.
      if (isReady) return
      output += String(chunk)
      const match = ready.exec(output)
      isReady = match !== null
      if (match) resolve(match)
    })
    child.once("error", reject)
    child.once("exit", () => reject(new Error(`${command} has ended.\n${output}`)))
  })
  const stop = async () => {
    child.kill("SIGTERM")
    await ended
  }
  return { ready: found, stop }
}

export interface Service {
  origin: string
  /** The address of the blog that it prints. */
  blogUrl: string
  /** The key of the account `demo`, as `npm start` prints it. */
  key: string
  /** The address that it prints for the settings: it leads to a new sign-in link each time. */
  settingsUrl: string
  /** The lines that it prints for pasting, and the calls of the documents that follow them. */
  lines: string
  operatorToken: string
}

const READY = /^(export BASE=\S+\nexport KEY=(\S+))$[^]*^Blog +(\S+)$[^]*^Settings +(\S+) [^]*^Ready on (\S+)$/m

/** Starts `npm start` with empty storage in the folder `state`. @param vars variables of the Worker, as `NAME:value` */
export const startService = async (...vars: string[]): Promise<Service & { stop: Child["stop"]; state: string }> => {
  const state = await mkdtemp(join(tmpdir(), "edgepost-e2e-"))
  const operatorToken = randomUUID()
  // Services that start at the same time would compete for the default port of wrangler's inspector.
  const inspector = ["--inspector-port", String(await freePort())]
  const options = ["--port", String(await freePort()), "--persist-to", state, ...inspector]
  const ours = [
    "--var",
    `OPERATOR_TOKEN:${operatorToken}`,
    `WEBHOOK_SECRET:${randomUUID()}`,
    "TRANSLATION_DEBOUNCE_SECONDS:0",
  ]
  const { ready, stop } = await startChild(["npm", "start", "--", ...options, ...ours, ...vars], "stdout", READY)
  const [, exports = "", key = "", blogUrl = "", settingsUrl = "", origin = ""] = ready
  const { upload, create, publish, translations, read, look } = readWorkflow()
  const lines = [exports, upload, create, publish, translations, read, look].join("\n\n")
  const stopAll = async () => {
    await stop()
    await rm(state, { recursive: true, force: true })
  }
  return { origin, blogUrl, key, settingsUrl, lines, operatorToken, stop: stopAll, state }
}
