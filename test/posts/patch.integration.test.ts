import { beforeEach, expect, it } from "vitest"

import { get, patch } from "../calls.ts"
import { API, type Author, call, newAuthor, newPost, passSeconds, stopClock, upload } from "../support.ts"
import { refusal, refusedFields } from "./requests.ts"

let ann: Author
let slug: string
beforeEach(async () => {
  stopClock(new Date("2030-01-01T00:00:00Z"))
  ann = await newAuthor()
  slug = (await newPost(ann, { tags: "a" })).slug
})
const stored = async () => (await get(ann, slug)).json.post

it("a PATCH of a post without one or all of its required fields answers 400 and changes nothing", async () => {
  const required = ["lang_code", "primary_language", "translation_languages"]
  for (const missing of [...required.map((field) => [field]), required]) {
    const omitted = Object.fromEntries(missing.map((field) => [field, undefined]))
    const { status, json } = await patch(ann, slug, { ...omitted, title: "New" })
    const errors = missing.map((field) => ({ field, code: "required", message: expect.stringMatching(/./) }))
    expect([status, json.errors]).toEqual([400, errors])
  }
  expect((await stored()).title).toBe("A title")
})

it("a PATCH of a post with only the required fields changes nothing and answers 200", async () => {
  const post = await stored()
  const { status, json } = await patch(ann, slug)
  expect([status, json]).toEqual([200, { success: true, post, warnings: [] }])
})

it.each<[sent: Record<string, unknown>, alsoChanged?: object]>([
  [{ title: "New" }],
  [{ status: "DF" }],
  [{ categories: ["x", "Y"] }],
  [{ tags: ["x"] }],
  [{ meta_description: "x".repeat(130) }],
  [{ body: "# New" }, { html: '<h1 id="new">New</h1>' }],
])("a PATCH of a post with %j changes that field alone", async (sent, alsoChanged = {}) => {
  const before = await stored()
  const { status, json } = await patch(ann, slug, sent)
  expect(status).toBe(200)
  const { updated_at, preview_url } = json.post
  expect(json.post).toEqual({ ...before, ...sent, ...alsoChanged, version: 2, updated_at, preview_url })
  expect(Boolean(preview_url)).toBe("status" in sent)
  expect(await stored()).toEqual(json.post)
})

it.each([
  ["another language", "de", "en", ["fr"]],
  ["a region of a listed language", "en-GB", "en", []],
  ["the post's primary language, unlisted", "en", "de", ["fr"]],
])(
  "a PATCH of a post whose lang_code is %s answers 400 lang_code_not_listed",
  async (_, lang_code, primary_language, translation_languages) => {
    const answer = await patch(ann, slug, { lang_code, primary_language, translation_languages, title: "New" })
    expect(refusal(answer)).toEqual([400, "lang_code_not_listed", "lang_code"])
    const message = `${lang_code} is neither primary_language nor in translation_languages.`
    expect(answer.json.errors).toEqual([{ field: "lang_code", code: "lang_code_not_listed", message }])
    expect((await stored()).title).toBe("A title")
  },
)

it.each([
  ["primary_language", "EN", [], "en"],
  ["translation_languages", "pt-br", ["pt-BR"], "pt-BR"],
  ["an older code of it", "iw", ["he"], "he"],
])(
  "a PATCH of a post whose lang_code matches %s is accepted in any spelling",
  async (_, lang_code, translation_languages, canonical) => {
    const { json } = await patch(ann, slug, { lang_code, translation_languages, title: "New" })
    expect(json.post).toMatchObject({ lang_code: canonical, title: "New" })
  },
)

it("a PATCH of a post with an invalid lang_code answers 400", async () => {
  for (const lang_code of ["und", "x-private", "en-u-ca-buddhist", "en_US", ""]) {
    const answer = await patch(ann, slug, { lang_code })
    expect([lang_code, answer.status, ...refusedFields(answer)]).toEqual([lang_code, 400, "lang_code"])
  }
  for (const lang_code of [null, 1, ["en"], {}])
    expect(refusal(await patch(ann, slug, { lang_code }))).toEqual([400, "validation_error", "lang_code"])
})

