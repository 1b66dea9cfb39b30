import { Worker } from "node:worker_threads"

/** A thread for tools. It is stopped, and the next call starts another, when a call takes longer than the limit. */
export class Thread {
  #worker = null

  /** @returns what the worker measured, or null over the limit */
  async run(tool, texts, { limitMs = 60_000, isClean = false } = {}) {
    this.#worker ??= new Worker(new URL("worker.mjs", import.meta.url))
    const worker = this.#worker
    const { promise, resolve, reject } = Promise.withResolvers()
    worker.once("message", resolve).once("error", reject)
    const timer = setTimeout(() => resolve(null), limitMs)
    worker.postMessage({ tool, texts, isClean }, [])
    const result = await promise
    clearTimeout(timer)
    worker.off("message", resolve).off("error", reject)
    if (!result) await this.stop()
    return result
  }

  async stop() {
    await this.#worker?.terminate()
    this.#worker = null
  }
}

export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
