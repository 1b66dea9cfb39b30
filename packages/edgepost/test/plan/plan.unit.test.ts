import { describe, expect, test } from "vitest"

import { toMarkdown } from "../../src/action/report-text.ts"
import { EdgepostError, type ListedPost } from "../../src/client/index.ts"
import { sha256 } from "../../src/hash.ts"
import { planToJson } from "../../src/plan/screen.ts"
import { draw } from "../blogs.ts"
import { desiredOf } from "../markdown/plan.ts"
import { brief, planOf, post } from "./plan.ts"

test.each<[what: string, files: Record<string, string>, expected: string[]]>([
  ["has the slug of c.md", { "c.md": post("C", "slug: c\n"), "d.md": post("D", "slug: c\n") }, ["update a", "gone d"]],
  ["has unknown syntax", { "c.md": post("{{< gallery >}}") }, ["update a", "gone d"]],
  ["cannot be read", { "c.md": "---\ntitle: [\n---\n" }, ["update a", "gone d"]],
  ["is not there", {}, ["update a", "remove d"]],
])("--prune with a path, while a post outside of it %s: files %j, plan %j", async (_, others, expected) => {
  const files = { "a.md": post("Text."), ...others }
  const plan = await planOf(files, [{ slug: "a" }, { slug: "d" }], { paths: ["a.md"], prune: true })
  expect([...brief(plan), ...plan.gone.map((slug) => `gone ${slug}`)]).toEqual(expected)
  expect(plan.heldBy).toEqual(Object.keys(others))
})

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
const HEIC = Buffer.from("\0\0\0\x18ftypheic\0\0\0\0heicmif1", "latin1")
const STORED = "01JABCDEFGHJKMNPQRSTVWXYZ0"
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 9\n`

const ANNEX = `/annex/objects/SHA256E-s9--${"0".repeat(64)}.png\n`

const URL_OF_STORED = `/media/ann/blog_img/${STORED}.webp`
const SHOWN = { image_ids: [STORED] }
const BOAT = post("![A boat](boat.png)")
const COVER = post("Text.", "cover: boat.png\n")
const WITH_NEW = post("![](new.svg) ![](boat.png)")

describe("an image without its file", () => {
  test.each<[what: string, text: string, there: object | null, expected: string, others?: Record<string, string>]>([
    ["of a new post is a warning", BOAT, null, "create a, warning"],
    ["is a warning if the service shows none", BOAT, {}, "update a, warning"],
    ["blocks the post if the service shows one", BOAT, SHOWN, "blocked a, error"],
    ["blocks by the cover", COVER, { cover_image_id: STORED }, "blocked a, error"],
    ["blocks by an old address", post("![A boat](https://old.example/boat.png)"), SHOWN, "blocked a, error"],
    ["is removed with its reference", post("Text."), SHOWN, "update a"],
    ["warns beside all shown images", post(`![](${URL_OF_STORED}) ![](boat.png)`), SHOWN, "update a, warning"],
    [
      "blocks beside a new image if the service shows more",
      WITH_NEW,
      { ...SHOWN, cover_image_id: "01JABCDEFGHJKMNPQRSTVWXYZ1" },
      "blocked a, error",
      { "new.svg": SVG },
    ],
    [
      "is a warning beside a new image in place of the one that the service shows",
      WITH_NEW,
      { ...SHOWN, cover_image_id: STORED },
      "update a, warning",
      { "new.svg": SVG },
    ],
  ])("%s", async (_, text, there, expected, others = {}) => {
    const plan = await planOf({ "a.md": text, ...others }, there ? [{ slug: "a", ...there }] : [])
    const findings = plan.entries.flatMap((entry) => entry.findings)
    expect([...brief(plan), ...findings.map(({ level }) => level)].join(", ")).toBe(expected)
    expect(findings.map(({ code }) => code)).toEqual(findings.map(() => "missing_image"))
  })

  test("leaves its alt text, and stops no other post", async () => {
    const plan = await planOf({ "a.md": BOAT, "d.md": post("Text.") })
    expect(brief(plan)).toEqual(["create a", "create d"])
    expect(desiredOf(plan, "a").source.body.trim()).toBe("![A boat](<>)")
  })

  test.each([
    ["damaged", "damaged", "unsupported_image"],
    ["empty", "", "damaged_image"],
    ["HEIC", HEIC, "unsupported_image"],
  ])("that is %s is left out with a warning, and blocks only where the service shows one", async (_, file, code) => {
    const files = { "a.md": post("![A boat](boat.png)", "cover: boat.png\n"), "boat.png": file }
    const plan = await planOf(files)
    expect(plan.entries).toMatchObject([{ action: "create", uploads: [], findings: [{ level: "warning", code }] }])
    expect(desiredOf(plan, "a")).toMatchObject({
      fields: { cover_image_id: null },
      source: { body: "\n![A boat](<>)\n" },
    })
    const { entries } = await planOf(files, [{ slug: "a", ...SHOWN }])
    expect(entries).toMatchObject([{ action: "blocked", findings: [{ level: "error" }] }])
  })
})

test.each([
  ["is its own is shown", {}, []],
  ["was made of another file is uploaded again", { source_sha256: sha256("evil") }, ["boat.png"]],
])("an image of the service that names an accepted file of the folder and %s", async (_, other, uploads) => {
  const png = Buffer.from(await draw("a.png", 2, 2))
  const hashes = { source_sha256: sha256(png), original_sha256: sha256(png) }
  const image = { width: 2, height: 2, expires_at: null, image_id: STORED, image_url: URL_OF_STORED, ...hashes }
  const files = { "a.md": BOAT, "boat.png": png }
  const { entries } = await planOf(files, [], {}, undefined, [{ ...image, ...other }])
  expect(entries[0]?.uploads).toEqual(uploads)
})

const imageNames = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i}.png`)

