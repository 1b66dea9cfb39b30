// Runs tools in a thread: its heap is its own, and it can be stopped.
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { parentPort } from "node:worker_threads"

import { TOOLS } from "./tools.mjs"

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc")

parentPort.on("message", ({ tool, texts, isClean }) => {
  if (isClean) collectGarbage()
  let last = {}
  const cpu = process.cpuUsage()
  const start = performance.now()
  for (const text of texts) last = TOOLS[tool](text)
  const ms = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  const bytes = last.html === undefined ? null : Buffer.byteLength(last.html)
  parentPort.postMessage({ ms, cpuMs: (user + system) / 1000, refused: last.refused ?? null, bytes }, [])
})
