// Searches for the bodies that hold an isolate, or the command line, for longest. See README.md.
import { join } from "node:path"
import { Worker } from "node:worker_threads"

import { main } from "../../scripts/cli.ts"
import { median, setting, table } from "../shared.ts"
import { type Body, makeBodies } from "./bodies.ts"
import type { Measured, Task } from "./worker.ts"

const BODIES = setting("BODIES", 2000)
const SEED = setting("SEED", 1)
const LIMIT_MS = setting("LIMIT_MS", 120_000)
const SHOWN = setting("SHOWN", 10)
const TOOLS = (process.env["TOOLS"] ?? "service;folder").split(";")

const SENTENCES = "The moon pulls the water, and the *earth* turns under it. See [the tables](https://a.example/b).\n\n"
/** A body of 256 KB as people write it. What it takes tells how fast the machine is at the time. */
const ORDINARY: Body = { kind: "markdown", family: "ordinary", text: SENTENCES.repeat(2650) }
/** Bodies between two ordinary ones. */
const BETWEEN = 100

let worker: Worker | null = null

/** Converts a body. @returns null if it takes longer than the limit by the clock, which stops the thread, or if it fails */
const convert = async (task: Task): Promise<Measured | null> => {
  worker ??= new Worker(join(import.meta.dirname, "worker.ts"))
  const own = worker
  const { promise, resolve } = Promise.withResolvers<Measured | null>()
  const fail = (error: Error) => {
    console.error(error)
    resolve(null)
  }
  own.once("message", resolve).once("error", fail)
  const timer = setTimeout(() => resolve(null), LIMIT_MS)
  own.postMessage(task, [])
  const measured = await promise
  clearTimeout(timer)
  own.off("message", resolve).off("error", fail)
  if (measured) return measured
  worker = null
  await own.terminate()
  return null
}

const search = async (tool: string, bodies: Body[]): Promise<string> => {
  const found: { body: Body; cpuMs: number; ratio: number; steps: number; refused: string | null }[] = []
  const ordinary: number[] = []
  for (const [i, body] of bodies.entries()) {
    if (i % BETWEEN === 0) {
      for (let run = 0; run < (i === 0 ? 3 : 0); run++) await convert({ tool, body: ORDINARY })
      ordinary.push((await convert({ tool, body: ORDINARY }))?.cpuMs ?? NaN)
      console.error(`${tool}: ${i} of ${bodies.length}`)
    }
    const { cpuMs = Infinity, steps = 0, refused = null } = (await convert({ tool, body })) ?? {}
    found.push({ body, cpuMs, ratio: cpuMs / (ordinary.at(-1) ?? NaN), steps, refused })
  }
  found.sort((a, b) => b.cpuMs - a.cpuMs)
  const rows = found
    .slice(0, SHOWN)
    .map(({ body: { kind, family, text }, cpuMs, ratio, steps, refused }) => [
      Number.isFinite(cpuMs) ? Math.round(cpuMs) : "stopped",
      Number.isFinite(ratio) ? ratio.toFixed(1) : "",
      (steps / 1e6).toFixed(1),
      kind,
      text.length,
      family.slice(0, 70).replaceAll("`", "'"),
      (refused ?? "").slice(0, 60),
    ])
  const calibration = `An ordinary body of 256 KB took ${median(ordinary).toFixed(0)} ms (${ordinary.map((ms) => ms.toFixed(0)).join(", ")}).`
  return `${tool}: ${bodies.length} bodies. ${calibration}\n\n${table([["CPU ms", "× ordinary", "million steps", "kind", "characters", "family", "refused"], ...rows])}\n`
}

await main(async () => {
  const bodies = makeBodies(BODIES, SEED)
  for (const tool of TOOLS) console.log(await search(tool, bodies))
  await worker?.terminate()
})