const idOf = (i: number): string => `01JABCDEFGHJKMNPQRSTVWXY${String(i).padStart(2, "0")}`
const shownBy = (slug: string, count: number): Partial<ListedPost> => ({
  slug,
  image_ids: Array.from({ length: count }, (_, i) => idOf(i)),
})

test.each<[what: string, files: number, shown: number, stop: RegExp]>([
  ["a tenth of the images missing that readers see is published", 9, 1, /^null$/],
  ["more missing is not published", 8, 2, /^2 of 10 images .*that readers see.*`git sparse-checkout disable`/],
  ["many missing that readers never saw is published", 2, 1, /^null$/],
  ["all missing is published if its posts are new", 0, 0, /^null$/],
])("a folder with %s", async (_, files, shown, stop) => {
  const png = await draw("a.png", 2, 2)
  const names = imageNames(10)
  const all = names.slice(0, files).map((name) => [name, png] as const)
  // The first post shows what is there, so that what the second one shows is lost.
  const [there, missing] = [names.slice(0, files), names.slice(files)].map((some) =>
    some.map((name) => `![](/${name})`),
  )
  const posts = { "a.md": post(`Text. ${there?.join(" ")}`), "b.md": post(`Text. ${missing?.join(" ")}`) }
  const service = shown > 0 ? [shownBy("b", shown)] : []
  const plan = await planOf({ ...Object.fromEntries(all), ...posts }, service, { allowMissingImages: false })
  expect(String(plan.stop)).toMatch(stop)
  expect((await planOf({ ...Object.fromEntries(all), ...posts }, service)).stop).toBeNull()
})

test("a path whose image is missing is published unless over a tenth of the folder's images are missing", async () => {
  const png = await draw("a.png", 2, 2)
  const stopOf = async (count: number) => {
    const names = imageNames(count)
    const body = names.map((name) => `![](/${name})`).join(" ")
    const pngs = Object.fromEntries(names.map((name) => [name, png]))
    const files = { ...pngs, "a.md": post("![](gone.png)"), "b.md": post(body) }
    return (await planOf(files, [shownBy("a", 1)], { paths: ["a.md"], allowMissingImages: false })).stop
  }
  expect([await stopOf(9), await stopOf(8)]).toEqual([null, expect.stringMatching(/^1 of 9 images are missing/)])
})

