import { describe, expect, test } from "vitest"

import type { ListedPost } from "../../src/client/index.ts"
import { sha256 } from "../../src/hash.ts"
import type { Plan } from "../../src/plan/plan.ts"
import { planToJson, showPlan } from "../../src/plan/screen.ts"
import { brief, planOf, post } from "./plan.ts"

/** Returns a post as the service has it after its file was published. */
const stored = (slug: string, more: Partial<ListedPost> = {}, body = "Of a pier."): Partial<ListedPost> => {
  const text = { title: "Pier", meta_description: body, body_sha256: sha256(`\n${body}\n`), edited: [], changed_at: "" }
  return { slug, title: "Pier", published_at: "2024-01-02T00:00:00.000Z", texts: { en: text }, ...more }
}

const file = (fields: string, body = "Of a pier."): string => `---\n${fields}\n---\n\n${body}\n`
const PIER = "title: Pier\ndate: 2024-01-02"
const JEKYLL = { "_config.yml": "exclude: [old]\n" }
const OTHER = { "_posts/2024-05-06-other.md": file("title: Other") }

/** Says what becomes of the post `pier`: its entry, or why it stays. */
const fate = ({ entries, alike, gone }: Plan): string => {
  const entry = entries.find(({ slug }) => slug === "pier")
  const pair = alike.find(({ slug }) => slug === "pier")
  if (entry) return entry.action
  return pair ? `like ${pair.file}` : gone.includes("pier") ? "gone" : "nothing"
}

test.each<[what: string, plain: string, prune: string, files: Record<string, string>, there?: Partial<ListedPost>]>([
  ["is in no file", "gone", "remove", {}],
  ["has a title that others have", "gone", "remove", { "b.md": file("title: Pier\ndate: 2023-01-01", "Of 2023.") }],
  ["has a file with a field that hides it", "gone", "withdraw", { "pier.md": file(`${PIER}\nprivate: true`) }],
  ["is a draft with such a file", "gone", "nothing", { "pier.md": file(`${PIER}\nprivate: true`) }, { status: "DF" }],
  ["has a file without title and date", "gone", "withdraw", { "pier.md": "Of a pier.\n" }],
  ["has a file of which nothing is left", "gone", "withdraw", { "pier.md": file(PIER, "%% a note %%") }],
  [
    "has a file in another format",
    "gone",
    "withdraw",
    { "content/pier.md": "", "pier.markdown": file(`${PIER}\nhidden: true`) },
  ],
  [
    "has a file that the configuration leaves out",
    "gone",
    "withdraw",
    { ...JEKYLL, "old/_posts/2024-01-02-pier.md": file("title: Pier") },
  ],
  ["has a file outside of the folder of posts", "gone", "withdraw", { ...JEKYLL, "notes/pier.md": file(PIER) }],
  ["has a file in a folder of templates", "gone", "withdraw", { "_includes/pier.md": file(PIER) }],
  [
    "has a file left out under another name, with its title and date",
    "gone",
    "withdraw",
    { "moved.md": file(`${PIER}\npassword: x`) },
  ],
  [
    "has a file left out under another name, with its title and text",
    "gone",
    "withdraw",
    { "moved.md": file("title: Pier\ndate: 2020-01-01\npassword: x") },
  ],
  [
    "has a file left out under another name, with its title and no date",
    "gone",
    "withdraw",
    { "moved.md": file("title: Pier\npassword: x", "New.") },
  ],
  [
    "has a file left out under another name and title, with its text",
    "gone",
    "like quay.md",
    { "quay.md": file("title: Quay") },
  ],
  [
    "has a file left out by a field under another name and title, with its text",
    "gone",
    "like quay.md",
    { "quay.md": file("title: Quay\ndate: 2020-01-01\nprivate: true") },
  ],
  [
    "has a draft of a translation for a file",
    "gone",
    "withdraw",
    { "b.md": file("title: Quai\ndate: 2024-03-04"), "b.fr.md": file(`${PIER}\ndraft: true`) },
  ],
  [
    "is a translation now",
    "like b.fr.md",
    "like b.fr.md",
    { "b.md": file("title: Quai\ndate: 2024-01-02", "D'un quai."), "b.fr.md": file(PIER) },
  ],
  ["has a file with another slug", "like a.md", "like a.md", { "a.md": file(`${PIER}\nslug: quay`) }],
  [
    "has a blocked file with another slug",
    "like a.md",
    "like a.md",
    { "a.md": file(`${PIER}\nslug: quay`, "{{< x >}}") },
  ],
  [
    "has a file with another slug and title",
    "like a.md",
    "like a.md",
    { "a.md": file("title: Quay\ndate: 2024-01-02\nslug: quay") },
  ],
  [
    "has a file with another slug and day",
    "gone",
    "remove",
    { "a.md": file("title: PIER!\ndate: 2024-01-02T13:00:00Z\nslug: quay", "New.") },
  ],
  [
    "has a file with another slug, case and hour",
    "like a.md",
    "like a.md",
    { "a.md": file("title: PIER\ndate: 2024-01-02T13:00:00Z\nslug: quay", "New.") },
  ],
])("a post of the service that %s: %s without --prune, %s with it", async (_, plain, prune, files, there = {}) => {
  const all = { ...("_config.yml" in files ? OTHER : { "other.md": post("Words.", "slug: other\n") }), ...files }
  const service = [stored("pier", there)]
  const options = { acceptChanges: true }
  expect(fate(await planOf(all, service, options))).toBe(plain)
  expect(fate(await planOf(all, service, { ...options, prune: true }))).toBe(prune)
})

