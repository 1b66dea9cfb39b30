import { expect, it } from "vitest"

import { signIn, whereTo } from "../author-pages/browser.ts"
import { patch, remove, setAccount } from "../calls.ts"
import { pathOf, signInOperator } from "../operator/operator.ts"
import {
  API,
  type AtEdge,
  type Author,
  call,
  env,
  fetchWorker,
  META_DESCRIPTION,
  newAuthor,
  newPost,
  OPERATOR,
  ORIGIN,
  passSeconds,
  rows,
  runCron,
  stopClock,
  unique,
  upload,
} from "../support.ts"
import { FakeEdge } from "./fake-edge.ts"

const IMAGE_SECONDS = 24 * 60 * 60

const newScene = async () => {
  stopClock()
  const author = await newAuthor()
  const shown = await upload(author)
  const { slug } = await newPost(author, { tags: "sea", body: `![](${shown.image_url})` })
  const { preview_url } = await newPost(author, { status: "DF" })
  const free = await upload(author)
  const edge = new FakeEdge(1)
  const visit = (path: string, headers: Record<string, string> = {}) =>
    fetchWorker(new Request(`${ORIGIN}${path}`, { headers }), {}, edge.at(0))
  const paths = { page: `/@${author.username}/${slug}/`, image: shown.image_url, free: free.image_url }
  return { author, slug, shown, edge, visit, paths, preview: new URL(preview_url).pathname }
}
/** Deletes a post behind the edge. */
const removeAtEdge = async ({ key }: Author, slug: string, edge: FakeEdge) => {
  const request = new Request(`${ORIGIN}${API}/posts/${slug}/`, { method: "DELETE", headers: { "X-API-KEY": key } })
  expect((await fetchWorker(request, {}, edge.at(0))).status).toBe(204)
}

type Scene = Awaited<ReturnType<typeof newScene>>

it.each<[what: string, path: (scene: Scene) => string, headers: Record<string, string>, again: string]>([
  ["a page", ({ paths }) => paths.page, {}, "HIT"],
  ["a page in another language that it lacks", ({ paths }) => `${paths.page}fr/`, {}, "BYPASS"],
  ["a blog", ({ author }) => `/@${author.username}/`, {}, "HIT"],
  ["a list", ({ author }) => `/@${author.username}/tags/sea/`, {}, "HIT"],
  ["a feed", ({ author }) => `/@${author.username}/feed.atom`, {}, "HIT"],
  ["a redirect", ({ author }) => `/@${author.username}/rss/`, {}, "BYPASS"],
  ["the sitemap", () => "/sitemap.xml", {}, "HIT"],
  ["an image that readers see", ({ paths }) => paths.image, {}, "HIT"],
  ["an image that no post shows", ({ paths }) => paths.free, {}, "BYPASS"],
  ["a missing page", ({ author }) => `/@${author.username}/nothing/`, {}, "BYPASS"],
  ["a preview", ({ preview }) => preview, {}, "never asked"],
  ["the start page", () => "/", {}, "never asked"],
  ["the settings", () => "/settings/", {}, "never asked"],
  ["the API", () => "/api/blogcontroller/posts/", {}, "never asked"],
  ["a page with a key", ({ paths }) => paths.page, { "X-API-KEY": "any" }, "never asked"],
  ["a page with a key as a bearer", ({ paths }) => paths.page, { Authorization: "Bearer any" }, "never asked"],
  ["a page with a cookie", ({ paths }) => paths.page, { Cookie: "a=b" }, "never asked"],
  ["a range of an image", ({ paths }) => paths.image, { Range: "bytes=0-1" }, "never asked"],
])("the edge is asked for %s, and keeps it, only if all readers get it alike", async (_, path, headers, again) => {
  const scene = await newScene()
  await scene.visit(path(scene), headers)
  const kept = scene.edge.keys().length
  scene.edge.status = "never asked"
  const { headers: sent } = await scene.visit(path(scene), headers)
  expect([scene.edge.status, kept]).toEqual([again, again === "HIT" ? 1 : 0])
  expect([sent.get("Cloudflare-CDN-Cache-Control"), sent.get("Cache-Tag"), sent.get("X-Uncached")]).toEqual([
    null,
    null,
    null,
  ])
})

it("names in a query that no page knows do not make a page or an image another one", async () => {
  const { author, visit, paths, edge } = await newScene()
  const blog = `/@${author.username}/`
  for (const path of [`${blog}tags/`, `${blog}sitemap.xml`, paths.page, paths.image])
    for (const query of ["", "?x=1", "?utm_source=a&x=2", "?page=3&after=x", "?&&", "?lang=fr&lang=de"])
      expect((await visit(path + query)).status).toBe(200)
  expect(edge.keys()).toHaveLength(4)
  for (const query of ["?lang=en&page=1&x=1", "?page=1&lang=en&page=2"]) await visit(blog + query)
  expect(edge.keys()).toHaveLength(5)
  expect((await visit(`${blog}nothing/?x=1`)).status).toBe(404)
})

