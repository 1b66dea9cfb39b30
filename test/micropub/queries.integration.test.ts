import { expect, it } from "vitest"

import { type Author, call, newAuthor, newPost, OPERATOR } from "../support.ts"
import { addressOf, MICROPUB, query, sendEntry, sourceOf } from "./client.ts"

interface Item {
  type?: string[]
  properties: Record<string, string[]>
}

/** Makes five posts, of which two are drafts. @returns the addresses, the newest first */
const withPosts = async (author: Author): Promise<string[]> => {
  const made: string[] = []
  for (const [i, status] of ["published", "draft", "published", "draft", "published"].entries()) {
    const entry = {
      name: [`Post ${i + 1} of ${author.username}`],
      content: [`Text ${i + 1}.`],
      "post-status": [status],
    }
    made.unshift(await addressOf(sendEntry(author, entry)))
  }
  return made
}

const list = async (author: Author, parameters = "") => {
  const { status, json } = await query(author, `q=source${parameters}`)
  expect(status).toBe(200)
  const items: Item[] = json.items
  const paging: { after?: string; before?: string } = json.paging
  return { items, paging, urls: items.map(({ properties }) => properties["url"]?.[0]), warnings: json.warnings }
}

it("q=source without an address lists posts with all that an app edits, the newest first", async () => {
  const author = await newAuthor()
  const urls = await withPosts(author)
  const found = await list(author)
  expect(found).toMatchObject({ urls, paging: {}, warnings: undefined })
  for (const { type, properties } of found.items) {
    const { url, ...rest } = properties
    expect(type).toEqual(["h-entry"])
    expect(rest).toEqual(await sourceOf(author, url?.[0] ?? ""))
  }
  const { items } = await list(author, "&properties[]=name&properties[]=content")
  expect(Object.keys(items[0]?.properties ?? {})).toEqual(["name", "content", "url"])
})

it.each([
  ["", "", 5],
  ["published posts", "&post-status=published", 3],
  ["drafts", "&post-status=draft", 2],
])("pages of q=source lead to all %s and back, also beside a post that is new", async (_, filter, count) => {
  const author = await newAuthor()
  await withPosts(author)
  const all = (await list(author, filter)).urls
  expect(all).toHaveLength(count)
  const seen: (string | undefined)[][] = []
  const firsts: (string | undefined)[] = []
  let after: string | undefined
  do {
    const page = await list(author, `${filter}&limit=2${after ? `&after=${after}` : ""}`)
    seen.push(page.urls)
    firsts.push(page.paging.before)
    after = page.paging.after
  } while (after)
  expect(seen.flat()).toEqual(all)
  expect(firsts[0]).toBeUndefined()
  for (const [i, before] of firsts.entries()) {
    if (!before) continue
    const page = await list(author, `${filter}&limit=2&before=${before}`)
    expect(page.urls).toEqual(seen[i - 1])
    expect((await list(author, `${filter}&limit=2&after=${page.paging.after}`)).urls).toEqual(seen[i])
    expect(page.paging.before === undefined).toBe(i === 1)
  }
})

it("a key that only reads lists what readers see, and an author lists no post of another", async () => {
  const [author, other] = [await newAuthor(), await newAuthor()]
  const urls = await withPosts(author)
  expect((await list(other)).urls).toEqual([])
  const json = { name: "reader", scope: "read" }
  const { json: made } = await call("POST", `/operator/api/accounts/${author.username}/keys/`, {
    headers: OPERATOR,
    json,
  })
  const reader = { username: author.username, key: made.api_key }
  expect((await list(reader)).urls).toEqual(urls.filter((url) => !url.includes("/preview/")))
  expect((await list(reader, "&post-status=draft")).urls).toEqual([])
})

it.each(["offset=2", "page=2", "post-type=note"])(
  "the query %s, which is not known, is told in a warning",
  async (asked) => {
    const { warnings } = await list(await newAuthor(), `&${asked}`)
    expect(warnings).toMatchObject([{ field: asked.split("=")[0], code: "unknown_field" }])
  },
)

it.each([
  ["limit", "-1"],
  ["limit", "0"],
  ["limit", "many"],
  ["after", "soon"],
  ["before", "soon"],
  ["post-status", "deleted"],
])("the query %s=%s is refused, and the error names it", async (name, value) => {
  const { status, json } = await query(await newAuthor(), `q=source&${name}=${value}`)
  expect([status, json.error, json.errors[0].field]).toEqual([400, "invalid_request", name])
})

it("q=source takes any higher limit, and a page has at most 20 posts", async () => {
  const author = await newAuthor()
  for (let i = 0; i < 21; i += 1) await newPost(author)
  expect((await list(author, "&limit=1000")).urls).toHaveLength(20)
})

it.each([
  ["", ["Ärger", "one", "two words"]],
  ["&filter=W", ["two words"]],
  ["&filter=%C3%A4R", ["Ärger"]],
  ["&filter=nothing", []],
])("q=category%s lists the categories of published posts", async (asked, categories) => {
  const author = await newAuthor()
  await sendEntry(author, { content: ["Words."], category: ["one", "two words", "Ärger"] })
  await sendEntry(author, { content: ["A draft."], category: ["unseen"], "post-status": ["draft"] })
  const { json } = await query(author, `q=category${asked}`)
  expect(json.categories.toSorted()).toEqual(categories.toSorted())
})

it("q=post-types lists the types, as q=config does, which a request without a query gets with a good token alone", async () => {
  const author = await newAuthor()
  const { json: config } = await query(author, "q=config")
  expect((await query(author, "q=post-types")).json).toEqual({ "post-types": config["post-types"] })
  const headers = { Authorization: `Bearer ${author.key}` }
  for (const path of [MICROPUB, `${MICROPUB}/`]) {
    const { status, json } = await call("GET", path, { headers })
    expect([status, json]).toEqual([200, config])
    expect((await call("GET", path, { headers: { Authorization: "Bearer bpa_wrong" } })).status).toBe(401)
  }
  for (const q of config.q) expect((await query(author, `q=${q}`)).status, q).toBe(200)
})
