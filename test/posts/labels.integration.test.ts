import { describe, expect, it } from "vitest"

import { signIn } from "../author-pages/browser.ts"
import { formTo } from "../author-pages/forms.ts"
import { create, get, patch, put } from "../calls.ts"
import { LABELS, ODD_LABELS } from "../labels.ts"
import { addressOf, sendEntry } from "../micropub/client.ts"
import { type Answer, type Author, call, newAuthor, newPost } from "../support.ts"
import { storeLabels } from "./requests.ts"

const FIELDS = ["categories", "tags"] as const
const codesOf = ({ json }: Answer): string[] => (json.warnings ?? []).map(({ code }: { code: string }) => code)
const slugOf = (url: string): string => new URL(url).pathname.split("/").at(-2) ?? ""

describe.each(LABELS)("labels that arrive as $what", ({ sent, kept, item = kept, refused, isBroken }) => {
  it.each([
    ["POST", (author: Author, changes: object) => create(author, { ...changes })],
    ["PUT", async (author: Author, changes: object) => put(author, (await newPost(author)).slug, { ...changes })],
    ["PATCH", async (author: Author, changes: object) => patch(author, (await newPost(author)).slug, { ...changes })],
  ])("by the API are read or refused: %s", async (_, send) => {
    const author = await newAuthor()
    for (const field of FIELDS) {
      const answer = await send(author, { [field]: sent })
      const { post, errors = [] } = answer.json
      const got = post ? post[field] : errors.map(({ field: named, code }: Record<string, string>) => [named, code])
      expect(got).toEqual(refused ? [[field, refused]] : kept)
      expect(codesOf(answer).includes("not_a_list")).toBe(isBroken === true)
    }
  })

  it("by the forms of the author are read as by the API", async () => {
    const author = await signIn()
    const { slug } = await newPost(author)
    const path = `/settings/posts/${slug}/`
    const text = typeof sent === "string" ? sent : JSON.stringify(sent)
    const form = { ...formTo((await author.browser.get(path)).html, path), categories: text, tags: text }
    const { status, headers } = await author.browser.post(path, form)
    expect(status).toBe(refused ? 400 : 303)
    if (refused) return
    const { json } = await get(author, slug)
    expect([json.post.categories, json.post.tags]).toEqual([kept, kept])
    const { html } = await author.browser.get(headers.get("Location") ?? "")
    // The page looks at the stored labels.
    expect(html.includes("Begins with `[`")).toBe(kept[0]?.startsWith("["))
  })

  it("by Micropub are one label for each value", async () => {
    const author = await newAuthor()
    const answer = await sendEntry(author, { content: ["Words."], category: [sent].flat() })
    const { json } = await get(author, slugOf(answer.headers.get("Location") ?? ""))
    expect([json.post.categories, json.post.tags]).toEqual([item, []])
    const hasComma = [sent].flat().some((value) => value.includes(","))
    const losses = codesOf(answer).filter((code) => code !== "length")
    expect(losses).toEqual([...(hasComma ? ["comma_in_label"] : []), ...(refused === "too_long" ? [refused] : [])])
  })
})

it("labels that a post has stay as they are, by PUT, PATCH, a form and Micropub, beside new ones", async () => {
  const author = await signIn()
  const labels = ODD_LABELS.map((label) => label.toLowerCase())
  const { slug } = await newPost(author)
  await storeLabels(slug, labels)
  const before = (await get(author, slug)).json.post
  expect([before.categories, before.tags]).toEqual([labels, labels])
  const { title, meta_description, body, status } = before
  const whole = { title, meta_description, body, status, categories: before.categories, tags: before.tags }
  expect((await put(author, slug, whole)).json.post).toMatchObject({ ...whole, version: before.version })
  const tags = [...labels, "two  new"]
  expect((await patch(author, slug, { tags })).json.post.tags).toEqual([...labels, "two new"])
  await storeLabels(slug, labels.slice(0, 5))
  const path = `/settings/posts/${slug}/`
  const form = formTo((await author.browser.get(path)).html, path)
  await author.browser.post(path, { ...form, categories: `${form["categories"]}, new，one` })
  expect((await get(author, slug)).json.post).toMatchObject({
    categories: [...labels.slice(0, 5), "new", "one"],
    tags: labels.slice(0, 5),
  })
})

it("a text that holds a label of the post with commas of Chinese keeps it", async () => {
  const author = await newAuthor()
  const { slug } = await newPost(author, { tags: ["摄影，旅行"] })
  const { json } = await patch(author, slug, { tags: "摄影，旅行, a，b" })
  expect(json.post.tags).toEqual(["摄影，旅行", "a", "b"])
})

it.each([["a,".repeat(1000)], ["、".repeat(1000)], [JSON.stringify(Array.from({ length: 1001 }, () => "a"))]])(
  "a text of too many labels is refused before it is read: %.10s",
  async (tags) => {
    const { status, json } = await create(await newAuthor(), { tags })
    expect([status, json.errors]).toEqual([400, [expect.objectContaining({ field: "tags", code: "too_many" })]])
  },
)

it("the labels of a page lead nowhere, since no list shows it", async () => {
  const author = await newAuthor()
  const { slug } = await newPost(author, { categories: ["About"], tags: ["me"], listed: false })
  const { text } = await call("GET", `/@${author.username}/${slug}/`)
  expect([...text.matchAll(/class="p-category">([^<]*)</g)].map(([, name]) => name)).toEqual(["About", "me"])
  expect(text).not.toMatch(/href="[^"]*\/(?:categories|tags)\/[^"]+"/)
})

it("the address of a label of dots leads to its posts", async () => {
  const author = await newAuthor()
  const { slug } = await newPost(author, { categories: [".."], tags: ["."] })
  const { text } = await call("GET", `/@${author.username}/${slug}/`)
  const lists = [...text.matchAll(/href="([^"]*\/(?:categories|tags)\/[^"]+)"/g)].map(
    ([, href = ""]) => new URL(href).pathname,
  )
  expect(lists).toHaveLength(2)
  for (const path of lists) expect((await call("GET", path)).text).toContain(`/${slug}/"`)
})

it("a post of Micropub is the same as one of the API with its labels", async () => {
  const author = await newAuthor()
  const url = await addressOf(sendEntry(author, { content: ["a"], category: ["Foo", "foo"] }))
  expect((await get(author, slugOf(url))).json.post.categories).toEqual(["Foo", "foo"])
})
