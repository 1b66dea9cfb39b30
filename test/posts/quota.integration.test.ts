import { expect, it } from "vitest"

import { patch, put, remove } from "../calls.ts"
import { checkInvariants } from "../faults/invariants.ts"
import {
  API,
  type Author,
  call,
  env,
  newAuthor,
  newPost,
  OPERATOR,
  postInput,
  rows,
  runTranslations,
  stopClock,
  unique,
} from "../support.ts"
import { newDesk } from "../translations/author.ts"

const limited = (bytes: number): Partial<Env> => ({ ...env, MAX_STORED_TEXT_BYTES: String(bytes) })
const countOf = async ({ username }: Author): Promise<number> => {
  const [account] = await rows("select text_bytes from accounts where username = ?", username)
  return Number(account?.["text_bytes"])
}
const create = ({ key }: Author, body: string, bytes: number) =>
  call("POST", `${API}/posts/`, { key, json: postInput({ body }), env: limited(bytes) })
const FULL = { status: 400, json: { code: "text_quota", errors: [{ field: "body", code: "text_quota" }] } }

/** `é` in the body, and `<p>é</p>` with its line ending in the HTML. */
const E = { body: "é", bytes: 2 + (await sizeOfHtml("é")) }
async function sizeOfHtml(body: string): Promise<number> {
  const author = await newAuthor()
  const { html } = await newPost(author, { body })
  return new TextEncoder().encode(html).length
}

it("a new post whose body and HTML just fit into the account's text space is stored, one byte more is refused", async () => {
  const author = await newAuthor()
  expect(await create(author, E.body, E.bytes - 1)).toMatchObject(FULL)
  expect(await countOf(author)).toBe(0)
  expect((await create(author, E.body, E.bytes)).status).toBe(201)
  expect(await countOf(author)).toBe(E.bytes)
})

it("a PATCH that just fits into the account's text space is stored, one byte more is refused and keeps the post", async () => {
  const author = await newAuthor()
  const { slug } = await newPost(author, { body: E.body })
  const longer = E.bytes + 4
  expect(await patch(author, slug, { body: "ééé" }, { env: limited(longer + 3) })).toMatchObject(FULL)
  expect((await call("GET", `${API}/posts/${slug}/`, author)).json.post.body).toBe(E.body)
  expect((await patch(author, slug, { body: "ééé" }, { env: limited(longer + 4) })).status).toBe(200)
  expect([await countOf(author), await checkInvariants(true)]).toEqual([longer + 4, []])
})

it("a PUT that just fits into the account's text space is stored, one byte more is refused and keeps the post", async () => {
  const author = await newAuthor()
  const { slug } = await newPost(author, { body: E.body })
  const longer = { body: "ééé" }
  const bytes = E.bytes + 8
  expect(await put(author, slug, longer, { env: limited(bytes - 1) })).toMatchObject(FULL)
  expect(await put(author, unique("put"), E, { env: limited(2 * E.bytes - 1) })).toMatchObject(FULL)
  expect((await call("GET", `${API}/posts/${slug}/`, author)).json.post.body).toBe(E.body)
  expect((await put(author, slug, longer, { env: limited(bytes) })).status).toBe(200)
  expect([await countOf(author), await checkInvariants(true)]).toEqual([bytes, []])
})

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
  const answers = await Promise.all([1, 2].map(() => create(author, E.body, 2 * E.bytes - 1)))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400])
  expect(await countOf(author)).toBe(E.bytes)
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
  expect([(await countOf(desk)) > source, await checkInvariants(true)]).toEqual([true, []])
  expect((await desk.send("DELETE", path)).status).toBe(204)
  expect(await countOf(desk)).toBe(source)
})

it("the account's own view says how many bytes of text it may store", async () => {
  const { json } = await call("GET", `${API}/account/`, { key: (await newAuthor()).key, env: limited(1000) })
  expect(json.account.limits.max_stored_text_bytes).toBe(1000)
})

it("erasing an account leaves no text and no count", async () => {
  const author = await newAuthor()
  await newPost(author)
  await call("DELETE", `/operator/api/accounts/${author.username}/`, { headers: OPERATOR })
  expect(await checkInvariants(true)).toEqual([])
})