const ask = async (error: ConstructorParameters<typeof EdgepostError>[0], options = {}) => {
  const files = { "a.md": post("# A\n\nText.\n\n![A boat](boat.png)"), "boat.png": await draw("boat.png", 2, 2) }
  const calls: number[] = []
  const onCheck = (number: number) => void calls.push(number)
  const refuse = async () => {
    throw new EdgepostError(error)
  }
  return { plan: await planOf(files, [{ slug: "gone" }], { onCheck, ...options }, refuse), calls }
}

describe("asking the service about texts", () => {
  test("a refusal blocks the post on its line, and holds removals", async () => {
    const message = "Too complex near line 3: too many links."
    const errors = [{ field: "body", code: "body_too_complex" as const, message }]
    const { plan, calls } = await ask(
      { code: "validation_error", status: 400, detail: "Wrong.", errors },
      { prune: true },
    )
    expect([brief(plan), plan.heldBy, calls]).toEqual([["blocked a"], ["a.md"], [1]])
    expect(plan.entries[0]?.findings).toMatchObject([
      { level: "error", code: "body_too_complex", line: 9, message: "Too complex near line 9: too many links." },
    ])
  })

  test("an image that has expired since is no finding, since publish uploads it again", async () => {
    const { plan } = await ask({ code: "image_expired", status: 410, detail: "Expired." })
    expect([brief(plan), plan.entries[0]?.findings]).toEqual([["create a"], []])
  })

  test.each([
    ["unauthorized", 401],
    ["insufficient_scope", 403],
    ["unavailable", 503],
  ] as const)("the error %s ends the plan", async (code, status) => {
    await expect(ask({ code, status, detail: "No." })).rejects.toMatchObject({ code })
  })
})

const of = (year: number): string => `---\ntitle: A\ndate: ${year}-01-02\n---\n\nOf ${year}.\n`
const listed = (slug: string, year: number) => ({ slug, published_at: `${year}-01-02T00:00:00Z` })

describe("a word in `status` that says neither draft nor public", () => {
  const files = { "a.md": post("Text.", "status: Finished\n") }
  test.each<[there: Partial<ListedPost>[], status: string, advice: string | undefined]>([
    [[{ slug: "a", status: "DF" }], "DF", "stays a draft. `status: PB` publishes it."],
    [[{ slug: "a", status: "PB" }], "PB", undefined],
    [[], "PB", "is public. `status: DF` makes it a draft."],
  ])("with %j on the service makes it %s", async (there, status, advice) => {
    const plan = await planOf(files, there)
    expect(desiredOf(plan, "a").fields.status).toBe(status)
    const found = plan.entries[0]?.findings.find(({ code }) => code === "unknown_status")
    expect(found?.message.split("so the post ")[1]).toBe(advice)
  })

  const NUXT = { "nuxt.config.ts": "export default { modules: ['@nuxt/content'] }" }
  test.each<[there: Partial<ListedPost>[], status: string, said: number]>([
    [[{ slug: "a", status: "DF" }], "DF", 1],
    [[{ slug: "a", status: "PB" }], "PB", 0],
    [[], "PB", 0],
  ])("is `share: false` of a tool in which it hides nothing: with %j it is %s", async (there, status, said) => {
    for (const fields of ["share: false", "share: no"]) {
      const plan = await planOf({ ...NUXT, "content/a.md": post("Text.", `${fields}\n`) }, there)
      expect(desiredOf(plan, "a").fields.status).toBe(status)
      const found = plan.entries[0]?.findings.filter(({ code }) => code === "unknown_status") ?? []
      expect(found).toHaveLength(said)
    }
    const hugo = { "hugo.toml": "", "content/posts/a.md": post("Text.", "share: false\n") }
    expect(desiredOf(await planOf(hugo, there), "a").fields.status).toBe("PB")
    const shared = await planOf({ ...NUXT, "content/a.md": post("Text.", "share: [x]\n") }, there)
    expect(desiredOf(shared, "a").fields.status).toBe("PB")
  })

  test("leaves a post that other fields hide a draft", async () => {
    const plan = await planOf({ "a.md": post("Text.", "status: Finished\ndraft: true\n") }, [
      { slug: "a", status: "PB" },
    ])
    expect(desiredOf(plan, "a").fields.status).toBe("DF")
  })
})

