import { describe, expect, it } from "vitest"

import {
  API,
  call,
  META_DESCRIPTION,
  newAuthor,
  newPost,
  OPERATOR,
  postInput,
  rows,
  stopClock,
  unique,
  upload,
} from "../support.ts"
import { create, read, refusal, refusedFields } from "./requests.ts"

const RESERVED = ["posts", "image-upload", "account", "images", "translations", "tags", "categories", "search", "feed"]

it("POST /posts/ answers 201 with the post, its URL and no warning", async () => {
  stopClock(new Date("2030-01-02T03:04:05.678Z"))
  const author = await newAuthor()
  const slug = unique("created")
  const { status, headers, json } = await create(author, {
    slug,
    tags: "A,b",
    categories: "x,Y",
    body: "Some *words*.",
  })
  expect([status, headers.get("Location")]).toEqual([201, `${API}/posts/${slug}/`])
  expect(headers.get("ETag")).toMatch(/^"1\.\d+"$/)
  expect(headers.get("Cache-Control")).toBe("no-store")
  const now = "2030-01-02T03:04:05.678Z"
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
      canonical_url: null,
      author_name: null,
      source: null,
      preview_url: null,
    },
  })
})

it("the Location header in the answer to a create leads to the new post", async () => {
  const author = await newAuthor()
  const { headers, json } = await create(author)
  const { json: read_ } = await call("GET", headers.get("Location") ?? "", { key: author.key })
  expect(read_.post).toEqual(json.post)
})

describe("a create without a required field is refused", () => {
  const REQUIRED = ["title", "slug", "status", "categories", "meta_description", "body"]
  it.each(REQUIRED)("creating a post without the required field %s answers 400 and names the field", async (field) => {
    const { status, json } = await create(await newAuthor(), { [field]: undefined })
    expect([status, json.errors]).toEqual([400, [{ field, code: "required", message: expect.stringMatching(/./) }]])
  })

  it("creating a post without any required field answers 400 and names all of them", async () => {
    const { key } = await newAuthor()
    const answer = await call("POST", `${API}/posts/`, { key, json: {} })
    expect(answer.status).toBe(400)
    expect(refusedFields(answer).toSorted()).toEqual(REQUIRED.toSorted())
  })

  it.each(["tags", "image_ids", "primary_language", "translation_languages"])(
    "creating a post without the optional field %s answers 201",
    async (field) => {
      expect((await create(await newAuthor(), { [field]: undefined })).status).toBe(201)
    },
  )
})

const taken = async (slug: string, changes: Record<string, unknown> = {}) => {
  const author = await newAuthor()
  await newPost(author, { slug, ...changes })
  return author
}

describe("slug of a create", () => {
  it.each(["a", "0", "a-b", "2030-01-02-news", "posts-2", "x".repeat(191)])(
    "creating a post with the valid slug %s answers 201",
    async (slug) => {
      const { status, json } = await create(await newAuthor(), { slug })
      expect([status, json.post?.slug]).toEqual([201, slug])
    },
  )

  it.each([
    "",
    "x".repeat(192),
    "A",
    "my-Slug",
    "a--b",
    "-a",
    "a-",
    "-",
    "a_b",
    "a b",
    " a",
    "a\n",
    "a/b",
    "a.b",
    "é",
    "名前",
    "a%20b",
    "..",
    "a\0b",
    "a\ud800",
    ...RESERVED,
  ])("creating a post with the invalid slug %j answers 400", async (slug) => {
    expect(refusal(await create(await newAuthor(), { slug }))).toEqual([400, "validation_error", "slug"])
  })

  it.each([
    ["of the same author", {}, true],
    ["of another author", {}, false],
    ["of a draft of another author", { status: "DF" }, false],
  ])(
    "creating a post with a slug taken by a post %s answers 400 and suggests a free slug",
    async (_, changes, same) => {
      const slug = unique("taken")
      const first = await taken(slug, changes)
      const author = same ? first : await newAuthor()
      const answer = await create(author, { slug })
      expect(refusal(answer)).toEqual([400, "duplicate_slug", "slug"])
      expect(answer.json.errors[0].code).toBe("duplicate_slug")
      const { status, json } = await create(author, { slug: answer.json.suggested_slug })
      expect([status, json.post.slug]).toEqual([201, answer.json.suggested_slug])
    },
  )

  it.each([
    ["short", unique("popular")],
    ["of 191 characters", "y".repeat(191)],
    ["of 191 characters with a hyphen where it is cut", `${"y".repeat(187)}-yyy`],
    ["of 191 characters that are half hyphens", `${"y-".repeat(95)}y`],
  ])("each of 25 slugs suggested for a taken slug is valid and free: %s", async (_, slug) => {
    const author = await taken(slug)
    for (let i = 0; i < 25; i++) {
      const { suggested_slug } = (await create(author, { slug })).json
      expect((await create(author, { slug: suggested_slug })).status, suggested_slug).toBe(201)
    }
  })

  it("the slug of a deleted post can be used again", async () => {
    const slug = unique("freed")
    const author = await taken(slug)
    await call("DELETE", `${API}/posts/${slug}/`, { key: author.key })
    expect((await create(await newAuthor(), { slug })).status).toBe(201)
  })
})

