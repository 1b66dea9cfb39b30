import { describe, expect, test } from "vitest"

import type { ListedPost } from "../../src/client/index.ts"
import { EMPTY_CONFIG } from "../../src/config.ts"
import { sha256 } from "../../src/hash.ts"
import { readBlog } from "../../src/plan/blog.ts"
import { NO_STATE, toChecked } from "../../src/plan/offline.ts"
import { makePlan } from "../../src/plan/plan.ts"
import { type Risk, tooManyChanges } from "../../src/plan/stop.ts"
import { folderOf, OPTIONS } from "../folder/folder.ts"
import { DEFAULTS } from "../markdown/plan.ts"
import { brief, planOf } from "./plan.ts"

type Files = Record<string, string>

const names = Array.from({ length: 20 }, (_, i) => `p${i}`)
const bodyOf = (name: string): string => `Words of ${name}.`

/** Returns the file of a post of its own day. */
const fileOf = (name: string, fields = "", date = `2024-01-${name.slice(1).padStart(2, "0")}`): string =>
  `---\ntitle: ${name}\ndate: ${date}\n${fields}---\n\n${bodyOf(name)}\n`.replace("01-00", "01-31")

/** Returns a post of the service as its file was. */
const stored = (name: string, more: Partial<ListedPost> = {}): Partial<ListedPost> => ({
  slug: name,
  title: name,
  status: "PB",
  published_at: `2024-01-${name.slice(1).padStart(2, "0")}T00:00:00Z`.replace("01-00", "01-31"),
  texts: {
    en: {
      title: name,
      meta_description: bodyOf(name),
      body_sha256: sha256(`\n${bodyOf(name)}\n`),
      edited: [],
      changed_at: "2024-02-02T00:00:00Z",
    },
  },
  ...more,
})

const THERE = names.map((name) => stored(name))
const filesOf = (change: (name: string) => string | null): Files =>
  Object.fromEntries(names.flatMap((name) => [[`${name}.md`, change(name) ?? ""]]).filter(([, text]) => text !== ""))

/** Makes a folder in which the first posts are changed. */
const changed = (count: number, change: (name: string) => string | null): Files =>
  filesOf((name) => (names.indexOf(name) < count ? change(name) : fileOf(name)))

const riskOf =
  (kind: Risk["kind"]) =>
  (slug: string): Risk => ({ kind, slug, isByRule: false })

describe("a run stops, and writes nothing, if it would", () => {
  test.each<[kind: string, how: string, change: (name: string) => string | null, there?: Partial<ListedPost>]>([
    ["withdraw", "a draft", (name) => fileOf(name, "draft: true\n")],
    ["withdraw", "left out", (name) => fileOf(name, "private: true\n")],
    ["remove", "gone", () => null],
    ["make public", "no draft any more", (name) => fileOf(name), { status: "DF" }],
    ["rename", "with a slug", (name) => fileOf(name, `slug: new-${name}\n`)],
    ["re-date", "with another date", (name) => fileOf(name, "", "2023-05-05")],
  ])("%s more than a tenth of the posts, and at least three: files are %s", async (kind, _, change, there = {}) => {
    const stopOf = async (count: number, options = {}) => {
      const service = THERE.map((one, i) => (i < count ? { ...one, ...there } : one))
      return (await planOf(changed(count, change), service, { prune: true, ...options })).stop
    }
    expect(await stopOf(2)).toBeNull()
    expect(await stopOf(3)).toBe(
      `This run would ${kind} p0, p1, p2, which is 3 of the 20 posts that the service has of this folder. So nothing is written. If that is right, give --accept-changes (\`accept_changes: true\` in the Action).`,
    )
    expect(await stopOf(3, { acceptChanges: true })).toBeNull()
  })

  test("three of thirty is a tenth, and no more", () => {
    const risks = ["a", "b", "c"].map(riskOf("remove"))
    expect(tooManyChanges(risks, 30)).toBeNull()
    expect(tooManyChanges(risks, 29)).toMatch(/^This run would remove a, b, c, which is 3 of the 29 posts/)
  })

  test("changes of several kinds count together, and each kind names its posts", () => {
    const risks = [...["a"].map(riskOf("remove")), ...[..."bcdef"].map(riskOf("withdraw"))]
    expect(tooManyChanges(risks, 20)).toMatch(
      /^This run would withdraw b, c, d and 2 more; remove a, which is 6 of the 20/,
    )
  })
})

/** Returns what a run says that stops for the post p1 alone. */
const stopFor = (kind: string) =>
  new RegExp(`^This run would ${kind} p1, whose file has not changed: a folder, the configuration or`)