/** Returns the texts of a post of the service with a body. */
const textsOf = (body: string) => ({
  en: { title: "A", meta_description: body, body_sha256: sha256(`\n${body}\n`), edited: [], changed_at: "" },
})

describe("a draft of the service with another slug than its file", () => {
  const old = { slug: "old", title: "A", status: "DF" as const, published_at: "2024-01-02T00:00:00Z" }
  const there = [{ ...old, texts: textsOf("Text.") }]
  const french = "---\ntitle: A\ndate: 2024-01-02\n---\n\nTexte.\n"

  test.each<[what: string, files: Record<string, string>, there: Partial<ListedPost>[], status: string]>([
    ["a slug of its own", { "a.md": post("Text.", "slug: new\nstatus: idea\n") }, there, "DF"],
    [
      "another name, title and day",
      { "new.md": "---\ntitle: B\ndate: 2023-02-02\nstatus: idea\n---\n\nText.\n" },
      there,
      "DF",
    ],
    ["a slug and a public status", { "a.md": post("Text.", "slug: new\nstatus: PB\n") }, there, "PB"],
    [
      "the text of a public post",
      { "a.md": post("Text.", "slug: new\nstatus: idea\n") },
      [{ ...there[0], status: "PB" }],
      "PB",
    ],
    [
      "nothing of it",
      { "a.md": "---\ntitle: B\ndate: 2023-02-02\nslug: new\nstatus: idea\n---\n\nOther.\n" },
      there,
      "PB",
    ],
  ])("of which the file has now %s", async (_, files, posts, status) => {
    for (const source of ["mine", null]) {
      const service = posts.map((one) => ({ ...one, source }))
      const plan = await planOf(files, service, {}, undefined, [], [], { source })
      expect(brief(plan)).toEqual(["create new"])
      expect([desiredOf(plan, "new").fields.status, plan.entries[0]?.state]).toEqual([
        status,
        status === "DF" ? "draft" : "published",
      ])
    }
  })

  test.each<[what: string, there: Partial<ListedPost>[], held: boolean]>([
    ["a draft by its title and day", [old], true],
    ["a draft by its text", [{ ...old, title: "Z", published_at: null, texts: textsOf("Texte.") }], true],
    ["a public post", [{ ...old, status: "PB" }], false],
    ["another draft", [{ ...old, title: "Z", published_at: null }], false],
    [
      "a draft beside the translation",
      [
        old,
        {
          slug: "b",
          texts: { fr: { title: "A", meta_description: "", body_sha256: "", edited: ["body"], changed_at: "" } },
        },
      ],
      false,
    ],
  ])("is left out as a translation, and named: the service has %s", async (_, posts, held) => {
    const files = { "b.md": "---\ntitle: B\ndate: 2024-01-02\n---\n\nText of b.\n", "b.fr.md": french }
    const plan = await planOf(files, posts)
    expect(Object.keys(desiredOf(plan, "b").translations)).toEqual(held ? [] : ["fr"])
    const said = plan.entries.flatMap(({ findings }) => findings).filter(({ code }) => code === "draft_translation")
    expect(said.map(({ file, message }) => `${file}: ${message}`)).toEqual(
      held
        ? [
            "b.fr.md: The service has this text as the draft old, so it is left out as a translation. `edgepost delete old` lets it be published.",
          ]
        : [],
    )
  })
})

