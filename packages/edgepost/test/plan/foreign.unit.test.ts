import { expect, test } from "vitest"

import { showPlan } from "../../src/plan/screen.ts"
import { folderOf } from "../folder/folder.ts"
import { planOf } from "../markdown/plan.ts"

const post = (body: string): string => `---\n{ title: A, date: 2024-01-02 }\n---\n${body}\n`

const FOLDER = folderOf({
  "a.md": post('{{< amazon id="1" >}} {{< amazon >}}\n\n{{< box >}}\na\n{{< /box >}}'),
  "b.mdx": post("b\n\n{% include shop/amazon.html id=2 %} {site.license.url} {{< /tab >}}"),
  "b.fr.mdx": post("{{< amazon >}} {site.license.url} `{{< code >}}`"),
  "c.md": post("Text."),
})

const kind = (name: string, posts: number, uses: number, text: string, place: string, field = "shortcodes") => {
  const [file, line] = place.split(":")
  return { field, name, posts, uses, example: { file, line: Number(line), text } }
}

test("foreign syntax of a plan is counted by name, that of most posts first, and a pair is one use", async () => {
  const { foreign } = await planOf(FOLDER)
  expect(foreign).toEqual([
    kind("amazon", 2, 4, '{{< amazon id="1" >}}', "a.md:4"),
    kind("box", 1, 1, "{{< box >}}", "a.md:6"),
    kind("site.license.url", 1, 2, "{site.license.url}", "b.mdx:6", "variables"),
    kind("tab", 1, 1, "{{< /tab >}}", "b.mdx:6"),
  ])
})

test("foreign syntax is not counted where it is allowed, or once the configuration names it", async () => {
  expect((await planOf(FOLDER, {}, { allowForeign: true })).foreign).toEqual([])
  const config = { shortcodes: { amazon: "", box: "keep" }, variables: { "site.license.url": "x" } }
  const named = await planOf(FOLDER, config)
  expect(named.entries.map(({ action }) => action)).toEqual(["checked", "blocked", "checked"])
  expect(named.foreign).toEqual([kind("tab", 1, 1, "{{< /tab >}}", "b.mdx:6")])
})

test("syntax that the configuration cannot name blocks with advice of its own, and is in no list of the screen", async () => {
  const plan = await planOf(folderOf({ "a.mdx": post("<div hidden>\n\na {{!-- b {site.c}") }))
  const other = await planOf(folderOf({ "a.md": post("<div hidden>") }))
  const [unclosed, text, variable] = plan.entries[0]?.findings.map(({ message }) => message) ?? []
  expect(unclosed).toMatch(/^<div hidden> has no end tag/)
  expect(text).toMatch(/^\{\{!-- is syntax .* Write it as Markdown, or allow it with --allow-foreign\.$/)
  expect(variable).toContain("below `shortcodes` or `variables` in edgepost.config.yaml")
  expect(showPlan(plan, (_, shown) => shown)).toContain("becomes of each:\n  site.c: 1 post")
  expect(showPlan(other, (_, shown) => shown)).not.toContain("becomes of each")
})