const withoutId = (headers: Headers) => [...headers].filter(([name]) => name !== "x-request-id")

it("a kept page has the id of each request and is answered 304 to its ETag, with the headers of a page that is not kept", async () => {
  const { visit, paths, edge } = await newScene()
  const first = await visit(paths.page)
  const etag = first.headers.get("ETag") ?? ""
  const again = await visit(paths.page, { "If-None-Match": etag, "X-Request-Id": "mine" })
  expect([edge.status, again.status, again.headers.get("X-Request-Id"), await again.text()]).toEqual([
    "HIT",
    304,
    "mine",
    "",
  ])
  const plain = await fetchWorker(new Request(`${ORIGIN}${paths.page}`))
  expect(withoutId((await visit(paths.page)).headers)).toEqual(withoutId(plain.headers))
  expect([...again.headers.keys()]).not.toContain("content-type")
})

it("a deleted image leaves the edge with its file, also if the edge refuses at first", async () => {
  const { author, slug, shown, visit, paths, edge } = await newScene()
  const imageRows = () => rows("select id from images where id = ?", shown.image_id)
  await visit(paths.image)
  passSeconds(31 * 60)
  edge.isRefusing = true
  await removeAtEdge(author, slug, edge)
  const [account] = await rows("select id from accounts where username = ?", author.username)
  const file = await env.MEDIA.head(`${String(account?.["id"])}/${shown.image_id}.webp`)
  expect([edge.keys().length, (await imageRows()).length, file]).toEqual([1, 1, null])
  edge.isRefusing = false
  await runCron({}, edge.at(0))
  expect([edge.keys(), await imageRows()]).toEqual([[], []])
  expect((await visit(paths.image)).status).toBe(410)
})

const byOperator = (method: string, { username }: Author, edge: FakeEdge, body?: object) => {
  const headers = { ...OPERATOR, "Content-Type": "application/json" }
  const url = `${ORIGIN}/operator/api/accounts/${username}/`
  return fetchWorker(new Request(url, { method, headers, ...(body && { body: JSON.stringify(body) }) }), {}, edge.at(0))
}

it.each<[what: string, withdraw: (author: Author, edge: FakeEdge) => Promise<Response>]>([
  ["hidden", (author, edge) => byOperator("PATCH", author, edge, { hidden: true })],
  [
    "moved to another host",
    (author, edge) => byOperator("PATCH", author, edge, { blog_host: `${unique("h")}.example` }),
  ],
  ["erased", (author, edge) => byOperator("DELETE", author, edge)],
])(
  "the images of a blog that is %s leave the edge at once, or by the job if the edge refuses for minutes",
  async (_, withdraw) => {
    for (const isRefusing of [false, true]) {
      const { author, visit, paths, edge } = await newScene()
      await visit(paths.image)
      edge.isRefusing = isRefusing
      expect((await withdraw(author, edge)).ok).toBe(true)
      expect(edge.keys().length).toBe(isRefusing ? 1 : 0)
      // Before the files of an erased account are deleted.
      passSeconds(5 * 60)
      edge.isRefusing = false
      await runCron({}, edge.at(0))
      expect(edge.keys()).toEqual([])
    }
  },
)

it.each([
  ["hidden", { value: "true" }],
  ["blog-host", { seen: "", blog_host: "moved.example" }],
])("the job takes images out of the edge after the operator's form of %s", async (form, fields) => {
  const { author, visit, paths, edge } = await newScene()
  await visit(paths.image)
  const operator = await signInOperator()
  expect(whereTo(await operator.post(`${pathOf(author.username)}${form}/`, fields))[0]).toBe(303)
  expect(edge.keys().length).toBe(1)
  await runCron({}, edge.at(0))
  expect(edge.keys()).toEqual([])
})

const HOUR = 60 * 60
type SignedIn = Awaited<ReturnType<typeof signIn>>

it("the edge keeps the page of topics and the sitemap for an hour, and what a topic lists for half a minute", async () => {
  const { author, visit, edge } = await newScene()
  const paths = ["tags/", "sitemap.xml", "tags/sea/"].map((path) => `/@${author.username}/${path}`)
  const statuses = async (): Promise<string[]> => {
    const all = []
    for (const path of paths) {
      await visit(path)
      all.push(edge.status)
    }
    return all
  }
  expect(await statuses()).toEqual(["MISS", "MISS", "MISS"])
  passSeconds(HOUR - 1)
  expect(await statuses()).toEqual(["HIT", "HIT", "MISS"])
  passSeconds(2)
  expect(await statuses()).toEqual(["MISS", "MISS", "HIT"])
})

