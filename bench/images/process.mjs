// Starts and stops the bench Worker, and reads how much memory its processes hold.
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"

import { freePort } from "../../scripts/service.ts"
import { startTool } from "../../scripts/tools.ts"

const POLLS = 300
const POLL_MS = 100

const isReady = async (origin) => {
  for (let i = 0; i < POLLS; i++) {
    if (await fetch(origin, { method: "POST", body: "x" }).catch(() => null)) return true
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return false
}

/** Starts the bench Worker. @throws Error with its output when it does not answer */
export const startWorker = async () => {
  const port = await freePort()
  const child = startTool("wrangler", ["dev", "--local", "-c", "bench/images/wrangler.toml", "--port", String(port)])
  let log = ""
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (chunk) => (log += chunk))
  const ended = new Promise((resolve) => child.once("exit", resolve))
  const stop = async () => {
    child.kill("SIGTERM")
    await ended
  }
  const origin = `http://localhost:${port}`
  if (!(await isReady(origin))) {
    await stop()
    throw new Error(`The bench Worker does not answer.\n${log}`)
  }
  return { origin, pid: child.pid, stop }
}

/** Lists the workerd processes among a process's descendants. */
const workerdOf = ({ pid }) => {
  const rows = execFileSync("ps", ["-eo", "pid=,ppid=,comm="], { encoding: "utf8" }).trim().split("\n")
  const processes = rows.map((row) => row.trim().split(/\s+/))
  const family = new Set([String(pid)])
  for (let size = 0; size !== family.size;) {
    size = family.size
    for (const [child, parent] of processes) if (family.has(parent)) family.add(child)
  }
  return processes.filter(([child, , name]) => family.has(child) && name === "workerd").map(([child]) => child)
}

const sum = (worker, field) =>
  workerdOf(worker).reduce((total, pid) => {
    const [, kib] = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))
    return total + (Number(kib) * 1024) / 1e6
  }, 0)

/** Returns the resident memory, in MB of 10^6 bytes. */
export const residentMb = (worker) => sum(worker, "VmRSS")

/** Returns the peak of resident memory since the processes began, in MB of 10^6 bytes. */
export const peakResidentMb = (worker) => sum(worker, "VmHWM")
