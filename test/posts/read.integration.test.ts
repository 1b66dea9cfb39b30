import { describe, expect, it } from "vitest"

import {
  API,
  type Author,
  call,
  env,
  newAuthor,
  newPost,
  passSeconds,
  rows,
  stopClock,
  unique,
  upload,
} from "../support.ts"
import { patch, read, refusedFields } from "./requests.ts"

const HALF_AN_HOUR = 30 * 60
const FRENCH = {
  lang_code: "fr",
  primary_language: "en",
  translation_languages: ["fr"],
  title: "Un titre",
  meta_description: "De quoi il s'agit.",
  body: "Des *mots*.",
}

const translated = async () => {
  const author = await newAuthor()
  const { slug } = await newPost(author)
  await patch(author, slug, FRENCH)
  return { author, slug }
}

describe("GET posts/{slug}/", () => {
  it("GET posts/{slug}/ answers the author's own post, even if it is a draft", async () => {
    const author = await newAuthor()
    const post = await newPost(author, { status: "DF" })
    const { status, json, headers } = await read(author, post.slug)
    expect([status, json]).toEqual([200, { success: true, post }])
    expect(headers.get("Cache-Control")).toBe("private, no-cache")
  })

  it("GET posts/{slug}/ answers 404 for an unknown slug and 403 for another author's post", async () => {
    const author = await newAuthor()
    const [draft, page] = [await newPost(author, { status: "DF" }), await newPost(author)]
    const other = await newAuthor()
    const codes = []
    for (const slug of [unique("nothing"), draft.slug, page.slug]) codes.push((await read(other, slug)).json.code)
    expect(codes).toEqual(["not_found", "not_the_author", "not_the_author"])
  })

  describe("with ?lang_code=", () => {
    it.each(["fr", "FR"])("GET of a post with lang_code=%s answers its French text", async (code) => {
      const { author, slug } = await translated()
      const { json } = await read(author, slug, `?lang_code=${code}`)
      const { title, meta_description, body } = FRENCH
      expect(json.post).toMatchObject({ lang_code: "fr", title, meta_description, body, primary_language: "en" })
      expect(json.post.html).toContain("<em>mots</em>")
    })

    it("GET of a post with its primary language as lang_code answers the same as without lang_code", async () => {
      const { author, slug } = await translated()
      expect((await read(author, slug, "?lang_code=en")).json).toEqual((await read(author, slug)).json)
    })

    it("GET of a post with a lang_code whose text is missing or incomplete answers 404", async () => {
      const { author, slug } = await translated()
      await patch(author, slug, { ...FRENCH, lang_code: "de", translation_languages: ["fr", "de"], body: undefined })
      const answers = [await read(author, slug, "?lang_code=de"), await read(author, slug, "?lang_code=it")]
      expect(answers.map(({ json }) => json.code)).toEqual(["not_found", "not_found"])
      expect(answers.map(({ json }) => json.detail)).toEqual([
        `The text in "de" is incomplete. Missing fields: body. Send them with PATCH, or list the language in translation_languages to have them translated.`,
        `The post has no text in "it".`,
      ])
    })

    it.each(["und", "x-private", "en-u-ca-buddhist", "", "%00", "%FF"])(
      "GET of a post with the invalid lang_code %j answers 400",
      async (code) => {
        const { author, slug } = await translated()
        const answer = await read(author, slug, `?lang_code=${code}`)
        expect([answer.status, ...refusedFields(answer)]).toEqual([400, "lang_code"])
      },
    )
  })
})

const tagged = async () => {
  const author = await newAuthor()
  const { slug } = await newPost(author)
  const etag = (await read(author, slug)).headers.get("ETag") ?? ""
  const ask = (tags: string) => read(author, slug, "", { "If-None-Match": tags })
  return { author, slug, etag, ask }
}

