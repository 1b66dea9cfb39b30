import { describe, expect, it } from "vitest"

import { beforeCall, failing, tapD1 } from "../faults.ts"
import {
  API,
  type Answer,
  type Author,
  call,
  fileForm,
  newAuthor,
  newPost,
  OPERATOR,
  png,
  postInput,
  rows,
} from "../support.ts"

const operate = (method: "POST" | "PATCH" | "DELETE", { username }: Author, path: string, json?: unknown) =>
  call(method, `/operator/api/accounts/${username}/${path}`, { headers: OPERATOR, json })

/** Lets the key of an author expire. */
const expire = async (author: Author) => {
  await rows(
    "update api_keys set expires_at = 1 where account_id = (select id from accounts where username = ?)",
    author.username,
  )
  return call("GET", "/healthz/")
}

/** The ways in which a key stops being valid. */
const ENDINGS: [name: string, code: string, end: (author: Author) => Promise<Answer>][] = [
  ["rotated", "unauthorized", (author) => operate("POST", author, "keys/")],
  ["expired", "unauthorized", expire],
  ["restricted", "account_restricted", (author) => operate("PATCH", author, "", { restricted: true })],
  ["unpaid", "subscription_required", (author) => operate("PATCH", author, "", { paid_until: "2020-01-01T00:00:00Z" })],
  ["erased", "unauthorized", (author) => operate("DELETE", author, "")],
]

interface Write {
  method: "POST" | "PUT" | "PATCH" | "DELETE"
  path: (slug: string) => string
  body: () => Promise<Response>
  /** A statement of the batch that writes. */
  statement: RegExp
  /** A statement of the last batch, if several write: only then is something there that can be used. */
  last?: RegExp
}

const json = (value: unknown) => () =>
  Promise.resolve(new Response(JSON.stringify(value), { headers: { "Content-Type": "application/json" } }))
const PATCH = { title: "Changed", lang_code: "en", primary_language: "en", translation_languages: [] }

const WRITES: Record<string, Write> = {
  POST: {
    method: "POST",
    path: () => `${API}/posts/`,
    body: () => json(postInput({ title: "Changed" }))(),
    statement: /^insert into "posts"/,
  },
  PATCH: { method: "PATCH", path: (slug) => `${API}/posts/${slug}/`, body: json(PATCH), statement: /^update "posts"/ },
  "PUT that creates": {
    method: "PUT",
    path: (slug) => `${API}/posts/new-${slug}/`,
    body: () => json({ ...postInput({ title: "Changed" }), slug: undefined })(),
    statement: /^insert into "posts"/,
  },
  "PUT that replaces": {
    method: "PUT",
    path: (slug) => `${API}/posts/${slug}/`,
    body: () => json({ ...postInput({ title: "Changed" }), slug: undefined })(),
    statement: /^update "posts"/,
  },
  DELETE: {
    method: "DELETE",
    path: (slug) => `${API}/posts/${slug}/`,
    body: () => Promise.resolve(new Response(null)),
    statement: /^delete from "posts"/,
  },
  upload: {
    method: "POST",
    path: () => `${API}/image-upload/`,
    body: async () => new Response(fileForm(await png())),
    statement: /^insert into "images"/,
    last: /^update "images" set "stored_at"/,
  },
}

const POSTS = "select id, version, title from posts join texts on post_id = id order by id"
const stored = () => Promise.all([rows(POSTS), rows("select id from images order by id")])
/** Returns what is stored, except images whose files are not. */
const usable = () => Promise.all([rows(POSTS), rows("select id from images where stored_at is not null order by id")])

