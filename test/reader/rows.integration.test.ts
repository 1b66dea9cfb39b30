import { beforeAll, expect, it } from "vitest"

import { MAX_CATEGORIES, MAX_FEED_POSTS, MAX_TAGS, READER_PAGE_SIZE } from "../../src/limits.ts"
import { measuredD1 } from "../faults.ts"
import { API, type Author, call, env, newAuthor, ORIGIN } from "../support.ts"

const labels = (most: number): string => JSON.stringify(Array.from({ length: most }, (_, n) => `label ${n}`))

/** Gives an account published posts that all have the same labels, by SQL: the API takes 300 a minute. Pages are newer than posts. */
const fill = async ({ username }: Author, count: number, [categories, tags]: [number, number], listed: 0 | 1) => {
  const posts = `with recursive number(n) as (select 1 union all select n + 1 from number where n < ${count}),
    account as (select id from accounts where username = ?),
    post as (select account.id as account, printf('%020d%06d', ${count} + 1 - ${listed}, n) as id,
      n + ${(1 - listed) * count} as n from account, number)`
  const versions = JSON.stringify({ title: 1, meta_description: 1, body: 1 })
  const statements = [
    `insert into posts (id, account_id, slug, status, categories, tags, primary_language, translation_languages, version,
      revision, text_version, created_at, updated_at, published_at, listed)
     ${posts} select id, account, id, 'PB', '${labels(categories)}', '${labels(tags)}', 'en', '[]', 1, 1, 1, n, n, n, ${listed}
     from post`,
    `insert into texts (post_id, lang_code, title, meta_description, image_ids, versions, edited, status, warnings,
      updated_at, changed_at, body, html)
     ${posts} select id, 'en', 'A title', 'A description', '[]', '${versions}', '[]', 'ready', '[]', n, n, '', '' from post`,
    ...["categories", "tags"].map(
      (column) => `insert into post_labels (account_id, kind, label, post_id, status, published_at)
        ${posts} select account, '${column === "tags" ? "tag" : "category"}', value, posts.id,
          iif(listed, status, 'DF'), published_at from post join posts on posts.id = post.id, json_each(${column})`,
    ),
  ]
  await env.DB.batch(statements.map((sql) => env.DB.prepare(sql).bind(username)))
}

const newBlog = async (count: number, categories: number, tags: number): Promise<Author> => {
  const made = await newAuthor()
  await fill(made, count, [categories, tags], 1)
  return made
}

let author: Author
beforeAll(async () => {
  author = await newBlog(10_000, MAX_CATEGORIES, MAX_TAGS)
  await fill(author, 10_000, [MAX_CATEGORIES, MAX_TAGS], 0)
})

/** Sends a GET. @returns its answer, with the number of rows that D1 has read for it */
const measure = async (path: string, key?: string) => {
  const { DB, sum } = measuredD1()
  const answer = await call("GET", path, { ...(key && { key }), env: { DB } })
  return { ...answer, read: sum.rows_read }
}

it.each(["", "tags/label%201/", "categories/label%202/"])(
  "the first ten pages of /@author/%s read at most 3 rows for each of their posts, and 30, of a blog of 10,000 posts and as many pages",
  async (list) => {
    let path = `/@${author.username}/${list}`
    for (let page = 1; page <= 10; page++) {
      const { text, read } = await measure(path)
      expect(text.match(/<article /g)).toHaveLength(READER_PAGE_SIZE)
      expect(read, path).toBeLessThanOrEqual(3 * READER_PAGE_SIZE + 30)
      const [, next = ""] = /<a rel="prev" href="([^"]*)"/.exec(text) ?? []
      path = next.replaceAll("&amp;", "&").replace(/^https?:\/\/[^/]*/, "")
      expect(path).toContain(`page=${page + 1}`)
    }
  },
)

it.each([1, 5000, 10_000])("post %i of a blog of 10,000 posts and as many pages reads at most 30 rows", async (n) => {
  const slug = `10000${String(n).padStart(6, "0")}`.padStart(26, "0")
  const { status, read } = await measure(`/@${author.username}/${slug}/`)
  expect([status, read <= 30]).toEqual([200, true])
})

it("a tag that no post has reads at most 30 rows of a blog of 10,000 posts and as many pages", async () => {
  const page = await measure(`/@${author.username}/tags/none/`)
  const list = await measure(`${API}/posts/?tag=none`, author.key)
  expect([page.status, page.read <= 30, list.json.posts, list.read <= 30]).toEqual([404, true, [], true])
})

