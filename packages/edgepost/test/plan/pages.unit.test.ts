import { describe, expect, test } from "vitest"

import type { ListedPost } from "../../src/client/index.ts"
import { EMPTY_CONFIG } from "../../src/config.ts"
import { sha256 } from "../../src/hash.ts"
import { type PlanOptions, readBlog } from "../../src/plan/blog.ts"
import { NO_STATE } from "../../src/plan/offline.ts"
import { makePlan } from "../../src/plan/plan.ts"
import { showPlan } from "../../src/plan/screen.ts"
import { UsageError } from "../../src/usage-error.ts"
import { folderOf, OPTIONS } from "../folder/folder.ts"
import { blogOf } from "../tools/blog.ts"

const DATED = "---\ntitle: Other\ndate: 2024-01-02\n---\nText."
const post = (yaml: string): string => `---\ntitle: T\n${yaml}\n---\nText.`

/** Plans a folder. @param there fields of posts of the service, by slug */
const planOf = async (
  files: Record<string, string>,
  there: Record<string, Partial<ListedPost>> = {},
  options: Partial<PlanOptions> = {},
) => {
  const all = {
    paths: [],
    allowForeign: false,
    allowMissingImages: true,
    acceptChanges: false,
    incomplete: null,
    noPages: false,
    prune: false,
    now: OPTIONS.now,
  }
  const blog = await readBlog(folderOf(files), { ...EMPTY_CONFIG, source: "mine" }, "en", { ...all, ...options })
  const known = Object.entries(there).map(([slug, fields]) => {
    const listed = {
      slug,
      title: "T",
      source: "mine",
      listed: true,
      image_ids: [],
      images: [],
      texts: {},
      translations: [],
    }
    return [slug, { ...listed, ...fields } as unknown as ListedPost] as const
  })
  return makePlan(blog, { ...NO_STATE, there: new Map(known) })
}

/** Says what becomes of the file `x.md`, in short. */
const stateOf = async (...[files, there, options]: Parameters<typeof planOf>): Promise<string> => {
  const plan = await planOf(files, there, options)
  const entry = plan.entries.find(({ file }) => file?.endsWith("x.md"))
  const reason = plan.leftOut.find(({ file }) => file.endsWith("x.md"))?.reason
  if (!entry) return `left out: ${reason}`
  const { listed, published_at } = plan.wanted.get(entry.slug)?.fields ?? {}
  const says = entry.findings.map(({ code }) => code).filter((code) => code !== "default_category")
  return [entry.action, listed === undefined ? "" : `listed: ${listed}`, published_at?.slice(0, 10), ...says]
    .filter(Boolean)
    .join(", ")
}

test("the plan says of a new page that no list shows it", async () => {
  const plan = await planOf({ "x.md": post("listed: false"), "a.md": DATED })
  const lines = showPlan(plan, (_, text) => text).split("\n")
  expect(lines.filter((line) => line.includes("in no list"))).toEqual(["           x.md · a page, in no list"])
})

const NO_DATE = "left out: no date: write `date: 2024-01-31` into its front matter"

describe("a note without a date", () => {
  test.each<[what: string, yaml: string, state: string, there?: Record<string, Partial<ListedPost>>, paths?: string[]]>(
    [
      ["that is new is left out", "", NO_DATE],
      ["that is asked for by name is a post of today", "", "create", {}, ["x.md"]],
      ["of a folder that is asked for is left out", "", NO_DATE, {}, ["notes"]],
      ["that the service has goes on with its day", "", "update", { x: { published_at: "2026-01-01T00:00:00Z" } }],
      ["that says that it is a page is one", "listed: false", "create, listed: false"],
      ["that says that it is no page is a post", "listed: true", "create, listed: true"],
      ["that is a draft is one", "draft: true", "create"],
      ["with a date that is none is blocked", "date: soon", "blocked, invalid_date"],
    ],
  )("%s", async (_, yaml, state, there, paths = []) => {
    const file = paths[0] === "notes" ? "notes/x.md" : "x.md"
    const files = { [file]: post(yaml), "a.md": DATED, "notes/b.md": DATED }
    expect(await stateOf(files, there, { paths })).toBe(state)
  })

  test("that has another name than on the service keeps its slug and its day", async () => {
    const texts = { en: { body_sha256: sha256("Text."), edited: [] } } as unknown as ListedPost["texts"]
    const there = { old: { primary_language: "en", published_at: "2026-01-01T00:00:00Z", texts } }
    const plan = await planOf({ "x.md": post(""), "a.md": DATED }, there, { prune: true })
    expect(plan.entries.map(({ action, slug }) => `${action} ${slug}`)).toEqual(["create a", "update old"])
    expect(plan.leftOut).toEqual([])
  })

  test("and no other post is told with what to write", async () => {
    const advice = planOf({ "x.md": post("") })
    await expect(advice).rejects.toThrow(UsageError)
    await expect(advice).rejects.toThrow("x.md is left out: no date: write `date: 2024-01-31`")
  })
})