describe("ETag of GET posts/{slug}/", () => {
  it("the ETag of a post consists of its version and revision", async () => {
    expect((await tagged()).etag).toMatch(/^"1\.\d+"$/)
  })

  it.each([
    ["the tag", (tag: string) => tag],
    ["a weak tag", (tag: string) => `W/${tag}`],
    ["a list", (tag: string) => `"x", ${tag}, "y"`],
    ["a star", () => "*"],
  ])("GET of an unchanged post with %s in If-None-Match answers 304", async (_, tagsOf) => {
    const { etag, ask } = await tagged()
    const { status, text, headers } = await ask(tagsOf(etag))
    expect([status, text, headers.get("ETag")]).toEqual([304, "", etag])
    expect(headers.get("Cache-Control")).toBe("private, no-cache")
  })

  it.each([
    ["another revision", (tag: string) => tag.replace(/\.(\d+)/, ".9$1")],
    ["the version alone", (tag: string) => tag.replace(/\.\d+/, "")],
    ["a tag without quotes", (tag: string) => tag.replaceAll('"', "")],
    ["nothing", () => ""],
  ])("GET of an unchanged post with %s in If-None-Match answers 200", async (_, tagsOf) => {
    const { etag, ask } = await tagged()
    expect((await ask(tagsOf(etag))).status).toBe(200)
  })

  it("GET of a post with If-None-Match answers 200 after a change of the post or of a translation", async () => {
    const { author, slug, etag, ask } = await tagged()
    await patch(author, slug, { title: "New" })
    const changed = await ask(etag)
    const next = changed.headers.get("ETag") ?? ""
    await patch(author, slug, FRENCH)
    expect([changed.status, (await ask(next)).status]).toEqual([200, 200])
  })

  it("GET of a post has the same ETag as the answer to the write before it", async () => {
    const { author, slug } = await tagged()
    const { headers } = await patch(author, slug, { title: "New" })
    expect((await read(author, slug)).headers.get("ETag")).toBe(headers.get("ETag"))
  })
})

const list = ({ key }: Author, query = "") => call("GET", `${API}/posts/${query}`, { key })
const slugs = (json: { posts: { slug: string }[] }) => json.posts.map(({ slug }) => slug)

const manyPosts = async (count: number) => {
  const author = await newAuthor()
  await Promise.all(Array.from({ length: count }, () => newPost(author)))
  return author
}

