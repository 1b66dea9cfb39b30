import { join } from "node:path"
import { Worker } from "node:worker_threads"

export interface Task {
  tool: string
  texts: string[]
  /** Garbage of earlier tasks is collected first. */
  isClean: boolean
}

export interface Measured {
  ms: number
  cpuMs: number
  /** The message of a refusal, if the last text was refused. */
  refused: string | null
  /** The length of the last text's HTML. */
  bytes: number | null
}

/** A thread that runs tools. A task that takes longer than its limit stops it; the next task starts another one. */
export class Thread {
  #worker: Worker | null = null

  /** Runs a tool on texts. @returns null if it takes longer than the limit */
  async run(tool: string, texts: string[], { limitMs = 60_000, isClean = false } = {}): Promise<Measured | null> {
    this.#worker ??= new Worker(join(import.meta.dirname, "worker.ts"))
    const worker = this.#worker
    const { promise, resolve, reject } = Promise.withResolvers<Measured | null>()
    worker.once("message", resolve).once("error", reject)
    const timer = setTimeout(() => resolve(null), limitMs)
    const task: Task = { tool, texts, isClean }
    worker.postMessage(task, [])
    const result = await promise
    clearTimeout(timer)
    worker.off("message", resolve).off("error", reject)
    if (!result) await this.stop()
    return result
  }

  async stop(): Promise<void> {
    await this.#worker?.terminate()
    this.#worker = null
  }
}
