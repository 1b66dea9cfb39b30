// What is measured: a Worker in processes of its own, its database, its processor time and memory.
import { execFileSync, fork } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"

import { workerdOf } from "../images/process.mjs"

/** In memory: what is measured is the service, not a disk. */
const MEMORY = "/dev/shm"
const TICKS_PER_SECOND = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }))

/** Calls functions of serve.mjs by messages. */
const caller = (child) => {
  const waiting = new Map()
  let calls = 0
  child.on("message", ({ id, answer, error }) => {
    const { resolve, reject } = waiting.get(id)
    waiting.delete(id)
    if (error) reject(new Error(error))
    else resolve(answer)
  })
  child.on("exit", () => {
    for (const { reject } of waiting.values()) reject(new Error("A Worker's process has ended."))
  })
  return (call, input) =>
    new Promise((resolve, reject) => {
      calls += 1
      waiting.set(calls, { resolve, reject })
      child.send({ id: calls, call, input })
    })
}

/** Processor time of a process so far, all threads, its own and the kernel's for it, in ms; see proc_pid_stat(5). */
const cpuMsOf = (pid) => {
  const [, fields] = readFileSync(`/proc/${pid}/stat`, "utf8").split(/\) (?=[A-Za-z] )/)
  const [utime, stime] = fields.split(" ").slice(11, 13)
  return ((Number(utime) + Number(stime)) * 1000) / TICKS_PER_SECOND
}

const memoryMbOf = (pid, field) => {
  const [, kib] = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))
  return (Number(kib) * 1024) / 1e6
}

/** Starts a bundled Worker with storage of its own; `vars` are added to what the Worker is configured with. */
export const startTarget = async (name, { modules, modulesRoot }, vars = {}) => {
  const state = mkdtempSync(join(MEMORY, "edgepost-bench-"))
  const child = fork(new URL("serve.mjs", import.meta.url), { stdio: ["ignore", "ignore", "inherit", "ipc"] })
  const ask = caller(child)
  const stop = async () => {
    await ask("stop").catch(() => {})
    child.disconnect()
    rmSync(state, { recursive: true, force: true })
  }
  try {
    const origin = await ask("start", { modules, modulesRoot, state, vars })
    const [pid] = workerdOf(child)
    return {
      name,
      origin,
      /** @returns the rows of the last statement */
      query: (statements) => ask("query", statements),
      cpuMs: () => cpuMsOf(pid),
      /** Resident memory now and at its most, in MB of 10^6 bytes. */
      memoryMb: () => ({ now: memoryMbOf(pid, "VmRSS"), most: memoryMbOf(pid, "VmHWM") }),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
