import { expect, it, vi } from "vitest"

import { passSeconds, rows as select } from "../support.ts"
import { newQueued, setUpTranslations } from "./author.ts"
import { mark, watchEngine } from "./engine.ts"

setUpTranslations()

interface Cost {
  runs: number
  /** Rows read, divided by the number of segments. */
  rows: number
}

/** Translates a new post with `segments` different segments by an engine that takes `seconds` for a call. */
const translate = async (line: (n: number) => string, segments: number, seconds: number): Promise<Cost> => {
  const body = Array.from({ length: segments - 2 }, (_, n) => line(n)).join("\n")
  const { run, translation } = await newQueued({ body })
  watchEngine((...call) => {
    passSeconds(seconds)
    return mark(...call)
  })
  const info = vi.spyOn(console, "info").mockReturnValue()
  await run()
  const runs = info.mock.calls.map(([written]) => JSON.parse(String(written)) as { rows_read: number })
  vi.restoreAllMocks()
  expect(await translation()).toMatchObject({ status: "ready", segments: { done: segments, total: segments } })
  return { runs: runs.length, rows: runs.reduce((sum, { rows_read }) => sum + rows_read, 0) / segments }
}

it.each<[string, (n: number) => string, number, number[]]>([
  ["headings", (n) => `## Heading number ${n}`, 0, [1, 1]],
  ["list items", (n) => `- Item number ${n}`, 0, [1, 1]],
  ["list items, by an engine that takes a minute for a call,", (n) => `- Item number ${n}`, 60, [1, 3]],
])("a translation of %s reads at most eight rows a segment, of 502 as of 2,002", async (_, line, seconds, runs) => {
  const [few, many] = [await translate(line, 502, seconds), await translate(line, 2002, seconds)]
  expect([few.runs, many.runs]).toEqual(runs)
  expect(few.rows).toBeLessThanOrEqual(8)
  expect(many.rows).toBeLessThanOrEqual(8)
})

it("a text whose noted progress is of segments that are not remembered is translated from the beginning", async () => {
  const body = Array.from({ length: 600 }, (_, n) => `- Item number ${n}`).join("\n")
  const { run, bodyIn, translation } = await newQueued({ body })
  await select("update texts set segments_done = 550, segments_total = 602 where status = 'queued'")
  await run()
  expect(await bodyIn()).toBe(body.replaceAll(/[a-z]+/gi, "$&·fr"))
  expect((await translation()).warnings).toEqual([])
})