it("a feed reads at most 6 rows for each of its posts, and 30, of a blog of 10,000 posts and as many pages", async () => {
  const { text, read } = await measure(`/@${author.username}/feed.atom`)
  expect(text.match(/<entry[ >]/g)).toHaveLength(MAX_FEED_POSTS)
  expect(read).toBeLessThanOrEqual(6 * MAX_FEED_POSTS + 30)
})

it.each(["", "&tag=label%201", "&category=label%202"])(
  "the list ?limit=100%s reads at most 3 rows for each of its posts and texts, and 30, of a blog of 10,000 posts and as many pages",
  async (query) => {
    const { json, read } = await measure(`${API}/posts/?limit=100${query}`, author.key)
    expect(json.posts).toHaveLength(100)
    expect(read).toBeLessThanOrEqual(3 * 2 * 100 + 30)
  },
)

const locsOf = (text: string): string[] =>
  [...text.matchAll(/<loc>https?:\/\/[^/]*([^<]*)<\/loc>/g)].map(([, path = ""]) => path)

it("a sitemap of 50,000 addresses is whole, and one of more is an index of parts, each with its own posts at 8 rows an address", async () => {
  const { username } = await newBlog(49_999, 0, 0)
  const address = `/@${username}/sitemap.xml`
  const whole = await measure(address)
  expect([locsOf(whole.text).length, locsOf(whole.text)[0]]).toEqual([50_000, `/@${username}/`])
  expect(whole.read).toBeLessThanOrEqual(8 * 50_000 + 40)
  // A second language, and as many posts that are still ahead.
  const ofPosts = "from posts join accounts on accounts.id = account_id where username = ?"
  await env.DB.batch(
    [
      `insert into texts (post_id, lang_code, title, meta_description, image_ids, versions, edited, status, warnings, updated_at, changed_at)
        select post_id, 'fr', title, meta_description, image_ids, versions, edited, texts.status, warnings, texts.updated_at, changed_at
        from texts where post_id in (select posts.id ${ofPosts})`,
      `update posts set translation_languages = '["fr"]' where id in (select posts.id ${ofPosts})`,
      `update posts set published_at = 9e12 where id in (select posts.id ${ofPosts} order by posts.id desc limit 20000)`,
    ].map((sql) => env.DB.prepare(sql).bind(username)),
  )
  const index = await measure(address)
  expect(index.text).toContain("<sitemapindex")
  const parts = locsOf(index.text)
  const seen = new Set<string>()
  for (const part of parts) {
    const { status, text, read } = await measure(part)
    const found = locsOf(text)
    expect([status, found.length > 1, found.length <= 2 * 999 + 1], part).toEqual([200, true, true])
    expect(read, part).toBeLessThanOrEqual(8 * found.length + 40)
    for (const one of found) seen.add(one)
  }
  expect(seen.size).toBe(2 * 29_999 + 1)
  for (const part of ["nothing", "", author.username]) {
    const { status, read } = await measure(`${address}?part=${part}`)
    expect([status, read <= 40], part).toEqual([404, true])
  }
})

it("a page found by its number alone is one of the first seven, and links to newer posts lead back over all of them", async () => {
  const path = `/@${author.username}/tags/label%201/`
  for (const [page, status] of [
    [7, 200],
    [8, 404],
    [999_999, 404],
  ] as const) {
    const found = await measure(`${path}?page=${page}`)
    expect([found.status, found.read <= 8 * READER_PAGE_SIZE + 40], `page ${page}`).toEqual([status, true])
  }
  const follow = async (from: string, rel: "prev" | "next", times: number): Promise<string[]> => {
    const { text, read } = await measure(from)
    expect(read, from).toBeLessThanOrEqual(8 * READER_PAGE_SIZE + 40)
    const [, link] = new RegExp(`<a rel="${rel}" href="https?://[^/]*([^"]*)"`).exec(text) ?? []
    const posts = [...text.matchAll(/class="p-name u-url" href="([^"]*)"/g)].map(([, href = ""]) => href)
    const next = link?.replaceAll("&amp;", "&")
    if (times === 0 || !next) return [...posts, `at ${from}`]
    return [...posts, ...(await follow(next, rel, times - 1))]
  }
  const down = await follow(path, "prev", 9)
  const last = (down.pop() ?? "").slice(3)
  expect(new Set(down).size).toBe(10 * READER_PAGE_SIZE)
  const up = await follow(last, "next", 99)
  expect(up.pop()).toBe(`at ${path}`)
  expect(new Set(up)).toEqual(new Set(down))
  expect((await call("GET", last)).text).toContain(`rel="canonical" href="${ORIGIN}${last.replace("&", "&amp;")}"`)
  const gone = await call("GET", `${path}?page=9&before=nothing`)
  expect([gone.status, gone.headers.get("Location")]).toEqual([302, `${ORIGIN}${path}?page=7`])
})
