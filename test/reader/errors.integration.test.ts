import { beforeEach, expect, it } from "vitest"

import { patch } from "../calls.ts"
import { type Author, call, newAuthor, newPost, OPERATOR, stopClock } from "../support.ts"
import { READER_POLICY } from "./policy.ts"

const ORIGIN = "http://localhost:8787"
const headers = { Accept: "text/html" }

let ann: Author
beforeEach(async () => {
  stopClock()
  ann = await newAuthor()
  await call("PATCH", `/operator/api/accounts/${ann.username}/`, { headers: OPERATOR, json: { blog_title: "A <b>" } })
})

const blogOf = ({ username }: Author) => [`${ORIGIN}/@${username}/`, "A &lt;b&gt;"]
const SERVICE = [`${ORIGIN}/`, "edgepost"]

it.each<[string, number, () => Promise<string> | string, boolean]>([
  ["an unknown slug", 404, () => `/@${ann.username}/nope/`, true],
  ["an escaped @", 404, () => `/%40${ann.username}/nope/`, true],
  ["a draft", 404, async () => `/@${ann.username}/${(await newPost(ann, { status: "DF" })).slug}/`, true],
  ["another author's post", 404, async () => `/@${ann.username}/${(await newPost(await newAuthor())).slug}/`, true],
  ["a missing language", 404, async () => `/@${ann.username}/${(await newPost(ann)).slug}/fr/`, true],
  ["an invalid language", 404, async () => `/@${ann.username}/${(await newPost(ann)).slug}/not_one/`, true],
  ["an unknown tag", 404, () => `/@${ann.username}/tags/none/`, true],
  ["a page beyond the end", 404, () => `/@${ann.username}/?page=9`, true],
  ["a deep path", 404, () => `/@${ann.username}/a/b/c/d/`, false],
  ["an unknown account", 404, () => "/@nobody/nope/", false],
  ["a feed of an unknown account", 404, () => "/@nobody/feed.atom", false],
  ["a wrong preview", 404, () => "/preview/wrong/", false],
  [
    "a preview in a missing language",
    404,
    async () => `${new URL((await newPost(ann, { status: "DF" })).preview_url).pathname}fr/`,
    true,
  ],
])("the error page for readers of %s answers %i without script, and links home", async (_, status, pathOf, isBlog) => {
  const answer = await call("GET", await pathOf(), { headers })
  expect(answer.status).toBe(status)
  expect(answer.headers.get("Content-Security-Policy")).toBe(READER_POLICY)
  expect(answer.headers.get("Cache-Control")).toBe("no-store")
  expect(answer.text).toContain('<html lang="en" dir="ltr">')
  expect(answer.text).toContain('<body class="blog">')
  expect(answer.text).toContain("<h1>Not Found</h1>")
  expect(answer.text).not.toMatch(/<script|settings/)
  const links = [...answer.text.matchAll(/<a href="([^"]*)"><bdi>([^<]*)<\/bdi>/g)].map(([, href, name]) => [
    href,
    name,
  ])
  expect(links).toEqual([isBlog ? blogOf(ann) : SERVICE])
})

it("an error page for readers does not name a hidden account", async () => {
  const { slug } = await newPost(ann)
  await call("PATCH", `/operator/api/accounts/${ann.username}/`, { headers: OPERATOR, json: { hidden: true } })
  for (const path of ["", "nope/", `${slug}/`, "tags/t/", "feed.atom"]) {
    const { status, text } = await call("GET", `/@${ann.username}/${path}`, { headers })
    expect(status, path).toBe(404)
    expect(text, path).not.toContain("A &lt;b&gt;")
    expect(text, path).toContain(`href="${ORIGIN}/"`)
  }
})

it("other errors of readers' pages have the page for readers as well, with their headers", async () => {
  const { slug } = await newPost(ann)
  const wrong = await call("POST", `/@${ann.username}/${slug}/`, { headers })
  expect([wrong.status, wrong.headers.get("Allow")]).toEqual([405, "GET, HEAD"])
  const broken = await call("GET", `/@${ann.username}/${slug}/`, { headers, env: { PUBLIC_ORIGIN: "nothing" } })
  expect(broken.status).toBe(500)
  for (const { text } of [wrong, broken]) {
    expect(text).toContain('<body class="blog">')
    expect(text).not.toContain("<script")
  }
})

it("programs get errors of readers' pages as JSON", async () => {
  const { slug } = await newPost(ann)
  await patch(ann, slug, { status: "DF" })
  const { status, json } = await call("GET", `/@${ann.username}/${slug}/`)
  expect([status, json.code]).toEqual([404, "not_found"])
})
