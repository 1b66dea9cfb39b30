import { expect, test } from "vitest"

import { EMPTY_CONFIG, type FolderConfig } from "../../src/config.ts"
import { makePlan, type Plan, type PlanOptions } from "../../src/plan/plan.ts"
import { showPlan } from "../../src/plan/screen.ts"
import { folderOf, OPTIONS } from "../folder/folder.ts"

const post = (body: string): string => `---\ntitle: A\n---\n${body}\n`

const FILES = {
  "a.md": post('{{< amazon id="1" >}} {{< amazon >}}\n\n{{< box >}}\na\n{{< /box >}}'),
  "b.md": post("b\n\n{% include shop/amazon.html id=2 %} {{ site.license.url | x }} {{< /tab >}}"),
  "b.fr.md": post("{{< amazon >}} {{ site.license.url }} `{{< code >}}`"),
  "c.md": post("Text."),
}

const planOf = (
  config: Partial<FolderConfig>,
  options: Partial<PlanOptions> = {},
  files: Record<string, string> = FILES,
): Promise<Plan> =>
  makePlan(
    null,
    folderOf(files),
    { ...EMPTY_CONFIG, category: "Blog", ...config },
    { paths: [], allowForeign: false, allowMissingImages: false, prune: false, now: OPTIONS.now, ...options },
  )

const kind = (name: string, posts: number, uses: number, text: string, place: string, field = "shortcodes") => {
  const [file, line] = place.split(":")
  return { field, name, posts, uses, example: { file, line: Number(line), text } }
}

test("foreign syntax of a plan is counted by name, that of most posts first, and a pair is one use", async () => {
  const { foreign } = await planOf({})
  expect(foreign).toEqual([
    kind("amazon", 2, 4, '{{< amazon id="1" >}}', "a.md:4"),
    kind("box", 1, 1, "{{< box >}}", "a.md:6"),
    kind("site.license.url", 1, 2, "{{ site.license.url | x }}", "b.md:6", "variables"),
    kind("tab", 1, 1, "{{< /tab >}}", "b.md:6"),
  ])
})

test("foreign syntax is not counted where it is allowed, or once the configuration names it", async () => {
  expect((await planOf({}, { allowForeign: true })).foreign).toEqual([])
  const named = await planOf({ shortcodes: { amazon: "", box: "keep" }, variables: { "site.license.url": "x" } })
  expect(named.entries.map(({ action }) => action)).toEqual(["checked", "blocked", "checked"])
  expect(named.foreign).toEqual([kind("tab", 1, 1, "{{< /tab >}}", "b.md:6")])
})

test("syntax that the configuration cannot name blocks with advice of its own, and is in no list of the screen", async () => {
  const files = { "a.md": post("<div hidden>\n\na {{!-- b {{ site.c }}") }
  const [plan, other] = [await planOf({}, {}, files), await planOf({}, {}, { "a.md": post("<div hidden>") })]
  const [unclosed, text, variable] = plan.entries[0]?.findings.map(({ message }) => message) ?? []
  expect(unclosed).toMatch(/^<div hidden> has no end tag/)
  expect(text).toMatch(/^\{\{!-- is syntax .* Write it as Markdown, or allow it with --allow-foreign\.$/)
  expect(variable).toContain("below `shortcodes` or `variables` in edgepost.config.yaml")
  expect(showPlan(plan, (_, shown) => shown)).toContain("becomes of each:\n  site.c: 1 post")
  expect(showPlan(other, (_, shown) => shown)).not.toContain("becomes of each")
})