/** Sends a write whose key ends by `end` while it runs. */
const write = async (
  { method, path, body, statement }: Write,
  end: (author: Author) => Promise<Answer>,
  when: "body" | "batch",
) => {
  const other = await newAuthor()
  await newPost(other)
  const before = await stored()
  const author = await newAuthor()
  const { slug } = await newPost(author)
  const own = await stored()
  const sent = await body()
  const bytes = new Uint8Array(await sent.arrayBuffer())
  let ended: Answer | undefined
  const act = async () => {
    ended = await end(author)
  }
  const held = new ReadableStream(
    {
      pull: async (controller) => {
        await act()
        controller.enqueue(bytes)
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const type = sent.headers.get("Content-Type")
  const answer = await call(method, path(slug), {
    key: author.key,
    ...(type && { headers: { "Content-Type": type } }),
    ...(when === "body" ? { body: held } : method === "DELETE" ? {} : { body: bytes }),
    ...(when === "batch" && { env: { DB: beforeCall(statement, act) } }),
  })
  expect(ended?.status).toBeLessThan(300)
  expect(await stored()).toEqual(
    (await rows("select 1 from accounts where username = ?", author.username))[0] ? own : before,
  )
  return answer
}

describe.each(ENDINGS)("a key that is %s while a request runs", (_, code, end) => {
  it.each(Object.keys(WRITES).filter((name) => name !== "DELETE"))(
    "the request %s is refused and writes nothing if its API key becomes invalid before the body arrives",
    async (name) => {
      const { status, json: answer } = await write(WRITES[name] as Write, end, "body")
      expect([status, answer.code]).toEqual([code === "unauthorized" ? 401 : 403, code])
    },
  )

  it.each(Object.keys(WRITES))(
    "the request %s is refused and writes nothing if its API key becomes invalid just before the write",
    async (name) => {
      const { status, json: answer } = await write(WRITES[name] as Write, end, "batch")
      expect([status, answer.code]).toEqual([code === "unauthorized" ? 401 : 403, code])
    },
  )
})

it("a DELETE of an unknown post answers 404 even if the second lookup of its API key fails", async () => {
  const { key } = await newAuthor()
  let lookups = 0
  const DB = tapD1({
    before: (statements) => {
      if (!statements.some(({ sql }) => sql.includes('from "api_keys"'))) return undefined
      lookups += 1
      return lookups === 2 ? failing() : undefined
    },
  })
  const { status, json: answer } = await call("DELETE", `${API}/posts/nowhere/`, { key, env: { DB } })
  expect([status, answer.code, lookups]).toEqual([404, "not_found", 2])
})

it.each(Object.keys(WRITES))(
  "%s: nothing is written by a key that is revoked before any D1 call up to the batch that writes",
  async (name) => {
    const { method, path, body, statement, last = statement } = WRITES[name] as Write
    const outcomes = []
    for (let revokedAt = 0; ; revokedAt++) {
      const author = await newAuthor()
      const { slug } = await newPost(author)
      const sent = await body()
      const type = sent.headers.get("Content-Type")
      const before = JSON.stringify(await usable())
      let [calls, writtenAt] = [0, Infinity]
      const DB = tapD1({
        before: async (statements) => {
          const at = calls++
          if (at === revokedAt) await operate("POST", author, "keys/")
          if (statements.some(({ sql }) => last.test(sql))) writtenAt = at
        },
      })
      const { status } = await call(method, path(slug), {
        key: author.key,
        ...(type && { headers: { "Content-Type": type }, body: new Uint8Array(await sent.arrayBuffer()) }),
        env: { DB },
      })
      if (calls <= revokedAt) break
      const isWritten = JSON.stringify(await usable()) !== before
      outcomes.push({ revokedAt, isOk: status < 300, isWritten, isLate: revokedAt > writtenAt })
    }
    expect(outcomes).toEqual(
      outcomes.map(({ revokedAt, isLate }) => ({ revokedAt, isOk: isLate, isWritten: isLate, isLate })),
    )
    expect(outcomes[0]).toMatchObject({ isOk: false })
    expect(outcomes.length).toBeGreaterThan(1)
  },
)

it("a PATCH that changes nothing, and repeated requests, answer 401 if their key is revoked while their body arrives", async () => {
  const author = await newAuthor()
  const { slug } = await newPost(author, { slug: "as-it-is", status: "DF" })
  const post = postInput()
  const requests = {
    "PATCH without a change": { method: "PATCH", path: `${API}/posts/${slug}/`, json: { ...PATCH, title: "A title" } },
    "repeated PATCH": { method: "PATCH", path: `${API}/posts/${slug}/`, json: PATCH, once: "patch" },
    "repeated POST": { method: "POST", path: `${API}/posts/`, json: post, once: "post" },
  } as const
  const answers: Record<string, number> = {}
  let { key } = author
  for (const [name, { method, path, json: sent, ...rest }] of Object.entries(requests)) {
    const headers: Record<string, string> = "once" in rest ? { "Idempotency-Key": rest.once } : {}
    if ("once" in rest) await call(method, path, { key, json: sent, headers })
    const body = new ReadableStream(
      {
        pull: async (controller) => {
          const rotated = await operate("POST", author, "keys/")
          controller.enqueue(new TextEncoder().encode(JSON.stringify(sent)))
          controller.close()
          next = rotated.json.api_key
        },
      },
      { highWaterMark: 0 },
    )
    let next = key
    answers[name] = (await call(method, path, { key, headers, body })).status
    key = next
  }
  expect(answers).toEqual({ "PATCH without a change": 401, "repeated PATCH": 401, "repeated POST": 401 })
})
