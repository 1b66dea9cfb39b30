import { describe, expect, test } from "vitest"

import { toMarkdown } from "../../src/action/comment-text.ts"
import { type Account, type Client, EdgepostError, type FoundImage, type ListedPost } from "../../src/client/index.ts"
import { EMPTY_CONFIG } from "../../src/config.ts"
import { sha256 } from "../../src/hash.ts"
import { makePlan, type Plan, type PlanOptions } from "../../src/plan/plan.ts"
import { showLeftOut } from "../../src/plan/screen.ts"
import { draw } from "../blogs.ts"
import { folderOf, OPTIONS } from "../folder/folder.ts"

const CONFIG = { ...EMPTY_CONFIG, source: "mine", category: "Sea", site_url: "https://old.example/" }

const clientOf = (there: Partial<ListedPost>[], putPost?: Client["putPost"], images: FoundImage[] = []): Client => {
  const account: Pick<Account, "username" | "primary_language" | "translation_languages" | "limits"> = {
    username: "ann",
    primary_language: "en",
    translation_languages: [],
    limits: {},
  }
  const client: Pick<Client, "paginatePosts" | "findImages"> = {
    paginatePosts: async function* () {
      for (const post of there)
        yield { source: "mine", image_ids: [], images: [], cover_image_id: null, texts: {}, ...post } as ListedPost
    },
    findImages: async () => images,
  }
  return { ...client, getAccount: async () => account, putPost } as Client
}

const post = (body: string, more = ""): string => `---\ntitle: A\ndate: 2024-01-02\n${more}---\n\n${body}\n`

const planOf = (
  files: Record<string, string | Uint8Array>,
  there: Partial<ListedPost>[] = [],
  options: Partial<PlanOptions> = {},
  putPost?: Client["putPost"],
  images?: FoundImage[],
): Promise<Plan> =>
  makePlan(clientOf(there, putPost, images), folderOf(files), CONFIG, {
    paths: [],
    allowForeign: false,
    allowMissingImages: true,
    prune: false,
    now: OPTIONS.now,
    ...options,
  })

const brief = ({ entries }: Plan): string[] => entries.map(({ action, slug }) => `${action} ${slug}`)

