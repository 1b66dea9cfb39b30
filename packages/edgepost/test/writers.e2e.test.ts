import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"

import { expect, test } from "vitest"

import { newFolder } from "../../../test/after-file.ts"
import { API, call, newKey, origin } from "../../../test/e2e/support.ts"
import { draw, write } from "./blogs.ts"
import { edgepost } from "./command.ts"
import { type Seen, seenOf, type Writer, type WriterAnswer, WRITERS } from "./oracle/writers/writers.ts"

const ANSWERS = join(import.meta.dirname, "oracle/writers/answers.json")

/** Publishes the document of a tool. @returns what readers of edgepost see of it */
const publish = async (name: string, { file, front = "", frame }: Writer, text: string): Promise<Seen> => {
  const folder = await newFolder()
  const key = await newKey(`writes-${name}`, { translation_languages: [] })
  const env = { EDGEPOST_URL: origin, EDGEPOST_API_KEY: key }
  for (const [path, content] of Object.entries(frame)) await write(join(folder, path), content)
  await write(join(folder, file), `---\ntitle: Rich\ndate: 2024-03-10\n${front}---\n\n${text}`)
  await write(join(folder, file, "../boat.png"), Buffer.from(await draw("boat.png", 30, 20)))
  const run = (command: string) => edgepost([command, "--json"], { cwd: folder, env })
  const { stdout } = await run("publish")
  const [{ slug }] = (JSON.parse(stdout) as { entries: [{ slug: string }] }).entries
  const { json } = await call("GET", `${API}/posts/${slug}/`, { headers: { "X-API-KEY": key } })
  const planned = JSON.parse((await run("plan")).stdout) as { entries: { action: string }[] }
  expect([name, planned.entries.map(({ action }) => action)]).toEqual([name, ["unchanged"]])
  await rm(folder, { recursive: true })
  const { html, images } = json.post as { html: string; images: { image_url: string }[] }
  return seenOf(images.reduce((all, { image_url }) => all.replaceAll(image_url, "boat.png"), html))
}

test("one rich document of each tool in which people write is shown as the tool shows it, but for the listed differences", async () => {
  const answers = JSON.parse(await readFile(ANSWERS, "utf8")) as Record<string, WriterAnswer>
  expect(Object.keys(answers)).toEqual(Object.keys(WRITERS))
  const others: string[] = []
  const table: string[] = ["tool              fields  equal wanted others"]
  const reasons: string[] = []
  for (const [name, writer] of Object.entries(WRITERS)) {
    const { text, seen } = answers[name] as WriterAnswer
    const shown = await publish(name, writer, text)
    const counts = { equal: 0, wanted: 0, others: 0 }
    for (const field of Object.keys(shown) as (keyof Seen)[]) {
      const rows = writer.differences.filter(([of]) => of === field)
      const [expected, actual] = [seen[field], shown[field]].map((value) => [value].flat().join("\n"))
      const end = rows.reduce((known = "", [, , tool, instead]) => known.replace(tool, () => instead), expected)
      const isStale = rows.some(([, , tool]) => !(expected ?? "").includes(tool))
      const kind = end !== actual || isStale ? "others" : rows.length > 0 ? "wanted" : "equal"
      counts[kind] += 1
      reasons.push(...rows.map(([, reason]) => reason))
      if (kind === "others") others.push(`${name}: ${field}\n  expected: ${end}\n  edgepost: ${actual}`)
    }
    const numbers = [Object.keys(shown).length, ...Object.values(counts)].map((count) => String(count).padStart(7))
    table.push(name.padEnd(17) + numbers.join(""))
  }
  expect(others.join("\n")).toBe("")
  const sums = [...Map.groupBy(reasons, (one) => one)].map(([reason, all]) => `${all.length}  ${reason}`).toSorted()
  await expect([...table, "", ...sums, ""].join("\n")).toMatchFileSnapshot("golden/writers.txt")
})
