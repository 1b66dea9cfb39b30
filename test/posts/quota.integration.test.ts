import { expect, it } from "vitest"

import { MAX_STORED_BYTES } from "../../src/limits.ts"
import { eraseAccount, get, patch, put, remove } from "../calls.ts"
import { checkInvariants } from "../faults/invariants.ts"
import { dumpStorage } from "../storage.ts"
import { API, type Author, call, env, fileForm, newAuthor, newPng, newPost, OPERATOR, postInput } from "../support.ts"
import { rows, runCron, runTranslations, stopClock, unique } from "../support.ts"
import { newDesk } from "../translations/author.ts"

const limited = (bytes: number): Partial<Env> => ({ ...env, MAX_STORED_TEXT_BYTES: String(bytes) })
const countOf = async ({ username }: Author): Promise<number> => {
  const [account] = await rows("select text_bytes from accounts where username = ?", username)
  return Number(account?.["text_bytes"])
}
const newSlug = () => unique("quota").padEnd(30, "0")
const create = ({ key }: Author, body: string, bytes: number) =>
  call("POST", `${API}/posts/`, { key, json: postInput({ body, slug: newSlug() }), env: limited(bytes) })
const FULL = { status: 400, json: { code: "text_quota", errors: [{ field: "body", code: "text_quota" }] } }

/** Returns the bytes that a post with this body counts. */
const bytesOf = async (body: string): Promise<number> => {
  const author = await newAuthor()
  await newPost(author, { body, slug: newSlug() })
  return countOf(author)
}
const [ONE, THREE] = [await bytesOf("é"), await bytesOf("ééé")]

it("a post counts 1,024 bytes, a text 256, each label 150 and twice its own, and all bytes that the author fills", async () => {
  // Body and HTML grow by two letters of two bytes each.
  expect(THREE - ONE).toBe(8)
  const author = await newAuthor()
  const { slug } = await newPost(author, { body: "é" })
  const count = async (changes: object): Promise<number> => {
    const before = await countOf(author)
    expect((await patch(author, slug, { ...changes })).status).toBe(200)
    return (await countOf(author)) - before
  }
  // `["é"]` in the post, and its row.
  expect(await count({ tags: ["é"] })).toBe(4 + 150 + 4)
  expect(await count({ tags: [] })).toBe(-(4 + 150 + 4))
  expect(await count({ source: "abc", author_name: "é", canonical_url: "https://a.example/" })).toBe(3 + 2 + 18)
})

it("a new post that just fits into the account's text space is stored, one byte more is refused", async () => {
  const author = await newAuthor()
  expect(await create(author, "é", ONE - 1)).toMatchObject(FULL)
  expect(await countOf(author)).toBe(0)
  expect((await create(author, "é", ONE)).status).toBe(201)
  expect(await countOf(author)).toBe(ONE)
})

it.each([
  ["PATCH", patch],
  ["PUT", put],
] as const)(
  "a %s that just fits into the account's text space is stored, one byte more is refused and keeps the post",
  async (_, send) => {
    const author = await newAuthor()
    const { slug } = await newPost(author, { body: "é", slug: newSlug() })
    expect(await send(author, slug, { body: "ééé" }, { env: limited(THREE - 1) })).toMatchObject(FULL)
    expect(await put(author, newSlug(), { body: "é" }, { env: limited(2 * ONE - 1) })).toMatchObject(FULL)
    expect((await get(author, slug)).json.post.body).toBe("é")
    expect((await send(author, slug, { body: "ééé" }, { env: limited(THREE) })).status).toBe(200)
    expect([await countOf(author), await checkInvariants(true)]).toEqual([THREE, []])
  },
)

