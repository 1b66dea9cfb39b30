// Runs tools in a thread, which has a heap of its own and can be stopped.
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { parentPort } from "node:worker_threads"

import { at } from "../shared.ts"
import type { Measured, Task } from "./thread.ts"
import { TOOLS, type Rendered } from "./tools.ts"

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void

parentPort?.on("message", ({ tool, texts, isClean }: Task) => {
  if (isClean) collectGarbage()
  const render = at(TOOLS, tool)
  let last: Rendered = {}
  const cpu = process.cpuUsage()
  const start = performance.now()
  for (const text of texts) last = render(text)
  const ms = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  const bytes = last.html === undefined ? null : Buffer.byteLength(last.html)
  const measured: Measured = { ms, cpuMs: (user + system) / 1000, refused: last.refused ?? null, bytes }
  parentPort?.postMessage(measured, [])
})
