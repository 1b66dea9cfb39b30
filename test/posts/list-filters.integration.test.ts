import { beforeAll, expect, it } from "vitest"

import { LIST_STEP_POSTS, MAX_LIST_STEPS, MAX_SORTED_POSTS } from "../../src/limits.ts"
import { Browser, newLink } from "../author-pages/browser.ts"
import { accountId } from "../calls.ts"
import { measuredD1 } from "../faults.ts"
import { API, type Author, call, env, newAuthor, OPERATOR } from "../support.ts"

const POSTS = 3000
const FAR = 4_000_000_000_000

/** The posts of the blog: few of them are drafts, scheduled, of the source or the tag `rare`, or have another title. */
const blog = Array.from({ length: POSTS }, (_, i) => {
  const n = i + 1
  const isScheduled = n % 900 === 0
  return {
    slug: `listed-${n}`,
    status: n % 700 === 0 ? "DF" : "PB",
    published_at: isScheduled ? FAR : 1000,
    updated_at: n,
    source: n % 1300 === 0 ? "rare" : "usual",
    tags: n <= 3 ? ["common", "rare"] : n % 2 === 0 ? ["common"] : [],
    categories: n % 1100 === 0 ? ["odd"] : ["news"],
    title: n === 1 ? "A needle" : "Hay",
  }
})
type Listed = (typeof blog)[number]

const INSERTS = {
  posts: `insert into posts (id, account_id, slug, status, categories, tags, primary_language, translation_languages, version,
    revision, text_version, created_at, updated_at, published_at, source, folded_titles, has_unfolded)
    select printf('01N%023d', key), ?2, value ->> 'slug', value ->> 'status', value ->> 'categories', value ->> 'tags', 'en', '[]',
      1, 1, 1, 0, value ->> 'updated_at', value ->> 'published_at', value ->> 'source', lower(value ->> 'title'), 0
      from json_each(?1)`,
  texts: `insert into texts (post_id, lang_code, title, image_ids, versions, edited, status, warnings, updated_at, changed_at)
    select printf('01N%023d', key), 'en', value ->> 'title', '[]', '{"title":1,"meta_description":1,"body":1}', '[]', 'ready', '[]', 0, 0
    from json_each(?1) where ?2 <> ''`,
  post_labels: `insert into post_labels (account_id, kind, label, post_id, status, published_at)
    select ?2, kinds.value ->> 1, labels.value, printf('01N%023d', posts.key), posts.value ->> 'status', posts.value ->> 'published_at'
    from json_each(?1) as posts, json_each('[["tags","tag"],["categories","category"]]') as kinds,
      json_each(posts.value, '$.' || (kinds.value ->> 0)) as labels`,
}

let author: Author
let readKey: string
beforeAll(async () => {
  author = await newAuthor()
  const id = await accountId(author)
  const listed = JSON.stringify(blog)
  await env.DB.batch(Object.values(INSERTS).map((sql) => env.DB.prepare(sql).bind(listed, id)))
  const { json: made } = await call("POST", `/operator/api/accounts/${author.username}/keys/`, {
    headers: OPERATOR,
    json: { name: "site", scope: "read" },
  })
  readKey = made.api_key
})

/** Reads all pages of a list. */
const readAll = async (query: string, key: string) => {
  const slugs: string[] = []
  const pages: number[][] = []
  for (let cursor: string | null = ""; cursor !== null;) {
    const { DB, calls } = measuredD1()
    const path = `${API}/posts/?limit=100${query}${cursor && `&cursor=${cursor}`}`
    const { status, json } = await call("GET", path, { key, env: { DB } })
    expect(status).toBe(200)
    slugs.push(...json.posts.map(({ slug }: { slug: string }) => slug))
    pages.push(calls.map(({ rows_read }) => rows_read))
    cursor = json.next_cursor
  }
  return { slugs, pages }
}