describe("a single post", () => {
  const CONFIG = { "_config.yml": "exclude: [old]\n" }
  const inPosts = Object.fromEntries(
    Object.entries(filesOf(fileOf)).map(([path, text]) => [`_posts/2024-01-01-${path}`, text]),
  )
  const without = (path: string): Files => Object.fromEntries(Object.entries(inPosts).filter(([name]) => name !== path))
  const path = "_posts/2024-01-01-p1.md"

  test.each<[what: string, files: Files, stop: RegExp]>([
    [
      "that the configuration leaves out stops the run",
      { "old/p1.md": fileOf("p1") },
      /^This run would withdraw p1, whose file has not changed: a folder, the configuration or/,
    ],
    ["that a field of its file leaves out is withdrawn", { [path]: fileOf("p1", "private: true\n") }, /^null$/],
    [
      "that a field on its first line leaves out is withdrawn",
      { [path]: `{"title": "p1", "date": "2024-01-01", "private": true}\n\n${bodyOf("p1")}\n` },
      /^null$/,
    ],
    [
      "that a field among others leaves out is withdrawn",
      { [path]: fileOf("p1", "params:\n  private: true\n") },
      /^null$/,
    ],
    ["whose text has changed too is withdrawn", { "old/p1.md": fileOf("p1").replace("Words", "New words") }, /^null$/],
    [
      "that a field of its folder leaves out stops the run",
      {
        [path]: fileOf("p1"),
        "_config.yml": "defaults:\n  - scope: {path: _posts/2024-01-01-p1.md}\n    values: {hidden: true}\n",
      },
      /^This run would withdraw p1, whose file/,
    ],
  ])("%s", async (_, files, stop) => {
    const all = { ...CONFIG, ...without(path), ...files }
    const plan = await planOf(all, THERE, { prune: true })
    expect(brief(plan)).toContain("withdraw p1")
    expect(String(plan.stop)).toMatch(stop)
    expect(plan.entries.find(({ slug }) => slug === "p1")?.findings).toMatchObject([{ code: "withdrawn" }])
    // Without --prune it stays, and is named.
    const plain = await planOf(all, THERE)
    expect([plain.stop, plain.gone]).toEqual([null, ["p1"]])
  })

  test.each<[what: string, file: string, cascade: string, there: Partial<ListedPost>, stop: RegExp]>([
    ["a folder makes a draft", fileOf("p1"), "draft: true", {}, stopFor("withdraw")],
    ["a folder makes a draft with a word", fileOf("p1"), "status: draft", {}, stopFor("withdraw")],
    ["its file makes a draft too", fileOf("p1", "unlisted: true\n"), "draft: true", {}, /^null$/],
    [
      "a folder makes a draft, with a new text",
      fileOf("p1").replace("Words", "New words"),
      "draft: true",
      {},
      /^null$/,
    ],
    ["show_hidden_fields publishes", fileOf("p1", "unlisted: true\n"), "", { status: "DF" }, stopFor("make public")],
    ["show_hidden_fields shows", fileOf("p1", "private: true\n"), "", { status: "DF" }, stopFor("make public")],
    ["`status` publishes", fileOf("p1", "unlisted: true\nstatus: PB\n"), "", { status: "DF" }, /^null$/],
    ["its file publishes", fileOf("p1", "draft: false\n"), "", { status: "DF" }, /^null$/],
  ])("that %s: the run stops only if the file has not changed", async (_, file, cascade, there, stop) => {
    const files = {
      "hugo.toml": "",
      "content/posts/p0.md": fileOf("p0"),
      "content/posts/a/_index.md": `---\ncascade: {${cascade}}\n---\n`,
      "content/posts/a/p1.md": file,
    }
    const service = THERE.map((one, i) => (i === 1 ? { ...one, ...there } : one))
    const plan = await planOf(files, service, {}, undefined, [], [], { show_hidden_fields: there.status === "DF" })
    expect(brief(plan)).toContain("update p1")
    expect(String(plan.stop)).toMatch(stop)
  })

  test("that readers wait for is made public by an earlier day, which counts", async () => {
    const there = THERE.map((one, i) => (i < 3 ? { ...one, published_at: "2030-01-01T00:00:00Z" } : one))
    const plan = await planOf(filesOf(fileOf), there)
    expect(plan.risks.map(({ kind, slug }) => `${kind} ${slug}`)).toEqual(
      ["p0", "p1", "p2"].map((slug) => `make public ${slug}`),
    )
    expect(plan.stop).toContain("make public p0, p1, p2, which is 3 of the 20")
    const later = await planOf(
      filesOf((name) => fileOf(name, "", "2029-01-01")),
      there.slice(0, 3),
    )
    expect(later.risks).toEqual([])
  })

  test.each<[what: string, fields: string, plain: string | undefined]>([
    ["that takes its yes back becomes a draft at once", "publish: false\n", "withdraw"],
    ["that says yes no longer stays until --prune", "", undefined],
  ])("of a folder of notes %s, without a stop", async (_, fields, plain) => {
    const files = filesOf((name) => fileOf(name, name === "p1" ? fields : "publish: true\n"))
    const config = { publish_by: "publish" }
    for (const [prune, action] of [
      [false, plain],
      [true, "withdraw"],
    ] as const) {
      const plan = await planOf(files, THERE, { prune }, undefined, [], [], config)
      expect([plan.entries.find(({ slug }) => slug === "p1")?.action, plan.stop]).toEqual([action, null])
      expect(plan.leftOut.map(Object.keys)).toEqual([["file", "line", "reason"]])
    }
    const other = await planOf(files, THERE, { paths: ["p2.md"] }, undefined, [], [], config)
    expect(brief(other)).not.toContain("withdraw p1")
  })

  test("that is a draft on the service becomes public without a stop, as does one with a new date", async () => {
    const files = changed(2, (name) => fileOf(name, "", name === "p1" ? "2023-05-05" : undefined))
    const there = THERE.map((one, i) => (i === 0 ? { ...one, status: "DF" as const } : one))
    const plan = await planOf(files, there, { prune: true })
    expect([plan.stop, plan.risks.map(({ kind, slug }) => `${kind} ${slug}`)]).toEqual([
      null,
      ["make public p0", "re-date p1"],
    ])
  })
})

