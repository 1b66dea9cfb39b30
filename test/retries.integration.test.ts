import { beforeEach, describe, expect, it, vi } from "vitest"

import { accountId, create, get, patch, statusOf, stored } from "./calls.ts"
import { failing, INSERT_IMAGE, INSERT_POST, recordPauses, SAVE_POST, tapD1 } from "./faults.ts"
import {
  API,
  META_DESCRIPTION,
  type Author,
  call,
  fileForm,
  newAuthor,
  newPost,
  passSeconds,
  png,
  rows,
  stopClock,
  unique,
} from "./support.ts"
import { upload } from "./support.ts"

// Source: developers.cloudflare.com/d1/observability/debug-d1, the list of D1_ERRORs.
const PASSING = [
  "D1_ERROR: D1 DB reset because its code was updated.",
  "D1_ERROR: Internal error while starting up D1 DB storage caused object to be reset.",
  "D1_ERROR: Network connection lost.",
  "D1_ERROR: Internal error in D1 DB storage caused object to be reset.",
  "D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.",
  "D1_ERROR: network connection lost.",
]
const LASTING = [
  "D1_ERROR: D1 DB is overloaded. Requests queued for too long.",
  "D1_ERROR: D1 DB is overloaded. Too many requests queued.",
  "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
  "D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.",
  "D1_ERROR: D1 DB exceeded its CPU time limit and was reset.",
  "D1_ERROR: Exceeded maximum DB size.",
]
const [, , LOST = ""] = PASSING

let ann: Author
let pauses: number[]
beforeEach(async () => {
  stopClock()
  ann = await newAuthor()
  await call("GET", `${API}/account/`, { key: ann.key })
  vi.spyOn(console, "error").mockReturnValue()
  pauses = recordPauses()
  return () => vi.restoreAllMocks()
})

interface Fault {
  like?: RegExp
  times: number
  message?: string
  takesEffect?: boolean
  meanwhile?: () => unknown
}

/** Returns a D1 binding that fails `times` matching calls and counts all matching calls. */
const failingD1 = ({ like = /./, times, message = LOST, takesEffect = false, meanwhile }: Fault) => {
  const seen = { tries: 0 }
  let fails = false
  const DB = tapD1({
    before: (statements) => {
      const isMeant = statements.some(({ sql }) => like.test(sql))
      if (isMeant) seen.tries += 1
      fails = isMeant && seen.tries <= times
    },
    around: async (ask) => {
      const isFailing = fails
      if (isFailing && !takesEffect) {
        await meanwhile?.()
        throw new Error(message)
      }
      const answer = await ask()
      if (!isFailing) return answer
      await meanwhile?.()
      throw new Error(message)
    },
  })
  return { DB, seen }
}

const readAccount = (DB: D1Database) => call("GET", `${API}/account/`, { key: ann.key, env: { DB } })

/** Sends a create that uses its slug as its Idempotency-Key. */
const createKeyed = (slug: string, faults: Partial<Env> = {}) =>
  call("POST", `${API}/posts/`, {
    key: ann.key,
    headers: { "Idempotency-Key": slug },
    json: { title: "t", slug, status: "PB", categories: "c", meta_description: META_DESCRIPTION, body: "b" },
    env: faults,
  })

describe("retries of reads from D1", () => {
  it.each(PASSING)("a read from D1 is retried after the transient error: %s", async (message) => {
    const { DB, seen } = failingD1({ times: 2, message })
    expect((await readAccount(DB)).status).toBe(200)
    expect(seen.tries).toBe(3)
  })

  it.each(LASTING)(
    "a read from D1 is not retried after the permanent error, and the request answers 503: %s",
    async (message) => {
      const { DB, seen } = failingD1({ times: 1, message })
      const { status, headers } = await readAccount(DB)
      expect([status, headers.get("Retry-After"), seen.tries, pauses]).toEqual([503, "5", 1, []])
    },
  )

  it("a read from D1 is not retried after an unknown error, and the request answers 500", async () => {
    expect((await readAccount(tapD1({ before: failing }))).status).toBe(500)
    expect(pauses).toEqual([])
  })

  it("a read from D1 is tried three times in all, and then the request answers 503", async () => {
    const { DB, seen } = failingD1({ times: 3 })
    const { status, headers } = await readAccount(DB)
    expect([status, headers.get("Retry-After"), seen.tries]).toEqual([503, "5", 3])
  })

  it("a read from D1 is not retried if its first try took two seconds", async () => {
    const { DB, seen } = failingD1({ times: 1, meanwhile: () => passSeconds(2) })
    expect((await readAccount(DB)).status).toBe(503)
    expect(seen.tries).toBe(1)
  })

  it.each([
    [0, [0, 0]],
    [0.5, [25, 50]],
    [0.999, [49.95, 99.9]],
  ])("the pauses before retries of a D1 read are random and double: Math.random() = %d", async (chance, expected) => {
    vi.spyOn(Math, "random").mockReturnValue(chance)
    const { DB } = failingD1({ times: 2 })
    expect((await readAccount(DB)).status).toBe(200)
    expect(pauses).toEqual(expected)
  })

  it("batches of D1 reads and reads from D1 replicas are retried", async () => {
    const { slug } = await newPost(ann)
    const all = failingD1({ like: /from "texts"/, times: 2 })
    expect(await statusOf(call("GET", `${API}/posts/${slug}/`, { key: ann.key, env: { DB: all.DB } }))).toBe(200)
    const page = failingD1({ times: 2 })
    expect(await statusOf(call("GET", `/@${ann.username}/${slug}/`, { env: { DB: page.DB } }))).toBe(200)
    expect([all.seen.tries, page.seen.tries]).toEqual([3, 3])
  })
})

