import { beforeEach, describe, expect, it } from "vitest"

import { create, get, idsOf, patch } from "../calls.ts"
import { type Author, call, env, newAuthor, newPost, passSeconds, runCron, stopClock, upload } from "../support.ts"
import { refusal, WRITES } from "./requests.ts"

const HALF_AN_HOUR = 30 * 60
const EXTRAS = { canonical_url: "https://example.org/original", author_name: "Ada Lovelace", source: "a script" }

let ann: Author
beforeEach(async () => {
  stopClock()
  ann = await newAuthor()
})

const pageOf = async (slug: string, lang = "") => (await call("GET", `/@${ann.username}/${slug}/${lang}`)).text

describe.each(WRITES)("canonical_url, author_name and source in a $verb", ({ verb, send }) => {
  it(`a ${verb} stores them as they are`, async () => {
    const { json } = await send(ann, EXTRAS)
    expect(json.post).toMatchObject(EXTRAS)
  })

  it.each([
    ["canonical_url", "http://example.org/a"],
    ["canonical_url", "/a"],
    ["canonical_url", "https://"],
    ["canonical_url", `https://example.org/${"a".repeat(1981)}`],
    ["author_name", " "],
    ["author_name", "a".repeat(101)],
    ["author_name", "Ada\nLovelace"],
    ["author_name", "Ada\u202ELovelace"],
    ["source", ""],
    ["source", "a".repeat(201)],
    ["cover_image_id", "nonsense"],
  ])(`a ${verb} with the wrong %s %j answers 400 and names the field`, async (field, value) => {
    const [status, , ...fields] = refusal(await send(ann, { [field]: value }))
    expect([status, fields]).toEqual([400, [field]])
  })

  it(`a ${verb} takes the longest values`, async () => {
    const longest = {
      canonical_url: `https://example.org/${"a".repeat(1980)}`,
      author_name: "é".repeat(100),
      source: "😀".repeat(200),
    }
    const { json } = await send(ann, longest)
    expect(json.post).toMatchObject(longest)
  })
})

it.each(["canonical_url", "author_name", "source"] as const)(
  "a PATCH of null clears %s, and keeps the others",
  async (field) => {
    const { slug } = await newPost(ann, EXTRAS)
    const kept = await patch(ann, slug, { title: "New" })
    expect(kept.json.post).toMatchObject(EXTRAS)
    const { json } = await patch(ann, slug, { [field]: null })
    expect(json.post).toMatchObject({ ...EXTRAS, [field]: null, version: 3 })
  },
)

describe("what readers see of a post's fields", () => {
  it("the page names canonical_url as canonical in the source language only", async () => {
    const { slug, url } = await newPost(ann, EXTRAS)
    const french = { title: "Un", meta_description: "De quoi.", body: "Des mots." }
    await patch(ann, slug, { lang_code: "fr", translation_languages: ["fr"], ...french })
    expect(await pageOf(slug)).toContain('<link rel="canonical" href="https://example.org/original" />')
    expect(await pageOf(slug, "fr/")).toContain(`<link rel="canonical" href="${url}fr/" />`)
  })

  it("the page shows author_name beside the username, escaped", async () => {
    const { slug } = await newPost(ann, { author_name: "<b>Ada</b>" })
    const user = `<a rel="author" href="http://localhost:8787/@${ann.username}/"><bdi>@${ann.username}</bdi></a>`
    expect(await pageOf(slug)).toContain(`<bdi>&lt;b&gt;Ada&lt;/b&gt;</bdi> ${user}`)
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
})

describe("the cover of a post", () => {
  it.each(WRITES)("of another account, or unknown, makes a $verb answer 400 unknown_image_id", async ({ send }) => {
    const { image_id } = await upload(await newAuthor())
    const unknown = image_id.replace(/..$/, (end) => (end === "00" ? "01" : "00"))
    for (const cover_image_id of [image_id, unknown])
      expect(refusal(await send(ann, { cover_image_id }))).toEqual([400, "unknown_image_id", "cover_image_id"])
  })

  it.each(WRITES)("that has expired makes a $verb answer 410 and name the field", async ({ send }) => {
    const { image_id: cover_image_id } = await upload(ann)
    passSeconds(HALF_AN_HOUR)
    expect(refusal(await send(ann, { cover_image_id }))).toEqual([410, "image_expired", "cover_image_id"])
  })

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
    ["deleted with its post", (slug: string) => call("DELETE", `/api/blogcontroller/posts/${slug}/`, { key: ann.key })],
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
  await env.DB.prepare("update texts set body_sha256 = null").run()
  const hashOf = async () => {
    const { json } = await call("GET", "/api/blogcontroller/posts/", { key: ann.key })
    return json.posts.find((post: { slug: string }) => post.slug === slug).texts.en.body_sha256
  }
  expect(await hashOf()).toBe(null)
  const { json } = await patch(ann, slug, { body: "Words." })
  expect([json.post.version, await hashOf()]).toEqual([1, expect.stringMatching(/^[0-9a-f]{64}$/)])
})