it("a PATCH of a post with an unlisted lang_code reports it together with all other errors", async () => {
  const [status, code, ...fields] = refusal(await patch(ann, slug, { lang_code: "de", title: "", image_ids: [] }))
  expect([status, code, new Set(fields)]).toEqual([400, "validation_error", new Set(["body", "lang_code", "title"])])
})

it("a PATCH of a post with image_ids but no body answers 400 body_required and changes nothing", async () => {
  const { image_id } = await upload(ann)
  for (const image_ids of [[image_id], []]) {
    const { status, json } = await patch(ann, slug, { image_ids, title: "New" })
    expect([status, json.code, json.title]).toEqual([400, "body_required", "ValidationError"])
  }
  expect(await stored()).toMatchObject({ title: "A title", images: [] })
})

it("a post has a page only while its status is PB, and the published_at of its first PATCH to PB", async () => {
  slug = (await newPost(ann, { status: "DF" })).slug
  const seen = []
  for (const status of ["DF", "PB", "DF", "PB"]) {
    passSeconds(60)
    const { json } = await patch(ann, slug, { status })
    const page = await call("GET", `/@${ann.username}/${slug}/`)
    seen.push(`${json.post.published_at} ${page.status}`)
  }
  const first = "2030-01-01T00:02:00.000Z"
  expect(seen).toEqual(["null 404", `${first} 200`, `${first} 404`, `${first} 200`])
})

it("a PATCH of a post without meta_description gets no warning about the stored one's length", async () => {
  const short = await newPost(ann, { meta_description: "short" })
  expect((await patch(ann, short.slug, { title: "New" })).json.warnings).toEqual([])
})

it("a PATCH of a post may repeat the slug of its path in its body", async () => {
  const { status, json } = await patch(ann, slug, { slug, title: "New" })
  expect([status, json.post.title, json.warnings]).toEqual([200, "New", []])
})

it("a PATCH of a post with another or an empty slug in its body answers 400 and changes nothing", async () => {
  for (const other of ["another", ""]) {
    const answer = await patch(ann, slug, { slug: other, title: "New" })
    expect([answer.status, ...refusedFields(answer)]).toEqual([400, "slug"])
  }
  expect((await stored()).title).toBe("A title")
})

const json = { lang_code: "en", primary_language: "en", translation_languages: [] }

it("a PATCH at the path without posts/ answers like the canonical path and links to it", async () => {
  const short = await call("PATCH", `${API}/${slug}/`, { key: ann.key, json: { ...json, title: "New" } })
  expect([short.status, short.headers.get("Link")]).toEqual([200, `<${API}/posts/${slug}/>; rel="canonical"`])
  expect(short.json.post).toEqual(await stored())
  const again = await patch(ann, slug, { title: "New" })
  expect([again.status, again.json, again.headers.get("Link")]).toEqual([200, short.json, null])
})

it("a PATCH that answers 202 links to the translations, and at the path without posts/ to the canonical path", async () => {
  const french = { translation_languages: ["fr"] }
  const monitor = `<${API}/posts/${slug}/translations/>; rel="monitor"`
  const { status, headers } = await patch(ann, slug, french)
  expect([status, headers.get("Link")]).toEqual([202, monitor])
  expect(headers.get("Retry-After")).toMatch(/^[1-9]\d*$/)
  const short = await call("PATCH", `${API}/${slug}/`, { key: ann.key, json: { ...json, ...french } })
  expect(short.status).toBe(202)
  for (const link of [monitor, `<${API}/posts/${slug}/>; rel="canonical"`])
    expect(short.headers.get("Link")).toContain(link)
})

it("a PATCH at the path without posts/ answers the same errors as the canonical path", async () => {
  const bob = await newAuthor()
  for (const path of [`${API}/`, `${API}/posts/`]) {
    const codeOf = async ({ key }: Author, name: string) =>
      (await call("PATCH", `${path}${name}/`, { key, json: {} })).json.code
    const codes = [await codeOf(ann, slug), await codeOf(bob, slug), await codeOf(bob, "no-such-post")]
    expect(codes).toEqual(["validation_error", "not_the_author", "not_found"])
  }
})