describe("a folder of an app for notes", () => {
  const files = { ".obsidian/app.json": "{}", "a.md": post("Text."), "b.md": post("Text.") }
  test("writes nothing on its first run, and asks", async () => {
    expect((await planOf(files)).stop).toContain("Set `publish_by` in edgepost.config.yaml")
    expect((await planOf(files, [{ slug: "z", source: "other" }])).stop).toContain("`publish_by`")
  })

  test.each<[what: string, there: string[], files: Record<string, string>, stop: boolean]>([
    ["goes on with the posts that the service has", ["a", "b"], files, false],
    ["asks before a new one", ["b"], files, true],
    [
      "asks if the only note that said yes says no",
      ["a"],
      { ...files, "a.md": post("Text.", "publish: false\n") },
      true,
    ],
    [
      "asks in one known by its links alone",
      ["a"],
      { "a.md": post("Text.", "publish: false\n"), "b.md": post("[[a]]") },
      true,
    ],
    ["asks nothing there if no note says no", ["a"], { "a.md": post("Text."), "b.md": post("[[a]]") }, false],
    [
      "asks if the note beside the one that says yes says it too",
      ["a"],
      { ...files, "a.md": post("Text.", "publish: true\n"), "b.md": post("Text.", "publish: true\n") },
      true,
    ],
  ])("%s", async (_, there, vault, stop) => {
    const plan = await planOf(
      vault,
      there.map((slug) => ({ slug })),
    )
    expect(plan.stop?.includes("`publish_by`") ?? false).toBe(stop)
  })
})

describe("a folder that changes", () => {
  test("posts of one name in two years are both created, and keep their slugs when an older one appears", async () => {
    const two = { "2022/a.md": of(2022), "2023/a.md": of(2023) }
    expect(brief(await planOf(two))).toEqual(["create a", "create a-2023"])
    const published = [listed("a", 2022), listed("a-2023", 2023)]
    const plan = await planOf({ ...two, "2021/a.md": of(2021) }, published)
    expect(brief(plan)).toEqual(["create a-2021", "update a", "update a-2023"])
    expect(desiredOf(plan, "a").source.body).toContain("Of 2022.")
    expect(plan.gone).toEqual([])
  })

  test("a translation that lacks a term of the glossary is a warning about its post", async () => {
    const warnings = ["term_missing", "too_long"].map((code) => ({
      code,
      field: "body" as const,
      message: "Lacks it.",
    }))
    const translations = [{ lang_code: "fr", warnings }] as ListedPost["translations"]
    const { entries } = await planOf({ "a.md": post("Text.") }, [{ slug: "a", translations }])
    const finding = { level: "warning", code: "term_missing", message: "fr: Lacks it.", file: "a.md", line: 1 }
    expect(entries[0]?.findings).toEqual([finding])
  })

  test("a post that is left out since is named, and becomes a draft with --prune", async () => {
    const files = { "2022/a.md": of(2022).replace("title", "private: true\ntitle"), "b.md": post("[To a](2022/a.md)") }
    const plan = await planOf(files, [listed("a", 2022)])
    expect(plan).toMatchObject({ gone: ["a"], leftOut: [{ file: "2022/a.md", line: 2 }] })
    expect(desiredOf(plan, "b").source.body).toBe("\nTo a\n")
    expect(brief(await planOf(files, [listed("a", 2022)], { prune: true }))).toEqual(["create b", "withdraw a"])
  })

  test.each<[what: string, there: Partial<ListedPost>, prune: boolean, reason: string]>([
    ["of the folder", {}, false, ", but readers still see the post until --prune makes a draft of it"],
    ["of the folder that is withdrawn", {}, true, ""],
    ["without a source", { source: null }, false, ", but readers still see the post until `edgepost delete a`"],
    ["of another folder", { source: "other" }, false, ""],
    ["that is a draft", { status: "DF" }, false, ""],
  ])("a post %s whose file is left out since is named with its line", async (_, there, prune, reason) => {
    const files = { "a.md": post("Text.", "private: true\n"), "b.md": post("Text.") }
    const { leftOut } = await planOf(files, [{ slug: "a", ...there }], { prune })
    expect(leftOut).toEqual([{ file: "a.md", line: 4, reason: `private: true${reason}` }])
  })

  test("posts and translations of comments alone are left out, and hold no removal", async () => {
    const good = { "a.md": post("%% note %%"), "b.md": post("[To a](a.md)"), "b.fr.md": post("{# note #}") }
    const files = { ...good, "c.md": post("%% note %%"), "c.fr.md": post("Texte.") }
    const plan = await planOf(good, [{ slug: "a" }], { prune: true })
    expect([brief(plan), plan.heldBy]).toEqual([["create b", "withdraw a"], []])
    expect(plan.leftOut).toEqual(["a.md", "b.fr.md"].map((file) => ({ file, line: 5, reason: "no text" })))
    expect(desiredOf(plan, "b").source.body.trim()).toBe("To a")
    expect((await planOf(files)).entries.map(({ action }) => action)).toEqual(["create", "blocked"])
  })

  test("a folder whose posts are all left out says why", async () => {
    const files = { "a.md": post("Text.", "permalink: false\n"), "b.md": post("Text.", "hidden: true\n") }
    await expect(planOf(files)).rejects.toThrow("There are no posts: a.md (and 1 more) is left out: permalink: false.")
  })

  test("the screen and the Action's summary name what is left out by its reasons, with the first files", async () => {
    const names = ["a", "b", "c", "d"].map((name) => [`${name}.md`, post("Text.", "password: x\n")] as const)
    const plan = await planOf({ ...Object.fromEntries(names), "e.md": post("", ""), "f.md": post("Text.") })
    const lines = ["left out: password, a.md:4, b.md:4, c.md:4 and 1 more", "left out: no text, e.md:5"]
    expect(planToJson(plan).remarks).toEqual(expect.arrayContaining(lines))
    const summary = toMarkdown(planToJson(plan), true, "https://service.example", 10_000)
    for (const line of lines) expect(summary).toContain(line)
  })
})