describe("status of a create", () => {
  it("a post created with status PB (published) has the current time as published_at", async () => {
    stopClock(new Date("2030-01-01T00:00:00Z"))
    const { json } = await create(await newAuthor(), { status: "PB" })
    expect(json.post.published_at).toBe("2030-01-01T00:00:00.000Z")
  })

  it("a post created with status DF (draft) has no published_at and no public page", async () => {
    const author = await newAuthor()
    const { json } = await create(author, { status: "DF" })
    expect(json.post.published_at).toBeNull()
    expect((await call("GET", `/@${author.username}/${json.post.slug}/`)).status).toBe(404)
  })
})

describe("languages of a create", () => {
  it("a post created without languages gets the languages of its account", async () => {
    const author = await newAuthor({ primary_language: "de", translation_languages: ["fr"] })
    const { json } = await create(author)
    expect(json.post).toMatchObject({ primary_language: "de", lang_code: "de", translation_languages: ["fr"] })
  })

  it("a post created with languages gets these and not the languages of its account", async () => {
    const author = await newAuthor({ primary_language: "de", translation_languages: ["fr"] })
    const { json } = await create(author, { primary_language: "pt-br", translation_languages: ["iw", "pt-BR"] })
    expect(json.post).toMatchObject({ primary_language: "pt-BR", lang_code: "pt-BR", translation_languages: ["he"] })
  })

  it("a post created in an account without languages has primary_language en and no translations", async () => {
    const { json } = await create(await newAuthor())
    expect(json.post).toMatchObject({ primary_language: "en", translation_languages: [] })
  })
})

it.each([119, 161, 300])(
  "creating a post with a meta_description of %i characters warns of its length",
  async (length) => {
    const { json } = await create(await newAuthor(), { meta_description: "x".repeat(length) })
    const message = `120 to 160 characters are recommended; this has ${length}.`
    expect(json.warnings).toEqual([{ field: "meta_description", code: "length", message }])
  },
)

describe("image_ids of a create", () => {
  it("creating a post attaches images in the order of image_ids", async () => {
    const author = await newAuthor()
    const [first, second] = [await upload(author), await upload(author)]
    const { json } = await create(author, { image_ids: [second.image_id, first.image_id] })
    expect(json.post.images).toEqual(
      [second, first].map(({ image_id, image_url }) => expect.objectContaining({ image_id, image_url })),
    )
  })

  it("creating a post with another account's image answers 400 as for an unknown image", async () => {
    const { image_id } = await upload(await newAuthor())
    const answer = await create(await newAuthor(), { image_ids: [image_id] })
    expect(refusal(answer)).toEqual([400, "unknown_image_id", "image_ids"])
  })

  it("creating a post with an unknown image answers 400 and stores no post", async () => {
    const slug = unique("none")
    const answer = await create(await newAuthor(), { slug, image_ids: ["7ZZZZZZZZZZZZZZZZZZZZZZZZZ"] })
    expect(refusal(answer)).toEqual([400, "unknown_image_id", "image_ids"])
    expect(await rows("select 1 from posts where slug = ?", slug)).toEqual([])
  })
})

it("a post of an erased account answers 404, and its slug can be used again", async () => {
  const author = await newAuthor()
  const { slug } = await newPost(author)
  await call("DELETE", `/operator/api/accounts/${author.username}/`, { headers: OPERATOR })
  expect((await read(await newAuthor(), slug)).status).toBe(404)
  expect((await create(await newAuthor(), postInput({ slug }))).status).toBe(201)
})
