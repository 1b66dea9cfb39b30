import { readFile } from "node:fs/promises"
import { join } from "node:path"

import { describe, expect, test } from "vitest"

import { newFolder } from "../../../test/after-file.ts"
import { findingsOf, rowsOf, toMarkdown } from "../src/action/report-text.ts"
import { planToJson, showPlan } from "../src/plan/screen.ts"
import { readEvent, whyOnlyPlan } from "../src/workspace/event.ts"
import { write } from "./blogs.ts"
import { planOf, post } from "./plan/plan.ts"

const OF_MAIN = { repository: { default_branch: "main" } }

describe("the mode auto", () => {
  test.each<[what: string, name: string, ref: string, event: object, why: RegExp]>([
    ["a push to the default branch", "push", "refs/heads/main", OF_MAIN, /^null$/],
    [
      "a push to a default branch with another name",
      "push",
      "refs/heads/a/b",
      { repository: { default_branch: "a/b" } },
      /^null$/,
    ],
    ["a schedule", "schedule", "refs/heads/main", {}, /^null$/],
    ["a start by hand", "workflow_dispatch", "refs/heads/main", OF_MAIN, /^null$/],
    ["a start over the API", "repository_dispatch", "refs/heads/main", OF_MAIN, /^null$/],
    ["a push to another branch", "push", "refs/heads/idea", OF_MAIN, /^idea is not main$/],
    ["a branch that only ends so", "push", "refs/heads/a/main", OF_MAIN, /^a\/main is not main$/],
    ["a tag", "push", "refs/tags/main", OF_MAIN, /^refs\/tags\/main is not main$/],
    ["a start by hand from another branch", "workflow_dispatch", "refs/heads/idea", OF_MAIN, /^idea is not main$/],
    ["a pull request", "pull_request", "refs/pull/7/merge", OF_MAIN, /^the event pull_request publishes nothing$/],
    [
      "a pull request by its base",
      "pull_request_target",
      "refs/heads/main",
      OF_MAIN,
      /^the event pull_request_target /,
    ],
    ["a merge queue", "merge_group", "refs/heads/gh-readonly-queue/main/pr-7-0a1b", OF_MAIN, /^the event merge_group /],
    ["a branch that is deleted", "delete", "refs/heads/main", OF_MAIN, /^the event delete publishes nothing$/],
    ["the end of another workflow", "workflow_run", "refs/heads/main", OF_MAIN, /^the event workflow_run /],
    ["a release", "release", "refs/tags/v1", OF_MAIN, /^the event release /],
    ["an event without a repository", "push", "refs/heads/main", {}, /^the event does not say/],
  ])("%s", async (_, name, ref, event, why) => {
    const file = join(await newFolder(), "event.json")
    await write(file, JSON.stringify(event))
    const reason = whyOnlyPlan(readEvent({ GITHUB_EVENT_NAME: name, GITHUB_REF: ref, GITHUB_EVENT_PATH: file }))
    expect(String(reason)).toMatch(why)
  })
})

test("the events of the docs publish or plan as they say", async () => {
  const docs = await readFile(join(import.meta.dirname, "../../../docs/github-action.md"), "utf8")
  const [, table = ""] = docs.split("<!-- events -->")
  const rows = table
    .split("##", 1)
    .flatMap((text) => [...text.matchAll(/^\| (.*?) \| (.*?) \| (.*?) \|$/gm)])
    .slice(2)
  const found = rows.flatMap(([, names = "", onDefault = ""]) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = ""]) => {
      const event = { name, ref: "refs/heads/main", sha: "", defaultBranch: "main", pullRequest: null }
      return [name, onDefault.trim() === "publishes", whyOnlyPlan(event) === null] as const
    }),
  )
  expect(found.length).toBeGreaterThanOrEqual(10)
  for (const [name, isSaid, isDone] of found) expect([name, isDone]).toEqual([name, isSaid])
})

/** A folder in which a plan has something of each kind to say. */
const FILES = {
  "redirects.csv": "old_path,slug,file\r\n/old-a,a,a.md\r\n",
  "a.md": post("Text. ![](new.svg)"),
  "b.md": post("Text.", "password: x\n"),
  "later.md": "---\ntitle: Later\ndate: 2027-01-02\nslug: later\n---\n\nText.\n",
  "draft.md": post("Text.", "slug: draft\ndraft: true\n"),
  "theme.md": post("{{< youku 1 >}}", "slug: theme\n"),
  "new.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
}
const THERE = [
  { slug: "gone", title: "Gone", published_at: "2020-01-01T00:00:00Z" },
  {
    slug: "draft",
    status: "PB" as const,
    texts: { fr: { title: "T", meta_description: "D", body_sha256: "", edited: ["body" as const], changed_at: "" } },
  },
]

/** Returns a text without what the form of its writer adds. */
const bare = (text: string): string => text.replaceAll(/[`|\s-]+/g, " ")

describe("a plan", () => {
  test("says the same in the log, the summary, the comment and on the terminal", async () => {
    const plan = await planOf(FILES, THERE, { prune: true })
    const json = planToJson(plan)
    expect(json.remarks.map((line) => line.split(/[:,(]/, 1)[0])).toEqual([
      "1 image to upload",
      "Redirects from old addresses",
      "left out",
      "Still on the service",
      "Edited on the service",
      "Only your theme knows these. Say in edgepost.config.yaml what becomes of each",
      "  youku",
    ])
    const [screen, summary] = [showPlan(plan, (_, text) => text), toMarkdown(json, true, "https://s.example", 65_000)]
    for (const remark of json.remarks)
      for (const text of [screen, summary]) expect(bare(text)).toContain(bare(remark).trim())
    for (const { details, slug } of rowsOf(json))
      for (const part of details.split(", "))
        expect(bare(screen), slug).toContain(bare(part.replace(/^line \d+: /, "")).trim())
    expect(summary).toContain("The blog is ` https://s.example/@ann `.")
    expect(rowsOf(json).map(({ slug, state }) => `${slug} ${state}`)).toEqual([
      "a published",
      "draft draft",
      "later scheduled",
      "theme null",
    ])
  })

  test("names the findings of posts that change first", async () => {
    const same = { "a.md": post("![](gone-1.png)", "slug: old\n") }
    const { wanted } = await planOf(same)
    const there = [...wanted.values()].map(({ slug }) => ({ slug }))
    const report = planToJson(await planOf({ ...same, "z.md": post("![](gone-2.png)", "slug: new\n") }, there))
    const unchanged = {
      ...report,
      entries: report.entries.map((entry) =>
        entry.slug === "old" ? { ...entry, action: "unchanged" as const } : entry,
      ),
    }
    expect(findingsOf(unchanged).map(({ file }) => file)).toEqual(["z.md", "a.md"])
    const rows = toMarkdown(unchanged, true, "", 9999)
      .split("\n")
      .filter((line) => /^\| (?:create|unchanged)/.test(line))
    expect(rows.map((line) => line.split(" ")[1])).toEqual(["create", "unchanged"])
  })
})
