import { beforeEach, describe, expect, it } from "vitest"

import { create, get, idsOf, patch, remove } from "../calls.ts"
import {
  type Author,
  call,
  newAuthor,
  newPost,
  passSeconds,
  png,
  rows,
  runCron,
  stopClock,
  upload,
} from "../support.ts"
import { refusal, WRITES } from "./requests.ts"

const HALF_AN_HOUR = 30 * 60
const COVER = { cover_alt: "A red boat", cover_caption: "Painted by Bo" }
const EXTRAS = { ...COVER, canonical_url: "https://example.org/a", author_name: "Ada Lovelace", source: "a script" }
type Fields = Record<string, unknown>
const LONG_URL = `https://example.org/${"a".repeat(1980)}`
const LONG_COVER = { cover_alt: "é".repeat(500), cover_caption: "😀".repeat(300) }
const LONGEST = { ...LONG_COVER, canonical_url: LONG_URL, author_name: "é".repeat(100), source: "😀".repeat(200) }

let ann: Author
beforeEach(async () => {
  stopClock()
  ann = await newAuthor()
})

const pageOf = async (slug: string, lang = "") => (await call("GET", `/@${ann.username}/${slug}/${lang}`)).text

describe.each(WRITES)("the optional fields in a $verb", ({ verb, send }) => {
  it(`a ${verb} stores them as they are, up to the longest values`, async () => {
    for (const fields of [EXTRAS, LONGEST, { listed: false }])
      expect((await send(ann, fields)).json.post).toMatchObject(fields)
  })

  it.each<[string, ...unknown[]]>([
    ["canonical_url", "http://example.org/a", "/a", "https://", `https://example.org/${"a".repeat(1981)}`],
    ["author_name", " ", "a".repeat(101), "Ada\nLovelace", "Ada\u202ELovelace"],
    ["source", "", "a".repeat(201)],
    ["cover_image_id", "nonsense"],
    ["cover_alt", "", "a".repeat(501), "A\nboat", "A\u202Eboat"],
    ["cover_caption", " ", "a".repeat(301), "By\nBo"],
    ["changed_at", "2026-01-01", "1969-12-31T23:59:59Z", "now"],
    ["listed", "false", null, 0],
  ])(`a ${verb} with a wrong %s answers 400 and names the field`, async (field, ...values) => {
    for (const value of values) {
      const [status, , ...fields] = refusal(await send(ann, { [field]: value }))
      expect([value, status, fields]).toEqual([value, 400, [field]])
    }
  })
})

it("a PATCH of null clears an optional field, and keeps the others", async () => {
  for (const field of Object.keys(EXTRAS)) {
    const { slug } = await newPost(ann, EXTRAS)
    expect((await patch(ann, slug, { title: "New" })).json.post).toMatchObject(EXTRAS)
    const { json } = await patch(ann, slug, { [field]: null })
    expect(json.post).toMatchObject({ ...EXTRAS, [field]: null, version: 3 })
  }
})

it("the page names canonical_url as canonical in the source language only", async () => {
  const { slug, url } = await newPost(ann, EXTRAS)
  const french = { title: "Un", meta_description: "De quoi.", body: "Des mots." }
  await patch(ann, slug, { lang_code: "fr", translation_languages: ["fr"], ...french })
  expect(await pageOf(slug)).toContain('<link rel="canonical" href="https://example.org/a" />')
  expect(await pageOf(slug, "fr/")).toContain(`<link rel="canonical" href="${url}fr/" />`)
})

it("the page shows author_name beside the username, escaped", async () => {
  const { slug } = await newPost(ann, { author_name: "<b>Ada</b>" })
  const user = `<a rel="author" class="u-url" href="http://localhost:8787/@${ann.username}/"`
  const [, byline = ""] = /<p class="byline">([^]*?)<\/p>/.exec(await pageOf(slug)) ?? []
  expect(byline).toMatch(
    new RegExp(`<bdi class="p-name">&lt;b&gt;Ada&lt;/b&gt;</bdi> ${user}\\s*><bdi>@${ann.username}</bdi>`),
  )
})

it("the page shows the cover above the text", async () => {
  const cover = await upload(ann)
  const { slug } = await newPost(ann, { cover_image_id: cover.image_id, ...COVER, body: "The text." })
  const page = await pageOf(slug)
  const shown = page.lastIndexOf(`src="${cover.image_url}"`)
  expect(page.slice(shown)).toMatch(/^[^>]* alt="A red boat"/)
  expect(shown).toBeGreaterThan(page.indexOf("</h1>"))
  expect(shown).toBeLessThan(page.indexOf("The text."))
  expect((await call("GET", cover.image_url)).headers.get("Cache-Control")).toContain("public")
})