const SAME = {
  slug: "a",
  status: "PB",
  published_at: "2024-01-02T00:00:00.000Z",
  categories: ["Sea"],
  tags: [],
  canonical_url: null,
  author_name: null,
  listed: false,
  cover_alt: "A boat",
  cover_caption: null,
  texts: {
    en: {
      title: "A",
      meta_description: "Text.",
      body_sha256: sha256("\nText.\n"),
      edited: [],
      changed_at: "2024-02-03T04:05:06.000Z",
    },
  },
} as unknown as Partial<ListedPost>

test.each<[front: string, changes: string[]]>([
  ["", []],
  ["listed: false\ncover_alt: A boat\ncover_caption:\nchanged_at: 2024-02-03T05:05:06+01:00\n", []],
  ["listed: true\ncover_alt:\ncover_caption: By Bo\n", ["listed", "cover_alt", "cover_caption"]],
  ["changed_at: 2024-02-04\n", ["changed_at"]],
  // The service has taken the day of the post, or would take the time of the plan.
  ["changed_at: 2023-01-01\n", ["changed_at"]],
  ["changed_at: 2099-01-01\n", []],
])("a file with %j changes of a post that has the fields: %j", async (front, changes) => {
  const { entries } = await planOf({ "a.md": post("Text.", front) }, [SAME])
  expect(entries.map((entry) => entry.changes.post)).toEqual([changes])
})

test("a change before the day of its post is that day, as on the service", async () => {
  const text = { ...SAME.texts?.["en"], changed_at: "2024-01-02T00:00:00.000Z" }
  const there = { ...SAME, texts: { en: text } } as Partial<ListedPost>
  const { entries } = await planOf({ "a.md": post("Text.", "changed_at: 2023-01-01\n") }, [there])
  expect(entries.map(({ action }) => action)).toEqual(["unchanged"])
})

const STORED_TEXT = { meta_description: "Text.", edited: [], changed_at: "2024-01-02T00:00:00Z" }
const ENGLISH = { ...STORED_TEXT, title: "A", body_sha256: sha256("\nText.\n") }

const BOTH = { en: ENGLISH, fr: ENGLISH }

