import { beforeEach, describe, expect, it } from "vitest"

import { create, get, idsOf, patch, remove } from "../calls.ts"
import { type Author, call, newAuthor, newPost, passSeconds, rows, runCron, stopClock, upload } from "../support.ts"
import { refusal, WRITES } from "./requests.ts"

const HALF_AN_HOUR = 30 * 60
const EXTRAS = { canonical_url: "https://example.org/original", author_name: "Ada Lovelace", source: "a script" }
const LONG_URL = `https://example.org/${"a".repeat(1980)}`
const LONGEST = { canonical_url: LONG_URL, author_name: "é".repeat(100), source: "😀".repeat(200) }

let ann: Author
beforeEach(async () => {
  stopClock()
  ann = await newAuthor()
})

const pageOf = async (slug: string, lang = "") => (await call("GET", `/@${ann.username}/${slug}/${lang}`)).text

describe.each(WRITES)("canonical_url, author_name and source in a $verb", ({ verb, send }) => {
  it(`a ${verb} stores them as they are, up to the longest values`, async () => {
    for (const fields of [EXTRAS, LONGEST]) expect((await send(ann, fields)).json.post).toMatchObject(fields)
  })

  it.each<[string, ...string[]]>([
    ["canonical_url", "http://example.org/a", "/a", "https://", `https://example.org/${"a".repeat(1981)}`],
    ["author_name", " ", "a".repeat(101), "Ada\nLovelace", "Ada\u202ELovelace"],
    ["source", "", "a".repeat(201)],
    ["cover_image_id", "nonsense"],
  ])(`a ${verb} with a wrong %s answers 400 and names the field`, async (field, ...values) => {
    for (const value of values) {
      const [status, , ...fields] = refusal(await send(ann, { [field]: value }))
      expect([value, status, fields]).toEqual([value, 400, [field]])
    }
  })
})

it("a PATCH of null clears canonical_url, author_name or source, and keeps the others", async () => {
  for (const field of ["canonical_url", "author_name", "source"]) {
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
  expect(await pageOf(slug)).toContain('<link rel="canonical" href="https://example.org/original" />')
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
  const { slug } = await newPost(ann, { cover_image_id: cover.image_id, body: "The text." })
  const page = await pageOf(slug)
  const shown = page.lastIndexOf(`src="${cover.image_url}"`)
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