describe("the cover of a post", () => {
  it.each(WRITES)(
    "of another account, unknown or expired makes a $verb answer an error of cover_image_id",
    async ({ send }) => {
      const [own, other] = [await upload(ann), await upload(await newAuthor())]
      const unknown = other.image_id.replace(/..$/, (end) => (end === "00" ? "01" : "00"))
      for (const cover_image_id of [other.image_id, unknown])
        expect(refusal(await send(ann, { cover_image_id }))).toEqual([400, "unknown_image_id", "cover_image_id"])
      passSeconds(HALF_AN_HOUR)
      const answer = await send(ann, { cover_image_id: own.image_id })
      expect(refusal(answer)).toEqual([410, "image_expired", "cover_image_id"])
    },
  )

  it("does not count among the eight image_ids, and is not one of them", async () => {
    const images = []
    for (let i = 0; i < 9; i++) {
      passSeconds(7)
      images.push((await upload(ann)).image_id)
    }
    const [cover_image_id, ...image_ids] = images
    const { status, json } = await create(ann, { cover_image_id, image_ids })
    expect([status, json.post.image_ids, json.post.cover_image_id]).toEqual([201, image_ids, cover_image_id])
    expect(idsOf(json.post)).toEqual(images)
  })

  it("stays when a PATCH sends other image_ids, and when a PATCH does not name it", async () => {
    const [cover, other] = [await upload(ann), await upload(ann)]
    const { slug } = await newPost(ann, { cover_image_id: cover.image_id })
    await patch(ann, slug, { body: "New.", image_ids: [other.image_id] })
    const { json } = await patch(ann, slug, { title: "New" })
    expect(json.post).toMatchObject({ cover_image_id: cover.image_id, image_ids: [other.image_id] })
    passSeconds(HALF_AN_HOUR)
    await runCron()
    expect((await call("GET", cover.image_url)).status).toBe(200)
  })

  it("may be an image that the body shows, and is attached once", async () => {
    const { image_id, image_url } = await upload(ann)
    const { json } = await create(ann, { cover_image_id: image_id, body: `![](${image_url})` })
    expect(json.post).toMatchObject({ cover_image_id: image_id, image_ids: [image_id], images: [{ image_id }] })
    const cleared = await patch(ann, json.post.slug, { cover_image_id: null })
    expect(cleared.json.post).toMatchObject({ cover_image_id: null, image_ids: [image_id] })
  })

  it("turns from an image of the text into the cover alone when the text no longer shows it", async () => {
    const { image_id, image_url } = await upload(ann)
    const { slug } = await newPost(ann, { cover_image_id: image_id, body: `![](${image_url})` })
    await patch(ann, slug, { body: "Words.", image_ids: [] })
    expect((await get(ann, slug)).json.post).toMatchObject({ cover_image_id: image_id, image_ids: [] })
  })

  it.each<[what: string, changes: Fields | null, after: Fields]>([
    ["stays when nothing is sent", {}, COVER],
    ["stays with its cover", null, COVER],
    ["goes with a cover that is removed", { cover_image_id: null }, { cover_alt: null, cover_caption: null }],
    [
      "of another cover is what is sent",
      { cover_image_id: null, cover_alt: "B" },
      { cover_alt: "B", cover_caption: null },
    ],
  ])("has words: their text %s", async (_, changes, after) => {
    const [cover_image_id, other] = [(await upload(ann)).image_id, (await upload(ann, await png(3, 5))).image_id]
    for (const replacement of [null, other]) {
      const { slug } = await newPost(ann, { cover_image_id, ...COVER })
      const replaced = changes && "cover_image_id" in changes ? { cover_image_id: replacement } : {}
      const { json } = await patch(ann, slug, { ...(changes ?? { cover_image_id }), ...replaced })
      expect(json.post).toMatchObject(after)
    }
  })

  it("has the words that the post had before its first cover", async () => {
    const { slug } = await newPost(ann, COVER)
    const { json } = await patch(ann, slug, { cover_image_id: (await upload(ann)).image_id })
    expect(json.post).toMatchObject(COVER)
  })

  it.each([
    ["replaced", async (slug: string) => patch(ann, slug, { cover_image_id: (await upload(ann)).image_id })],
    ["cleared", (slug: string) => patch(ann, slug, { cover_image_id: null })],
    ["deleted with its post", (slug: string) => remove(ann, slug)],
  ])("is deleted once it is %s and half an hour old", async (_, release) => {
    const cover = await upload(ann)
    const { slug } = await newPost(ann, { cover_image_id: cover.image_id })
    await release(slug)
    passSeconds(2 * HALF_AN_HOUR)
    await runCron()
    expect((await call("GET", cover.image_url)).status).toBeGreaterThanOrEqual(404)
  })
})