it.each<[what: string, isGone: boolean, write: (author: SignedIn, slug: string) => Promise<{ status: number }>]>([
  ["deleted", true, remove],
  ["withdrawn", true, (author, slug) => patch(author, slug, { status: "DF" })],
  ["scheduled", true, (author, slug) => patch(author, slug, { published_at: "2026-12-20T00:00:00Z" })],
  ["made a page", true, (author, slug) => patch(author, slug, { listed: false, translation_languages: ["fr"] })],
  ["published without a translation", true, (author, slug) => patch(author, slug, { translation_languages: [] })],
  [
    "withdrawn by the operator",
    true,
    async ({ username }, slug) => (await signInOperator()).post(`${pathOf(username)}unpublish/`, { slug }),
  ],
  ["hidden with its blog", true, (author) => setAccount(author, { hidden: true })],
  ["erased by its author", true, ({ browser, username }) => browser.post("/settings/erase/", { username })],
  [
    "given other words",
    false,
    (author, slug) => patch(author, slug, { title: "Another", translation_languages: ["fr"] }),
  ],
  [
    "left, while a draft is deleted",
    false,
    async (author) => remove(author, (await newPost(author, { status: "DF" })).slug),
  ],
])(
  "within two minutes after a post is %s, its blog's lists have left the edge, also those that a replica filled in again: %s",
  async (_, isGone, write) => {
    stopClock(new Date("2026-11-20T12:00:10Z"))
    const author = await signIn()
    const { slug } = await newPost(author, { tags: "sea" })
    const fr = {
      lang_code: "fr",
      primary_language: "en",
      translation_languages: ["fr"],
      title: "T",
      meta_description: META_DESCRIPTION,
      body: "B",
    }
    expect((await call("PATCH", `${API}/posts/${slug}/`, { key: author.key, json: fr })).status).toBe(200)
    await runCron()
    const edge = new FakeEdge(1)
    const purges: string[][] = []
    const at: AtEdge = (reader, origin) => {
      const real = edge.at(0)(reader, origin)
      return { ...real, purge: (tags) => (purges.push(tags), real.purge(tags)) }
    }
    const paths = ["tags/", "sitemap.xml"].map((path) => `${ORIGIN}/@${author.username}/${path}`)
    const visit = () => Promise.all(paths.map((path) => fetchWorker(new Request(path), {}, at)))
    await visit()
    expect((await write(author, slug)).status).toBeLessThan(400)
    const kept: number[] = []
    for (const seconds of [50, 60]) {
      kept.push(edge.keys().length)
      passSeconds(seconds)
      await runCron({}, at)
      kept.push(edge.keys().length)
      await visit()
    }
    expect([kept[0], kept[1], kept[3]]).toEqual(isGone ? [2, 0, 0] : [2, 2, 2])
    const tags = `lists:${author.username}`
    const count = () => purges.filter((all) => all.includes(tags)).length
    const made = count()
    passSeconds(60)
    await runCron({}, at)
    expect([made, count()]).toEqual(isGone && made > 0 ? [2, 2] : [0, 0])
  },
)

it("unknown names in the query of a blog's root on its own host make no other page, and old addresses still lead on", async () => {
  stopClock()
  const host = `${unique("host")}.example`
  const author = await newAuthor({ blog_host: host })
  const { slug } = await newPost(author)
  const vars = { PUBLIC_ORIGIN: "https://blog.example", TRANSLATOR: "workers-ai" } as Partial<Env>
  const json = { redirects: [{ from: "/?p=12", to: slug }] }
  const put = await call("PUT", `${API}/account/redirects/?source=test`, { key: author.key, json })
  expect(put.status, put.text).toBe(200)
  const edge = new FakeEdge(1)
  const visit = (query: string) => fetchWorker(new Request(`https://${host}/${query}`), vars, edge.at(0))
  for (const query of ["", "?x=1", "?x=2", "?utm_source=a&page=1", "?fbclid=1"])
    expect((await visit(query)).status).toBe(200)
  expect(edge.keys()).toEqual([`https://${host}/`, `https://${host}/?page=1`])
  const led = await visit("?p=12")
  expect([led.status, led.headers.get("Location")]).toEqual([301, `https://${host}/${slug}/`])
})

it("the edge keeps an image for a day, and a page for half a minute of which it gets a new one for the last part", async () => {
  const { visit, paths, edge } = await newScene()
  const statusesAfter = async (path: string, ...seconds: number[]) => {
    await visit(path)
    const statuses = []
    for (const pause of seconds) {
      passSeconds(pause)
      await visit(path)
      statuses.push(edge.status)
    }
    return statuses
  }
  expect(await statusesAfter(paths.page, 9, 2, 30)).toEqual(["HIT", "UPDATING", "MISS"])
  expect(await statusesAfter(paths.image, IMAGE_SECONDS - 1, 2)).toEqual(["HIT", "MISS"])
  await visit(`${paths.image}?v=1`)
  expect(edge.status).toBe("HIT")
  // No tag leads to another spelling of its path.
  expect(await statusesAfter(paths.image.replace("/media/a", "/media/%61"), 31)).toEqual(["MISS"])
})
