import { describe, expect, it } from "vitest"

import { API, call, newAuthor, newPost, passSeconds, stopClock, upload } from "../support.ts"
import { patch, read, refusal, refusedFields } from "./requests.ts"

const own = async (changes: Record<string, unknown> = {}) => {
  const author = await newAuthor()
  const { slug } = await newPost(author, changes)
  return { author, slug, page: `/@${author.username}/${slug}/` }
}
const warned = (json: { warnings: { field: string }[] }) => json.warnings.map(({ field }) => field)

describe("a PATCH without a required field is refused", () => {
  const REQUIRED = ["lang_code", "primary_language", "translation_languages"]
  it.each(REQUIRED)("a PATCH of a post without %s answers 400 and changes nothing", async (field) => {
    const { author, slug } = await own()
    const { status, json } = await patch(author, slug, { [field]: undefined, title: "New" })
    expect([status, json.errors]).toEqual([400, [{ field, code: "required", message: expect.stringMatching(/./) }]])
    expect((await read(author, slug)).json.post.title).toBe("A title")
  })

  it("a PATCH of a post without its three required fields answers 400 naming all three", async () => {
    const { author, slug } = await own()
    const answer = await call("PATCH", `${API}/posts/${slug}/`, { key: author.key, json: { title: "New" } })
    expect([answer.status, ...refusedFields(answer).toSorted()]).toEqual([400, ...REQUIRED])
  })

  it("a PATCH of a post with only the required fields changes nothing and answers 200", async () => {
    const { author, slug } = await own()
    const before = await read(author, slug)
    const { status, json } = await patch(author, slug)
    expect([status, json]).toEqual([200, { success: true, post: before.json.post, warnings: [] }])
  })
})

describe("a PATCH changes only what is sent", () => {
  it.each([
    ["title", "New"],
    ["status", "DF"],
    ["categories", ["x", "Y"]],
    ["tags", ["x"]],
    ["meta_description", "x".repeat(130)],
  ])("a PATCH of a post's %s changes that field alone", async (field, value) => {
    const { author, slug } = await own({ tags: "a" })
    const before = (await read(author, slug)).json.post
    const { status, json } = await patch(author, slug, { [field]: value })
    expect(status).toBe(200)
    const { updated_at, preview_url } = json.post
    expect(json.post).toEqual({ ...before, [field]: value, version: 2, updated_at, preview_url })
    expect(Boolean(preview_url)).toBe(value === "DF")
    expect((await read(author, slug)).json.post).toEqual(json.post)
  })

  it("a PATCH of a post's body changes the body and its HTML, not the title", async () => {
    const { author, slug } = await own()
    const { json } = await patch(author, slug, { body: "# New" })
    expect(json.post).toMatchObject({ body: "# New", title: "A title" })
    expect(json.post.html).toBe('<h1 id="new">New</h1>')
  })

  it("a PATCH with only values that are stored already changes neither the post nor its ETag", async () => {
    stopClock()
    const { author, slug } = await own({ tags: "a" })
    const before = await read(author, slug)
    const { title, status, categories, tags, meta_description, body } = before.json.post
    passSeconds(10)
    const { json, headers } = await patch(author, slug, { title, status, categories, tags, meta_description, body })
    expect(json.post).toEqual(before.json.post)
    expect(headers.get("ETag")).toBe(before.headers.get("ETag"))
  })
})