describe("a page of a blog's tool", () => {
  const ABOUT = "content/x.md"
  test.each<
    [
      what: string,
      tool: string,
      file: string,
      yaml: string,
      state: string,
      there?: Record<string, Partial<ListedPost>>,
      noPages?: boolean,
    ]
  >([
    ["without a date is in no list, and said", "zola", ABOUT, "", "create, listed: false, undated_page"],
    [
      "that the tool lists nowhere is in no list",
      "hugo",
      ABOUT,
      "date: 2020-01-01",
      "create, listed: false, 2020-01-01",
    ],
    ["without a date that the tool lists nowhere is not told to have one", "hugo", ABOUT, "", "create, listed: false"],
    [
      "that the service lists goes on",
      "hugo",
      ABOUT,
      "date: 2020-01-01",
      "update, 2020-01-01",
      { x: { published_at: "2020-01-01T00:00:00Z" } },
    ],
    ["without a date that the service lists goes on", "zola", ABOUT, "", "update", { x: {} }],
    [
      "that says that it is listed is a post",
      "hugo",
      ABOUT,
      "date: 2020-01-01\nlisted: true",
      "create, listed: true, 2020-01-01",
    ],
    [
      "is left out with --no-pages",
      "hugo",
      ABOUT,
      "date: 2020-01-01",
      "left out: a page, because of --no-pages",
      {},
      true,
    ],
    [
      "without a date is left out with --no-pages",
      "zola",
      ABOUT,
      "",
      "left out: a page, because of --no-pages",
      {},
      true,
    ],
    [
      "that is a page by its own field stays with --no-pages",
      "zola",
      ABOUT,
      "listed: false",
      "create, listed: false",
      {},
      true,
    ],
    ["that the service has goes on with --no-pages", "zola", ABOUT, "", "update", { x: {} }, true],
    ["that is a draft is in no list", "hugo", ABOUT, "draft: true", "create, listed: false"],
    [
      "that gets a date stays one, with a warning",
      "zola",
      ABOUT,
      "date: 2020-01-01",
      "update, 2020-01-01, page",
      { x: { listed: false } },
    ],
    ["that the service has as one stays one", "zola", ABOUT, "", "update", { x: { listed: false } }],
    [
      "that gets a date and says that it is listed is a post",
      "zola",
      ABOUT,
      "date: 2020-01-01\nlisted: true",
      "update, listed: true, 2020-01-01",
      { x: { listed: false } },
    ],
    ["with a date is a post of most tools", "zola", ABOUT, "date: 2020-01-01", "create, 2020-01-01", {}, true],
  ])("%s", async (_, tool, file, yaml, state, there, noPages = false) => {
    const files = blogOf(tool, "", {
      [file]: post(yaml),
      "content/posts/a.md": DATED,
      "content/posts/b.md": DATED.replace("Other", "B"),
    })
    expect(await stateOf(files, there, { noPages })).toBe(state)
  })

  test.each(["404.md", "500.md", "pages/404.html.md"])("for errors is none: %s", async (name) => {
    const plan = await planOf(blogOf("eleventy", "", { [name]: post(""), "a.md": DATED }))
    expect(plan.leftOut).toEqual([{ file: name, line: 1, reason: "a page for errors" }])
  })

  test("is linked, and one that is left out is not", async () => {
    const files = blogOf("zola", "", { "content/x.md": post(""), "content/a.md": `${DATED} [x](x.md)` })
    const bodyOf = async (noPages: boolean) => (await planOf(files, {}, { noPages })).wanted.get("a")?.source.body
    expect(await bodyOf(false)).toContain("[x](/@you/x/)")
    expect(await bodyOf(true)).not.toContain("/@you/x")
  })
})

describe("the day of a post of the service", () => {
  const X = "content/posts/x.md"
  test.each<[what: string, tool: string, file: string, yaml: string, there: string, state: string]>([
    ["stays where the path dates it now", "docusaurus", "blog/2024/06/01/x.md", "", "2026-05-05", "2026-05-05"],
    ["stays where the last change dates it now", "hugo", X, "lastmod: 2024-03-05", "2026-05-05", "2026-05-05"],
    [
      "stays where another field counts now",
      "hugo",
      X,
      "date: 2024-01-01\npublishDate: 2024-06-01",
      "2024-06-01",
      "2024-06-01",
    ],
    [
      "changes with the field that counts",
      "hugo",
      X,
      "date: 2024-01-01\npublishDate: 2024-06-01",
      "2024-05-05",
      "2024-01-01",
    ],
    [
      "changes with a date that the file gets",
      "hugo",
      X,
      "date: 2024-01-01\nlastmod: 2024-03-05",
      "2026-05-05",
      "2024-01-01",
    ],
    ["changes with the name of the file", "hugo", "content/posts/2024-06-01-x.md", "", "2026-05-05", "2024-06-01"],
  ])("%s", async (_, tool, file, yaml, there, day) => {
    const files = blogOf(tool, "", { [file]: post(yaml) })
    const plan = await planOf(files, { x: { published_at: `${there}T00:00:00.000Z` } })
    expect(plan.wanted.get("x")?.fields.published_at).toBe(`${day}T00:00:00.000Z`)
    expect(plan.entries[0]?.changes.post.includes("published_at")).toBe(there !== day)
  })
})
