import { beforeEach, expect, it } from "vitest"

import { setAccount } from "../calls.ts"
import { type Author, call, newAuthor, newPost, ORIGIN, stopClock } from "../support.ts"
import { READER_POLICY } from "./policy.ts"

const headers = { Accept: "text/html" }

let ann: Author
beforeEach(async () => {
  stopClock()
  ann = await newAuthor()
  await setAccount(ann, { blog_title: "A <b>" })
})

const postOf = async (author = ann, changes = {}) => (await newPost(author, changes)).slug
const previewOf = async () => new URL((await newPost(ann, { status: "DF" })).preview_url).pathname

it.each<[string, () => Promise<string> | string, isBlog: boolean]>([
  ["an unknown slug", () => `/@${ann.username}/nope/`, true],
  ["an escaped @", () => `/%40${ann.username}/nope/`, true],
  ["a draft", async () => `/@${ann.username}/${await postOf(ann, { status: "DF" })}/`, true],
  ["another author's post", async () => `/@${ann.username}/${await postOf(await newAuthor())}/`, true],
  ["a missing language", async () => `/@${ann.username}/${await postOf()}/fr/`, true],
  ["an invalid language", async () => `/@${ann.username}/${await postOf()}/not_one/`, true],
  ["an unknown tag", () => `/@${ann.username}/tags/none/`, true],
  ["a page beyond the end", () => `/@${ann.username}/?page=9`, true],
  ["a deep path", () => `/@${ann.username}/a/b/c/d/`, false],
  ["an unknown account", () => "/@nobody/nope/", false],
  ["a feed of an unknown account", () => "/@nobody/feed.atom", false],
  ["a wrong preview", () => "/preview/wrong/", false],
  ["a preview in a missing language", async () => `${await previewOf()}fr/`, true],
])("the error page for readers of %s answers 404 without script, and links home", async (_, pathOf, isBlog) => {
  const { status, headers: sent, text } = await call("GET", await pathOf(), { headers })
  const policies = [sent.get("Content-Security-Policy"), sent.get("Cache-Control")]
  expect([status, ...policies]).toEqual([404, READER_POLICY, "no-store"])
  for (const shown of ['<html lang="en" dir="ltr">', '<body class="blog">', "<h1>Not Found</h1>"])
    expect(text).toContain(shown)
  expect(text).not.toMatch(/<script|settings/)
  const links = [...text.matchAll(/<a href="([^"]*)"><bdi>([^<]*)<\/bdi>/g)].map(([, href, name]) => [href, name])
  expect(links).toEqual([isBlog ? [`${ORIGIN}/@${ann.username}/`, "A &lt;b&gt;"] : [`${ORIGIN}/`, "edgepost"]])
})

it("an error page for readers does not name a hidden account", async () => {
  const slug = await postOf()
  await setAccount(ann, { hidden: true })
  for (const path of ["", "nope/", `${slug}/`, "tags/t/", "feed.atom"]) {
    const { status, text } = await call("GET", `/@${ann.username}/${path}`, { headers })
    expect([status, text], path).toEqual([404, expect.stringContaining(`href="${ORIGIN}/"`)])
    expect(text, path).not.toContain("A &lt;b&gt;")
  }
})

it("other errors of readers' pages have the page for readers as well, with their headers", async () => {
  const path = `/@${ann.username}/${await postOf()}/`
  const wrong = await call("POST", path, { headers })
  expect([wrong.status, wrong.headers.get("Allow")]).toEqual([405, "GET, HEAD"])
  const broken = await call("GET", path, { headers, env: { PUBLIC_ORIGIN: "nothing" } })
  expect(broken.status).toBe(500)
  for (const { text } of [wrong, broken]) {
    expect(text).toContain('<body class="blog">')
    expect(text).not.toContain("<script")
  }
})