describe("GET posts/", () => {
  it("GET posts/ lists only the author's posts, with drafts, newest first, without body and html", async () => {
    stopClock()
    const [author, other] = [await newAuthor(), await newAuthor()]
    const first = await newPost(author)
    passSeconds(1)
    await newPost(other)
    const second = await newPost(author, { status: "DF" })
    const { json } = await list(author)
    const bare = [second, first].map(({ body: _body, html: _html, preview_url: _preview, ...post }) => ({
      ...post,
      texts: {
        en: { title: post.title, meta_description: post.meta_description, body_sha256: expect.any(String), edited: [] },
      },
    }))
    expect(json).toEqual({ success: true, posts: bare, next_cursor: null })
  })

  it("GET posts/ answers an empty list to a new author", async () => {
    expect((await list(await newAuthor())).json).toEqual({ success: true, posts: [], next_cursor: null })
  })

  it("GET posts/ lists the newest post first, and those of the same time by their id", async () => {
    stopClock()
    const author = await newAuthor()
    for (const count of [2, 3, 2]) {
      await Promise.all(Array.from({ length: count }, () => newPost(author)))
      passSeconds(1)
    }
    const { json } = await list(author)
    const ordered = await rows(
      "select slug from posts where account_id = (select id from accounts where username = ?) order by created_at desc, id desc",
      author.username,
    )
    expect(slugs(json)).toEqual(ordered.map(({ slug }) => slug))
  })

  describe("limit", () => {
    it("GET posts/ without limit lists 20 posts", async () => {
      const author = await manyPosts(21)
      const { json } = await list(author)
      expect([json.posts.length, typeof json.next_cursor]).toEqual([20, "string"])
    })

    it("GET posts/ with a limit of 100 lists 100 posts", async () => {
      const author = await manyPosts(101)
      const { json } = await list(author, "?limit=100")
      const rest = await list(author, `?limit=100&cursor=${json.next_cursor}`)
      expect([json.posts.length, rest.json.posts.length, rest.json.next_cursor]).toEqual([100, 1, null])
    })

    it("GET posts/ with a limit of 1 lists one post", async () => {
      expect((await list(await manyPosts(2), "?limit=1")).json.posts).toHaveLength(1)
    })

    it("GET posts/ has no next_cursor if all posts fit into the limit", async () => {
      expect((await list(await manyPosts(2), "?limit=2")).json).toMatchObject({ next_cursor: null })
    })
  })

  it("paging through GET posts/ returns every post once, even while new posts arrive", async () => {
    stopClock()
    const author = await newAuthor()
    const all = []
    for (let i = 0; i < 5; i++) {
      all.unshift((await newPost(author)).slug)
      passSeconds(1)
    }
    const walked = []
    let next: string | null = `${API}/posts/?limit=2`
    while (next) {
      const answer: Awaited<ReturnType<typeof call>> = await call("GET", next, { key: author.key })
      walked.push(...slugs(answer.json))
      await newPost(author)
      const link = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get("Link") ?? "")?.[1] ?? null
      expect(link).toBe(answer.json.next_cursor ? `${API}/posts/?limit=2&cursor=${answer.json.next_cursor}` : null)
      next = link
    }
    expect(walked).toEqual(all)
  })

  describe("filters", () => {
    const START = new Date("2030-01-01T00:00:00Z")
    const shelf = async () => {
      stopClock(START)
      const author = await newAuthor()
      const a = await newPost(author, { status: "DF", tags: "red,blue", categories: ["News", "Café"] })
      passSeconds(60)
      const b = await newPost(author, { status: "PB", tags: "red fox", categories: ["news"] })
      const names = (json: { posts: { slug: string }[] }) =>
        slugs(json).map((slug) => (slug === a.slug ? "a" : slug === b.slug ? "b" : slug))
      return { author, names, a }
    }

    it.each([
      ["", ["b", "a"]],
      ["?status=DF", ["a"]],
      ["?status=PB", ["b"]],
      ["?tag=", []],
      ["?category=", []],
      ["?tag=red", ["a"]],
      ["?tag=red%20fox", ["b"]],
      ["?tag=re", []],
      ["?tag=red,blue", []],
      ["?tag=%25", []],
      ["?category=News", ["a"]],
      ["?category=news", ["b"]],
      ["?category=Caf%C3%A9", ["a"]],
      ["?category=Cafe%CC%81", ["a"]],
      ["?category=New", []],
      ["?updated_since=2030-01-01T00:00:00Z", ["b", "a"]],
      ["?updated_since=2030-01-01T00:00:00.001Z", ["b"]],
      ["?updated_since=2030-01-01T01:01:00%2B01:00", ["b"]],
      ["?updated_since=2030-01-01T01:01:00+01:00", ["b"]],
      ["?updated_since=2030-01-01t00:01:00z", ["b"]],
      ["?updated_since=2030-01-01T00:01:01Z", []],
      ["?status=PB&tag=red", []],
      ["?status=DF&tag=red&category=News", ["a"]],
    ])('GET posts/ with the query "%s" lists the posts %j', async (query, expected) => {
      const { author, names } = await shelf()
      expect(names((await list(author, query)).json)).toEqual(expected)
    })

    it("GET posts/ with updated_since lists a post that was changed after that time", async () => {
      const { author, names, a } = await shelf()
      passSeconds(60)
      await patch(author, a.slug, { title: "New" })
      expect(names((await list(author, "?updated_since=2030-01-01T00:02:00Z")).json)).toEqual(["a"])
    })

    it("the status filter of GET posts/ also applies to the next page", async () => {
      const author = await newAuthor()
      for (const status of ["DF", "PB", "DF", "PB", "DF"]) await newPost(author, { status })
      const first = await list(author, "?status=DF&limit=2")
      const link = /<([^>]+)>/.exec(first.headers.get("Link") ?? "")?.[1] ?? ""
      const rest = await call("GET", link, { key: author.key })
      const statuses = [...first.json.posts, ...rest.json.posts].map(({ status }) => status)
      expect(statuses).toEqual(["DF", "DF", "DF"])
    })
  })

  it.each([
    ["limit", "0"],
    ["limit", "101"],
    ["limit", "-1"],
    ["limit", "1.5"],
    ["limit", "ten"],
    ["limit", ""],
    ["limit", "99999999999999999999"],
    ["cursor", "x"],
    ["cursor", ""],
    ["cursor", "%F0%9F"],
    ["cursor", "MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAn"],
    ["status", "pb"],
    ["status", ""],
    ["updated_since", "yesterday"],
    ["updated_since", "2030-01-01"],
    ["updated_since", "2030-01-01T00:00:00"],
    ["updated_since", "2030-02-30T00:00:00Z"],
    ["tag", "%00"],
    ["category", "%00"],
  ])("GET posts/ with %s=%s answers 400", async (field, value) => {
    const answer = await list(await newAuthor(), `?${field}=${value}`)
    expect([answer.status, answer.json.code, ...refusedFields(answer)]).toEqual([400, "validation_error", field])
  })

  it("GET posts/ names all invalid query parameters at once", async () => {
    const answer = await list(await newAuthor(), "?limit=0&status=x&cursor=x&updated_since=x")
    expect(refusedFields(answer).toSorted()).toEqual(["cursor", "limit", "status", "updated_since"])
  })
})