const LISTS: Record<string, (post: Listed) => boolean> = {
  "&status=DF": ({ status }) => status === "DF",
  "&status=PB": ({ status }) => status === "PB",
  "&source=none": () => false,
  "&source=rare": ({ source }) => source === "rare",
  "&source=usual&status=DF": ({ source, status }) => source === "usual" && status === "DF",
  "&source=rare&status=PB&tag=common": ({ source, tags, status }) =>
    source === "rare" && status === "PB" && tags.includes("common"),
  "&tag=rare": ({ tags }) => tags.includes("rare"),
  "&tag=common&category=none": () => false,
  "&tag=common&category=odd": ({ tags, categories }) => tags.includes("common") && categories.includes("odd"),
  "&updated_since=2030-01-01T00:00:00Z": () => false,
  [`&updated_since=${new Date(POSTS - MAX_SORTED_POSTS + 1).toISOString()}`]: (post) =>
    post.updated_at > POSTS - MAX_SORTED_POSTS,
  [`&updated_since=${new Date(5).toISOString()}&tag=rare`]: (post) =>
    post.updated_at >= 5 && post.tags.includes("rare"),
}

it.each(Object.entries(LISTS))(
  "all pages of the list %s have its posts, the newest first, and read a limited number of rows each",
  async (query, isIn) => {
    const { slugs, pages } = await readAll(query, author.key)
    expect(slugs).toEqual(
      blog
        .filter(isIn)
        .map(({ slug }) => slug)
        .toReversed(),
    )
    for (const steps of pages) {
      expect(steps.length).toBeLessThanOrEqual(2 + 1 + MAX_LIST_STEPS)
      // The rows that it looks at, to find the end of the step as well, and three for each post of a page.
      expect(Math.max(...steps)).toBeLessThanOrEqual(2 * LIST_STEP_POSTS + 10 * 100 + 40)
    }
  },
)

it("what has changed since now is asked at the price of one row for each account, also of a blog of 3,000 posts", async () => {
  const { pages } = await readAll("&updated_since=2030-01-01T00:00:00Z", author.key)
  expect(pages).toHaveLength(1)
  expect(pages[0]?.reduce((sum, rows) => sum + rows)).toBeLessThanOrEqual(20)
})

it("a key that reads lists the posts that readers see, at three rows each and the rows that it looks at", async () => {
  const { slugs, pages } = await readAll("", readKey)
  const seen = blog.filter(({ status, published_at }) => status === "PB" && published_at === 1000)
  expect(slugs).toEqual(seen.map(({ slug }) => slug).toReversed())
  for (const steps of pages) expect(Math.max(...steps)).toBeLessThanOrEqual(8 * 100 + 2 * LIST_STEP_POSTS)
})

it.each([
  ["", 200, blog],
  ["?state=draft", 60, blog.filter(({ status }) => status === "DF")],
  ["?state=scheduled", 60, blog.filter(({ status, published_at }) => status === "PB" && published_at === FAR)],
  ["?state=published", 200, blog.filter(({ status, published_at }) => status === "PB" && published_at === 1000)],
  ["?q=needle", 2 * 2000, []],
])(
  "the author's list of posts %s reads at most %i rows of 3,000 posts for its first page",
  async (query, most, posts) => {
    const { DB, calls } = measuredD1()
    const browser = new Browser({ DB })
    await browser.post(await newLink(author.username))
    calls.splice(0)
    const { html } = await browser.get(`/settings/posts/${query}`)
    const newest = posts.toReversed().slice(0, 20)
    expect([...html.matchAll(/<code>(listed-\d+)<\/code>/g)].map(([, slug]) => slug)).toEqual(
      newest.map(({ slug }) => slug),
    )
    const steps = calls.map(({ rows_read }) => rows_read)
    expect(steps.reduce((sum, rows) => sum + rows, 0)).toBeLessThanOrEqual(most)
    expect(Math.max(...steps)).toBeLessThanOrEqual(500)
  },
)

it("a search that has looked at the newest posts in vain leads to the older ones, until it finds the only match", async () => {
  const browser = new Browser()
  await browser.post(await newLink(author.username))
  const first = await browser.get("/settings/posts/?q=needle")
  expect(first.html).toContain("None of the newest posts matches. Look at older posts.")
  const [, older = ""] = /href="([^"]*)">Older posts/.exec(first.html) ?? []
  const { html } = await browser.get(older.replaceAll("&amp;", "&"))
  expect(html).toContain("<code>listed-1</code>")
  expect(html).not.toContain("Older posts")
})
