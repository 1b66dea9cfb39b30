import { beforeEach, expect, it } from "vitest"

import { get, patch, remove } from "../calls.ts"
import { API, type Author, call, env, newAuthor, newPost, passSeconds, rows, stopClock, upload } from "../support.ts"
import { refusal, refusedFields } from "./requests.ts"

const HALF_AN_HOUR = 30 * 60
const START = new Date("2030-01-01T00:00:00Z")
const TEXT = { title: "Un titre", meta_description: "De quoi il s'agit.", body: "Des *mots*." }
const FRENCH = { lang_code: "fr", primary_language: "en", translation_languages: ["fr"], ...TEXT }

let ann: Author
beforeEach(async () => {
  stopClock(START)
  ann = await newAuthor()
})

const translated = async () => {
  const { slug } = await newPost(ann)
  await patch(ann, slug, FRENCH)
  return slug
}

it("GET posts/{slug}/ answers the author's own post, even if it is a draft", async () => {
  const post = await newPost(ann, { status: "DF" })
  const { status, json, headers } = await get(ann, post.slug)
  expect([status, json]).toEqual([200, { success: true, post }])
  expect(headers.get("Cache-Control")).toBe("private, no-cache")
})

it("GET of a post with lang_code=fr or FR answers its French text", async () => {
  const slug = await translated()
  for (const code of ["fr", "FR"]) {
    const { json } = await get(ann, slug, `?lang_code=${code}`)
    expect(json.post).toMatchObject({ lang_code: "fr", primary_language: "en", ...TEXT })
    expect(json.post.html).toContain("<em>mots</em>")
  }
})

it("GET of a post with its primary language as lang_code answers the same as without lang_code", async () => {
  const slug = await translated()
  expect((await get(ann, slug, "?lang_code=en")).json).toEqual((await get(ann, slug)).json)
})

it("GET of a post with a lang_code whose text is missing or incomplete answers 404", async () => {
  const slug = await translated()
  await patch(ann, slug, { ...FRENCH, lang_code: "de", translation_languages: ["fr", "de"], body: undefined })
  const answers = [await get(ann, slug, "?lang_code=de"), await get(ann, slug, "?lang_code=it")]
  expect(answers.map(({ json }) => [json.code, json.detail])).toEqual([
    [
      "not_found",
      `The text in "de" is incomplete. Missing fields: body. Send them with PATCH, or list the language in translation_languages to have them translated.`,
    ],
    ["not_found", `The post has no text in "it".`],
  ])
})

it("GET of a post with an invalid lang_code answers 400", async () => {
  const slug = await translated()
  for (const code of ["und", "x-private", "en-u-ca-buddhist", "", "%00", "%FF"]) {
    const answer = await get(ann, slug, `?lang_code=${code}`)
    expect([code, answer.status, ...refusedFields(answer)]).toEqual([code, 400, "lang_code"])
  }
})

it("GET of an unchanged post answers 304 if If-None-Match has its ETag, weak, in a list or as a star, and 200 otherwise", async () => {
  const { slug } = await newPost(ann)
  const etag = (await get(ann, slug)).headers.get("ETag") ?? ""
  for (const tags of [etag, `W/${etag}`, `"x", ${etag}, "y"`, "*"]) {
    const { status, text, headers } = await get(ann, slug, "", { "If-None-Match": tags })
    expect([tags, status, text, headers.get("ETag")]).toEqual([tags, 304, "", etag])
    expect(headers.get("Cache-Control")).toBe("private, no-cache")
  }
  const others = [etag.replace(/\.(\d+)/, ".9$1"), etag.replace(/\.\d+/, ""), etag.replaceAll('"', ""), ""]
  for (const tags of others) expect((await get(ann, slug, "", { "If-None-Match": tags })).status, tags).toBe(200)
})

it("GET of a post with If-None-Match answers 200 after a change of the post or of a translation", async () => {
  const { slug } = await newPost(ann)
  let before = (await get(ann, slug)).headers.get("ETag") ?? ""
  for (const change of [{ title: "New" }, FRENCH]) {
    const written = await patch(ann, slug, change)
    const { status, headers } = await get(ann, slug, "", { "If-None-Match": before })
    expect([status, headers.get("ETag")]).toEqual([200, written.headers.get("ETag")])
    before = headers.get("ETag") ?? ""
  }
})

const list = ({ key }: Author, query = "") => call("GET", `${API}/posts/${query}`, { key })
const slugs = (json: { posts: { slug: string }[] }) => json.posts.map(({ slug }) => slug)
const since = (time: string) => `?updated_since=2030-01-01${time}`
const newPosts = (count: number) => Promise.all(Array.from({ length: count }, () => newPost(ann)))

it("GET posts/ lists only the author's posts, with drafts, newest first, without body and html", async () => {
  const bob = await newAuthor()
  const first = await newPost(ann)
  expect((await list(bob)).json).toEqual({ success: true, posts: [], next_cursor: null })
  passSeconds(1)
  await newPost(bob)
  const second = await newPost(ann, { status: "DF" })
  const bare = [second, first].map(({ body: _body, html: _html, preview_url: _preview, ...post }) => {
    const { title, meta_description, changed_at } = post
    return {
      ...post,
      texts: { en: { title, meta_description, body_sha256: expect.any(String), edited: [], changed_at } },
    }
  })
  expect((await list(ann)).json).toEqual({ success: true, posts: bare, next_cursor: null })
})