it("GET posts/?source= lists the posts with this source, and answers each post's texts with hashes of their bodies", async () => {
  const { slug } = await newPost(ann, { source: "cli", body: "Wörds." })
  await newPost(ann, { source: "other" })
  await newPost(ann)
  const { json } = await call("GET", "/api/blogcontroller/posts/?source=cli", { key: ann.key })
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode("Wörds."))
  expect(json.posts).toMatchObject([
    { slug, source: "cli", texts: { en: { body_sha256: new Uint8Array(hash).toHex() } } },
  ])
})

it("a hash of a body that version 0.1 stored is filled by the next save, without raising the version", async () => {
  const { slug } = await newPost(ann, { body: "Words." })
  await rows("update texts set body_sha256 = null")
  const hashOf = async () => {
    const { json } = await call("GET", "/api/blogcontroller/posts/", { key: ann.key })
    return json.posts.find((post: { slug: string }) => post.slug === slug).texts.en.body_sha256
  }
  expect(await hashOf()).toBe(null)
  const { json } = await patch(ann, slug, { body: "Words." })
  expect([json.post.version, await hashOf()]).toEqual([1, expect.stringMatching(/^[0-9a-f]{64}$/)])
})

describe("changed_at", () => {
  const [PAST, NOW, AHEAD] = ["2020-01-02T03:04:05.678Z", "2030-01-01T12:00:00.000Z", "2030-01-02T00:00:00.000Z"]
  const [MADE, LATER, BEFORE] = ["2030-01-01T11:00:00.000Z", "2025-01-01T00:00:00.000Z", "2019-01-01T00:00:00.000Z"]
  const DRAFT = { status: "DF" }

  it.each<[what: string, made: Fields, changes: Fields | null, after: string, warns?: boolean]>([
    ["of a new post is now", {}, null, MADE],
    ["of a new post with a day in the past is that day", { published_at: PAST }, null, PAST],
    ["of a new scheduled post is now", { published_at: AHEAD }, null, MADE],
    ["of a new post is what is sent", { published_at: PAST, changed_at: LATER }, null, LATER],
    ["moves to now with the text", { published_at: PAST }, { title: "New" }, NOW],
    ["stays with the text", { published_at: PAST }, { tags: "new" }, PAST],
    ["that is sent holds for a text that changes", { published_at: PAST }, { title: "New", changed_at: LATER }, LATER],
    ["that is sent holds alone", { published_at: PAST }, { changed_at: LATER }, LATER],
    ["before the publication is that", { published_at: PAST }, { changed_at: BEFORE }, PAST, true],
    ["ahead is now", { published_at: PAST }, { changed_at: AHEAD }, NOW, true],
    ["of a scheduled post is at most now", { published_at: AHEAD }, { changed_at: PAST }, NOW, true],
    ["of a draft is what is sent", DRAFT, { changed_at: BEFORE }, BEFORE],
    ["of null is the day of the post", { published_at: PAST, changed_at: LATER }, { changed_at: null }, PAST],
    ["of null of a draft is when it was made", { ...DRAFT, changed_at: BEFORE }, { changed_at: null }, MADE],
    ["that the text has stays", { ...DRAFT, changed_at: BEFORE }, { changed_at: BEFORE, published_at: PAST }, BEFORE],
  ])("%s", async (_, made, changes, after, warns = false) => {
    stopClock(new Date(MADE))
    let { json } = await create(ann, made)
    passSeconds(3600)
    if (changes) ({ json } = await patch(ann, json.post.slug, changes))
    expect(json.post.changed_at).toBe(after)
    expect(json.warnings.map(({ field }: { field: string }) => field)).toEqual(warns ? ["changed_at"] : [])
    expect((await get(ann, json.post.slug)).json.post.changed_at).toBe(after)
  })

  it("is of the text in lang_code, and alone no change of the post", async () => {
    const { slug } = await newPost(ann, { published_at: PAST })
    const french = { lang_code: "fr", translation_languages: ["fr"] }
    await patch(ann, slug, { ...french, title: "Un", meta_description: "De quoi.", body: "Des mots." })
    const before = await get(ann, slug)
    passSeconds(60)
    const { json, headers } = await patch(ann, slug, { ...french, changed_at: LATER })
    const { version, updated_at } = before.json.post
    expect(json.post).toMatchObject({ lang_code: "fr", changed_at: LATER, version, updated_at })
    expect(headers.get("ETag")).not.toBe(before.headers.get("ETag"))
    const list = (await call("GET", "/api/blogcontroller/posts/", { key: ann.key })).json.posts
    expect(list[0]).toMatchObject({ changed_at: PAST, texts: { en: { changed_at: PAST }, fr: { changed_at: LATER } } })
  })
})