describe("--prune with a path", () => {
  test.each([
    ["has the slug of another post", { "c.md": post("Text.", "slug: c\n"), "d.md": post("Text.", "slug: c\n") }],
    ["has unknown syntax", { "c.md": post("{{< gallery >}}") }],
    ["cannot be read", { "c.md": "---\ntitle: [\n---\n" }],
  ])("removes nothing if a post outside of the path %s", async (_, files) => {
    const there = ["a", "d"].map((slug) => ({ slug }))
    const plan = await planOf({ "a.md": post("Text."), ...files }, there, { paths: ["a.md"], prune: true })
    expect(brief(plan)).toEqual(["update a"])
    expect(plan).toMatchObject({ heldBy: Object.keys(files), gone: ["d"] })
  })

  test("removes a post without a file if nothing in the folder is blocked", async () => {
    const there = ["a", "d"].map((slug) => ({ slug }))
    const plan = await planOf({ "a.md": post("Text.") }, there, { paths: ["a.md"], prune: true })
    expect(brief(plan)).toEqual(["update a", "remove d"])
  })
})

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
const HEIC = Buffer.from("\0\0\0\x18ftypheic\0\0\0\0heicmif1", "latin1")
const STORED = "01JABCDEFGHJKMNPQRSTVWXYZ0"
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 9\n`

describe("an image without its file", () => {
  const shown = { slug: "a", image_ids: [STORED] }
  const text = post("![A boat](boat.png)")
  test.each<[string, Record<string, string>, Partial<ListedPost>[], string[]]>([
    ["of a new post is a warning", { "a.md": text }, [], ["create a", "warning"]],
    [
      "that is a pointer of a new post is a warning",
      { "a.md": text, "boat.png": POINTER },
      [],
      ["create a", "warning"],
    ],
    ["is a warning if the service shows none", { "a.md": text }, [{ slug: "a" }], ["update a", "warning"]],
    ["blocks the post if the service shows one", { "a.md": text }, [shown], ["blocked a", "error"]],
    ["that is a pointer blocks too", { "a.md": text, "boat.png": POINTER }, [shown], ["blocked a", "error"]],
    [
      "blocks by the cover",
      { "a.md": post("Text.", "cover: boat.png\n") },
      [{ slug: "a", cover_image_id: STORED }],
      ["blocked a", "error"],
    ],
    [
      "blocks by a cover that is a pointer",
      { "a.md": post("Text.", "cover: boat.png\n"), "boat.png": POINTER },
      [{ slug: "a", cover_image_id: STORED }],
      ["blocked a", "error"],
    ],
    [
      "blocks by an address of the old site",
      { "a.md": post("![A boat](https://old.example/boat.png)") },
      [shown],
      ["blocked a", "error"],
    ],
    ["is removed with its reference", { "a.md": post("Text.") }, [shown], ["update a"]],
    [
      "is a warning beside all images that the service shows",
      { "a.md": post(`![](/media/ann/blog_img/${STORED}.webp) ![](boat.png)`) },
      [shown],
      ["update a", "warning"],
    ],
    [
      "blocks beside a new image if the service shows more",
      { "a.md": post("![](new.svg) ![](boat.png)"), "new.svg": SVG },
      [{ ...shown, cover_image_id: "01JABCDEFGHJKMNPQRSTVWXYZ1" }],
      ["blocked a", "error"],
    ],
    [
      "is a warning beside a new image in place of the one that the service shows",
      { "a.md": post("![](new.svg) ![](boat.png)"), "new.svg": SVG },
      [{ ...shown, cover_image_id: STORED }],
      ["update a", "warning"],
    ],
  ])("%s", async (_, files, there, expected) => {
    const plan = await planOf(files, there)
    const findings = plan.entries.flatMap((entry) => entry.findings)
    expect([...brief(plan), ...findings.map(({ level }) => level)]).toEqual(expected)
    expect(findings.map(({ code }) => code)).toEqual(findings.map(() => "missing_image"))
  })

  test("leaves its alt text, and stops no other post", async () => {
    const plan = await planOf({ "a.md": text, "d.md": post("Text.") })
    expect(brief(plan)).toEqual(["create a", "create d"])
    expect(plan.desired("a").source.body.trim()).toBe("![A boat](<>)")
  })

  test.each([
    ["damaged", "damaged", "unsupported_image"],
    ["empty", "", "damaged_image"],
    ["HEIC", HEIC, "unsupported_image"],
  ])(
    "an image that is %s is left out with a warning, and blocks only where the service shows one",
    async (_, file, code) => {
      const files = { "a.md": post("![A boat](boat.png)", "cover: boat.png\n"), "boat.png": file }
      const plan = await planOf(files)
      expect(plan.entries).toMatchObject([{ action: "create", uploads: [], findings: [{ level: "warning", code }] }])
      expect(plan.desired("a")).toMatchObject({
        fields: { cover_image_id: null },
        source: { body: "\n![A boat](<>)\n" },
      })
      expect((await planOf(files, [shown])).entries).toMatchObject([
        { action: "blocked", findings: [{ level: "error" }] },
      ])
    },
  )
})

test.each([
  ["is its own is shown", {}, "unchanged"],
  ["was made of another file is uploaded again", { source_sha256: sha256("evil") }, "upload"],
])("an image of the service that names an accepted file of the folder and %s", async (_, other, expected) => {
  const png = Buffer.from(await draw("a.png", 2, 2))
  const hash = sha256(png)
  const image = {
    width: 2,
    height: 2,
    expires_at: null,
    image_id: STORED,
    image_url: `/media/ann/blog_img/${STORED}.webp`,
    source_sha256: hash,
    original_sha256: hash,
  }
  const files = { "a.md": post("![A boat](boat.png)"), "boat.png": png }
  const { entries } = await planOf(files, [], {}, undefined, [{ ...image, ...other }])
  expect(entries[0]?.uploads).toEqual(expected === "upload" ? ["boat.png"] : [])
})

const images = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, i) => `/${from + i}.png`)

describe("a folder", () => {
  test.each([
    ["with a tenth of its images missing is published", images(0, 9), [], images(9, 10), /^null$/],
    ["with more missing is not published", images(0, 8), [], images(8, 10), /^2 of 10 .*`git sparse-checkout disable`/],
    [
      "with pointers of Git LFS is not published",
      images(0, 8),
      images(8, 10),
      [],
      /^2 of 10 .*2 of them: run `git lfs pull`/,
    ],
    ["that names no images is published", [], [], ["A sentence.", "https://e.example/a.png"], /^null$/],
  ])("%s", async (_, found, pointers, missing, expected) => {
    const png = await draw("a.png", 2, 2)
    const files = Object.fromEntries([
      ...found.map((path) => [path.slice(1), png] as const),
      ...pointers.map((path) => [path.slice(1), POINTER] as const),
    ])
    // Two posts that show the same image need one file.
    const body = [...found, ...pointers, ...missing].map((path) => `![](<${path}>)`).join(" ")
    const posts = { ...files, "a.md": post(body), "posts/b.md": post(body) }
    const { stop } = await planOf(posts, [], { allowMissingImages: false })
    expect(String(stop)).toMatch(expected)
    expect((await planOf(posts)).stop).toBeNull()
  })
})

test("a path whose image is missing is published unless over a tenth of the folder's images are missing", async () => {
  const png = await draw("a.png", 2, 2)
  const stopOf = async (count: number) => {
    const shown = images(0, count).map((path) => [path.slice(1), png] as const)
    const body = shown.map(([name]) => `![](${name})`).join(" ")
    const files = { ...Object.fromEntries(shown), "a.md": post("![](gone.png)"), "b.md": post(body) }
    return (await planOf(files, [], { paths: ["a.md"], allowMissingImages: false })).stop
  }
  expect([await stopOf(9), await stopOf(8)]).toEqual([null, expect.stringMatching(/^1 of 9 images are missing/)])
})

describe("asking the service about texts", () => {
  const text = post("# A\n\nText.\n\n![A boat](boat.png)")
  const ask = async (error: ConstructorParameters<typeof EdgepostError>[0], options = {}) => {
    const files = { "a.md": text, "boat.png": await draw("boat.png", 2, 2) }
    const calls: number[] = []
    const onCheck = (number: number) => void calls.push(number)
    const refuse = async () => {
      throw new EdgepostError(error)
    }
    const plan = await planOf(files, [{ slug: "gone" }], { onCheck, ...options }, refuse)
    return { plan, calls }
  }

  test("a refusal blocks the post on its line, and holds removals", async () => {
    const errors = [
      { field: "body", code: "body_too_complex", message: "Too complex near line 3: too many links." },
    ] as const
    const { plan, calls } = await ask(
      { code: "validation_error", status: 400, detail: "Wrong.", errors: [...errors] },
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
    expect(plan.desired("a").source.body).toContain("Of 2022.")
    expect(plan.gone).toEqual([])
  })

  test("a post that is left out since is named, and goes with --prune", async () => {
    const files = { "2022/a.md": of(2022).replace("title", "private: true\ntitle"), "b.md": post("[To a](2022/a.md)") }
    const plan = await planOf(files, [listed("a", 2022)])
    expect(plan).toMatchObject({ gone: ["a"], leftOut: [{ file: "2022/a.md", line: 2 }] })
    expect(plan.desired("b").source.body).toBe("\nTo a\n")
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
    const files = {
      "a.md": post("%% note %%"),
      "b.md": post("[To a](a.md)"),
      "b.fr.md": post("{# note #}"),
      "c.md": post("%% note %%"),
      "c.fr.md": post("Texte."),
    }
    const { "c.md": _, "c.fr.md": __, ...good } = files
    const plan = await planOf(good, [{ slug: "a" }], { prune: true })
    expect([brief(plan), plan.heldBy]).toEqual([["create b", "remove a"], []])
    expect(plan.leftOut).toEqual(["a.md", "b.fr.md"].map((file) => ({ file, line: 5, reason: "no text" })))
    expect(plan.desired("b").source.body.trim()).toBe("To a")
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
