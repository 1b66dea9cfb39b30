import { describe, expect, test } from "vitest"

import { toMarkdown } from "../../src/action/comment-text.ts"
import { type Account, type Client, EdgepostError, type FoundImage, type ListedPost } from "../../src/client/index.ts"
import { planFolder } from "../../src/commands/plan.ts"
import { EMPTY_CONFIG } from "../../src/config.ts"
import { sha256 } from "../../src/hash.ts"
import type { Plan } from "../../src/plan/plan.ts"
import { showLeftOut } from "../../src/plan/screen.ts"
import { draw } from "../blogs.ts"
import { folderOf, OPTIONS } from "../folder/folder.ts"
import { desiredOf } from "../markdown/plan.ts"

const CONFIG = { ...EMPTY_CONFIG, source: "mine", category: "Sea", site_url: "https://old.example/" }

/** @param others slugs that posts of another author have */
const clientOf = (
  there: Partial<ListedPost>[],
  putPost?: Client["putPost"],
  images: FoundImage[] = [],
  others: string[] = [],
): Client => {
  const account = { username: "ann", primary_language: "en", translation_languages: [], limits: {} } as Partial<Account>
  const client: Partial<Client> = {
    paginatePosts: async function* () {
      for (const post of there)
        yield {
          source: "mine",
          image_ids: [],
          images: [],
          cover_image_id: null,
          texts: {},
          translations: [],
          ...post,
        } as ListedPost
    },
    findImages: async () => images,
    getPost: async (slug) => {
      const [code, status] = others.includes(slug) ? (["not_the_author", 403] as const) : (["not_found", 404] as const)
      throw new EdgepostError({ code, status, detail: "" })
    },
    listRedirects: async () => [],
    getAccount: async () => account as Account,
    ...(putPost && { putPost }),
  }
  return client as Client
}

const post = (body: string, more = ""): string => `---\ntitle: A\ndate: 2024-01-02\n${more}---\n\n${body}\n`

const planOf = (
  files: Record<string, string | Uint8Array>,
  there: Partial<ListedPost>[] = [],
  options: Partial<Parameters<typeof planFolder>[3]> = {},
  putPost?: Client["putPost"],
  images?: FoundImage[],
  others?: string[],
): Promise<Plan> => {
  const all = {
    paths: [],
    allowForeign: false,
    allowMissingImages: true,
    noPages: false,
    prune: false,
    now: OPTIONS.now,
    ...options,
  }
  return planFolder(clientOf(there, putPost, images, others), folderOf(files), CONFIG, all)
}

const brief = ({ entries }: Plan): string[] => entries.map(({ action, slug }) => `${action} ${slug}`)

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

const URL_OF_STORED = `/media/ann/blog_img/${STORED}.webp`
const SHOWN = { image_ids: [STORED] }
const BOAT = post("![A boat](boat.png)")
const COVER = post("Text.", "cover: boat.png\n")
const WITH_NEW = post("![](new.svg) ![](boat.png)")

describe("an image without its file", () => {
  test.each<[what: string, text: string, there: object | null, expected: string, others?: Record<string, string>]>([
    ["of a new post is a warning", BOAT, null, "create a, warning"],
    ["that is a pointer of a new post is a warning", BOAT, null, "create a, warning", { "boat.png": POINTER }],
    ["is a warning if the service shows none", BOAT, {}, "update a, warning"],
    ["blocks the post if the service shows one", BOAT, SHOWN, "blocked a, error"],
    ["that is a pointer blocks too", BOAT, SHOWN, "blocked a, error", { "boat.png": POINTER }],
    ["blocks by the cover", COVER, { cover_image_id: STORED }, "blocked a, error"],
    ["blocks by a pointer as cover", COVER, { cover_image_id: STORED }, "blocked a, error", { "boat.png": POINTER }],
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

test.each([
  ["a tenth of its images missing is published", 9, 9, 10, /^null$/],
  ["more missing is not published", 8, 8, 10, /^2 of 10 .*`git sparse-checkout disable`/],
  ["pointers of Git LFS is not published", 8, 10, 10, /^2 of 10 .*2 of them: run `git lfs pull`/],
  ["no images is published", 0, 0, 0, /^null$/],
])("a folder with %s", async (_, found, all, shown, stop) => {
  const png = await draw("a.png", 2, 2)
  const files = imageNames(all).map((name, i) => [name, i < found ? png : POINTER] as const)
  const texts = [...imageNames(shown).map((name) => `/${name}`), "A sentence.", "https://e.example/a.png"]
  // Two posts that show the same image need one file.
  const body = texts.map((path) => `![](<${path}>)`).join(" ")
  const posts = { ...Object.fromEntries(files), "a.md": post(body), "posts/b.md": post(body) }
  expect(String((await planOf(posts, [], { allowMissingImages: false })).stop)).toMatch(stop)
  expect((await planOf(posts)).stop).toBeNull()
})

test("a path whose image is missing is published unless over a tenth of the folder's images are missing", async () => {
  const png = await draw("a.png", 2, 2)
  const stopOf = async (count: number) => {
    const names = imageNames(count)
    const body = names.map((name) => `![](/${name})`).join(" ")
    const pngs = Object.fromEntries(names.map((name) => [name, png]))
    const files = { ...pngs, "a.md": post("![](gone.png)"), "b.md": post(body) }
    return (await planOf(files, [], { paths: ["a.md"], allowMissingImages: false })).stop
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

  test("a post that is left out since is named, and goes with --prune", async () => {
    const files = { "2022/a.md": of(2022).replace("title", "private: true\ntitle"), "b.md": post("[To a](2022/a.md)") }
    const plan = await planOf(files, [listed("a", 2022)])
    expect(plan).toMatchObject({ gone: ["a"], leftOut: [{ file: "2022/a.md", line: 2 }] })
    expect(desiredOf(plan, "b").source.body).toBe("\nTo a\n")
    expect(brief(await planOf(files, [listed("a", 2022)], { prune: true }))).toEqual(["create b", "remove a"])
  })

  test.each<[what: string, there: Partial<ListedPost>, prune: boolean, reason: string]>([
    ["of the folder", {}, false, ", but readers still see the post until --prune"],
    ["of the folder that is removed", {}, true, ""],
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
    expect([brief(plan), plan.heldBy]).toEqual([["create b", "remove a"], []])
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
    const { leftOut } = await planOf({ ...Object.fromEntries(names), "e.md": post("", ""), "f.md": post("Text.") })
    const lines = ["left out: password, a.md:4, b.md:4, c.md:4 and 1 more", "left out: no text, e.md:5"]
    expect(showLeftOut(leftOut)).toEqual(lines)
    const summary = toMarkdown({ entries: [], left_out: leftOut }, true, 10_000)
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
