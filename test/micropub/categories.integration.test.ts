import { expect, it } from "vitest"

import { get, patch } from "../calls.ts"
import { type Answer, newAuthor } from "../support.ts"
import { addressOf, sendEntry, sendJson, sourceOf } from "./client.ts"

const slugOf = (url: string): string => new URL(url).pathname.split("/").at(-2) ?? ""
const codesOf = ({ json }: Answer): string[] => json?.warnings?.map(({ code }: { code: string }) => code) ?? []
const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `Name ${i + 1}`)

it.each([
  ["a comma", "Washington, DC"],
  ["two blanks", "two  words"],
  ["a sign", "#tea"],
  ["71 characters", `${"x".repeat(70)}y`],
  ["two code points that NFC joins", "cafe\u0301"],
])("a category with %s is removed by the value that was sent, and added by it only once", async (_, value) => {
  const author = await newAuthor()
  const url = await addressOf(sendEntry(author, { content: ["a"], category: [value, "travel"] }))
  const { category = [] } = await sourceOf(author, url)
  expect(category).toHaveLength(2)
  await sendJson(author, { action: "update", url, add: { category: [value] } })
  expect(await sourceOf(author, url)).toMatchObject({ category })
  const { status } = await sendJson(author, { action: "update", url, delete: { category: [value] } })
  expect([status, (await sourceOf(author, url))["category"]]).toEqual([204, ["travel"]])
})

it("a category of a post of before is removed by its stored value, and one in another case stays", async () => {
  const author = await newAuthor()
  const url = await addressOf(sendEntry(author, { content: ["a"], category: ["Foo", "foo", "b"] }))
  await sendJson(author, { action: "update", url, delete: { category: ["foo", "B"] } })
  expect((await sourceOf(author, url))["category"]).toEqual(["Foo", "b"])
})

it("more than 10 categories: the rest are tags, then a warning tells what is left out", async () => {
  const author = await newAuthor()
  const answer = await sendEntry(author, { content: ["a"], category: names(12) })
  const url = answer.headers.get("Location") ?? ""
  const read = async () => (await get(author, slugOf(url))).json.post
  expect([answer.status, codesOf(answer)]).toEqual([201, ["too_many"]])
  expect(answer.json.warnings[0]).toMatchObject({
    field: "category",
    message: "12 names: the first 10 are categories, the others are tags.",
  })
  expect(await read()).toMatchObject({ categories: names(10), tags: ["name 11", "name 12"], version: 1 })
  const { category } = await sourceOf(author, url)
  expect(category).toEqual([...names(10), "name 11", "name 12"])
  const update = (change: object) => sendJson(author, { action: "update", url, ...change })
  // What an app has read or sent, sent back, changes nothing.
  await update({ replace: { category } })
  await update({ replace: { category: names(12) } })
  expect(await read()).toMatchObject({ version: 1 })
  await update({ delete: { category: ["Name 11", "Name 1"] } })
  expect(await read()).toMatchObject({ categories: names(10).slice(1), tags: ["name 12"] })
  await update({ add: { category: ["New", "More"] } })
  expect(await read()).toMatchObject({ categories: [...names(10).slice(1), "New"], tags: ["name 12", "more"] })
  await update({ delete: ["category"] })
  expect(await read()).toMatchObject({ categories: ["notes"], tags: [] })
})

it("of 35 categories 10 are categories, 20 are tags, and 5 are left out with a warning", async () => {
  const author = await newAuthor()
  const answer = await sendEntry(author, { content: ["a"], category: names(35) })
  expect(answer.json.warnings).toMatchObject([
    { field: "category", message: expect.stringContaining(" 5 more than 20 tags are left out.") },
  ])
  const { post } = (await get(author, slugOf(answer.json.url))).json
  expect([post.categories.length, post.tags.length]).toEqual([10, 20])
})

it("an update that names no category keeps categories and tags, also one that is both", async () => {
  const author = await newAuthor()
  const url = await addressOf(sendEntry(author, { content: ["a"], category: ["tea", "b"] }))
  await patch(author, slugOf(url), { tags: ["tea", "c"] })
  await sendJson(author, { action: "update", url, replace: { content: ["Other words."] } })
  const { post } = (await get(author, slugOf(url))).json
  expect(post).toMatchObject({ categories: ["tea", "b"], tags: ["tea", "c"] })
  await sendJson(author, { action: "update", url, add: { category: ["d"] } })
  expect((await get(author, slugOf(url))).json.post).toMatchObject({
    categories: ["tea", "b", "d"],
    tags: ["tea", "c"],
  })
})

it.each([
  ["fields of the API", ["slug", "title", "body", "categories", "tags", "published_at", "meta_description"]],
  ["fields of other tools", ["description", "date", "slug"]],
  ["properties of other servers", ["mp-channel", "syndication", "location"]],
])("a warning names the property that was sent, for %s", async (_, sent) => {
  const author = await newAuthor()
  const { status, json } = await sendEntry(author, {
    content: ["a"],
    ...Object.fromEntries(sent.map((name) => [name, ["x"]])),
  })
  expect(status).toBe(201)
  expect(json.warnings.map(({ field }: { field: string }) => field)).toEqual(sent)
  const update = { action: "update", url: json.url, replace: Object.fromEntries(sent.map((name) => [name, ["x"]])) }
  const told = (await sendJson(author, update)).json.warnings
  expect(told.map(({ field }: { field: string }) => field)).toEqual(sent)
})

it.each([
  ["a link", { content: ["https://www.example.org/a/b/"] }, "www.example.org/a/b"],
  ["a link in brackets, and a line", { content: ["<http://example.org>\n\n---"] }, "example.org"],
  ["a bookmark", { "bookmark-of": ["https://example.org/a"] }, "example.org/a"],
  [
    "a like of an address with signs",
    { "like-of": [{ value: "https://example.org/%C3%A9_b?c=d" }] },
    "example.org/%C3%A9_b?c=d",
  ],
  ["emoji", { content: ["🎉🎉"] }, "🎉🎉"],
  ["an emoji of several", { content: ["👩‍🚀"] }, "👩‍🚀"],
  ["an emoji and a link", { content: ["🎉 https://example.org/a/"] }, "🎉 example.org/a"],
  [
    "HTML with a link",
    { content: [{ html: "<p><a href='https://example.org/a'>https://example.org/a</a></p>" }] },
    "example.org/a",
  ],
  ["a line", { content: ["---"] }, "Untitled"],
  ["a comment", { content: ["<!-- 🎉 secret -->"] }, "Untitled"],
  ["a script", { content: ["<script>secret</script>"] }, "Untitled"],
])("a note of %s alone has a title of it, which follows the text", async (_, properties, title) => {
  const author = await newAuthor()
  const url = await addressOf(sendEntry(author, properties))
  const { post } = (await get(author, slugOf(url))).json
  expect(post.title).toBe(title)
  expect((await sourceOf(author, url))["name"]).toEqual([])
  await sendJson(author, { action: "update", url, replace: { content: ["Other words."] } })
  expect((await get(author, slugOf(url))).json.post.title).toBe("Other words.")
})
