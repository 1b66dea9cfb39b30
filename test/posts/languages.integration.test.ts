import { describe, expect, it } from "vitest"

import { create, patch, put } from "../calls.ts"
import { type Answer, type Author, newAuthor, newPost, rows, unique } from "../support.ts"
import { WRITES } from "./requests.ts"

const UNNAMED = { field: "translation_languages.1", code: "unnamed_language" }

const ENGLISH = { lang_code: "english", primary_language: "english" }

const problemsOf = ({ status, json }: Answer) => [
  status,
  json.code,
  ...json.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
]

/** Gives an account codes that version 0.1 accepted. */
const grandfather = ({ username }: Author, primary: string, translations: string[]) =>
  rows(
    "update accounts set primary_language = ?, translation_languages = ? where username = ?",
    primary,
    JSON.stringify(translations),
    username,
  )

const old = async (author: Author) => (await newPost(author)).slug
const SENDS = [
  ...WRITES,
  { verb: "PUT of a new", send: (author: Author, changes: object) => put(author, unique("put"), { ...changes }) },
  {
    verb: "PUT of an old",
    send: async (author: Author, changes: object) => put(author, await old(author), { ...changes }),
  },
]

describe.each(SENDS)("languages of a $verb post", ({ verb, send }) => {
  it(`a ${verb} post with codes that are no languages answers 400 with an error for each`, async () => {
    const answer = await send(await newAuthor(), { translation_languages: ["fr", "FR", "klingon", "tlh", "mul"] })
    const unknown = [2, 4].map((i) => `translation_languages.${i} unknown_language`)
    expect(problemsOf(answer)).toEqual([400, "unknown_language", ...unknown])
    expect(answer.json.errors[0].message).toContain('"klingon"')
  })

  it(`a ${verb} post with a primary_language that is no language answers 400`, async () => {
    const answer = await send(await newAuthor(), { ...ENGLISH, translation_languages: [] })
    expect(problemsOf(answer)).toEqual([400, "unknown_language", "primary_language unknown_language"])
  })

  it(`a ${verb} post with another wrong field names only that field, not unknown languages`, async () => {
    const answer = await send(await newAuthor(), { title: "", translation_languages: ["klingon"] })
    expect(problemsOf(answer)).toEqual([400, "validation_error", "title blank"])
  })

  it(`a ${verb} post may have the codes that its account has already`, async () => {
    const author = await newAuthor()
    await grandfather(author, "en", ["klingon", "mul"])
    const { status, json } = await send(author, { translation_languages: ["mul", "fr"] })
    expect([200, 201, 202], JSON.stringify(json)).toContain(status)
    expect(json.post.translation_languages).toEqual(["mul", "fr"])
  })

  it(`a ${verb} post with a language that has no name is saved with a warning`, async () => {
    const { status, json } = await send(await newAuthor(), { translation_languages: ["fr", "xx", "yue"] })
    expect([201, 202]).toContain(status)
    expect(json.warnings).toEqual([{ ...UNNAMED, message: expect.stringContaining("xx") }])
    expect(json.post.translation_languages).toEqual(["fr", "xx", "yue"])
  })
})

it("a new post without languages gets the account's, even if one of them is no language", async () => {
  const author = await newAuthor()
  await grandfather(author, "english", ["zxx"])
  const { status, json } = await create(author)
  expect([status, json.post.primary_language, json.post.translation_languages]).toEqual([201, "english", ["zxx"]])
})

/** Makes a post in `english`, to `klingon`, after which the account has only real languages. */
const oldPost = async () => {
  const author = await newAuthor()
  await grandfather(author, "english", ["klingon"])
  const { slug } = await newPost(author)
  await grandfather(author, "en", [])
  return { author, slug: String(slug) }
}

const LANGUAGES = { ...ENGLISH, translation_languages: ["klingon"] }

it("PATCH accepts the unknown languages that a post has, and refuses a new one beside them", async () => {
  const { author, slug } = await oldPost()
  const accepted = await patch(author, slug, { ...LANGUAGES, title: "Changed" })
  expect([accepted.status, accepted.json.post?.title]).toEqual([202, "Changed"])
  const refused = await patch(author, slug, { ...LANGUAGES, translation_languages: ["klingon", "dothraki"] })
  expect(problemsOf(refused)).toEqual([400, "unknown_language", "translation_languages.1 unknown_language"])
})

it("PUT keeps the unknown languages of a post that it omits", async () => {
  const { author, slug } = await oldPost()
  const { status, json } = await put(author, slug, { title: "Changed" })
  expect(status).toBe(202)
  expect(json.post).toMatchObject({ primary_language: "english", translation_languages: ["klingon"] })
  expect(json.warnings).toEqual([])
})

it("a new post of the same account is refused with the unknown languages of another post", async () => {
  const { author } = await oldPost()
  expect((await create(author, { translation_languages: ["klingon"] })).json.code).toBe("unknown_language")
})

it("a refused language leaves no post behind", async () => {
  const slug = unique("none")
  expect((await create(await newAuthor(), { slug, primary_language: "english" })).status).toBe(400)
  expect(await rows("select id from posts where slug = ?", slug)).toEqual([])
})