it("a full account may still shorten, rename and delete its posts", async () => {
  const author = await newAuthor()
  const { slug } = await newPost(author, { body: "ééé" })
  const over = { env: limited(1) }
  expect((await patch(author, slug, { body: "é" }, over)).status).toBe(200)
  expect((await patch(author, slug, { title: "Another" }, over)).status).toBe(200)
  expect((await remove(author, slug, over)).status).toBe(204)
  expect(await countOf(author)).toBe(0)
})

it("of two concurrent creates that only fit one by one into the text space, one is stored", async () => {
  const author = await newAuthor()
  const answers = await Promise.all([1, 2].map(() => create(author, "é", 2 * ONE - 1)))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400])
  expect(await countOf(author)).toBe(ONE)
})

it("a translation that does not fit into the text space fails with text_quota, and is made once there is space", async () => {
  stopClock()
  const desk = await newDesk({ translation_languages: ["fr"] })
  const { slug } = await desk.create({ translation_languages: ["fr"] })
  const source = await countOf(desk)
  await runTranslations(desk.wakeUps, limited(source + 1))
  const { fr: failed } = await desk.translations(slug)
  expect([failed?.status, failed?.error?.code, await countOf(desk)]).toEqual(["failed", "text_quota", source])
  const path = `${slug}/translations/fr/`
  expect((await desk.send("POST", path, {})).status).toBe(202)
  await desk.run()
  expect((await desk.translations(slug))["fr"]?.status).toBe("ready")
  await runCron()
  expect([(await countOf(desk)) > source, await checkInvariants(true)]).toEqual([true, []])
  expect((await desk.send("DELETE", path)).status).toBe(204)
  expect(await countOf(desk)).toBeLessThan(source)
})

const withoutCounts = ({ d1 }: Awaited<ReturnType<typeof dumpStorage>>) =>
  d1.filter(([name]) => name !== "abuse_counts")

it("a key at the quotas of texts and images cannot grow any table", async () => {
  const author = await newAuthor()
  const { slug } = await newPost(author)
  await rows("update accounts set stored_bytes = ? where username = ?", MAX_STORED_BYTES, author.username)
  const full = limited(await countOf(author))
  const file = fileForm(await newPng())
  const before = await dumpStorage()
  const send = (method: "POST" | "PATCH", path: string, options: object) => {
    const headers = { "Idempotency-Key": unique("once") }
    return call(method, `${API}/${path}`, { key: author.key, env: full, headers, ...options })
  }
  const languages = { lang_code: "en", primary_language: "en", translation_languages: [] }
  const refused = [
    await send("POST", "posts/", { json: postInput() }),
    await put(author, newSlug(), {}, { env: full }),
    await send("POST", "image-upload/", { body: file }),
  ]
  for (const change of [{ tags: ["one"] }, { translation_languages: ["fr"] }, { source: "a mark" }])
    refused.push(await send("PATCH", `posts/${slug}/`, { json: { ...languages, ...change } }))
  expect(refused.map(({ json }) => json.code)).toEqual([
    "text_quota",
    "text_quota",
    "storage_quota",
    ...Array(3).fill("text_quota"),
  ])
  expect(withoutCounts(await dumpStorage())).toEqual(withoutCounts(before))
  // Other tests check that this is the sum of the images.
  await rows("update accounts set stored_bytes = 0 where username = ?", author.username)
})

it("the account's own view and the operator's say how many bytes of text it has and may have", async () => {
  const author = await newAuthor()
  await newPost(author)
  const views = [
    await call("GET", `${API}/account/`, { key: author.key, env: limited(10_000) }),
    await call("GET", `/operator/api/accounts/${author.username}/`, { headers: OPERATOR, env: limited(10_000) }),
  ]
  const text_bytes = await countOf(author)
  for (const { json } of views)
    expect(json.account).toMatchObject({ usage: { text_bytes }, limits: { max_stored_text_bytes: 10_000 } })
})

it("erasing an account leaves no text and no count", async () => {
  const author = await newAuthor()
  await newPost(author)
  await eraseAccount(author)
  expect(await checkInvariants(true)).toEqual([])
})