it("creating a post answers 201 if D1's answer is lost too late for a retry but the post is stored", async () => {
  const slug = unique("late")
  const { DB, seen } = failingD1({ like: INSERT_POST, times: 1, takesEffect: true, meanwhile: () => passSeconds(2) })
  expect([(await create(ann, { slug }, { DB })).status, seen.tries]).toEqual([201, 1])
})

describe.each([false, true])("a failed write to D1 (took effect: %s)", (takesEffect) => {
  it("a post whose insert into D1 fails once is inserted again and stored once", async () => {
    const slug = unique("again")
    const { image_id } = await upload(ann)
    const { DB, seen } = failingD1({ like: INSERT_POST, times: 1, takesEffect })
    const { status, json } = await create(ann, { slug, image_ids: [image_id] }, { DB })
    expect([status, seen.tries]).toEqual([201, 2])
    expect(await rows("select count(*) as posts from posts where slug = ?", slug)).toEqual([{ posts: 1 }])
    expect((await get(ann, slug)).json.post).toEqual(json.post)
  })

  it("a post whose D1 insert fails once is created, and its Idempotency-Key replays the same answer", async () => {
    const slug = unique("keyed")
    const { DB } = failingD1({ like: INSERT_POST, times: 1, takesEffect })
    const first = await createKeyed(slug, { DB })
    const second = await createKeyed(slug)
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.json).toEqual(first.json)
  })

  it("creating a post answers 201 if storing its Idempotency-Key in D1 fails once and is retried", async () => {
    const { DB, seen } = failingD1({ like: /^insert into "idempotency_keys" .* returning /s, times: 1, takesEffect })
    expect([(await createKeyed(unique("begun"), { DB })).status, seen.tries]).toEqual([201, 2])
  })

  it("a refused creation of a post frees its Idempotency-Key at once, even if the D1 delete is retried", async () => {
    const { slug } = await newPost(ann)
    const { DB, seen } = failingD1({ like: /^delete from "idempotency_keys"/, times: 1, takesEffect })
    expect([(await createKeyed(slug, { DB })).json.code, seen.tries]).toEqual(["duplicate_slug", 2])
    expect((await createKeyed(slug)).json.code).toBe("duplicate_slug")
  })

  it("an image whose insert into D1 fails once is inserted again, and its bytes count once", async () => {
    const account = await accountId(ann)
    const { DB, seen } = failingD1({ like: INSERT_IMAGE, times: 1, takesEffect })
    const body = fileForm(await png())
    const { status, json } = await call("POST", `${API}/image-upload/`, { key: ann.key, body, env: { DB } })
    expect([status, seen.tries]).toEqual([201, 2])
    const [image] = await rows("select bytes from images where id = ?", json.image_id)
    expect(await stored(account)).toEqual({ rows: [json.image_id], files: [json.image_id], bytes: image?.["bytes"] })
  })

  it("a PATCH of a post whose save in D1 fails is not retried and answers 503", async () => {
    const { slug } = await newPost(ann)
    const { DB, seen } = failingD1({ like: SAVE_POST, times: 1, takesEffect })
    const { status, headers } = await patch(ann, slug, { title: "New" }, { env: { DB } })
    expect([status, headers.get("Retry-After"), seen.tries]).toEqual([503, "5", 1])
    expect((await get(ann, slug)).json.post.title).toBe(takesEffect ? "New" : "A title")
    // The client can safely repeat the PATCH.
    expect(await statusOf(patch(ann, slug, { title: "New" }))).toBe(200)
    expect((await get(ann, slug)).json.post).toMatchObject({ title: "New", version: 2 })
  })
})

it("an upload into the last free bytes of the quota succeeds even if its D1 insert is retried", async () => {
  const account = await accountId(ann)
  const { image_id } = await upload(await newAuthor(), await png())
  const [{ bytes } = {}] = await rows("select bytes from images where id = ?", image_id)
  const left = 10 * 1024 ** 3 - Number(bytes)
  await rows("update accounts set stored_bytes = ? where id = ?", left, account)
  const { DB } = failingD1({ like: INSERT_IMAGE, times: 1, takesEffect: true })
  const body = fileForm(await png())
  expect(await statusOf(call("POST", `${API}/image-upload/`, { key: ann.key, body, env: { DB } }))).toBe(201)
})

it("creating a post answers duplicate_slug if another author takes its slug before a D1 retry", async () => {
  const slug = unique("taken")
  const bob = await newAuthor()
  const { DB } = failingD1({ like: INSERT_POST, times: 1, meanwhile: () => newPost(bob, { slug }) })
  const { status, json } = await create(ann, { slug }, { DB })
  expect([status, json.code]).toEqual([400, "duplicate_slug"])
})

it("creating a post with a taken slug does not retry the D1 insert", async () => {
  const { slug } = await newPost(ann)
  const { DB, seen } = failingD1({ like: INSERT_POST, times: 0 })
  expect(await statusOf(create(ann, { slug }, { DB }))).toBe(400)
  expect([seen.tries, pauses]).toEqual([1, []])
})