test.each<[what: string, files: Record<string, string>, texts: ListedPost["texts"], expected: string]>([
  [
    "has lost its post",
    { "a.fr.md": post("Texte."), "b.md": post("B."), "b.fr.md": post("B.") },
    BOTH,
    "blocked a, create b, a.fr.md: source_language",
  ],
  ["is in the file of its post", { "a.md": post("Texte.", "lang: fr\n") }, BOTH, "blocked a, a.md: source_language"],
  ["is the first in its language", { "a.md": post("Texte.", "lang: fr\n") }, { en: ENGLISH }, "update a"],
  [
    "has become the source of its post",
    { "a.md": post("Texte.", "lang: fr\n"), "a.en.md": post("Text 2.") },
    BOTH,
    "update a",
  ],
  ["has the text of its post", { "a.md": post("Text.", "lang: fr\n") }, BOTH, "update a"],
])("a translation that %s: files %j, texts of the service %j, plan %s", async (_, files, texts, expected) => {
  const plan = await planOf(files, [{ slug: "a", translation_languages: ["fr"], texts }])
  const errors = plan.entries.flatMap(({ findings }) => findings.filter(({ level }) => level === "error"))
  expect([...brief(plan), ...errors.map(({ file, code }) => `${file}: ${code}`)].join(", ")).toBe(expected)
})

test("a derived slug that other authors have gets a free number, which the plan says once", async () => {
  const files = { "a.md": post("A, see [d](d.md)."), "d.md": post("D"), "e.md": post("E", "slug: own\n") }
  const others = ["a", "a-2", "d", "own"]
  const plan = await planOf(files, [], {}, undefined, undefined, others)
  expect(brief(plan)).toEqual(["create a-3", "create d-2", "create own"])
  expect(desiredOf(plan, "a-3").source.body).toContain("(/@ann/d-2/)")
  const said = plan.entries.flatMap(({ findings }) => findings).filter(({ code }) => code === "dated_slug")
  expect(said.map(({ message }) => message)).toEqual([expect.stringContaining("a.md gets a-3, d.md gets d-2")])
  const there = ["a-3", "d-2"].map((slug) => ({ slug, published_at: "2024-01-02T00:00:00Z" }))
  const next = await planOf(files, there, {}, undefined, undefined, others)
  expect(brief(next)).toEqual(["update a-3", "update d-2", "create own"])
})

describe("a body is counted in bytes, as the service does", () => {
  const MAX = 262_144
  const HAN = "海".repeat(MAX / 3 - 1)
  test.each<[what: string, body: string, expected: RegExp]>([
    ["of Han within the limit", HAN, /^null$/],
    ["of Han over it", `${HAN}海海`, /^The text has \d+ bytes in UTF-8; the service takes 262144\. Split the post\.$/],
    ["of Cyrillic over it", "Ж".repeat(MAX / 2), /^The text has 262146 bytes/],
    ["of ASCII over it, once", "a ".repeat(MAX / 2), /^The text has more than 262144 characters\. Split it/],
    ["of 25,000 lines", "a\n\n".repeat(12_500), /^The text has more than 20000 lines\. Split it/],
  ])("a text %s", async (_, body, expected) => {
    const { entries } = await planOf({ "a.md": post(body) })
    const errors = entries.flatMap(({ findings }) => findings).filter(({ level }) => level === "error")
    expect(errors.map(({ message }) => message).join() || "null").toMatch(expected)
  })

  test("an image counts with the address that the service gives it", async () => {
    const address = `/media/ann/blog_img/${STORED}.webp`.length
    const body = `![](boat.png)${"a".repeat(MAX - 2 - "![]()".length - address)}`
    const files = { "boat.png": await draw("boat.png", 2, 2) }
    expect(brief(await planOf({ ...files, "a.md": post(body) }))).toEqual(["create a"])
    expect(brief(await planOf({ ...files, "a.md": post(`${body}a`) }))).toEqual(["blocked a"])
  })
})