it("GET posts/ lists the newest post first, and those of the same time by their id", async () => {
  for (const count of [2, 3, 2]) {
    await newPosts(count)
    passSeconds(1)
  }
  const ordered = await rows(
    "select slug from posts where account_id = (select id from accounts where username = ?) order by created_at desc, id desc",
    ann.username,
  )
  expect(slugs((await list(ann)).json)).toEqual(ordered.map(({ slug }) => slug))
})

it("GET posts/ lists 20 posts, or as many as limit says, and has a next_cursor unless these are all", async () => {
  await newPosts(100)
  const counts = []
  for (const query of ["", "?limit=1", "?limit=99", "?limit=100"]) {
    const { posts, next_cursor } = (await list(ann, query)).json
    counts.push(`${posts.length} ${next_cursor === null ? "and no more" : "and more"}`)
  }
  expect(counts).toEqual(["20 and more", "1 and more", "99 and more", "100 and no more"])
})

it("paging through GET posts/ returns every post once, even while new posts arrive", async () => {
  const all = []
  for (let i = 0; i < 5; i++) {
    all.unshift((await newPost(ann)).slug)
    passSeconds(1)
  }
  const walked = []
  let next: string | null = `${API}/posts/?limit=2`
  while (next) {
    const answer: Awaited<ReturnType<typeof call>> = await call("GET", next, { key: ann.key })
    walked.push(...slugs(answer.json))
    await newPost(ann)
    const link = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get("Link") ?? "")?.[1] ?? null
    expect(link).toBe(answer.json.next_cursor ? `${API}/posts/?limit=2&cursor=${answer.json.next_cursor}` : null)
    next = link
  }
  expect(walked).toEqual(all)
})

it("GET posts/ filters by status, tag, category and updated_since, and by several at once", async () => {
  const a = await newPost(ann, { status: "DF", tags: "red,blue", categories: ["News", "Café"] })
  passSeconds(60)
  const b = await newPost(ann, { status: "PB", tags: "red fox", categories: ["news"] })
  const LISTED: [posts: string[], ...queries: string[]][] = [
    [[b.slug, a.slug], "", since("T00:00:00Z")],
    [[a.slug], "?status=DF", "?tag=red", "?category=News", "?category=Caf%C3%A9", "?category=Cafe%CC%81"],
    [[a.slug], "?status=DF&tag=red&category=News"],
    [[b.slug], "?status=PB", "?tag=red%20fox", "?category=news", since("T00:00:00.001Z"), since("t00:01:00z")],
    [[b.slug], since("T01:01:00%2B01:00"), since("T01:01:00+01:00")],
    [[], "?tag=", "?category=", "?tag=re", "?tag=red,blue", "?tag=%25", "?category=New", "?status=PB&tag=red"],
    [[], since("T00:01:01Z")],
  ]
  for (const [posts, ...queries] of LISTED)
    for (const query of queries) expect([query, ...slugs((await list(ann, query)).json)]).toEqual([query, ...posts])
  passSeconds(60)
  await patch(ann, a.slug, { title: "New" })
  expect(slugs((await list(ann, since("T00:02:00Z"))).json)).toEqual([a.slug])
})

it("the status filter of GET posts/ also applies to the next page", async () => {
  for (const status of ["DF", "PB", "DF", "PB", "DF"]) await newPost(ann, { status })
  const first = await list(ann, "?status=DF&limit=2")
  const link = /<([^>]+)>/.exec(first.headers.get("Link") ?? "")?.[1] ?? ""
  const rest = await call("GET", link, { key: ann.key })
  expect([...first.json.posts, ...rest.json.posts].map(({ status }) => status)).toEqual(["DF", "DF", "DF"])
})

it.each([
  ["limit", "0", "101", "-1", "1.5", "ten", "", "99999999999999999999"],
  ["cursor", "x", "", "%F0%9F", "MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAn"],
  ["status", "pb", ""],
  ["updated_since", "yesterday", "2030-01-01", "2030-01-01T00:00:00", "2030-02-30T00:00:00Z"],
  ["tag", "%00"],
  ["category", "%00"],
])("GET posts/ with an invalid %s answers 400", async (field, ...values) => {
  for (const value of values)
    expect(refusal(await list(ann, `?${field}=${value}`)), value).toEqual([400, "validation_error", field])
})

it("GET posts/ names all invalid query parameters at once", async () => {
  const answer = await list(ann, "?limit=0&status=x&cursor=x&updated_since=x")
  expect(refusedFields(answer).toSorted()).toEqual(["cursor", "limit", "status", "updated_since"])
})

it("DELETE of a post answers 204, then 404, and leaves no rows or files", async () => {
  const { image_id, image_url } = await upload(ann)
  const { slug } = await newPost(ann, { body: `![x](${image_url})`, image_ids: [image_id] })
  await patch(ann, slug, FRENCH)
  passSeconds(HALF_AN_HOUR)
  const first = await remove(ann, slug)
  expect([first.status, first.text]).toEqual([204, ""])
  expect((await remove(ann, slug)).json.code).toBe("not_found")
  expect((await get(ann, slug)).status).toBe(404)
  expect((await patch(ann, slug)).status).toBe(404)
  expect((await call("GET", `/@${ann.username}/${slug}/`)).status).toBe(404)
  expect((await list(ann)).json.posts).toEqual([])
  for (const table of ["texts", "post_images", "leases"])
    expect(await rows(`select * from ${table} where post_id not in (select id from posts)`), table).toEqual([])
  expect(await rows("select id from images where id = ?", image_id)).toEqual([])
  const { objects } = await env.MEDIA.list()
  expect(objects.filter(({ key }) => key.includes(image_id))).toEqual([])
})
