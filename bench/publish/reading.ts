// Measures how `edgepost plan --offline` and `edgepost init` read a large folder, beside another checkout. See README.md.
import { spawnSync } from "node:child_process"
import { rm } from "node:fs/promises"
import { join, resolve } from "node:path"

import { main } from "../../scripts/cli.ts"
import { median, setting, table } from "../shared.ts"
import { writeFolder } from "./folder.ts"

const ROUNDS = setting("ROUNDS", 5)
const POSTS = setting("POSTS", 2000)
const IMAGES = setting("IMAGES", 1000)
const CHECKOUTS = { before: resolve(process.env["BEFORE"] ?? "."), after: resolve(".") }

/** Loaded before a process, it prints at the end what the process took. */
const USAGE = `data:text/javascript,${encodeURIComponent(`process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  console.error("usage", (userCPUTime + systemCPUTime) / 1e6, maxRSS / 1024)
})`)}`

/** Runs a command of a checkout. @returns its seconds of CPU and its peak of memory in MiB */
const run = async (checkout: string, args: string[], folder: string): Promise<[cpu: number, mib: number]> => {
  // The one of the folder, or of the last `init`.
  await rm(join(folder, "edgepost.config.yaml"), { force: true })
  const all = ["--import", USAGE, join(checkout, "packages/edgepost/src/bin.ts"), ...args]
  const { stderr } = spawnSync(process.execPath, [...all, folder], { encoding: "utf8", maxBuffer: Infinity })
  const [, cpu = NaN, mib = NaN] = (/usage (\S+) (\S+)\n$/.exec(stderr) ?? []).map(Number)
  if (Number.isNaN(cpu)) throw new Error(`${checkout}: ${args.join(" ")} failed.\n${stderr}`)
  return [cpu, mib]
}

await main(async () => {
  const folder = await writeFolder(POSTS, IMAGES, true)
  try {
    const rows = []
    for (const args of [["plan", "--offline"], ["init"]]) {
      const found: Record<keyof typeof CHECKOUTS, [number, number][]> = { before: [], after: [] }
      for (let i = 0; i < ROUNDS; i++) {
        const sides = i % 2 === 0 ? (["before", "after"] as const) : (["after", "before"] as const)
        for (const side of sides) found[side].push(await run(CHECKOUTS[side], args, folder))
      }
      const [before, after] = [found.before, found.after].map((runs) =>
        [0, 1].map((column) => median(runs.map((one) => one[column] ?? NaN))),
      )
      const ratios = [0, 1].map((column) => (after?.[column] ?? NaN) / (before?.[column] ?? NaN))
      rows.push([
        args[0] ?? "",
        ...[before, after, ratios].flatMap((pair) => (pair ?? []).map((one) => one.toFixed(2))),
      ])
    }
    const head = ["command", "CPU s before", "MiB before", "CPU s", "MiB", "CPU ratio", "memory ratio"]
    console.log(table([head, ...rows]))
  } finally {
    await rm(folder, { recursive: true })
  }
})
