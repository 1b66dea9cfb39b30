import { expect, it } from "vitest"

import { get, patch, put } from "../calls.ts"
import { addressOf, sendEntry, sendJson, sourceOf } from "../micropub/client.ts"
import { type Answer, type Author, env, newAuthor, newPost, unique } from "../support.ts"

const toldOf = ({ json }: Answer): string[] =>
  json.warnings.flatMap(({ field, code }: { field: string; code: string }) => (code === "line_break" ? [field] : []))

/** Stores a title with a line break, as older versions have kept it. */
const withStored = async (author: Author) => {
  const { slug, etag } = await newPost(author)
  await env.DB.prepare("update texts set title = ? where post_id = (select id from posts where slug = ?)")
    .bind("Two\nlines", slug)
    .run()
  return { slug: String(slug), etag }
}

it.each([
  ["Two\nlines", "Two lines"],
  ["Two \r\n\r\n lines", "Two lines"],
  ["\u2028Two\u0085lines\n", "Two lines"],
  ["Two\vli\fnes\r", "Two li nes"],
])("a title of %j becomes %j, with a warning: in POST, PATCH, PUT and a translation", async (sent, title) => {
  const author = await newAuthor()
  const { slug, ...made } = await newPost(author, { title: sent })
  expect(made.title).toBe(title)
  const french = { lang_code: "fr", translation_languages: ["fr"], meta_description: "De quoi.", body: "Des mots." }
  const answers = [
    await patch(author, slug, { title: sent }),
    await put(author, slug, { title: sent }),
    await patch(author, slug, { ...french, title: sent }),
    await put(author, unique("new"), { title: sent }),
  ]
  for (const answer of answers) {
    expect(answer.json.post.title, answer.text).toBe(title)
    expect(toldOf(answer)).toEqual(["title"])
  }
})

it("a title in one line, with tabs and several blanks, stays as it is and has no warning", async () => {
  const author = await newAuthor()
  const { slug } = await newPost(author)
  const answer = await patch(author, slug, { title: " A\ttitle   of one line " })
  expect([answer.json.post.title, toldOf(answer)]).toEqual([" A\ttitle   of one line ", []])
})

it("a stored line break stays until the title is sent, and sending it again changes nothing more", async () => {
  const author = await newAuthor()
  const { slug } = await withStored(author)
  const other = await patch(author, slug, { tags: "sea" })
  expect([other.json.post.title, toldOf(other)]).toEqual(["Two\nlines", []])
  const again = await patch(author, slug, { title: "Two\nlines" })
  expect([again.json.post.title, toldOf(again)]).toEqual(["Two lines", ["title"]])
  const version = (await get(author, slug)).json.post.version
  await patch(author, slug, { title: "Two\nlines" })
  expect((await get(author, slug)).json.post.version).toBe(version)
})

it("a line break in a name of Micropub becomes a blank, with a warning: in a new post and an update", async () => {
  const author = await newAuthor()
  const name = unique("Two")
  const made = await sendEntry(author, { name: [`${name}\nlines`], content: ["Words."] })
  expect(made.json.warnings).toContainEqual(expect.objectContaining({ field: "name", code: "line_break" }))
  const url = await addressOf(Promise.resolve(made))
  expect((await sourceOf(author, url))["name"]).toEqual([`${name} lines`])
  const changed = await sendJson(author, { action: "update", url, replace: { name: ["Other\r\nlines"] } })
  expect(changed.json.warnings).toContainEqual(expect.objectContaining({ field: "name", code: "line_break" }))
  const untouched = await sendJson(author, { action: "update", url, replace: { content: ["Other words."] } })
  expect(untouched.status).toBe(204)
})
