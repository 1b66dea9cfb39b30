import { beforeAll, expect, it } from "vitest"

import { MAX_CATEGORIES, MAX_FEED_POSTS, MAX_TAGS, READER_PAGE_SIZE } from "../../src/limits.ts"
import { tapD1 } from "../faults.ts"
import { API, type Author, call, env, newAuthor } from "../support.ts"

const labels = (most: number): string => JSON.stringify(Array.from({ length: most }, (_, n) => `label ${n}`))

/** Makes an account with published posts that all have the same labels, by SQL: the API takes 300 a minute. */
const newBlog = async (count: number, categories: number, tags: number): Promise<Author> => {
  const author = await newAuthor()
  const posts = `with recursive number(n) as (select 1 union all select n + 1 from number where n < ${count}),
    account as (select id from accounts where username = ?),
    post as (select account.id as account, printf('%020d%06d', ${count}, n) as id, n from account, number)`
  const versions = JSON.stringify({ title: 1, meta_description: 1, body: 1 })
  const statements = [
    `insert into posts (id, account_id, slug, status, categories, tags, primary_language, translation_languages, version,
      revision, text_version, created_at, updated_at, published_at)
     ${posts} select id, account, id, 'PB', '${labels(categories)}', '${labels(tags)}', 'en', '[]', 1, 1, 1, n, n, n
     from post`,
    `insert into texts (post_id, lang_code, title, meta_description, image_ids, versions, edited, status, warnings,
      updated_at, changed_at, body, html)
     ${posts} select id, 'en', 'A title', 'A description', '[]', '${versions}', '[]', 'ready', '[]', n, n, '', '' from post`,
    ...["categories", "tags"].map(
      (column) => `insert into post_labels (account_id, kind, label, post_id, status, published_at)
        ${posts} select account, '${column === "tags" ? "tag" : "category"}', value, posts.id, status, published_at
        from post join posts on posts.id = post.id, json_each(${column})`,
    ),
  ]
  await env.DB.batch(statements.map((sql) => env.DB.prepare(sql).bind(author.username)))
  return author
}

let author: Author
beforeAll(async () => {
  author = await newBlog(10_000, MAX_CATEGORIES, MAX_TAGS)
})

/** Sends a GET. @returns its answer, with the number of rows that D1 has read for it */
const measure = async (path: string, key?: string) => {
  let read = 0
  const DB = tapD1({
    around: async (ask) => {
      const answer = await ask()
      for (const { meta } of [answer].flat() as D1Result[]) read += meta.rows_read
      return answer
    },
  })
  return { ...(await call("GET", path, { ...(key && { key }), env: { DB } })), read }
}

it.each(["", "tags/label%201/", "categories/label%202/"])(
  "the first ten pages of /@author/%s read at most 3 rows for each of their posts, and 30, of a blog of 10,000 posts",
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

it.each([1, 5000, 10_000])("post %i of a blog of 10,000 posts reads at most 30 rows", async (n) => {
  const slug = `10000${String(n).padStart(6, "0")}`.padStart(26, "0")
  const { status, read } = await measure(`/@${author.username}/${slug}/`)
  expect([status, read <= 30]).toEqual([200, true])
})

it("a tag that no post has reads at most 30 rows of a blog of 10,000 posts", async () => {
  const page = await measure(`/@${author.username}/tags/none/`)
  const list = await measure(`${API}/posts/?tag=none`, author.key)
  expect([page.status, page.read <= 30, list.json.posts, list.read <= 30]).toEqual([404, true, [], true])
})

it("a feed reads at most 3 rows for each of its posts, and 30, of a blog of 10,000 posts", async () => {
  const { text, read } = await measure(`/@${author.username}/feed.atom`)
  expect(text.match(/<entry[ >]/g)).toHaveLength(MAX_FEED_POSTS)
  expect(read).toBeLessThanOrEqual(3 * MAX_FEED_POSTS + 30)
})

it.each(["", "&tag=label%201", "&category=label%202"])(
  "the list ?limit=100%s reads at most 3 rows for each of its posts and texts, and 30, of a blog of 10,000 posts",
  async (query) => {
    const { json, read } = await measure(`${API}/posts/?limit=100${query}`, author.key)
    expect(json.posts).toHaveLength(100)
    expect(read).toBeLessThanOrEqual(3 * 2 * 100 + 30)
  },
)

it("a sitemap has at most 50,000 URLs, the blog's own page included", async () => {
  const { username } = await newBlog(50_000, 0, 0)
  const { text } = await call("GET", `/@${username}/sitemap.xml`)
  expect(text.split("<loc>")).toHaveLength(1 + 50_000)
  expect(text).toContain(`/@${username}/</loc>`)
})
