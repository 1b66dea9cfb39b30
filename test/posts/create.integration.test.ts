import { expect, it } from "vitest"

import { create, eraseAccount, get, remove } from "../calls.ts"
import { API, call, META_DESCRIPTION, newAuthor, newPost, stopClock, unique } from "../support.ts"
import { refusal } from "./requests.ts"

const RESERVED = ["posts", "image-upload", "account", "images", "translations", "tags", "categories", "search", "feed"]

it("POST /posts/ answers 201 with the post, no warning, and a Location that leads to it", async () => {
  const now = "2030-01-02T03:04:05.678Z"
  stopClock(new Date(now))
  const author = await newAuthor()
  const slug = unique("created")
  const { status, headers, json } = await create(author, { slug, tags: "A,b", categories: "x,Y" })
  expect([status, headers.get("Location")]).toEqual([201, `${API}/posts/${slug}/`])
  expect(headers.get("ETag")).toMatch(/^"1\.\d+"$/)
  expect(headers.get("Cache-Control")).toBe("no-store")
  expect(json).toEqual({
    success: true,
    warnings: [],
    post: {
      slug,
      url: `http://localhost:8787/@${author.username}/${slug}/`,
      status: "PB",
      author: author.username,
      categories: ["x", "Y"],
      tags: ["a", "b"],
      primary_language: "en",
      translation_languages: [],
      lang_code: "en",
      title: "A title",
      meta_description: META_DESCRIPTION,
      body: "Some *words*.",
      html: expect.stringContaining("<em>words</em>"),
      images: [],
      image_ids: [],
      translations: [],
      version: 1,
      created_at: now,
      updated_at: now,
      published_at: now,
      scheduled: false,
      cover_image_id: null,
      changed_at: "2030-01-02T03:04:05.678Z",
      listed: true,
      cover_alt: null,
      cover_caption: null,
      canonical_url: null,
      author_name: null,
      source: null,
      translation_review: null,
      preview_url: null,
    },
  })
  const stored = await call("GET", headers.get("Location") ?? "", { key: author.key })
  expect(stored.json.post).toEqual(json.post)
})

it("creating a post without one or all of its required fields answers 400 and names them", async () => {
  const author = await newAuthor()
  const required = ["title", "slug", "status", "categories", "meta_description", "body"]
  for (const missing of [...required.map((field) => [field]), required]) {
    const { status, json } = await create(author, Object.fromEntries(missing.map((field) => [field, undefined])))
    const errors = missing.map((field) => ({ field, code: "required", message: expect.stringMatching(/./) }))
    expect([status, json.errors.length]).toEqual([400, errors.length])
    expect(json.errors).toEqual(expect.arrayContaining(errors))
  }
})

const taken = async (slug: string, changes: Record<string, unknown> = {}) => {
  const author = await newAuthor()
  await newPost(author, { slug, ...changes })
  return author
}

it.each(["a", "0", "a-b", "2030-01-02-news", "posts-2", "x".repeat(191)])(
  "creating a post with the valid slug %s answers 201",
  async (slug) => {
    const { status, json } = await create(await newAuthor(), { slug })
    expect([status, json.post?.slug]).toEqual([201, slug])
  },
)

it.each<[string, ...string[]]>([
  ["empty or too long", "", "x".repeat(192)],
  ["with an upper case", "A", "my-Slug"],
  ["with a hyphen at an end or doubled", "a--b", "-a", "a-", "-"],
  ["with another character", "a_b", "a b", " a", "a\n", "a/b", "a.b", "é", "名前", "a%20b", "..", "a\0b", "a\ud800"],
  ["reserved", ...RESERVED],
])("creating a post with a slug %s answers 400", async (_, ...slugs) => {
  const author = await newAuthor()
  for (const slug of slugs)
    expect(refusal(await create(author, { slug })), slug).toEqual([400, "validation_error", "slug"])
})

it.each([
  ["of the same author", "PB", true],
  ["of another author", "PB", false],
  ["of a draft of another author", "DF", false],
])("creating a post with a slug taken by a post %s answers 400 duplicate_slug", async (_, status, same) => {
  const slug = unique("taken")
  const first = await taken(slug, { status })
  const answer = await create(same ? first : await newAuthor(), { slug })
  expect(refusal(answer)).toEqual([400, "duplicate_slug", "slug"])
  expect(answer.json.errors[0].code).toBe("duplicate_slug")
})

it.each([
  ["short", unique("popular")],
  ["of 191 characters", "y".repeat(191)],
  ["of 191 characters with a hyphen where it is cut", `${"y".repeat(187)}-yyy`],
  ["of 191 characters that are half hyphens", `${"y-".repeat(95)}y`],
])("each of 25 slugs suggested for a taken slug is valid and free: %s", async (_, slug) => {
  const author = await taken(slug)
  expect((await create(author, { slug })).json.suggested_slug).toMatch(/-2$/)
  for (let i = 0; i < 25; i++) {
    const suggested = (await create(author, { slug })).json.suggested_slug
    const { status, json } = await create(author, { slug: suggested })
    expect([status, json.post?.slug]).toEqual([201, suggested])
  }
})

it("the slug of a deleted post or of an erased account can be used again", async () => {
  const slug = unique("freed")
  await remove(await taken(slug), slug)
  await eraseAccount(await taken(slug))
  expect((await get(await newAuthor(), slug)).status).toBe(404)
  expect((await create(await newAuthor(), { slug })).status).toBe(201)
})
