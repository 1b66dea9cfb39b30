import { Worker } from "node:worker_threads"

/** A thread for tools. It is stopped, and the next call starts another, when a call takes longer than the limit. */
export class Thread {
  #worker = null

  /** @returns what the worker measured, or null over the limit */
  run(tool, texts, { limitMs = 60_000, isClean = false } = {}) {
    this.#worker ??= new Worker(new URL("worker.mjs", import.meta.url))
    const worker = this.#worker
    return new Promise((resolve, reject) => {
      const settle = (end, value) => {
        clearTimeout(timer)
        worker.removeAllListeners()
        end(value)
      }
      const timer = setTimeout(() => void this.stop().then(() => settle(resolve, null)), limitMs)
      worker.once("message", (result) => settle(resolve, result))
      worker.once("error", (error) => settle(reject, error))
      worker.postMessage({ tool, texts, isClean })
    })
  }

  async stop() {
    await this.#worker?.terminate()
    this.#worker = null
  }
}

export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