const remove = ({ key }: Author, slug: string, headers = {}) =>
  call("DELETE", `${API}/posts/${slug}/`, { key, headers })

describe("DELETE posts/{slug}/", () => {
  it("DELETE of a post answers 204, then 404, and leaves no rows or files", async () => {
    stopClock()
    const author = await newAuthor()
    const { image_id, image_url } = await upload(author)
    const { slug } = await newPost(author, { body: `![x](${image_url})`, image_ids: [image_id] })
    await patch(author, slug, FRENCH)
    passSeconds(HALF_AN_HOUR)
    const first = await remove(author, slug)
    expect([first.status, first.text]).toEqual([204, ""])
    expect((await remove(author, slug)).json.code).toBe("not_found")
    expect((await read(author, slug)).status).toBe(404)
    expect((await patch(author, slug)).status).toBe(404)
    expect((await call("GET", `/@${author.username}/${slug}/`)).status).toBe(404)
    expect((await list(author)).json.posts).toEqual([])
    for (const table of ["texts", "post_images", "leases"])
      expect(await rows(`select * from ${table} where post_id not in (select id from posts)`), table).toEqual([])
    expect(await rows("select id from images where id = ?", image_id)).toEqual([])
    const { objects } = await env.MEDIA.list()
    expect(objects.filter(({ key }) => key.includes(image_id))).toEqual([])
  })

  it("DELETE of a post keeps an image that another post shows", async () => {
    stopClock()
    const author = await newAuthor()
    const { image_id, image_url } = await upload(author)
    const [one, two] = [
      await newPost(author, { image_ids: [image_id] }),
      await newPost(author, { image_ids: [image_id] }),
    ]
    passSeconds(HALF_AN_HOUR)
    await remove(author, one.slug)
    expect((await call("GET", image_url)).status).toBe(200)
    await remove(author, two.slug)
    expect((await call("GET", image_url)).status).toBe(410)
  })

  it("DELETE of another author's post is refused and deletes nothing", async () => {
    const author = await newAuthor()
    const { slug } = await newPost(author)
    expect((await remove(await newAuthor(), slug)).json.code).toBe("not_the_author")
    expect((await read(author, slug)).status).toBe(200)
  })

  it("DELETE of a post with a stale If-Match answers 412 and deletes nothing", async () => {
    const author = await newAuthor()
    const { slug } = await newPost(author)
    await patch(author, slug, { title: "New" })
    expect((await remove(author, slug, { "If-Match": '"1.1"' })).status).toBe(412)
    expect((await remove(author, slug, { "If-Match": '"2.1"' })).status).toBe(204)
  })
})