describe("lang_code of a PATCH", () => {
  it.each([
    ["another language", { lang_code: "de", primary_language: "en", translation_languages: ["fr"] }],
    ["a region of a listed language", { lang_code: "en-GB", primary_language: "en", translation_languages: [] }],
    [
      "the post's primary language, unlisted",
      { lang_code: "en", primary_language: "de", translation_languages: ["fr"] },
    ],
  ])("a PATCH of a post whose lang_code is %s answers 400 lang_code_not_listed", async (_, languages) => {
    const { author, slug } = await own()
    const answer = await patch(author, slug, { ...languages, title: "New" })
    expect(refusal(answer)).toEqual([400, "lang_code_not_listed", "lang_code"])
    expect(answer.json.errors[0].code).toBe("lang_code_not_listed")
    expect(answer.json.errors[0].message).toBe(
      `${languages.lang_code} is neither primary_language nor in translation_languages.`,
    )
    expect((await read(author, slug)).json.post.title).toBe("A title")
  })

  it.each([
    ["primary_language", { lang_code: "EN", primary_language: "en", translation_languages: [] }, "en"],
    [
      "translation_languages",
      { lang_code: "pt-br", primary_language: "en", translation_languages: ["pt-BR"] },
      "pt-BR",
    ],
    ["an older code of it", { lang_code: "iw", primary_language: "en", translation_languages: ["he"] }, "he"],
  ])("a PATCH of a post whose lang_code matches %s is accepted in any spelling", async (_, languages, lang_code) => {
    const { author, slug } = await own()
    const { json } = await patch(author, slug, { ...languages, title: "New" })
    expect(json.post).toMatchObject({ lang_code, title: "New" })
  })

  it.each(["und", "x-private", "en-u-ca-buddhist", "en_US", ""])(
    "a PATCH of a post with the invalid lang_code %j answers 400",
    async (lang_code) => {
      const { author, slug } = await own()
      const answer = await patch(author, slug, { lang_code })
      expect([answer.status, ...refusedFields(answer)]).toEqual([400, "lang_code"])
    },
  )

  it("a PATCH of a post with an unlisted lang_code reports it together with all other errors", async () => {
    const { author, slug } = await own()
    const answer = await patch(author, slug, { lang_code: "de", title: "", image_ids: [] })
    expect([answer.status, answer.json.code]).toEqual([400, "validation_error"])
    expect(refusedFields(answer).toSorted()).toEqual(["body", "lang_code", "title"])
  })
})

describe("a PATCH with image_ids but no body", () => {
  it.each([["one"], ["none"]])(
    "a PATCH of a post with image_ids (%s) but no body answers 400 body_required",
    async (count) => {
      const { author, slug } = await own()
      const image_ids = count === "one" ? [(await upload(author)).image_id] : []
      const answer = await patch(author, slug, { image_ids, title: "New" })
      expect([answer.status, answer.json.code, answer.json.title]).toEqual([400, "body_required", "ValidationError"])
      expect((await read(author, slug)).json.post).toMatchObject({ title: "A title", images: [] })
    },
  )

  it("a PATCH of a post with image_ids and a body attaches the images", async () => {
    const { author, slug } = await own()
    const { image_id } = await upload(author)
    const { json } = await patch(author, slug, { image_ids: [image_id], body: "With it." })
    expect(json.post.images).toEqual([expect.objectContaining({ image_id })])
  })
})

describe("status of a PATCH", () => {
  it("a PATCH of a post's status to DF (draft) hides its public page, and one back to PB shows it again", async () => {
    const { author, slug, page } = await own({ status: "DF" })
    const statuses = []
    for (const status of ["PB", "DF", "PB"]) {
      await patch(author, slug, { status })
      statuses.push((await call("GET", page)).status)
    }
    expect(statuses).toEqual([200, 404, 200])
  })

  it("the first PATCH of a post to PB (published) sets published_at, and later ones keep it", async () => {
    stopClock(new Date("2030-01-01T00:00:00Z"))
    const { author, slug } = await own({ status: "DF" })
    const times = []
    for (const status of ["DF", "PB", "DF", "PB"]) {
      passSeconds(60)
      times.push((await patch(author, slug, { status })).json.post.published_at)
    }
    const first = "2030-01-01T00:02:00.000Z"
    expect(times).toEqual([null, first, first, first])
  })
})

describe("meta_description of a PATCH", () => {
  it.each([
    [1, true],
    [119, true],
    [120, false],
    [160, false],
    [161, true],
    [300, true],
  ])(
    "a PATCH of a post to a meta_description of %i characters gets a warning about its length: %s",
    async (length, isWarned) => {
      const { author, slug } = await own()
      const { status, json } = await patch(author, slug, { meta_description: "🐟".repeat(length) })
      expect([status, warned(json)]).toEqual([200, isWarned ? ["meta_description"] : []])
    },
  )

  it("a PATCH of a post without meta_description gets no warning about the stored one's length", async () => {
    const { author, slug } = await own({ meta_description: "short" })
    expect((await patch(author, slug, { title: "New" })).json.warnings).toEqual([])
  })
})

