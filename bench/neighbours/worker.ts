// Converts bodies in a thread, which can be stopped.
import { join } from "node:path"
import { parentPort } from "node:worker_threads"

import type { Body, Outcome } from "./bodies.ts"

export interface Task {
  /** The name of the file that converts. */
  tool: string
  body: Body
}

export interface Measured extends Outcome {
  /** Milliseconds of CPU of the thread alone. */
  cpuMs: number
}

interface Tool {
  convert: (body: Body) => Outcome | Promise<Outcome>
}

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const measure = async ({ tool, body }: Task): Promise<void> => {
  const { convert } = (await import(join(import.meta.dirname, `${tool}.ts`))) as Tool
  const before = cpuMs()
  const outcome = await convert(body)
  const measured: Measured = { ...outcome, cpuMs: cpuMs() - before }
  parentPort?.postMessage(measured, [])
}

parentPort?.on("message", (task: Task) => void measure(task))
