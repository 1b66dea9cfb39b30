import { beforeEach, describe, expect, it } from "vitest"

import { get, idsOf, patch, put } from "../calls.ts"
import { API, type Author, call, newAuthor, newPost, passSeconds, postInput, rows } from "../support.ts"
import { stopClock, unique, upload } from "../support.ts"
import { refusal } from "./requests.ts"

let ann: Author
beforeEach(async () => {
  stopClock()
  ann = await newAuthor()
})

const etagOf = async (slug: string) => (await get(ann, slug)).headers.get("ETag") ?? ""

describe("PUT of a slug without a post", () => {
  it("creates the post and answers 201 with its API URL", async () => {
    const slug = unique("put")
    const { status, headers, json } = await put(ann, slug, { tags: "a" })
    expect([status, headers.get("Location")]).toEqual([201, `${API}/posts/${slug}/`])
    expect(json.post).toMatchObject({ slug, tags: ["a"], version: 1 })
    expect(json.post).toEqual((await get(ann, slug)).json.post)
  })

  it("accepts the slug of the path in the payload, and refuses another", async () => {
    const slug = unique("put")
    const other = await put(ann, slug, { slug: "another" })
    expect([other.status, other.json.errors[0].field, other.json.errors[0].code]).toEqual([400, "slug", "immutable"])
    expect((await put(ann, slug, { slug })).status).toBe(201)
  })

  it("refuses a slug that a create refuses, and names the field", async () => {
    for (const slug of ["UPPER", "a--b", "posts", "x".repeat(192)])
      expect(refusal(await put(ann, slug)), slug).toEqual([400, "validation_error", "slug"])
  })

  it("with If-Match answers 412 and creates nothing", async () => {
    const slug = unique("put")
    const { status, json } = await put(ann, slug, {}, { ifMatch: '"1.1"' })
    expect([status, json.code]).toEqual([412, "version_conflict"])
    expect((await get(ann, slug)).status).toBe(404)
  })

  it("with If-None-Match: * creates the post once", async () => {
    const slug = unique("put")
    const statuses = []
    for (const title of ["First", "Second"])
      statuses.push((await put(ann, slug, { title }, { ifNoneMatch: "*" })).status)
    expect(statuses).toEqual([201, 412])
    expect((await get(ann, slug)).json.post.title).toBe("First")
  })
})

