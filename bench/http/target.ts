// Starts a Worker in processes of its own, and reads its database, processor time and memory.
import { type ChildProcess, execFileSync, fork } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"

import type { Bundle } from "./bundle.ts"
import type { Command, Commands, Reply, SqlRow } from "./serve.ts"

/** Storage in memory, because the service is measured and not a disk. */
const MEMORY = "/dev/shm"
const TICKS_PER_SECOND = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }))

export interface Target {
  name: string
  origin: string
  /** Runs statements. @returns the rows of the last */
  query: (statements: string[]) => Promise<SqlRow[]>
  /** Processor time of workerd since its start, in ms. */
  cpuMs: () => number
  /** Resident memory of workerd now, in MB of 10^6 bytes. */
  memoryMb: () => number
  stop: () => Promise<void>
}

type Send = <N extends keyof Commands>(name: N, ...input: Parameters<Commands[N]>) => ReturnType<Commands[N]>

/** Calls commands of serve.ts by messages. */
const sender = (child: ChildProcess): Send => {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let sent = 0
  child.on("message", ({ id, answer, error }: Reply) => {
    const promise = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) promise?.resolve(answer)
    else promise?.reject(new Error(error))
  })
  child.on("exit", () => {
    for (const { reject } of waiting.values()) reject(new Error("The process of a Worker has ended."))
  })
  return ((name: keyof Commands, input?: unknown) => {
    const promise = Promise.withResolvers<unknown>()
    sent += 1
    waiting.set(sent, promise)
    const command: Command = { id: sent, name, input }
    child.send(command)
    return promise.promise
  }) as Send
}

/** Finds the workerd that a process has started. */
const workerdOf = (parent: number | undefined): string => {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").trim().split(" ")
  const found = children.find((child) => readFileSync(`/proc/${child}/comm`, "utf8") === "workerd\n")
  if (found === undefined) throw new Error(`Process ${parent} has not started workerd.`)
  return found
}

/** Processor time of all threads, own and kernel time; see proc_pid_stat(5). */
const cpuMsOf = (pid: string): number => {
  // Matches the end of the name in `12 (workerd) S 11 …`, which may have spaces and brackets itself.
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(/\) (?=[A-Za-z] )/)
  const [utime, stime] = fields.split(" ").slice(11, 13)
  return ((Number(utime) + Number(stime)) * 1000) / TICKS_PER_SECOND
}

const memoryMbOf = (pid: string): number => {
  // Matches the line `VmRSS:     1234 kB`. Does not match `VmHWM:     1234 kB`.
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
  return (Number(kib) * 1024) / 1e6
}

/** Starts a bundled Worker with storage of its own. @param vars in addition to the defaults of serve.ts */
export const startTarget = async (name: string, bundle: Bundle, vars: Record<string, string> = {}): Promise<Target> => {
  const state = mkdtempSync(join(MEMORY, "edgepost-bench-"))
  const child = fork(join(import.meta.dirname, "serve.ts"), { stdio: ["ignore", "ignore", "inherit", "ipc"] })
  const send = sender(child)
  const stop = async () => {
    await send("stop").catch(() => {})
    child.disconnect()
    rmSync(state, { recursive: true, force: true })
  }
  try {
    const origin = await send("start", { ...bundle, state, vars })
    const pid = workerdOf(child.pid)
    return {
      name,
      origin,
      query: (statements) => send("query", statements),
      cpuMs: () => cpuMsOf(pid),
      memoryMb: () => memoryMbOf(pid),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