describe("slug of a PATCH", () => {
  it("a PATCH of a post may repeat the slug of its path in its body", async () => {
    const { author, slug } = await own()
    const { status, json } = await patch(author, slug, { slug, title: "New" })
    expect([status, json.post.title, json.warnings]).toEqual([200, "New", []])
  })

  it.each(["another", "", null, 1])(
    "a PATCH of a post with another slug (%j) in its body answers 400 and changes nothing",
    async (other) => {
      const { author, slug } = await own()
      const answer = await patch(author, slug, { slug: other, title: "New" })
      expect([answer.status, ...refusedFields(answer)]).toEqual([400, "slug"])
      expect((await read(author, slug)).json.post.title).toBe("A title")
    },
  )

  it("a PATCH of a post with another slug in its body reports it together with all other errors", async () => {
    const { author, slug } = await own()
    const answer = await patch(author, slug, { slug: "another", title: "", status: "XX" })
    expect(refusedFields(answer).toSorted()).toEqual(["slug", "status", "title"])
  })
})

describe("PATCH at the path without posts/", () => {
  it("a PATCH at the path without posts/ answers like the canonical path and links to it", async () => {
    const { author, slug } = await own()
    const json = { lang_code: "en", primary_language: "en", translation_languages: [], title: "New" }
    const { status, headers, json: answer } = await call("PATCH", `${API}/${slug}/`, { key: author.key, json })
    expect([status, headers.get("Link")]).toEqual([200, `<${API}/posts/${slug}/>; rel="canonical"`])
    expect(answer.post).toEqual((await read(author, slug)).json.post)
    const again = await patch(author, slug, { title: "New" })
    expect([again.status, again.json, again.headers.get("Link")]).toEqual([200, answer, null])
  })

  it("a PATCH at the path without posts/ links to the canonical path and to the translations", async () => {
    const { author, slug } = await own()
    const json = { lang_code: "en", primary_language: "en", translation_languages: ["fr"] }
    const { status, headers } = await call("PATCH", `${API}/${slug}/`, { key: author.key, json })
    const link = headers.get("Link")
    expect(status).toBe(202)
    expect(link).toContain(`<${API}/posts/${slug}/>; rel="canonical"`)
    expect(link).toContain(`<${API}/posts/${slug}/translations/>; rel="monitor"`)
  })

  it("a PATCH at the path without posts/ answers the same errors as the canonical path", async () => {
    const { author, slug } = await own()
    const other = await newAuthor()
    const codes = await Promise.all(
      [`${API}/${slug}/`, `${API}/posts/${slug}/`].map(async (path) => [
        (await call("PATCH", path, { key: author.key, json: {} })).json.code,
        (await call("PATCH", path, { key: other.key, json: {} })).json.code,
        (await call("PATCH", path.replace(slug, "no-such-post"), { key: other.key, json: {} })).json.code,
      ]),
    )
    expect(codes).toEqual([
      ["validation_error", "not_the_author", "not_found"],
      ["validation_error", "not_the_author", "not_found"],
    ])
  })
})

it("a PATCH of a post that answers 202 links to the translations and sets Retry-After", async () => {
  const { author, slug } = await own()
  const { status, headers } = await patch(author, slug, { translation_languages: ["fr"] })
  expect([status, headers.get("Link")]).toEqual([202, `<${API}/posts/${slug}/translations/>; rel="monitor"`])
  expect(headers.get("Retry-After")).toMatch(/^[1-9]\d*$/)
})

it("version and ETag of a post rise with every PATCH that changes something", async () => {
  const { author, slug } = await own()
  const versions = []
  for (const title of ["One", "One", "Two"]) {
    const { json, headers } = await patch(author, slug, { title })
    expect(headers.get("ETag")).toMatch(new RegExp(`^"${json.post.version}\\.`))
    versions.push(json.post.version)
  }
  expect(versions).toEqual([2, 2, 3])
})
