// The whole service on this machine: `wrangler dev` over a migrated database, as a child process.
import { once } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"

import { Failure } from "./cli.mjs"
import { readOptions } from "./options.mjs"
import { requireFree } from "./port.mjs"
import { runTool, startTool } from "./prepare.mjs"
import { localOperatorToken } from "./secrets.mjs"

const DEFAULT_PORT = "8787"
const READY_MS = 60_000
const POLL_MS = 100
const STOP_MS = 5000

const migrate = (persistTo) => {
  const where = persistTo ? ["--persist-to", persistTo] : []
  const { status, output } = runTool("wrangler", ["d1", "migrations", "apply", "DB", "--local", ...where])
  if (status !== 0) throw new Failure(`The database could not be migrated.\n${output}`)
}

/** Keeps what a child prints. Once `isFollowed` is set it goes to the terminal instead. */
const captureLog = (child) => {
  const log = { text: "", isFollowed: false }
  for (const name of ["stdout", "stderr"])
    child[name].setEncoding("utf8").on("data", (chunk) => {
      if (log.isFollowed) process[name].write(chunk)
      else log.text += chunk
    })
  return log
}

/** A child that is stopped by `stop` or with this process. `ended` tells whether it was. */
const supervise = (child) => {
  let isStopping = false
  const ended = once(child, "exit").then(() => ({ wasStopped: isStopping }))
  const stop = async () => {
    isStopping = true
    child.kill("SIGTERM")
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS)
    await ended
    clearTimeout(timer)
  }
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void stop())
  // However this process ends, nothing of it stays behind.
  process.once("exit", () => child.kill("SIGTERM"))
  return { ended, stop }
}

/** Asks until the service answers. wrangler lets a first call wait until the Worker has started. */
const untilAnswering = async (origin, child, log) => {
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    const answer = await fetch(`${origin}/docs/errors/`, { signal: AbortSignal.timeout(READY_MS) }).catch(() => null)
    if (answer?.ok) return
    if (answer) throw new Failure(`The service answers ${answer.status}: ${await answer.text()}`)
    if ((child.exitCode ?? child.signalCode) !== null)
      throw new Failure(`${log.text}\nwrangler dev has ended: see above.`)
  }
  throw new Failure(`${log.text}\nThe service does not answer after ${READY_MS / 1000} seconds.`)
}

/**
 * Starts the service and waits until it answers.
 * @param args of `wrangler dev`; its port, state folder and variables are read from them, or chosen
 */
export const startService = async (args) => {
  const { port = DEFAULT_PORT, persistTo, vars } = readOptions(args)
  const origin = `http://localhost:${port}`
  const operatorToken = vars.OPERATOR_TOKEN ?? localOperatorToken()
  await requireFree(port)
  migrate(persistTo)
  const ours = [
    ...(args.some((arg) => /^--port(=|$)/.test(arg)) ? [] : ["--port", port]),
    ...(vars.PUBLIC_ORIGIN === undefined ? ["--var", `PUBLIC_ORIGIN:${origin}`] : []),
    // No other engine works without an account, a key or a server.
    ...(vars.TRANSLATOR === undefined ? ["--var", "TRANSLATOR:pseudo"] : []),
  ]
  const child = startTool("wrangler", ["dev", "--local", "--show-interactive-dev-session=false", ...ours, ...args])
  const log = captureLog(child)
  const { ended, stop } = supervise(child)
  try {
    await untilAnswering(origin, child, log)
  } catch (error) {
    await stop()
    throw error
  }
  return { origin, operatorToken, log, ended, stop }
}
