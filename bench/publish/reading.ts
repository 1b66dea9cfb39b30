// Measures what reading a large folder takes `edgepost plan` and `edgepost init`, beside another checkout. See README.md.
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { draw, write } from "../../packages/edgepost/test/blogs.ts"
import { main } from "../../scripts/cli.ts"
import { compareCheckouts, setting, table, USAGE_HEAD } from "../shared.ts"

const ROUNDS = setting("ROUNDS", 5)
const POSTS = setting("POSTS", 2000)
const IMAGES = setting("IMAGES", 1000)

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

await main(async () => {
  const folder = await writeBlog()
  try {
    const rows = []
    for (const args of [["plan", "--offline"], ["init"]]) {
      const cells = await compareCheckouts(
        ROUNDS,
        () => [...args, folder],
        () => rm(join(folder, "edgepost.config.yaml"), { force: true }),
      )
      rows.push([args.join(" "), ...cells])
    }
    console.log(table([USAGE_HEAD, ...rows]))
  } finally {
    await rm(folder, { recursive: true })
  }
})