test.each<[what: string, files: Record<string, string>, there: Partial<ListedPost>[], codes: string[]]>([
  ["that is blocked and new", { "b.md": post("{{< x >}}") }, [], ["blocked_link"]],
  ["that is blocked, as the service has an older version", { "b.md": post("{{< x >}}") }, [{ slug: "b" }], []],
  ["that is a draft", { "b.md": post("B", "status: DF\n") }, [], ["hidden_link"]],
  ["that is published", { "b.md": post("B") }, [], []],
  ["in the translation of a blocked post", { "b.md": post("B"), "b.fr.md": post("{{< x >}}") }, [], ["blocked_link"]],
])("a link to a post %s: %#", async (_, files, there, codes) => {
  const { entries } = await planOf({ "a.md": post("[To b](b.md) and [to itself](a.md)"), ...files }, there)
  const [own] = entries
  expect(own?.action).toBe("create")
  expect(own?.findings.map(({ code, line }) => `${code} ${line}`)).toEqual(codes.map((code) => `${code} 6`))
  expect(
    entries
      .slice(1)
      .flatMap(({ findings }) => findings)
      .filter(({ code }) => code === "blocked_link"),
  ).toEqual([])
})

describe("a file that only stands for another", () => {
  test.each<[what: string, text: string, there: object | null, file: string, code: string]>([
    ["a pointer", BOAT, null, POINTER, "lfs_pointer"],
    ["a pointer in place of an image of the service", BOAT, SHOWN, POINTER, "lfs_pointer"],
    ["a pointer as cover", COVER, { cover_image_id: STORED }, POINTER, "lfs_pointer"],
    ["a pointer of git-annex", BOAT, null, ANNEX, "annex_pointer"],
    ["a link as text", BOAT, null, "../img/boat.png", "link_as_text"],
  ])("%s, as an image blocks the post", async (_, text, there, file, code) => {
    const plan = await planOf({ "a.md": text, "boat.png": file }, there ? [{ slug: "a", ...there }] : [])
    expect(brief(plan)).toEqual(["blocked a"])
    expect(plan.entries[0]?.findings).toMatchObject([{ level: "error", code, line: expect.any(Number) }])
  })

  test.each<[what: string, text: string, code: string, name?: string]>([
    ["a pointer of Git LFS", POINTER, "lfs_pointer"],
    ["a pointer of its first versions", POINTER.replace("git-lfs", "hawser"), "lfs_pointer"],
    ["a pointer without a date in its name", POINTER, "lfs_pointer", "a.md"],
    ["a pointer of git-annex", ANNEX, "annex_pointer"],
    ["a link of git-annex as text", "../.git/annex/objects/0G/zX/SHA256E-s9--0.md/SHA256E-s9--0.md", "annex_pointer"],
    ["a file that git-crypt has encrypted", "\0GITCRYPT\0\u0001\u0002", "encrypted"],
    ["a link to another post as text", "b.md", "link_as_text"],
    ["a link out of the folder as text", "../b.md", "link_as_text"],
  ])("%s, as a post blocks it", async (_, text, code, name = "2024-01-02-a.md") => {
    const plan = await planOf({ [name]: text, "b.md": post("Words.") }, [{ slug: "a" }], { prune: true })
    expect(brief(plan)).toEqual([expect.stringMatching(/^blocked /), "create b"])
    expect(plan.entries[0]?.findings[0]).toMatchObject({ level: "error", code })
  })

  test.each([
    ["words about Git LFS", `The file begins with this line: ${POINTER}`],
    ["the path of no file", "b/c.md"],
    ["a sentence", "See b.md"],
  ])("%s are words", async (_, text) => {
    const plan = await planOf({ "_posts/2024-01-02-a.md": text, "b.md": post("Words.") })
    expect(brief(plan)).toEqual(["create a", "create b"])
  })
})

/** Returns the hashes by which an SVG with these line ends is known. */
const knownAs = async (end: string): Promise<string[]> => {
  const svg = ['<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">', "<path/></svg>", ""].join(end)
  const { library } = await planOf({ "a.md": post("![Map](map.svg)"), "map.svg": svg })
  return [...library.images.values()].map((image) => image.sha256)
}

test("an SVG is the same image with the line ends of any system", async () => {
  expect(await knownAs("\r\n")).toEqual(await knownAs("\n"))
})