describe("with --prune", () => {
  const renamed = {
    "a.md": file("title: Quay\ndate: 2024-01-02\nslug: quay"),
    "b.md": file("title: B\ndate: 2024-01-01"),
  }

  test("a new post that looks like one that is gone holds all removals, and both are named", async () => {
    const plan = await planOf(renamed, [stored("pier"), stored("gone", { title: "G", published_at: null }, "G.")], {
      prune: true,
    })
    expect(brief(plan)).toEqual(["create quay", "create b"])
    expect(plan).toMatchObject({ gone: ["gone"], alike: [{ slug: "pier", file: "a.md" }] })
    const screen = showPlan(plan, (_, text) => text).replaceAll(/\s+/g, " ")
    expect(screen).toContain("gone. Nothing is removed: New posts look like posts that are gone.")
    expect(screen).toContain("look like files of the folder, and stay: pier (a.md). Set the old `slug` in the file")
    expect(planToJson(plan)).toMatchObject({ alike: [{ slug: "pier", file: "a.md" }], gone: ["gone"] })
  })

  test("nothing is removed or withdrawn from a checkout that is not whole, and the plan says why", async () => {
    const files = { "b.md": post("B"), "pier.md": file(`${PIER}\nprivate: true`) }
    const plan = await planOf(files, [stored("pier"), { slug: "gone" }], {
      prune: true,
      incomplete: "the clone is shallow.",
    })
    expect([brief(plan), plan.gone]).toEqual([["create b"], ["pier", "gone"]])
    expect(showPlan(plan, (_, text) => text).replaceAll(/\s+/g, " ")).toContain(
      "Nothing is removed: the clone is shallow.",
    )
  })

  test("posts of other folders, and of a folder without a mark, are left alone", async () => {
    const files = { "b.md": post("B"), "pier.md": file(`${PIER}\nprivate: true`) }
    for (const source of ["other", null])
      expect(brief(await planOf(files, [stored("pier", { source })], { prune: true }))).toEqual(["create b"])
  })
})

