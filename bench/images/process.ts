// Starts and stops the bench Worker, and reads how much memory its processes hold.
import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"

import { freePort } from "../../scripts/service.ts"
import { startTool } from "../../scripts/tools.ts"

const POLLS = 300
const POLL_MS = 100

export interface BenchWorker {
  origin: string
  pid: number | undefined
  stop: () => Promise<void>
}

const isReady = async (origin: string): Promise<boolean> => {
  for (let i = 0; i < POLLS; i++) {
    if (await fetch(origin, { method: "POST", body: "x" }).catch(() => null)) return true
    await sleep(POLL_MS)
  }
  return false
}

/** Starts the bench Worker. @throws Error with the Worker's output if it does not answer */
export const startWorker = async (): Promise<BenchWorker> => {
  const port = await freePort()
  const child = startTool("wrangler", ["dev", "--local", "-c", "bench/images/wrangler.toml", "--port", String(port)])
  let log = ""
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      log += chunk
    })
  const ended = once(child, "exit")
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
const workerdOf = ({ pid }: BenchWorker): string[] => {
  const rows = execFileSync("ps", ["-eo", "pid=,ppid=,comm="], { encoding: "utf8" }).trim().split("\n")
  const processes = rows.map((row) => row.trim().split(/\s+/))
  const family = new Set([String(pid)])
  for (let size = 0; size !== family.size;) {
    size = family.size
    for (const [child = "", parent = ""] of processes) if (family.has(parent)) family.add(child)
  }
  return processes.flatMap(([child = "", , name]) => (family.has(child) && name === "workerd" ? [child] : []))
}

const sumMb = (worker: BenchWorker, field: "VmRSS" | "VmHWM"): number =>
  workerdOf(worker).reduce((total, pid) => {
    // For VmRSS, matches the line `VmRSS:     1234 kB`. Does not match `VmHWM:     1234 kB`.
    const line = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m")
    const [, kib] = line.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
    return total + (Number(kib) * 1024) / 1e6
  }, 0)

/** Returns the resident memory of the Worker's processes, in MB of 10^6 bytes. */
export const residentMb = (worker: BenchWorker): number => sumMb(worker, "VmRSS")

/** Returns the peak of resident memory since the Worker's processes started, in MB of 10^6 bytes. */
export const peakResidentMb = (worker: BenchWorker): number => sumMb(worker, "VmHWM")
