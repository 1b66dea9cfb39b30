import { describe, expect, test } from "vitest"

import { assignSlugs } from "../../src/plan/slugs.ts"
import { brief, read } from "../folder/folder.ts"

const post = (date: string | null, more = "") => `---\ntitle: A\n${date ? `date: ${date}\n` : ""}${more}---\nText.\n`

/** Reads files, and gives their posts slugs. @param there the dates of posts on the service, by slug */
const assign = async (
  files: Record<string, string>,
  there: Record<string, string> = {},
  source = "mine",
  others: string[] = [],
) => {
  const { all } = await read(files)
  const known = Object.entries(there).map(([slug, date]) => [slug, { source, published_at: date, title: "A" }] as const)
  return assignSlugs(all, "ann", new Map(known), "mine", new Set(others))
}

const slugsOf = async (...args: Parameters<typeof assign>) =>
  Object.fromEntries((await assign(...args)).map(({ slug, source }) => [source.file, slug]))

/** Slugs of nine authors. */
const NINE = ["a", "a-2", "a-3", "a-4", "a-5", "a-6", "a-7", "a-8", "a-9"]

const [OF_2021, OF_2022, OF_2023] = [post("2021-01-05"), post("2022-01-05"), post("2023-01-05")]

describe("posts of one name", () => {
  test.each<[what: string, files: Record<string, string>, there: Record<string, string>, slugs: string[]]>([
    [
      "in one year get their day",
      { "b/a.md": OF_2022, "c/a.md": post("2022-03-04"), "d/a.md": post("2022-03-05") },
      {},
      ["a", "a-2022", "a-2022-03-05"],
    ],
    [
      "keep their slugs when a younger one appears",
      { "b/a.md": OF_2021, "c/a.md": OF_2022, "d/a.md": OF_2023 },
      { a: "2021-01-05T00:00:00.000Z", "a-2022": "2022-01-05T00:00:00Z" },
      ["a", "a-2022", "a-2023"],
    ],
    [
      "keep their slugs when another one goes",
      { "d/a.md": OF_2023 },
      { a: "2022-01-05T00:00:00Z", "a-2023": "2023-01-05T00:00:00Z" },
      ["a-2023"],
    ],
    ["without a date has no other, and keeps it", { "b/a.md": OF_2022, "c/a.md": post(null) }, {}, ["a-2022", "a"]],
    [
      "as a given slug leave it to that",
      { "b/a.md": OF_2021, "x.md": post("2024-01-01", "slug: a\n") },
      {},
      ["a-2021", "a"],
    ],
    [
      "as a given slug leave it to that if it has the page",
      { "b/a.md": OF_2021, "x.md": post("2021-01-05", "slug: a\n") },
      { a: "2021-01-05T00:00:00Z" },
      ["a-2021", "a"],
    ],
    [
      "do not take the name of another post",
      { "a-2023.md": OF_2021, "b/a.md": OF_2022, "c/a.md": OF_2023 },
      {},
      ["a-2023", "a", "a-2023-01-05"],
    ],
    [
      "are cut before the year",
      { [`b/${"x".repeat(250)}.md`]: OF_2022, [`c/${"x".repeat(250)}.md`]: OF_2023 },
      {},
      ["x".repeat(191), `${"x".repeat(186)}-2023`],
    ],
  ])("%s", async (_, files, there, slugs) => {
    const named = await assign(files, there)
    expect(named.map(({ slug }) => slug)).toEqual(slugs)
    expect(named.flatMap(brief).filter((one) => one.startsWith("error"))).toEqual([])
  })

  test("a post alone keeps its name when its date changes, and takes no slug of another folder's", async () => {
    expect(await slugsOf({ "a.md": OF_2023 }, { a: "2022-01-05T00:00:00Z" })).toEqual({ "a.md": "a" })
    expect(await slugsOf({ "a.md": OF_2023 }, { "a-2023": "2023-01-05T00:00:00Z" }, "other")).toEqual({ "a.md": "a" })
  })

  test.each<[what: string, files: Record<string, string>, others: string[], there: string[], slugs: string[]]>([
    ["that is new gets a number", { "a.md": post(null) }, ["a"], [], ["a-2"]],
    ["gets the next number if others have it as well", { "a.md": OF_2021 }, ["a", "a-2", "a-3"], [], ["a-4"]],
    ["keeps its number, also without a date", { "a.md": post(null) }, ["a"], ["a-2"], ["a-2"]],
    ["and whose post is gone keeps its number", { "a.md": OF_2021 }, [], ["a-2"], ["a-2"]],
    ["takes no number of another post of the author", { "a.md": OF_2022 }, ["a"], ["a-2"], ["a-3"]],
    ["takes no number of another file", { "a.md": post(null), "a-2.md": OF_2021 }, ["a"], [], ["a-2", "a-3"]],
    [
      "keeps its number beside a file of that name",
      { "a.md": OF_2021, "a-2.md": OF_2022 },
      ["a"],
      ["a-2"],
      ["a-2-2022", "a-2"],
    ],
    [
      "and of another file here: each gets a number",
      { "b/a.md": OF_2021, "c/a.md": OF_2022 },
      ["a"],
      [],
      ["a-2", "a-3"],
    ],
    [
      "is cut before its number",
      { [`${"x".repeat(250)}.md`]: OF_2021 },
      ["x".repeat(191)],
      [],
      [`${"x".repeat(189)}-2`],
    ],
    ["with each number gets its author's name", { "a.md": post(null) }, NINE, [], ["a-ann"]],
    ["with each number keeps its author's name", { "a.md": OF_2021 }, NINE, ["a-ann"], ["a-ann"]],
    ["and that its author has given stays", { "b.md": post(null, "slug: a\n") }, ["a"], [], ["a"]],
  ])("a name that another author has %s", async (_, files, others, there, slugs) => {
    const known = Object.fromEntries(there.map((slug) => [slug, "2021-01-05T00:00:00Z"]))
    const named = await assign(files, known, "mine", others)
    expect(named.map(({ slug }) => slug)).toEqual(slugs)
    const isSaid = slugs.some((slug) => /-(?:\d+|ann)$/.test(slug))
    expect(named.flatMap(brief)).toEqual(isSaid ? ["warning dated_slug 1"] : [])
  })

  test("a number that a post of another folder has is not taken", async () => {
    const named = await assign({ "a.md": OF_2021 }, { "a-2": "2021-01-05T00:00:00Z" }, "other", ["a"])
    expect(named.map(({ slug }) => slug)).toEqual(["a-3"])
  })

  test("one warning names the posts that get a date", async () => {
    const years = [2020, 2021, 2022, 2023, 2024].map((year) => [`${year}/a.md`, post(`${year}-01-01`)] as const)
    const findings = (await assign(Object.fromEntries(years))).flatMap((one) => one.findings)
    expect(findings).toMatchObject([{ level: "warning", code: "dated_slug", file: "2021/a.md" }])
    expect(findings[0]?.message).toContain("2023/a.md gets a-2023 and 1 more")
  })

  test.each<[what: string, files: Record<string, string>, errors: string[], there?: Record<string, string>]>([
    ["given slugs", { "a.md": post(null, "slug: Same\n"), "b.md": post(null, "slug: same\n") }, ["a.md", "b.md"]],
    ["names without dates", { "b/a.md": post(null), "c/a.md": post(null), "d/a.md": OF_2021 }, ["b/a.md", "c/a.md"]],
    [
      "a name without a date, and a given slug",
      { "a.md": post(null), "b.md": post(null, "slug: a\n") },
      ["a.md", "b.md"],
    ],
    [
      "the name of a post with a page, and a given slug",
      { "a.md": OF_2021, "b.md": post("2022-01-05", "slug: a\n") },
      ["a.md", "b.md"],
      { a: "2021-01-05T00:00:00Z" },
    ],
  ])("two posts are errors that name each other if they are the same by %s", async (_, files, errors, there) => {
    const wrong = (await assign(files, there)).filter((one) => brief(one).includes("error duplicate_slug 1"))
    expect(wrong.map(({ source }) => source.file)).toEqual(errors)
    expect(wrong[0]?.findings[0]?.message).toContain(errors[1])
  })
})