describe("PUT of an existing post", () => {
  it("replaces every field that it sends", async () => {
    const { slug } = await newPost(ann, { tags: "a", categories: "x" })
    const fields = { title: "New", tags: ["b"], categories: ["y"], status: "DF", body: "Other.", source: "cli" }
    const { status, json } = await put(ann, slug, fields)
    expect([status, json.post]).toEqual([200, expect.objectContaining({ ...fields, version: 2 })])
  })

  it("without changes answers 200 and keeps version, ETag and updated_at", async () => {
    const input = postInput({ tags: "a" })
    const { slug, updated_at } = await newPost(ann, input)
    const before = await etagOf(slug)
    passSeconds(60)
    const { status, headers, json } = await put(ann, slug, input)
    expect([status, headers.get("ETag"), json.post.version, json.post.updated_at]).toEqual([200, before, 1, updated_at])
  })

  it("of what a GET has shown, by a client that does not know the newest fields, changes nothing", async () => {
    const { image_id: cover_image_id } = await upload(ann)
    const words = { cover_alt: "A boat", cover_caption: "By Bo" }
    const dates = { published_at: "2020-02-03T04:05:06.000Z", changed_at: "2021-02-03T04:05:06.000Z" }
    const { slug } = await newPost(ann, { cover_image_id, ...words, ...dates, listed: false })
    const before = await get(ann, slug)
    passSeconds(60)
    const { changed_at, listed, cover_alt, cover_caption, ...known } = before.json.post
    expect({ changed_at, listed, cover_alt, cover_caption }).toEqual({
      ...words,
      changed_at: dates.changed_at,
      listed: false,
    })
    for (const fields of [known, before.json.post]) {
      const { headers, json } = await put(ann, slug, fields)
      expect([headers.get("ETag"), json.post]).toEqual([before.headers.get("ETag"), before.json.post])
    }
  })

  it("keeps published_at, languages and source that it omits", async () => {
    const languages = { primary_language: "de", translation_languages: ["fr"] }
    const kept = { published_at: "2020-02-03T04:05:06.000Z", source: "cli", ...languages }
    const { slug } = await newPost(ann, kept)
    const { json } = await put(ann, slug)
    expect(json.post).toMatchObject(kept)
  })

  it("empties tags, and clears cover, canonical_url and author_name that it omits", async () => {
    const { image_id: cover_image_id } = await upload(ann)
    const extras = { canonical_url: "https://example.org/a", author_name: "Ada" }
    const { slug } = await newPost(ann, { tags: "a", cover_image_id, ...extras })
    const cleared = { cover_image_id: null, canonical_url: null, author_name: null }
    expect((await put(ann, slug)).json.post).toMatchObject({ tags: [], images: [], ...cleared })
  })

  it("without image_ids keeps the images that the body shows, and releases others", async () => {
    const [shown, listed] = [await upload(ann), await upload(ann)]
    const body = `![](${shown.image_url})`
    const { slug } = await newPost(ann, { body, image_ids: [listed.image_id] })
    const { json } = await put(ann, slug, { body })
    expect(idsOf(json.post)).toEqual([shown.image_id])
  })

  it("leaves translations edited by hand", async () => {
    const { slug } = await newPost(ann, { translation_languages: ["fr"] })
    await patch(ann, slug, { lang_code: "fr", translation_languages: ["fr"], title: "À la main" })
    await put(ann, slug, { title: "New" })
    const { json } = await get(ann, slug)
    expect(json.post.translations[0]).toMatchObject({ lang_code: "fr", title: "À la main", edited: ["title"] })
  })

  it("in another primary_language works as a PATCH in it: the default was wrong", async () => {
    const { slug } = await newPost(ann)
    const { json } = await put(ann, slug, { primary_language: "de" })
    expect(json.post).toMatchObject({ primary_language: "de", lang_code: "de" })
    expect(json.warnings.map(({ code }: { code: string }) => code)).toEqual(["primary_language_changed"])
  })

  it("answers 202 while translations are outstanding", async () => {
    const { slug } = await newPost(ann)
    const { status, headers } = await put(ann, slug, { translation_languages: ["fr"] })
    expect([status, headers.get("Link")]).toEqual([202, `<${API}/posts/${slug}/translations/>; rel="monitor"`])
  })

  it("with If-Match replaces that version only", async () => {
    const { slug } = await newPost(ann)
    const ifMatch = await etagOf(slug)
    expect((await put(ann, slug, { title: "Second" }, { ifMatch })).status).toBe(200)
    expect((await put(ann, slug, { title: "Third" }, { ifMatch })).status).toBe(412)
    const both = { ifMatch: await etagOf(slug), ifNoneMatch: "*" }
    expect((await put(ann, slug, { title: "Third" }, both)).status).toBe(412)
  })

  it("of another author answers 403, even if the payload is invalid", async () => {
    const { slug } = await newPost(await newAuthor())
    const { status, json } = await put(ann, slug, { title: "" })
    expect([status, json.code]).toEqual([403, "not_the_author"])
  })

  it("ignores Idempotency-Key", async () => {
    const slug = unique("put")
    const headers = { "Idempotency-Key": unique("key") }
    const send = (title: string) =>
      call("PUT", `${API}/posts/${slug}/`, { key: ann.key, headers, json: { ...postInput({ title }), slug } })
    expect([(await send("First")).status, (await send("Second")).status]).toEqual([201, 200])
    expect((await get(ann, slug)).json.post.title).toBe("Second")
  })
})

const numbered = (i: number) => ({
  title: `Title ${i}`,
  body: `Words ${i}.`,
  tags: [`tag-${i}`],
  categories: [`c${i}`],
})

it("of 50 concurrent PUTs of one slug, one creates it, and the post is one request's, whole", async () => {
  const slug = unique("wanted")
  const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => put(ann, slug, numbered(i))))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
  expect(statuses.filter((status) => ![200, 201, 503].includes(status))).toEqual([])
  const { post } = (await get(ann, slug)).json
  const winner = Number(post.title.replace("Title ", ""))
  expect(post).toMatchObject({ ...numbered(winner), html: `<p>Words ${winner}.</p>` })
  expect(statuses[winner]).toBeLessThan(300)
  expect(await rows("select slug from posts where slug = ?", slug)).toHaveLength(1)
})