test.each<[what: string, slug: string, front: string, body: string]>([
  ["with its title and date", "pier", PIER, "New words."],
  ["with its title and text", "pier", "title: Pier\ndate: 2025-05-05", "Of a pier."],
  ["with its date and text", "pier", "title: Quay\ndate: 2024-01-02", "Of a pier."],
  ["with its title alone", "renamed", "title: Pier\ndate: 2025-05-05", "New words."],
  ["with its date alone", "renamed", "title: Quay\ndate: 2024-01-02", "New words."],
  ["with a slug of its own", "quay", `${PIER}\nslug: quay`, "Of a pier."],
])("a file under another name, %s, gets the slug %s", async (_, slug, front, body) => {
  const plan = await planOf({ "renamed.md": file(front, body) }, [stored("pier")])
  expect(brief(plan)).toEqual([slug === "pier" ? "update pier" : `create ${slug}`])
  const said = plan.entries.flatMap(({ findings }) => findings).filter(({ code }) => code === "kept_slug")
  expect(said).toHaveLength(slug === "pier" ? 1 : 0)
})

test("a post that 0.4 dates otherwise keeps its slug and its day, and is not taken for gone", async () => {
  const fields = "title: Pier\ndate: 2024-01-02\npublishDate: 2023-05-05"
  const there = [stored("pier", { published_at: "2023-05-05T00:00:00Z" })]
  const plan = await planOf({ "hugo.toml": "", "content/posts/renamed.md": file(fields, "New words.") }, there)
  expect(brief(plan)).toEqual(["update pier"])
  expect(plan.entries[0]?.changes.post).not.toContain("published_at")
  const files = {
    "hugo.toml": "",
    "content/posts/b.md": post("B"),
    "content/posts/moved.md": file(`${fields}\nprivate: true`, "New words."),
  }
  expect(fate(await planOf(files, there, { prune: true }))).toBe("withdraw")
})

test("a post whose fields 0.4 reads first keeps the day that the name of its file gave", async () => {
  const files = {
    "pelicanconf.py": "PATH = 'content'\n",
    "content/2023-05-05-pier.md": "Title: Pier\nDate: 2024-01-02 10:00\n\nOf a pier.\n",
  }
  const plan = await planOf(files, [stored("pier", { title: "pier", published_at: "2023-05-05T00:00:00Z" })])
  expect(plan.entries).toMatchObject([{ action: "update", slug: "pier" }])
  expect(plan.entries[0]?.changes.post).not.toContain("published_at")
})

test("a post keeps its slug although another file has that name, whose post has another slug", async () => {
  const files = {
    "pier.md": file("title: Quay\ndate: 2024-05-05", "Of a quay."),
    "renamed.md": file("title: Pier\ndate: 2023-03-03", "Of a pier."),
  }
  const there = [stored("pier"), stored("pier-2024", { title: "Quay", published_at: "2024-05-05T00:00:00Z" })]
  expect(brief(await planOf(files, there))).toEqual(["update pier-2024", "update pier"])
})

test("posts that keep their slugs are counted once, links to them follow, and two alike keep none", async () => {
  const names = ["a", "b", "c", "d"]
  const files = Object.fromEntries(
    names.map((name, i) => [`new-${name}.md`, file(`title: ${name}\ndate: 2024-01-0${i + 1}`, "[b](new-b.md)")]),
  )
  const there = names.map((name, i) => ({ slug: name, title: name, published_at: `2024-01-0${i + 1}T00:00:00Z` }))
  const plan = await planOf(files, there)
  expect(brief(plan)).toEqual(["update a", "update b", "update c", "update d"])
  expect(plan.wanted.get("a")?.source.body).toContain("(/@ann/b/)")
  const said = plan.entries.flatMap(({ findings }) => findings.map(({ message }) => message))
  expect(said).toEqual([
    "4 posts keep their slugs, though the name of the file gives another: new-a.md stays a, new-b.md stays b, new-c.md stays c and 1 more. Set `slug` to choose another.",
  ])
  const twice = [...there, { ...there[0], slug: "a-copy" }]
  expect(brief(await planOf(files, twice))).toEqual(["create new-a", "update b", "update c", "update d"])
})
