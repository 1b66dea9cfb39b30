import { expect, test } from "vitest"

import { toMarkdown } from "../../src/action/report-text.ts"
import type { Finding } from "../../src/finding.ts"
import { countNoise } from "../../src/plan/noise.ts"
import { planToJson, showPlan } from "../../src/plan/screen.ts"
import { brief, planOf, post } from "./plan.ts"

const warning = (message: string, file = "a.md", line = 3): Finding => ({
  level: "warning",
  code: "c",
  message,
  file,
  line,
})

test.each<[what: string, all: number, messages: string[], lines: string[]]>([
  ["in more than a tenth", 20, ["x", "x", "x"], ["3 posts, 0.md:3 first: x"]],
  ["in a tenth", 30, ["x", "x", "x"], []],
  ["in two posts of two", 2, ["x", "x"], []],
  ["with other numbers", 20, ["At most 3.", "At most 4.", "At most 5."], ["3 posts, 0.md:3 first: At most 3."]],
  ["with other words", 20, ["No a.", "No b.", "No c."], []],
])("a warning %s of the posts is one line: %s, %j, %j", (_, all, messages, lines) => {
  const posts = Array.from({ length: all }, (__, i) => {
    const message = messages[i]
    return { findings: message === undefined ? [] : [warning(message, `${i}.md`), warning(message, `${i}.md`, 9)] }
  })
  const noise = countNoise(posts)
  expect(noise.lines()).toEqual(lines)
  expect(posts.flatMap(({ findings }) => noise.rest(findings))).toHaveLength(lines.length > 0 ? 0 : messages.length * 2)
})

test("an error is never one line for many posts", () => {
  const posts = Array.from({ length: 5 }, () => ({ findings: [{ ...warning("x"), level: "error" as const }] }))
  expect(countNoise(posts).lines()).toEqual([])
  expect(countNoise(posts).rest(posts[0]?.findings ?? [])).toHaveLength(1)
})

const COVER = "https://cdn.example/cover.jpg"
const DEFAULTS = `defaults:\n  - scope: {path: ""}\n    values: {image: "${COVER}"}\n`

test("a cover on another site that Jekyll's defaults give all posts is one line, and --json keeps it for each post", async () => {
  const names = ["a", "b", "c"].map((name, i) => [`_posts/2024-01-0${i + 1}-${name}.md`, post("Words.")] as const)
  const plan = await planOf({ "_config.yml": DEFAULTS, ...Object.fromEntries(names) })
  expect(brief(plan)).toEqual(["create a", "create b", "create c"])
  const said = `3 posts, _posts/2024-01-01-a.md:1 first: The cover ${COVER} is on another site.`
  const screen = showPlan(plan, (__, text) => text).replaceAll(/\s+/g, " ")
  expect(screen.split(COVER)).toHaveLength(2)
  expect(screen).toContain(said)
  const report = planToJson(plan)
  expect(report.entries.map(({ findings }) => findings.map(({ code }) => code))).toEqual(
    names.map(() => ["remote_cover"]),
  )
  const summary = toMarkdown(report, true, "https://service.example", 10_000)
  expect(summary.split(COVER)).toHaveLength(2)
  expect(summary).toContain(said)
})
