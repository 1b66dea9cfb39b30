// Measures what reading a large folder takes `edgepost plan` and `edgepost init`, beside another checkout. See README.md.
import { spawnSync } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

import { draw, write } from "../../packages/edgepost/test/blogs.ts"
import { main } from "../../scripts/cli.ts"
import { median, setting, table } from "../shared.ts"

const ROUNDS = setting("ROUNDS", 5)
const POSTS = setting("POSTS", 2000)
const IMAGES = setting("IMAGES", 1000)
const CHECKOUTS = { before: resolve(process.env["BEFORE"] ?? "."), after: resolve(".") }

const SENTENCES = [
  "The moon pulls the water, and the *earth* turns under it.",
  "A **neap tide** comes with the half moon; see [the tables](https://tides.example/tables).",
  "Read `level_at(place, time)` twice a day, and write it down.",
  "The coast decides how high the sea will stand.",
]
const CODE = "```python\ndef level_at(place, time):\n    return sum(part.at(time) for part in place.parts)\n```\n"
const TABLE =
  "| Place | High | Low |\n| --- | --- | --- |\n| Brest | 6.1 m | 1.0 m |\n| Saint-Malo | 12.2 m | 1.4 m |\n"
/** Ends of four posts: two of them have syntax that must be converted. */
const ENDS = ["", "", "<!-- to do: a photo -->\n", '{{< figure src="/images/0.png" alt="Sea" >}}\n']

/** Writes a post of about 7 KB: six sections with text and a list, and code or, in one of four posts, tables. */
const postOf = (i: number): string => {
  const list = SENTENCES.map((sentence) => `- ${sentence}\n`).join("")
  const sections = Array.from({ length: 6 }, (_, n) => {
    const text = Array.from({ length: 10 }, (__, j) => SENTENCES[(i + n + j) % SENTENCES.length]).join(" ")
    return `## Section ${n} of ${i}\n\n${text}\n\n${list}\n${n % 2 === 1 && i % 4 === 1 ? TABLE : CODE}\n`
  })
  const last = Math.max(i - 1, 0)
  const head = `---\ntitle: Post ${i}\ndate: 2024-01-01T00:00:00Z\ntags: [tide, sea]\n---\n\n`
  const links = `Before: [post ${last}](post-${last}.md#section-1-of-${last}).\n\n![Sea](/images/${i % IMAGES}.png)\n\n`
  return `${head}${links}${sections.join("")}${ENDS[i % ENDS.length]}`
}

const writeBlog = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "edgepost-reading-"))
  await write(join(folder, "hugo.toml"), 'baseURL = "https://old.example/"\ntitle = "Tides"\n')
  for (let i = 0; i < IMAGES; i++)
    await write(join(folder, "static", "images", `${i}.png`), await draw(`${i}.png`, 40 + i, 40, i % 256))
  for (let i = 0; i < POSTS; i++) await write(join(folder, "content", "posts", `post-${i}.md`), postOf(i))
  return folder
}

/** Loaded before a process, it prints at the end what the process took. */
const USAGE = `data:text/javascript,${encodeURIComponent(`process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  console.error("usage", (userCPUTime + systemCPUTime) / 1e6, maxRSS / 1024)
})`)}`

/** Runs a command of a checkout. @returns its seconds of CPU and its peak of memory in MiB */
const run = async (checkout: string, args: string[], folder: string): Promise<[cpu: number, mib: number]> => {
  const all = ["--import", USAGE, join(checkout, "packages/edgepost/src/bin.ts"), ...args, folder]
  const { stderr } = spawnSync(process.execPath, all, { encoding: "utf8", maxBuffer: Infinity })
  const [, cpu = NaN, mib = NaN] = (/usage (\S+) (\S+)\n$/.exec(stderr) ?? []).map(Number)
  if (Number.isNaN(cpu)) throw new Error(`${checkout}: ${args.join(" ")} failed.\n${stderr}`)
  await rm(join(folder, "edgepost.config.yaml"), { force: true })
  return [cpu, mib]
}

await main(async () => {
  const folder = await writeBlog()
  try {
    const rows = []
    for (const args of [["plan", "--offline"], ["init"]]) {
      const found: Record<keyof typeof CHECKOUTS, [number, number][]> = { before: [], after: [] }
      for (let i = 0; i < ROUNDS; i++) {
        const sides = i % 2 === 0 ? (["before", "after"] as const) : (["after", "before"] as const)
        for (const side of sides) found[side].push(await run(CHECKOUTS[side], args, folder))
      }
      const of = (side: keyof typeof CHECKOUTS, column: 0 | 1) => median(found[side].map((one) => one[column]))
      const cells = ([0, 1] as const).map((column) => [of("before", column), of("after", column)] as const)
      rows.push([
        args.join(" "),
        ...cells.flatMap(([before, after]) => [before, after, after / before].map((one) => one.toFixed(2))),
      ])
    }
    const head = ["command", "CPU s before", "CPU s", "ratio", "peak MiB before", "peak MiB", "ratio"]
    console.log(table([head, ...rows]))
  } finally {
    await rm(folder, { recursive: true })
  }
})