describe("a folder with a question", () => {
  const QUESTION = "Which notes are for readers? Set `publish_by`."
  const { now } = OPTIONS

  test.each<[what: string, there: Partial<ListedPost>[], source: string | null, stop: string | null]>([
    ["is not published first", [], "mine", QUESTION],
    ["is not published beside posts of others", [{ ...stored("p1"), source: "other" }], "mine", QUESTION],
    ["goes on if the service has one of its posts", [{ ...stored("p9"), source: "mine" }], "mine", null],
    ["goes on without a mark if the service has its post", [{ ...stored("p1"), source: null }], null, null],
    [
      "is not published beside a post of its slug written by hand",
      [{ ...stored("p1"), source: null }],
      "mine",
      QUESTION,
    ],
    ["without a mark neither, of another title", [{ ...stored("p1"), title: "B", source: null }], null, QUESTION],
    ["nor of another day", [{ ...stored("p1"), published_at: "2020-01-01T00:00:00Z", source: null }], null, QUESTION],
  ])("%s", async (_, there, source, stop) => {
    const config = { ...EMPTY_CONFIG, source, category: "Sea" }
    const blog = await readBlog(folderOf({ "p1.md": fileOf("p1") }), config, "en", { ...DEFAULTS, now })
    const posts = there.map(
      (one) => ({ image_ids: [], images: [], translations: [], primary_language: "en", ...one }) as ListedPost,
    )
    const state = { ...NO_STATE, there: new Map(posts.map((one) => [one.slug, one])) }
    const plan = makePlan({ ...blog, question: QUESTION }, state)
    expect(plan.stop).toBe(stop)
    expect(plan.notices).toEqual(
      stop === null ? [`The service has posts of this folder, so it goes on. ${QUESTION}`] : [],
    )
    expect(makePlan(blog, state)).toMatchObject({ stop: null, notices: [] })
  })

  test.each([
    ["read", [expect.stringMatching(/^The key has the scope read, which sees no drafts/)]],
    ["draft", []],
  ])("a plan with a key of the scope %s says what it does not see: %j", async (scope, notices) => {
    const blog = await readBlog(folderOf({ "p1.md": fileOf("p1") }), EMPTY_CONFIG, "en", { ...DEFAULTS, now })
    const account = { ...NO_STATE.account, key: { scope } as typeof NO_STATE.account.key }
    expect(makePlan(blog, { ...NO_STATE, account }).notices).toEqual(notices)
  })

  test("says it in a check without the service, which publishes nothing", async () => {
    const blog = await readBlog(folderOf({ "p1.md": fileOf("p1") }), { ...EMPTY_CONFIG, category: "Sea" }, "en", {
      ...DEFAULTS,
      now,
    })
    const plan = toChecked(makePlan({ ...blog, question: QUESTION }, NO_STATE))
    expect([plan.stop, plan.notices]).toEqual([null, [QUESTION]])
  })
})
